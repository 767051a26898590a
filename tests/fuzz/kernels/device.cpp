// SPDX-License-Identifier: MIT
// Processes that run kernels. They and their parent speak through two pipes: a request is the module's path and the launches, an
// answer for each of them is an error and the words of its results.
#include "device.h"
#include "values.h"

#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fuzz {
namespace {

constexpr int kRequests = 200, kAnswers = 201; // descriptors of the worker
constexpr int kPatience = 240'000;             // milliseconds for one kernel, which is compiled first

struct Request {
  char path[512];
  uint32_t count, first;
};
struct Answer {
  int32_t error; // a hipError_t
  char call[120];
  uint64_t words;
};

bool getAll(int from, void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = read(from, static_cast<char *>(to) + done, size - done);
    if (got <= 0)
      return false;
    done += size_t(got);
  }
  return true;
}
bool putAll(int to, const void *from, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t put = write(to, static_cast<const char *>(from) + done, size - done);
    if (put <= 0)
      return false;
    done += size_t(put);
  }
  return true;
}

// The worker ------------------------------------------------------------------------------------------------------------

void check(hipError_t error, const char *call) {
  if (error == hipSuccess)
    return;
  Answer answer{error, {}, 0};
  std::snprintf(answer.call, sizeof answer.call, "%s", call);
  putAll(kAnswers, &answer, sizeof answer);
  std::exit(1); // a fault stays with the device
}
#define HIP(call) check((call), #call)

template <class T> T *allocate(size_t count) {
  void *memory = nullptr;
  HIP(hipMalloc(&memory, count * sizeof(T)));
  return static_cast<T *>(memory);
}

size_t bytesOf(Type type) { return bitsOf(type) / 8; }
uint64_t wordAt(const std::vector<char> &bytes, Type type, size_t index) {
  const char *at = bytes.data() + index * bytesOf(type);
  const auto get = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return uint64_t(int64_t(value));
  };
  switch (type) {
  case Type::i8: return get((signed char)0);
  case Type::i16: return get(short(0));
  case Type::i32: return get(0);
  case Type::f32: return get(uint32_t(0));
  default: return get(int64_t(0));
  }
}

struct Memory {
  void *inputs[kInputs], *outputs[kOutputs];
  uint64_t *words = allocate<uint64_t>(size_t(kMostThreads) * kResults);
  uint32_t *slots = allocate<uint32_t>(2 * kSlots), *lists = allocate<uint32_t>(size_t(kLists) * kListItems);

  Memory() {
    for (unsigned b = 0; b < kInputs; ++b) {
      const size_t size = bytesOf(kInputTypes[b]);
      std::vector<char> bytes(kInputItems * size);
      for (unsigned i = 0; i < kInputItems; ++i) {
        const uint64_t word = inputAt(b, i);
        std::memcpy(bytes.data() + i * size, &word, size);
      }
      inputs[b] = allocate<char>(bytes.size());
      HIP(hipMemcpy(inputs[b], bytes.data(), bytes.size(), hipMemcpyHostToDevice));
    }
    for (unsigned b = 0; b < kOutputs; ++b)
      outputs[b] = allocate<char>(size_t(kMostThreads) * kOutputSpread * bytesOf(kOutputTypes[b]));
  }
};

template <class T> std::vector<T> copied(const void *from, size_t count) {
  std::vector<T> result(count);
  HIP(hipMemcpy(result.data(), from, count * sizeof(T), hipMemcpyDeviceToHost));
  return result;
}

