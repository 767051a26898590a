// SPDX-License-Identifier: MIT
// The whole compile path of the stock clang, at every level of optimisation and with debug information, for what device
// code is made of. The validator of SPIR-V is the judge.
// RUN: %clang --cuda-device-only -O0 %s -o %t.0 && %unbundle -input=%t.0 -output=%t.0.spv && spirv-val --target-env spv1.3 %t.0.spv
// RUN: %clang --cuda-device-only -O1 %s -o %t.1 && %unbundle -input=%t.1 -output=%t.1.spv && spirv-val --target-env spv1.3 %t.1.spv
// RUN: %clang --cuda-device-only -O2 %s -o %t.2 && %unbundle -input=%t.2 -output=%t.2.spv && spirv-val --target-env spv1.3 %t.2.spv
// RUN: %clang --cuda-device-only -O3 %s -o %t.3 && %unbundle -input=%t.3 -output=%t.3.spv && spirv-val --target-env spv1.3 %t.3.spv
// RUN: %clang --cuda-device-only -Os %s -o %t.s && %unbundle -input=%t.s -output=%t.s.spv && spirv-val --target-env spv1.3 %t.s.spv
// RUN: spirv-dis --raw-id %t.0.spv | FileCheck %s
// RUN: spirv-dis --raw-id %t.2.spv | FileCheck %s
// RUN: %clang --cuda-device-only -O0 -g -Xarch_device -Wp,-debug-info-kind=constructor %s -o %t.g && %unbundle -input=%t.g -output=%t.g.spv && spirv-dis %t.g.spv | FileCheck %s --check-prefix=DEBUG
// RUN: %clang --cuda-device-only -O2 -g -Xarch_device -Wp,-debug-info-kind=constructor %s -o %t.g && %unbundle -input=%t.g -output=%t.g.spv && spirv-dis %t.g.spv | FileCheck %s --check-prefix=DEBUG
// RUN: %clang --cuda-device-only -O2 -Xarch_device -Wp,-debug-info-kind=line-directives-only %s -o %t.l && %unbundle -input=%t.l -output=%t.l.spv && spirv-dis %t.l.spv | FileCheck %s --check-prefix=LINES
#include "device.h"

// Nothing is exported but variables of the host, and entry points have their own names only.
// CHECK-NOT: OpCapability Shader
// CHECK-DAG: OpEntryPoint Kernel %{{[0-9]+}} "plain"
// CHECK-DAG: OpEntryPoint Kernel %{{[0-9]+}} "_Z7genericIiEvPT_S0_"
// CHECK-DAG: OpEntryPoint Kernel %{{[0-9]+}} "_Z7genericIfEvPT_S0_"
// CHECK-DAG: OpEntryPoint Kernel %{{[0-9]+}} "_ZN12_GLOBAL__N_19anonymousEPi"
// CHECK-DAG: OpEntryPoint Kernel %{{[0-9]+}} "_ZL8internal5Largeb"
// CHECK-DAG: OpExecutionMode %{{[0-9]+}} SubgroupSize 32
// CHECK-DAG: OpDecorate %{{[0-9]+}} LinkageAttributes "counter" Export
// CHECK-DAG: OpDecorate %{{[0-9]+}} LinkageAttributes "_ZL7visible" Export
// CHECK-DAG: OpDecorate %{{[0-9]+}} LinkageAttributes "constants" Export
// CHECK-DAG: OpDecorate %{{[0-9]+}} LinkageAttributes "__hiplz_printf" Export
// CHECK-NOT: LinkageAttributes "plain"
// CHECK: OpFunction
// DEBUG: DebugCompilationUnit
// DEBUG: OpLine
// LINES-NOT: OpLine

struct Large {
  float *p;
  int n[300];
  double d;
};
struct alignas(16) Four {
  float x, y, z, w;
};

extern __shared__ int ints[];
__device__ int counter = 7;
static __device__ int visible = 9;
__constant__ float constants[16] = {1, 2, 3};
namespace {
__device__ int hidden;
__constant__ int zeros[1];
} // namespace

__device__ int helper(int i) {
  extern __shared__ double doubles[];
  return ints[i] + int(doubles[i]);
}

template <class T> __global__ void generic(T *p, T v) { *p = v + helper(3); }

extern "C" __global__ void plain(float *p, float a) {
  int i = __spirv_BuiltInLocalInvocationId(0);
  __shared__ float tile[64];
  tile[i] = p[i];
  ints[i] = 3;
  p[i] = a * tile[i] + counter + visible + constants[i & 15] + hidden + zeros[i & 1];
}

static __global__ void internal(Large b, bool flag) {
  if (flag)
    b.p[0] = b.n[3];
}

// Volatile memory may lean on warps that run in step, so this one asks for the size of warps.
__global__ void inStep(volatile int *p) { *p = 1; }

namespace {
__global__ void anonymous(int *p) { *p = 1; }
} // namespace

__global__ void messages(const char *s, char c, short h, float f, long long l, int n) {
  printf("%s %d %c %hd %f %lld\n", s, n, c, h, f, l);
  printf(n ? "a%%\n" : "b %s\n", s);
}

__global__ void loops(unsigned long *p, unsigned n, long m) {
  unsigned long sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += i * 3ul;
  for (long i = 0; i < m; ++i)
    sum += i * i;
  p[0] = sum;
}

__global__ void choices(unsigned *p) {
  switch (p[0] & 7) {
  case 0: p[1] = 3; break;
  case 1: p[1] = 7; break;
  case 2: p[1] = 99; break;
  case 3: p[2] = 8; break;
  case 6: p[1] = p[2]; break;
  default: p[3] = 2;
  }
  unsigned product;
  p[4] = __builtin_umul_overflow(p[5], p[6], &product) ? 0 : product;
  p[7] = p[8] << (p[9] & 31) | p[8] >> (-p[9] & 31);
  p[10] = __builtin_bitreverse32(p[11]) + __builtin_popcount(p[12]) + __builtin_clz(p[13]);
}

__global__ void copies(Four *p, Four *q, char *c, int n) {
  Four s = p[3];
  s.x += 1;
  q[4] = s;
  p[5] = Four{};
  for (int i = 0; i < n; ++i)
    c[i] = 0;
  __builtin_memmove(c, c + 3, 100);
}

__device__ int recursive(int n) { return n < 2 ? 1 : n * recursive(n - 1); }
__global__ void recursion(int *p) { *p = recursive(*p); }

void host(Large large) {
  generic<int><<<1, 1>>>(nullptr, 1);
  generic<float><<<1, 1>>>(nullptr, 1);
  internal<<<1, 1>>>(large, true);
  anonymous<<<1, 1>>>(nullptr);
  volatile void *address = &visible;
  address = &hidden;
  address = &zeros;
}
