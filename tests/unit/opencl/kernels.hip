// SPDX-License-Identifier: MIT
// Kernels for the stages that the driver on OpenCL puts in front of compilers; compiled by clang alone, without the headers and the
// passes of HIPLZ.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

extern __device__ __attribute__((const)) unsigned long __spirv_BuiltInLocalInvocationId(int dimension);
extern __device__ __attribute__((const)) unsigned long __spirv_BuiltInWorkgroupId(int dimension);
extern __device__ __attribute__((const)) unsigned long __spirv_BuiltInWorkgroupSize(int dimension);
extern __device__ __attribute__((convergent)) void __spirv_ControlBarrier(int execution, int memory, int semantics);
extern __device__ __attribute__((convergent)) int __spirv_GroupNonUniformShuffle(int scope, int value, unsigned lane);
extern __device__ __attribute__((convergent)) double __spirv_GroupNonUniformShuffle(int scope, double value,
                                                                                    unsigned lane);
typedef unsigned Ballot __attribute__((ext_vector_type(4)));
extern __device__ __attribute__((convergent)) Ballot __spirv_GroupNonUniformBallot(int scope, bool predicate);
extern __device__ __attribute__((convergent)) bool __spirv_GroupNonUniformAll(int scope, bool predicate);
extern __device__ unsigned long intel_get_cycle_counter();
extern __device__ unsigned intel_get_slice_id();

namespace {
__device__ unsigned item() { return __spirv_BuiltInLocalInvocationId(0); }
__device__ unsigned group() { return __spirv_BuiltInWorkgroupId(0); }
__device__ unsigned size() { return __spirv_BuiltInWorkgroupSize(0); }
__device__ void barrier() { __spirv_ControlBarrier(2, 2, 0x110); }
} // namespace

extern "C" {
// Every barrier is reached by all.
__global__ void straight(int *out) {
  out[item()] = 1;
  barrier();
  out[item()] += out[item() ^ 1];
}
__global__ void uniformLoop(int *out, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    out[item()] += i;
    barrier();
  }
}
__global__ void loadedLimit(int *out, const int *limits) {
  for (int i = 0; i < limits[group()]; ++i) {
    if (item() < (unsigned)i)
      out[item()] += i;
    barrier();
  }
}
__global__ void branchBetween(int *out) {
  int value = item() & 1 ? out[0] : out[1];
  barrier();
  out[item()] = value;
}
__global__ void trapped(int *out, unsigned count) {
  if (item() >= count)
    __builtin_trap();
  barrier();
  out[item()] = 1;
}
__global__ void returnAfter(int *out) {
  barrier();
  if (item() > 3)
    return;
  out[item()] = 1;
}
// Some items miss one.
__global__ void earlyReturn(int *out, unsigned count) {
  if (item() >= count)
    return;
  barrier();
  out[item()] = 1;
}
__global__ void underBranch(int *out) {
  if (out[item()]) {
    barrier();
    out[item() ^ 1] = 1;
  }
}
__global__ void ownLimit(int *out) {
  for (unsigned i = item(); i < 100; i += size() + 1) {
    out[i] += 1;
    barrier();
  }
}
__global__ void chosenFlag(int *out, int a, int b) {
  int flag = a;
  if (item() > 5) {
    out[item()] = 7;
    flag = b;
  }
  if (flag)
    barrier();
  out[item()] += 1;
}
__device__ __attribute__((noinline)) void meet(int *out) {
  out[0] += 1;
  barrier();
}
__global__ void called(int *out) {
  if (item() > 5)
    meet(out);
}

__global__ void clocks(unsigned long *out) { out[item()] = intel_get_cycle_counter() + intel_get_slice_id(); }

__global__ void shuffledUnderBranch(int *out) {
  int other = 0;
  if (item() & 1)
    other = __spirv_GroupNonUniformShuffle(3, out[item()], 7);
  out[item()] += other;
}

__global__ void shuffles(int *out, double *wide) {
  const int sum = __spirv_GroupNonUniformShuffle(3, out[item()], 5);
  const double other = __spirv_GroupNonUniformShuffle(3, wide[item()], 6);
  if (item() == 0) {
    out[0] = sum;
    wide[0] = other;
  }
}

__global__ void votes(unsigned *out) {
  out[item()] = __spirv_GroupNonUniformBallot(3, out[item()] != 0).x;
  if (__spirv_GroupNonUniformAll(3, out[item()] > 7))
    out[item()] += 1;
}

__device__ __attribute__((noinline)) unsigned vote(unsigned number) {
  return __spirv_GroupNonUniformBallot(3, number > 7).x;
}
__global__ void voted(unsigned *out) { out[item()] = vote(out[item()]); }

// Divisors that are minus one, or may be, and others.
__global__ void divisions(int *out, long *wide, short *narrow, int by) {
  out[item()] = out[item()] / by;
  out[item() + 1] = out[item() + 1] % by;
  out[item() + 2] = out[item() + 2] / 7;
  wide[item()] %= by;
  narrow[item()] /= wide[item()];
}
// Indices in the grid.
__global__ void indexOf32Bits(int *out) { out[(int)(group() * size() + item())] = 1; }
__global__ void indexOf64Bits(int *out) { out[(unsigned long)item() + (unsigned long)size() * group()] = 1; }
// The index in another dimension.
__global__ void indexOfTwoDimensions(int *out) {
  out[(int)(group() * size() + __spirv_BuiltInLocalInvocationId(1))] = 1;
}
// Shared variables of a kernel, and of a function that another one calls.
__attribute__((shared)) int words[20];
__attribute__((shared)) double numbers[4];
__attribute__((shared)) char byte;
__device__ __attribute__((noinline)) void store(double number) { numbers[item()] = number; }
__global__ void sharesWords(int *out) {
  words[item()] = byte = item();
  barrier();
  out[item()] = words[out[item()]] + byte;
}
__global__ void sharesNumbers(double *out) {
  store(out[item()]);
  barrier();
  out[item()] = numbers[3];
}
}