Results run(hipFunction_t function, const Launch &launch, Memory &memory) {
  Results result;
  HIP(hipMemset(memory.slots, 0, 2 * kSlots * sizeof *memory.slots));
  const unsigned *grid = launch.grid, *block = launch.block;
  if (launch.huge) {
    void *arguments[] = {&memory.slots};
    HIP(hipExtModuleLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, nullptr,
                                 arguments, nullptr, nullptr, nullptr, 0));
  } else {
    for (unsigned b = 0; b < kOutputs; ++b)
      HIP(hipMemset(memory.outputs[b], 0, size_t(launch.total) * kOutputSpread * bytesOf(kOutputTypes[b])));
    for (unsigned l = 0; l < kLists; ++l)
      HIP(hipMemset(memory.lists + size_t(l) * kListItems, 0, sizeof *memory.lists));
    std::vector<void *> arguments;
    for (void *&input : memory.inputs)
      arguments.push_back(&input);
    for (void *&output : memory.outputs)
      arguments.push_back(&output);
    arguments.insert(arguments.end(), {&memory.words, &memory.slots, &memory.lists});
    Launch own = launch;
    for (int &parameter : own.parameters)
      arguments.push_back(&parameter);
    HIP(hipModuleLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, nullptr,
                              arguments.data(), nullptr));
  }
  HIP(hipDeviceSynchronize());
  const auto slots = copied<uint32_t>(memory.slots, kSlots);
  std::copy(slots.begin(), slots.end(), result.slots.begin());
  if (launch.huge)
    return result;
  result.words = copied<uint64_t>(memory.words, size_t(launch.total) * kResults);
  for (unsigned b = 0; b < kOutputs; ++b) {
    const size_t count = size_t(launch.total) * kOutputSpread;
    const auto bytes = copied<char>(memory.outputs[b], count * bytesOf(kOutputTypes[b]));
    for (size_t i = 0; i < count; ++i)
      result.outputs[b].push_back(wordAt(bytes, kOutputTypes[b], i));
  }
  for (unsigned l = 0; l < kLists; ++l) {
    const uint32_t *list = memory.lists + size_t(l) * kListItems;
    const uint32_t count = std::min(copied<uint32_t>(list, 1)[0], kListItems - 1);
    result.lists[l] = copied<uint32_t>(list + 1, count);
    std::sort(result.lists[l].begin(), result.lists[l].end());
  }
  return result;
}

} // namespace

int runWorker() {
  Memory memory;
  for (Request request; getAll(kRequests, &request, sizeof request);) {
    std::vector<Launch> launches(request.count);
    if (!getAll(kRequests, launches.data(), launches.size() * sizeof(Launch)))
      return 1;
    hipModule_t module;
    HIP(hipModuleLoad(&module, request.path));
    for (size_t i = 0; i < launches.size(); ++i) {
      hipFunction_t function;
      HIP(hipModuleGetFunction(&function, module, ("k" + std::to_string(request.first + i)).c_str()));
      const std::vector<uint64_t> words = flat(run(function, launches[i], memory));
      Answer answer{0, {}, words.size()};
      if (!putAll(kAnswers, &answer, sizeof answer) || !putAll(kAnswers, words.data(), words.size() * sizeof(uint64_t)))
        return 1;
    }
    HIP(hipModuleUnload(module));
  }
  return 0;
}

// Its parent ------------------------------------------------------------------------------------------------------------

namespace {

/// The widest one first.
std::vector<std::string> instructionSets() {
  std::vector<std::string> isas = {"x86-64-v2"};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    isas.insert(isas.begin(), "avx2");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    isas.insert(isas.begin(), "avx512");
  return isas;
}

} // namespace

std::vector<Configuration> allConfigurations() {
  const std::vector<std::string> isas = instructionSets();
  std::vector<Configuration> result;
  for (const auto &isa : isas)
    result.push_back({isa, true, 2});
  for (const auto &isa : isas)
    result.push_back({isa, false, 2});
  for (const auto &isa : isas)
    result.push_back({isa, true, 0});
  return result;
}

std::vector<Configuration> machineCodeConfigurations() {
  const std::vector<std::string> isas = instructionSets();
  std::vector<Configuration> result;
  for (const auto &isa : isas)
    result.push_back({isa, true, 2});
  for (const int level : {0, 1, 3})
    result.push_back({isas[0], true, level});
  return result;
}

