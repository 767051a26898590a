// SPDX-License-Identifier: MIT
// Sweeps through the calls of a scenario: each call of Level Zero fails once, with each of several errors. The function of HIP
// that needed the call returns the error that stands for the driver's, or all results are right; nothing is lost; the
// same scenario works when no call fails any more. Scenarios run in child processes, as a runtime starts once for each process.
#pragma once
#include "fake.h"

#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace failures {

/// How a scenario ended: the first error, and the expression that returned it.
struct Ending {
  hipError_t error = hipSuccess;
  const char *call = "";
};
inline Ending ending;
inline int wrongResults = 0;

/// True if the call succeeded; the scenario ends otherwise.
inline bool noted(hipError_t error, const char *call) {
  if (error == hipSuccess)
    return true;
  if (ending.error == hipSuccess)
    ending = {error, call};
  return false;
}
#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    if (!::failures::noted((call), #call))                                                                             \
      return;                                                                                                          \
  } while (0)

/// For a call that must succeed the second time if it has failed the first.
#define TWICE(call)                                                                                                    \
  do {                                                                                                                 \
    if (!::failures::noted((call), #call))                                                                             \
      CHECK((call) == hipSuccess);                                                                                     \
  } while (0)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      ++::failures::wrongResults;                                                                                      \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                     \
    }                                                                                                                  \
  } while (0)

/// A handle that goes with the scenario, whether or not calls fail meanwhile.
template <class Handle, hipError_t (*Destroy)(Handle)> struct Owned {
  Handle handle{};
  Owned() = default;
  Owned(const Owned &) = delete;
  ~Owned() {
    if (handle)
      noted(Destroy(handle), "destruction");
  }
  Handle *operator&() { return &handle; }
  operator Handle() const { return handle; }
};
inline hipError_t freeMemory(int *memory) { return hipFree(memory); }
inline hipError_t freeHostMemory(int *memory) { return hipHostFree(memory); }
using Memory = Owned<int *, freeMemory>;
using HostMemory = Owned<int *, freeHostMemory>;
using Stream = Owned<hipStream_t, hipStreamDestroy>;
using Event = Owned<hipEvent_t, hipEventDestroy>;
using Graph = Owned<hipGraph_t, hipGraphDestroy>;
using GraphExec = Owned<hipGraphExec_t, hipGraphExecDestroy>;
using Array = Owned<hipArray_t, hipFreeArray>;
using Texture = Owned<hipTextureObject_t, hipDestroyTextureObject>;
using Pool = Owned<hipMemPool_t, hipMemPoolDestroy>;
using LoadedModule = Owned<hipModule_t, hipModuleUnload>;

constexpr int kCount = 1000;
std::vector<int> numbers(int first);

/// The bundle with the code of kernels.cl, which the process has registered as well.
const void *bundle();
extern int deviceValue; ///< the host's address of the variable
hipError_t launchAddTo(int *out, const int *in, int value, hipStream_t stream = nullptr);
hipError_t launchReadValue(int *out, hipStream_t stream = nullptr);
extern const void *const addToAddress;

struct Failure {
  const char *name;
  ze_result_t result;
};

/// A scenario on both kinds of driver, with each kind of failure. `fresh`: each call fails in a process of its own that has
/// not used the runtime before.
class Sweep : public testing::TestWithParam<std::tuple<bool, Failure>> {
protected:
  void sweep(void (*scenario)(), bool fresh = false);
};

#define SCENARIO(name)                                                                                                 \
  TEST_P(Sweep, name) { sweep(name); }

} // namespace failures
