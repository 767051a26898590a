// SPDX-License-Identifier: MIT
// Sweeps through the calls of a scenario: each call of Level Zero fails once, with each of several errors. The function of HIP
// that needed the call returns the error that stands for the driver's, or all results are right; nothing is lost; the
// same scenario works when no call fails any more. Scenarios run in child processes, as a runtime starts once for each process.
#pragma once
#include "../../scenario.h"
#include "fake.h"

#include <hip/hip_runtime_api.h>

#include <gtest/gtest.h>

#include <cstdio>

namespace failures {

using namespace scenario;

inline int wrongResults = 0;

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      ++::failures::wrongResults;                                                                                      \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                     \
    }                                                                                                                  \
  } while (0)

using LoadedModule = Owned<hipModule_t, hipModuleUnload>;

constexpr int kCount = 1000;
std::vector<int> numbers(int first);

/// The bundle with the code of kernels.cl, which the process has registered as well.
const void *bundle();
extern int deviceValue; ///< the host's address of the variable
hipError_t launchAddTo(int *out, const int *in, int value, hipStream_t stream = nullptr);
hipError_t launchReadValue(int *out, hipStream_t stream = nullptr);
/// Has the module's kernel read its variable.
hipError_t readValueOf(hipModule_t module, int *back);
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
