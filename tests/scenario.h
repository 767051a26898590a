// SPDX-License-Identifier: MIT
// Scenarios for tests in which each call fails once (tests/unit/level_zero, tests/device/call_failures*): they end at the first call that does,
// and what they have made goes with them. The including file has CHECK.
#pragma once
#include <hip/hip_runtime_api.h>

namespace scenario {

/// How a scenario ended: the first error, and the expression that returned it.
struct Ending {
  hipError_t error = hipSuccess;
  const char *call = "";
};
inline Ending ending;

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
    if (!::scenario::noted((call), #call))                                                                             \
      return;                                                                                                          \
  } while (0)

/// For a call that must succeed the second time if it has failed the first.
#define TWICE(call)                                                                                                    \
  do {                                                                                                                 \
    if (!::scenario::noted((call), #call))                                                                             \
      CHECK((call) == hipSuccess);                                                                                     \
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

} // namespace scenario
