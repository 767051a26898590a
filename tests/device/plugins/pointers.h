// SPDX-License-Identifier: MIT
// Functions and classes that the two files of the test pointers have in common, and what the other file offers.
#pragma once
#include <hip/hip_runtime.h>

typedef int (*Operation)(int);

__device__ inline int timesThree(int x) { return x * 3; }
template <int number> __device__ int plus(int x) { return x + number; }

struct Animal {
  int legs = 4;
  __device__ virtual int speak(int x) const { return x + legs; }
};
struct Dog : Animal {
  __device__ int speak(int x) const override { return x * 10 + legs; }
};
struct Bird : Animal {
  __device__ int speak(int x) const override { return x * 100 + legs; }
};

enum Pointer { kInline, kTemplate, kStatic, kExternal, kLambda, kPointers };
/// Pointers to the functions of the other file's module.
void otherPointers(Operation *pointers);
/// Makes a Dog and a Bird.
void otherObjects(char *memory);
