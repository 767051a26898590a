// SPDX-License-Identifier: MIT
// The common part of the tests call_failures*: each call of Level Zero fails once, and each allocation with `new`. A driver may answer
// any call with an error, and none does so when asked. So these programs have Level Zero's functions themselves: libhiplz.so
// looks the loader's functions up as any program would and finds these first (they are linked with -rdynamic), and they call
// the loader's, except for the one whose turn it is to fail. That call is not made: the driver does nothing. `new` is the
// program's own for all of its libraries; its own allocations do not fail.
//
// For each scenario, with one call failing after the other until the scenario makes fewer calls: the function of HIP that
// needed the call returns the error that stands for the driver's, or all of the results are right; nothing is lost for
// good, and the same scenario works at once when no call fails any more.
#pragma once
#include "check.h"

#include "../scenario.h"

#include <level_zero/ze_api.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include <dlfcn.h>

namespace failing_calls {

inline std::atomic<int> left{0}; ///< the calls that still go through before the one that fails; 0 if none will
inline std::atomic<ze_result_t> failure{ZE_RESULT_SUCCESS};
inline std::atomic<const char *> failed{nullptr};

enum class Of { levelZero, allocations };
inline std::atomic<Of> counted{Of::levelZero};

/// Lets the call with this number fail, counted from 1 and from now on. Thread-safe, for one caller.
inline void start(int number, Of of, ze_result_t result) {
  failed = nullptr;
  counted = of;
  failure = result;
  left = number;
}

/// No further call fails. Returns the name of the function that failed, null if none did.
inline const char *stop() {
  left = 0;
  return failed.exchange(nullptr);
}

/// True if it is this call's turn.
inline bool turnOf(Of of, const char *function) {
  if (left.load(std::memory_order_relaxed) <= 0 || counted.load(std::memory_order_relaxed) != of ||
      left.fetch_sub(1) != 1)
    return false;
  failed = function;
  return true;
}

} // namespace failing_calls

#define HIPLZ_ZE(function, names, parameters, arguments)                                                               \
  extern "C" __attribute__((visibility("default"))) ze_result_t ZE_APICALL function parameters {                       \
    static const auto loaders = reinterpret_cast<decltype(&function)>(dlsym(RTLD_NEXT, #function));                    \
    if (!loaders)                                                                                                      \
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;                                                                      \
    return failing_calls::turnOf(failing_calls::Of::levelZero, #function) ? failing_calls::failure.load()              \
                                                                          : loaders arguments;                         \
  }
#include "lz/core/ze_calls.def"
#undef HIPLZ_ZE

extern "C" const char __executable_start, etext; // the linker's: where the program's own code begins and ends

namespace failing_calls {

/// `caller` is where the allocation returns to. Null if it is its turn to fail, or there is no memory.
inline void *allocate(std::size_t bytes, const void *caller) {
  const bool own =
      caller >= static_cast<const void *>(&__executable_start) && caller < static_cast<const void *>(&etext);
  return !own && turnOf(Of::allocations, "new") ? nullptr : std::malloc(bytes ? bytes : 1);
}

} // namespace failing_calls

#define HIPLZ_NEW(signature, onFailure)                                                                                \
  __attribute__((noinline, visibility("default"))) void *operator signature {                                          \
    if (void *memory = failing_calls::allocate(bytes, __builtin_return_address(0)))                                    \
      return memory;                                                                                                   \
    onFailure;                                                                                                         \
  }
HIPLZ_NEW(new(std::size_t bytes), throw std::bad_alloc())
HIPLZ_NEW(new[](std::size_t bytes), throw std::bad_alloc())
HIPLZ_NEW(new(std::size_t bytes, const std::nothrow_t &) noexcept, return nullptr)
HIPLZ_NEW(new[](std::size_t bytes, const std::nothrow_t &) noexcept, return nullptr)
#undef HIPLZ_NEW
#define HIPLZ_DELETE(parameters)                                                                                       \
  __attribute__((visibility("default"))) void operator delete parameters noexcept { std::free(memory); }               \
  __attribute__((visibility("default"))) void operator delete[] parameters noexcept { std::free(memory); }
HIPLZ_DELETE((void *memory))
HIPLZ_DELETE((void *memory, std::size_t))
HIPLZ_DELETE((void *memory, const std::nothrow_t &))
#undef HIPLZ_DELETE

namespace {

using namespace scenario;

constexpr int kCount = 1000;

__global__ void addTo(int *out, const int *in, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = in[i] + value;
}

std::vector<int> numbers(int first) {
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i)
    values[i] = first + i;
  return values;
}

void launch(int *out, const int *in, int value, hipStream_t stream = nullptr) {
  addTo<<<(kCount + 63) / 64, 64, 0, stream>>>(out, in, value, kCount);
}

/// A failure, with the driver's answer and what HIP makes of it. A device that is lost is another matter: nothing that it was doing goes on
/// (fault_reports, driver.fault).
struct Failure {
  const char *name;
  failing_calls::Of of;
  ze_result_t result;
  hipError_t error;
};
using Of = failing_calls::Of;
constexpr Failure kFailures[] = {
    {"no memory of the device", Of::levelZero, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, hipErrorOutOfMemory},
    {"unknown", Of::levelZero, ZE_RESULT_ERROR_UNKNOWN, hipErrorUnknown},
    {"no memory of the process", Of::allocations, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, hipErrorOutOfMemory},
};

void run(void (*scenario)()) {
  ending = {};
  scenario();
}

/// True if all of the libraries that allocate are the project's own: OpenCL's implementations need not survive it.
bool allocationsMayFail() {
  const char *devices = std::getenv("HIPLZ_DEVICES");
  return !devices || std::strcmp(devices, "opencl") != 0;
}

/// One call after the other fails, until the scenario makes fewer calls.
void failEachCall(void (*scenario)()) {
  failing_calls::stop();
  run(scenario);
  CHECK_EQ(ending.error, hipSuccess);
  for (const Failure &failure : kFailures)
    for (int turn = 1; failure.of != Of::allocations || allocationsMayFail(); ++turn) {
      const int before = checkFailures;
      failing_calls::start(turn, failure.of, failure.result);
      run(scenario);
      const char *failed = failing_calls::stop();
      if (!failed) {
        CHECK_EQ(ending.error, hipSuccess);
        break;
      }
      const Ending first = ending;
      // Memory that a driver does not give for whatever reason is not there.
      CHECK(first.error == hipSuccess || first.error == failure.error || first.error == hipErrorOutOfMemory);
      (void)hipGetLastError();
      run(scenario);
      CHECK_EQ(ending.error, hipSuccess);
      (void)hipGetLastError();
      if (checkFailures != before)
        std::fprintf(stderr, "  where call %d, %s, failed: %s; HIP: %s of %s; then %s of %s\n", turn, failed,
                     failure.name, hipGetErrorName(first.error), first.call, hipGetErrorName(ending.error),
                     ending.call);
    }
}

#define SCENARIO(name)                                                                                                 \
  TEST(name##Fails) { failEachCall(name); }

} // namespace