Launch launchOf(const Kernel &kernel) {
  Launch result{};
  std::copy(kernel.grid.begin(), kernel.grid.end(), result.grid);
  std::copy(kernel.block.begin(), kernel.block.end(), result.block);
  std::copy(kernel.parameters.begin(), kernel.parameters.end(), result.parameters);
  result.total = kernel.blocks() * kernel.threads();
  return result;
}

std::vector<uint64_t> flat(const Results &results) {
  std::vector<uint64_t> all = results.words;
  for (const auto &output : results.outputs)
    all.insert(all.end(), output.begin(), output.end());
  all.insert(all.end(), results.slots.begin(), results.slots.end());
  for (const auto &list : results.lists) {
    all.push_back(list.size());
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

void Device::start() {
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) || pipe2(answers, O_CLOEXEC)) {
    std::perror("pipe2");
    std::exit(2);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests[0], kRequests);
  posix_spawn_file_actions_adddup2(&actions, answers[1], kAnswers);
  std::vector<std::string> settings = {"HIPLZ_CPU_ISA=" + configuration_.isa,
                                       std::string("HIPLZ_CPU_VECTORIZE=") + (configuration_.vector ? "1" : "0"),
                                       "HIPLZ_CACHE=0"};
  if (!std::getenv("HIPLZ_LOG"))
    settings.emplace_back("HIPLZ_LOG=error"); // what fails is explained
  std::vector<char *> environment;
  for (auto &setting : settings)
    environment.push_back(setting.data());
  for (char **old = environ; *old; ++old)
    if (std::none_of(settings.begin(), settings.end(), [&](const std::string &setting) {
          return !std::strncmp(*old, setting.c_str(), setting.find('=') + 1);
        }))
      environment.push_back(*old);
  environment.push_back(nullptr);
  char program[] = "/proc/self/exe", option[] = "--worker", *arguments[] = {program, option, nullptr};
  if (const int error = posix_spawn(&process_, program, &actions, nullptr, arguments, environment.data())) {
    std::fprintf(stderr, "posix_spawn: %s\n", std::strerror(error));
    std::exit(2);
  }
  posix_spawn_file_actions_destroy(&actions);
  close(requests[0]);
  close(answers[1]);
  to_ = requests[1];
  from_ = answers[0];
}

void Device::stop() {
  if (process_ < 0)
    return;
  close(to_);
  close(from_);
  if (done_ < launches_.size())
    kill(process_, SIGKILL); // it may never end otherwise
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
}

void Device::begin(const std::string &path, const std::vector<Launch> &launches) {
  path_ = path;
  launches_ = launches;
  done_ = 0;
  sendRest();
}

void Device::sendRest() {
  if (done_ == launches_.size())
    return;
  if (process_ < 0)
    start();
  Request request{};
  std::snprintf(request.path, sizeof request.path, "%s", path_.c_str());
  request.count = uint32_t(launches_.size() - done_);
  request.first = uint32_t(done_);
  putAll(to_, &request, sizeof request);
  putAll(to_, launches_.data() + done_, request.count * sizeof(Launch));
}

bool Device::get(void *to, size_t size, int milliseconds) {
  for (size_t done = 0; done < size;) {
    pollfd waiting{from_, POLLIN, 0};
    const int ready = poll(&waiting, 1, milliseconds);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    const ssize_t got = read(from_, static_cast<char *>(to) + done, size - done);
    if (got <= 0)
      return false;
    done += size_t(got);
  }
  return true;
}

Outcome Device::next() {
  Outcome outcome;
  Answer answer{};
  if (!get(&answer, sizeof answer, kPatience))
    outcome.error = "the process has ended, or the kernel takes too long";
  else if (answer.error)
    outcome.error = std::string(hipGetErrorName(hipError_t(answer.error))) + " of " + answer.call;
  else {
    outcome.results.resize(answer.words);
    outcome.ran = get(outcome.results.data(), answer.words * sizeof(uint64_t), kPatience);
  }
  if (!outcome.ran) {
    stop();
    ++done_;
    sendRest();
  } else {
    ++done_;
  }
  return outcome;
}

} // namespace fuzz
