// SPDX-License-Identifier: MIT
// fuzz_kernels [--seconds=N] [--seed=S] [--kernels=N] [--print]: makes random kernels, runs them on the device and compares each
// result with that of the interpreter. HIPLZ_CPU_VECTORIZE says which path of the CPU device's compiler is tested. A
// difference, or a call that fails, ends the program with 1 and the seed, with which the same kernel can be had again:
// --seed=S --kernels=1 --print. HIPLZ_LOG is info unless it is set.
#include "program.h"

#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace fuzz;

namespace {

constexpr unsigned kBatch = 12; // kernels of a module; compiling many at once is quicker

uint64_t currentSeed = 0; // of the kernel that is made, or executed

void check(hipError_t error, const char *what) {
  if (error == hipSuccess)
    return;
  std::fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)currentSeed, what, hipGetErrorName(error));
  std::exit(1);
}
#define HIP(call) check((call), #call)

std::vector<char> compile(const std::string &source) {
  hiprtcProgram program;
  if (hiprtcCreateProgram(&program, source.c_str(), "fuzz.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS) {
    std::fprintf(stderr, "seeds from %llu on: no program can be created\n", (unsigned long long)currentSeed);
    std::exit(1);
  }
  const char *options[] = {"-ffp-contract=off", "-O2"};
  if (hiprtcCompileProgram(program, 2, options) != HIPRTC_SUCCESS) {
    size_t size = 0;
    hiprtcGetProgramLogSize(program, &size);
    std::string log(size, ' ');
    hiprtcGetProgramLog(program, log.data());
    std::fprintf(stderr, "seeds from %llu on: the source is refused:\n%s\n", (unsigned long long)currentSeed,
                 log.substr(0, 2000).c_str());
    std::exit(1);
  }
  size_t size = 0;
  hiprtcGetCodeSize(program, &size);
  std::vector<char> code(size);
  hiprtcGetCode(program, code.data());
  hiprtcDestroyProgram(&program);
  return code;
}

template <class T> T *allocate(size_t count) {
  T *memory = nullptr;
  HIP(hipMalloc(reinterpret_cast<void **>(&memory), count * sizeof(T)));
  return memory;
}

struct Run {
  std::array<uint32_t, kInputs> inputs;
  uint32_t *deviceInputs = allocate<uint32_t>(kInputs + kAlong), *slots = allocate<uint32_t>(kSlots);
  uint64_t *out = allocate<uint64_t>(size_t(8) * 1024 * kVariables);

  Run() {
    for (unsigned i = 0; i < kInputs; ++i)
      inputs[i] = i % 3 == 0 ? i : i * 2654435761u;
    std::vector<uint32_t> all(inputs.begin(), inputs.end());
    for (unsigned i = 0; i < kAlong; ++i)
      all.push_back(alongAt(i));
    HIP(hipMemcpy(deviceInputs, all.data(), all.size() * sizeof(uint32_t), hipMemcpyHostToDevice));
  }

  std::vector<uint64_t> execute(hipFunction_t function, const Kernel &kernel) {
    HIP(hipMemset(slots, 0, kSlots * sizeof *slots));
    void *args[] = {&deviceInputs, &out, &slots};
    HIP(hipModuleLaunchKernel(function, kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.block[0],
                              kernel.block[1], kernel.block[2], 0, nullptr, args, nullptr));
    HIP(hipDeviceSynchronize());
    std::vector<uint64_t> result(size_t(kernel.blocks()) * kernel.threads() * kVariables);
    HIP(hipMemcpy(result.data(), out, result.size() * sizeof(uint64_t), hipMemcpyDeviceToHost));
    uint32_t words[kSlots];
    HIP(hipMemcpy(words, slots, sizeof words, hipMemcpyDeviceToHost));
    result.insert(result.end(), words, words + kSlots);
    return result;
  }
};

bool same(uint64_t seed, const Kernel &kernel, const std::vector<uint64_t> &found,
          const std::vector<uint64_t> &wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (found[i] == wanted[i])
      continue;
    const size_t thread = i / kVariables;
    if (i >= wanted.size() - kSlots)
      std::fprintf(stderr, "seed %llu: slot %zu", (unsigned long long)seed, i - (wanted.size() - kSlots));
    else
      std::fprintf(stderr, "seed %llu: block %zu (of %u, %u x %u x %u threads), thread %zu, v%zu",
                   (unsigned long long)seed, thread / kernel.threads(), kernel.blocks(), kernel.block[0],
                   kernel.block[1], kernel.block[2], thread % kernel.threads(), i % kVariables);
    std::fprintf(stderr, " is %#llx, expected %#llx\n", (unsigned long long)found[i], (unsigned long long)wanted[i]);
    return false;
  }
  return true;
}

unsigned long long option(int count, char **arguments, const char *name, unsigned long long otherwise) {
  for (int i = 1; i < count; ++i)
    if (!std::strncmp(arguments[i], name, std::strlen(name)))
      return std::strtoull(arguments[i] + std::strlen(name), nullptr, 10);
  return otherwise;
}

} // namespace

int main(int count, char **arguments) {
  using Clock = std::chrono::steady_clock;
  const auto most = option(count, arguments, "--kernels=", ~0ull);
  const auto seconds = std::chrono::seconds(option(count, arguments, "--seconds=", most == ~0ull ? 10 : 1000000));
  uint64_t seed = option(count, arguments, "--seed=", 1);
  setenv("HIPLZ_LOG", "info", 0); // what fails is explained
  const bool print = count > 1 && !std::strcmp(arguments[count - 1], "--print");
  Run run;
  unsigned long long done = 0, wrong = 0;
  for (const auto begin = Clock::now(); Clock::now() - begin < seconds && done < most && wrong == 0;) {
    std::vector<std::pair<uint64_t, Kernel>> batch;
    std::string source = prelude();
    for (unsigned i = 0; i < kBatch && done + i < most; ++i, ++seed) {
      batch.emplace_back(seed, makeKernel(seed));
      source += sourceOf(batch.back().second, "k" + std::to_string(i));
    }
    if (print)
      std::puts(source.c_str());
    currentSeed = batch[0].first;
    const std::vector<char> code = compile(source);
    hipModule_t module;
    HIP(hipModuleLoadData(&module, code.data()));
    for (size_t i = 0; i < batch.size(); ++i, ++done) {
      hipFunction_t function;
      currentSeed = batch[i].first;
      HIP(hipModuleGetFunction(&function, module, ("k" + std::to_string(i)).c_str()));
      const auto &[kernelSeed, kernel] = batch[i];
      wrong += !same(kernelSeed, kernel, run.execute(function, kernel), interpret(kernel, run.inputs));
    }
    HIP(hipModuleUnload(module));
  }
  std::printf("%llu kernels, %llu with a wrong result, next seed %llu\n", done, wrong, (unsigned long long)seed);
  return wrong != 0;
}
