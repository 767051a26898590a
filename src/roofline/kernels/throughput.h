// SPDX-License-Identifier: MIT
// Loops that do nothing but one operation. What compilers could do to them is kept out by their form: operands are arguments; a sum
// of integers, which could be replaced by a product, adds two numbers to each other in turn; and each chain of operations ends in
// what the kernel stores. tests/roofline counts the operations in the compiled loops.
#pragma once
#include "roofline/kernels/kernels.h"

#include <hip/hip_runtime.h>
#include <type_traits>

namespace hiplz::roofline {

template <class T, unsigned Width> struct VectorOf {
  typedef T type __attribute__((ext_vector_type(Width)));
};
template <class T> struct VectorOf<T, 1> {
  using type = T;
};

} // namespace hiplz::roofline

// Multiply-add for all types and widths: with one rounding where there is any, which is an instruction of SPIR-V for OpenCL.
#define HIPLZ_ROOFLINE_FUSED(T, WIDTH)                                                                                 \
  __device__ hiplz::roofline::VectorOf<T, WIDTH>::type __spirv_ocl_fma(hiplz::roofline::VectorOf<T, WIDTH>::type,      \
                                                                       hiplz::roofline::VectorOf<T, WIDTH>::type,      \
                                                                       hiplz::roofline::VectorOf<T, WIDTH>::type);
#define HIPLZ_ROOFLINE_FUSED_TYPES(WIDTH)                                                                              \
  HIPLZ_ROOFLINE_FUSED(_Float16, WIDTH)                                                                                \
  HIPLZ_ROOFLINE_FUSED(float, WIDTH)                                                                                   \
  HIPLZ_ROOFLINE_FUSED(double, WIDTH)
HIPLZ_ROOFLINE_FUSED_TYPES(1)
HIPLZ_ROOFLINE_FUSED_TYPES(2)
HIPLZ_ROOFLINE_FUSED_TYPES(4)
HIPLZ_ROOFLINE_FUSED_TYPES(8)
HIPLZ_ROOFLINE_FUSED_TYPES(16)

namespace hiplz::roofline {

template <class Element, class Vector> __device__ __forceinline__ Vector multiplyAdd(Vector x, Vector a, Vector b) {
  if constexpr (std::is_integral_v<Element>)
    return x * a + b;
  else
    return __spirv_ocl_fma(x, a, b);
}

/// Chains of one operation; step() applies it kUnrolled times to each of them.
template <class Element, class Vector, unsigned Chains> struct AddChains {
  Vector values[Chains];
  __device__ void step(Vector a, Vector) {
#pragma unroll
    for (unsigned i = 0; i < kUnrolled; ++i)
#pragma unroll
      for (unsigned chain = 0; chain < Chains; ++chain)
        values[chain] += a;
  }
};

template <class Element, class Vector, unsigned Chains> struct IntegerAddChains {
  Vector values[Chains];
  Vector others[Chains] = {};
  __device__ void step(Vector, Vector) {
#pragma unroll
    for (unsigned i = 0; i < kUnrolled / 2; ++i) {
#pragma unroll
      for (unsigned chain = 0; chain < Chains; ++chain)
        values[chain] += others[chain];
#pragma unroll
      for (unsigned chain = 0; chain < Chains; ++chain)
        others[chain] += values[chain];
    }
  }
};

template <class Element, class Vector, unsigned Chains> struct MadChains {
  Vector values[Chains];
  __device__ void step(Vector a, Vector b) {
#pragma unroll
    for (unsigned i = 0; i < kUnrolled; ++i)
#pragma unroll
      for (unsigned chain = 0; chain < Chains; ++chain)
        values[chain] = multiplyAdd<Element>(values[chain], a, b);
  }
};

/// x = f(x) + a. The functions are structures with a static `of`; they are long enough for a loop, and too long to be unrolled.
template <class Function, class Vector, unsigned Chains> struct FunctionChains {
  Vector values[Chains];
  __device__ void step(Vector a, Vector) {
#pragma unroll 1
    for (unsigned i = 0; i < kUnrolled; ++i)
#pragma unroll
      for (unsigned chain = 0; chain < Chains; ++chain)
        values[chain] = Function::of(values[chain]) + a;
  }
};

template <class Operation, class Vector, unsigned Chains, class Element>
__device__ __forceinline__ void runChains(Element *out, Element a, Element b, unsigned iterations) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  Operation chains;
#pragma unroll
  for (unsigned chain = 0; chain < Chains; ++chain)
    chains.values[chain] = Vector(Element(int(id % 64 + chain)));
#pragma unroll 1
  for (unsigned i = 0; i < iterations; ++i)
    chains.step(Vector(a), Vector(b));
  Vector sum = chains.values[0];
#pragma unroll
  for (unsigned chain = 1; chain < Chains; ++chain)
    sum += chains.values[chain];
  reinterpret_cast<Vector *>(out)[id] = sum;
}

} // namespace hiplz::roofline

// The kernels of a type T with the name NAME: CHAINS is the structure, OP its name, X(OP, CHAINS, NAME, T, width, chains).
#define HIPLZ_ROOFLINE_SHAPES(X, OP, CHAINS, NAME, T)                                                                  \
  X(OP, CHAINS, NAME, T, 1, 1)                                                                                         \
  X(OP, CHAINS, NAME, T, 1, 2)                                                                                         \
  X(OP, CHAINS, NAME, T, 1, 4)                                                                                         \
  X(OP, CHAINS, NAME, T, 1, 8)                                                                                         \
  X(OP, CHAINS, NAME, T, 2, 1)                                                                                         \
  X(OP, CHAINS, NAME, T, 2, 4)                                                                                         \
  X(OP, CHAINS, NAME, T, 4, 1)                                                                                         \
  X(OP, CHAINS, NAME, T, 4, 2)                                                                                         \
  X(OP, CHAINS, NAME, T, 4, 3)                                                                                         \
  X(OP, CHAINS, NAME, T, 8, 1)                                                                                         \
  X(OP, CHAINS, NAME, T, 16, 1)

#define HIPLZ_ROOFLINE_KERNEL(OP, CHAINS, NAME, T, WIDTH, COUNT)                                                       \
  extern "C" __global__ void OP##_##NAME##_x##WIDTH##_c##COUNT(T *out, T a, T b, unsigned iterations) {                \
    using Vector = hiplz::roofline::VectorOf<T, WIDTH>::type;                                                          \
    hiplz::roofline::runChains<hiplz::roofline::CHAINS<T, Vector, COUNT>, Vector, COUNT>(out, a, b, iterations);       \
  }

#define HIPLZ_ROOFLINE_ENTRY(OP, CHAINS, NAME, T, WIDTH, COUNT)                                                        \
  {#OP "_" #NAME "_x" #WIDTH "_c" #COUNT,                                                                              \
   reinterpret_cast<const void *>(&OP##_##NAME##_x##WIDTH##_c##COUNT),                                                 \
   #OP[0] == 'a' ? Operation::Add : Operation::Mad,                                                                    \
   kType,                                                                                                              \
   WIDTH,                                                                                                              \
   COUNT},
