// SPDX-License-Identifier: MIT
// The sweep, and the kernels of the scenarios.
#include "failures.h"

#include "lz/core/error.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include <sys/wait.h>
#include <unistd.h>

extern "C" void **__hipRegisterFatBinary(const void *data);
extern "C" void __hipRegisterFunction(void **modules, const void *hostFunction, char *deviceFunction,
                                      const char *deviceName, unsigned int threadLimit, uint3 *tid, uint3 *bid,
                                      dim3 *blockDim, dim3 *gridDim, int *wSize);
extern "C" void __hipRegisterVar(void **modules, void *var, char *hostVar, char *deviceVar, int ext, size_t size,
                                 int constant, int global);

namespace failures {

int deviceValue;

namespace {

constexpr int kWrong = 1, kBroken = 2, kNoCall = 3; // exit codes of children
constexpr int kRounds = 6; // until all of the runtime's rings and pools are as large as they will be
char addTo, readValue;

std::string makeBundle() {
  std::ifstream file(HIPLZ_TEST_FAKE_KERNELS, std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string targets[] = {"host-x86_64-unknown-linux--", "hip-spirv64----generic"};
  std::string bytes = "__CLANG_OFFLOAD_BUNDLE__";
  const auto put = [&](uint64_t value) { bytes.append(reinterpret_cast<const char *>(&value), sizeof value); };
  const uint64_t codeAt = bytes.size() + sizeof(uint64_t) * 7 + targets[0].size() + targets[1].size();
  put(2);
  for (const std::string &target : targets) {
    put(codeAt);
    put(&target == targets ? 0 : code.size());
    put(target.size());
    bytes += target;
  }
  return bytes + code;
}

/// Gives the fake its kernels, and registers the bundle as programs that clang has compiled do before main().
const bool registered = [] {
  fake_ze::provideKernel("addTo", [](const fake_ze::Launch &launch) {
    auto *out = launch.argument<int *>(0);
    const auto *in = launch.argument<const int *>(1);
    const auto value = launch.argument<int>(2), count = launch.argument<int>(3);
    for (int i = 0; i < std::min<int>(count, static_cast<int>(launch.threads())); ++i)
      out[i] = in[i] + value;
  });
  fake_ze::provideKernel("readValue", [](const fake_ze::Launch &launch) {
    std::memcpy(launch.argument<int *>(0), launch.variables->at("deviceValue").data(), sizeof(int));
  });
  fake_ze::provideVariable("deviceValue", sizeof(int));
  static struct {
    uint32_t magic = 0x48495046, version = 1;
    const void *binary = bundle();
    void *unused = nullptr;
  } wrapper;
  void **modules = __hipRegisterFatBinary(&wrapper);
  __hipRegisterFunction(modules, &addTo, nullptr, "addTo", 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  __hipRegisterFunction(modules, &readValue, nullptr, "readValue", 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  static char name[] = "deviceValue";
  __hipRegisterVar(modules, &deviceValue, name, name, 0, sizeof deviceValue, 0, 0);
  return true;
}();

/// Everything that a scenario must leave as it found it.
struct Remaining {
  std::map<std::string, int> objects;
  size_t freeBytes = 0;
  bool operator==(const Remaining &) const = default;
  int count(const std::string &kind) const {
    const auto found = objects.find(kind);
    return found == objects.end() ? 0 : found->second;
  }
  /// Streams of a lost device keep the events that they refer to.
  bool isMoreThan(const Remaining &other) const {
    return std::any_of(objects.begin(), objects.end(), [&](const auto &kind) {
      return kind.second > other.count(kind.first) && !kind.first.starts_with("event");
    });
  }
};

Remaining remaining() {
  Remaining now{fake_ze::liveObjects()};
  size_t all = 0;
  CHECK(hipMemGetInfo(&now.freeBytes, &all) == hipSuccess);
  return now;
}

void run(void (*scenario)()) {
  ending = {};
  scenario();
  (void)hipGetLastError();
}

void reportMistakes() {
  for (const std::string &mistake : fake_ze::takeMistakes()) {
    ++wrongResults;
    std::fprintf(stderr, "  %s\n", mistake.c_str());
  }
}

void reportDifference(const Remaining &before, const Remaining &after) {
  ++wrongResults;
  auto kinds = before.objects;
  kinds.insert(after.objects.begin(), after.objects.end());
  for (const auto &[kind, unused] : kinds) {
    if (before.count(kind) != after.count(kind))
      std::fprintf(stderr, "  %s: %d before, %d after\n", kind.c_str(), before.count(kind), after.count(kind));
  }
  if (before.freeBytes != after.freeBytes)
    std::fprintf(stderr, "  free memory: %zu bytes before, %zu after\n", before.freeBytes, after.freeBytes);
}

/// One call fails, and then none. False if the scenario makes fewer calls.
bool failOne(void (*scenario)(), int number, const Failure &failure, Remaining *before) {
  const int wrong = wrongResults;
  fake_ze::failCall(number, failure.result);
  run(scenario);
  const char *failed = fake_ze::stopFailing();
  const Ending first = ending;
  if (!failed) {
    CHECK(first.error == hipSuccess);
    return false;
  }
  const hipError_t expected = hiplz::toHipError(failure.result);
  // A runtime that has not found a driver says so.
  // Memory that a driver does not give for whatever reason is not there, and so on.
  const auto mayMean = [&](const char *part, hipError_t error) {
    return expected == hipErrorUnknown && std::strstr(failed, part) && first.error == error;
  };
  CHECK(first.error == hipSuccess || first.error == expected || mayMean("Alloc", hipErrorOutOfMemory) ||
        mayMean("Reserve", hipErrorOutOfMemory) || mayMean("OpenIpcHandle", hipErrorInvalidValue) ||
        mayMean("GetAddressRange", hipErrorInvalidValue) || mayMean("GetIpcHandle", hipErrorNotSupported) ||
        (!before && first.error == hipErrorNoDevice));
  run(scenario);
  const bool mayBeLost = failure.result == ZE_RESULT_ERROR_DEVICE_LOST;
  // Code that a driver cannot compile is not compiled again, unless it had no memory.
  const bool isRemembered = !before && expected == hipErrorUnknown && std::string_view(failed) == "zeModuleCreate";
  CHECK(ending.error == hipSuccess || ((mayBeLost || isRemembered) && ending.error == expected) ||
        (!before && first.error == hipErrorNoDevice && ending.error == hipErrorNoDevice));
  if (before) {
    Remaining after = remaining();
    // Rings and caches of the runtime are as they were after some more rounds.
    for (int round = 0; after != *before && round < kRounds && !mayBeLost; ++round) {
      run(scenario);
      after = remaining();
    }
    if (mayBeLost ? after.isMoreThan(*before) : after != *before)
      reportDifference(std::exchange(*before, after), after);
  }
  reportMistakes();
  if (wrongResults != wrong)
    std::fprintf(stderr, "  where call %d, %s, failed: %s; HIP: %s of %s; then %s of %s\n", number, failed,
                 failure.name, hipGetErrorName(first.error), first.call, hipGetErrorName(ending.error), ending.call);
  return true;
}

/// The scenario without failures, until it changes nothing any more.
Remaining warmUp(void (*scenario)()) {
  Remaining before{};
  for (int round = 0; round < kRounds; ++round) {
    before = remaining();
    run(scenario);
    CHECK(ending.error == hipSuccess);
    if (ending.error)
      std::fprintf(stderr, "  without failures: %s of %s\n", hipGetErrorName(ending.error), ending.call);
  }
  if (const Remaining after = remaining(); after != before)
    reportDifference(before, after);
  reportMistakes();
  if (wrongResults != 0)
    _exit(kBroken);
  return before;
}

template <class Body> int inChild(Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    ::alarm(60);
    _exit(body());
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

const void *const addToAddress = &addTo;

const void *bundle() {
  static const std::string bytes = makeBundle();
  return bytes.data();
}

std::vector<int> numbers(int first) {
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i)
    values[i] = first + i;
  return values;
}

hipError_t launchAddTo(int *out, const int *in, int value, hipStream_t stream) {
  int count = kCount;
  void *arguments[] = {&out, &in, &value, &count};
  return hipLaunchKernel(&addTo, dim3((kCount + 63) / 64), dim3(64), arguments, 0, stream);
}

hipError_t launchReadValue(int *out, hipStream_t stream) {
  void *arguments[] = {&out};
  return hipLaunchKernel(&readValue, dim3(1), dim3(1), arguments, 0, stream);
}

hipError_t readValueOf(hipModule_t module, int *back) {
  hipFunction_t function = nullptr;
  Memory out;
  hipError_t error = hipModuleGetFunction(&function, module, "readValue");
  if (error == hipSuccess)
    error = hipMalloc(&out.handle, sizeof(int));
  int *pointer = out;
  void *arguments[] = {&pointer};
  if (error == hipSuccess)
    error = hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  return error == hipSuccess ? hipMemcpy(back, out, sizeof *back, hipMemcpyDeviceToHost) : error;
}

void Sweep::sweep(void (*scenario)(), bool fresh) {
  const auto &[newer, failure] = GetParam();
  fake_ze::driver().newer = newer;
  const bool isSticky = failure.result == ZE_RESULT_ERROR_DEVICE_LOST;
  if (!fresh && !isSticky) {
    EXPECT_EQ(inChild([&, &failure = failure] {
                Remaining before = warmUp(scenario);
                for (int number = 1; failOne(scenario, number, failure, &before); ++number)
                  ;
                return wrongResults != 0;
              }),
              0);
    return;
  }
  for (int number = 1;; ++number) {
    const int code = inChild([&, &failure = failure] {
      Remaining before;
      if (!fresh)
        before = warmUp(scenario);
      const bool failed = failOne(scenario, number, failure, fresh ? nullptr : &before);
      return wrongResults != 0 ? kWrong : failed ? 0 : kNoCall;
    });
    if (code == kNoCall)
      break;
    ASSERT_TRUE(code == 0 || code == kWrong)
        << "the process has ended with " << code << " when call " << number << " failed";
    EXPECT_EQ(code, 0) << "when call " << number << " failed";
  }
}

namespace {

constexpr Failure kFailures[] = {{"outOfHostMemory", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY},
                                 {"outOfDeviceMemory", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY},
                                 {"deviceLost", ZE_RESULT_ERROR_DEVICE_LOST},
                                 {"unknown", ZE_RESULT_ERROR_UNKNOWN}};

INSTANTIATE_TEST_SUITE_P(Fails, Sweep, testing::Combine(testing::Bool(), testing::ValuesIn(kFailures)),
                         [](const auto &info) {
                           return std::string(std::get<1>(info.param).name) +
                                  (std::get<0>(info.param) ? "OnNewerDriver" : "OnOlderDriver");
                         });

} // namespace
} // namespace failures
