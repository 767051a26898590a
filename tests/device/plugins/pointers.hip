// SPDX-License-Identifier: MIT
// Pointers to functions and objects with virtual functions that come from another module: what both modules have is called,
// and what this one does not have is an error, never another function.
#include "tests/device/check.h"
#include "tests/device/plugins/pointers.h"

static __device__ int own(int x) { return x - 1; }
__device__ int everybodys(int x) { return x - 2; }

static __device__ Operation used[] = {own, everybodys, timesThree, plus<7>, plus<8>, [](int x) { return x - 3; }};

static __global__ void call(Operation operation, int *out) {
  out[0] = operation(5);
  out[1] = 1;
}
static __global__ void callOwn(int which, int *out) { *out = used[which](5); }
static __global__ void speak(const char *memory, int *out) {
  out[0] = reinterpret_cast<const Animal *>(memory)->speak(1);
  out[1] = reinterpret_cast<const Animal *>(memory + 64)->speak(1);
}
static __global__ void ownObjects(char *memory) {
  new (memory) Bird;
  new (memory + 64) Dog;
}

TEST(inlineFunctionsAndTemplatesAreTheSameEverywhere) {
  Operation pointers[kPointers];
  otherPointers(pointers);
  DeviceArray<int> out(2);
  call<<<1, 1>>>(pointers[kInline], out);
  CHECK_EQ(out.host()[0], 15);
  call<<<1, 1>>>(pointers[kTemplate], out);
  CHECK_EQ(out.host()[0], 12);
  Operation here[6];
  HIP_CHECK(hipMemcpyFromSymbol(here, HIP_SYMBOL(used), sizeof here));
  CHECK(here[2] == pointers[kInline]);
  CHECK(here[3] == pointers[kTemplate]);
}

TEST(objectsOfAnotherModule) {
  DeviceArray<char> memory(128);
  DeviceArray<int> out(2);
  for (bool other : {true, false}) {
    if (other)
      otherObjects(memory);
    else
      ownObjects<<<1, 1>>>(memory);
    speak<<<1, 1>>>(memory, out);
    CHECK_EQ(out.host()[0], other ? 14 : 104);
    CHECK_EQ(out.host()[1], other ? 104 : 14);
  }
}

TEST(aFunctionThatTheModuleDoesNotHaveIsAnError) {
  for (int which : {int(kStatic), int(kExternal), int(kLambda), int(kPointers)}) {
    Operation pointers[kPointers + 1];
    otherPointers(pointers);
    pointers[kPointers] = nullptr;
    int *out;
    HIP_CHECK(hipMalloc(&out, 2 * sizeof(int)));
    call<<<1, 64>>>(pointers[which], out);
    CHECK_EQ(hipDeviceSynchronize(), hipErrorLaunchFailure);
    CHECK_EQ(hipMemset(out, 0, sizeof(int)), hipErrorLaunchFailure);
    HIP_CHECK(hipDeviceReset());

    // And afterwards the device is as good as new.
    HIP_CHECK(hipMalloc(&out, sizeof(int)));
    int result = 0;
    for (int i = 0; i < 6; ++i) {
      callOwn<<<1, 1>>>(i, out);
      HIP_CHECK(hipMemcpy(&result, out, sizeof result, hipMemcpyDeviceToHost));
      const int expected[] = {4, 3, 15, 12, 13, 2};
      CHECK_EQ(result, expected[i]);
    }
    HIP_CHECK(hipFree(out));
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
