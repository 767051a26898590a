// SPDX-License-Identifier: MIT
// The other file of the test pointers: a module of its own, with functions that have the names of others in pointers.hip.
#include "tests/device/check.h"
#include "tests/device/plugins/pointers.h"

static __device__ int own(int x) { return x + 1; }
__device__ int everybodys(int x) { return x + 2; }

static __global__ void pointers(Operation *out) {
  out[kInline] = timesThree;
  out[kTemplate] = plus<7>;
  out[kStatic] = own;
  out[kExternal] = everybodys;
  out[kLambda] = [](int x) { return x + 3; };
}

static __global__ void objects(char *memory) {
  new (memory) Dog;
  new (memory + 64) Bird;
}

void otherPointers(Operation *out) {
  DeviceArray<Operation> place(kPointers);
  pointers<<<1, 1>>>(place);
  const std::vector<Operation> found = place.host();
  std::copy(found.begin(), found.end(), out);
}

void otherObjects(char *memory) { objects<<<1, 1>>>(memory); }
