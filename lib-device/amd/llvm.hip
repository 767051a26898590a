// SPDX-License-Identifier: MIT
// LLVM's intrinsics of any target that AMD's translator leaves as calls by name, and that older versions of LLVM do not have:
// llvm.x.y is __llvm_x_y here (src/fatbin/amd_names.cpp). The builtins of the compiler (__builtin_elementwise_tanh) become them.
#include "define.h"

#define LLVM_INTRINSIC(Result, name, parameters) AMD_FUNCTION(Result, __llvm_##name, parameters)

// The intrinsics of all three types. Halves are computed as float. Those of vectors compute each element.
template <class T, int n> using Vector = T __attribute__((ext_vector_type(n)));
#define UNARY_VECTOR(name, T, type, n)                                                                                 \
  using name##_##type##_##n = Vector<T, n>;                                                                            \
  LLVM_INTRINSIC(name##_##type##_##n, name##_v##n##type, (name##_##type##_##n x)) {                                    \
    for (int i = 0; i < n; ++i)                                                                                        \
      x[i] = __llvm_##name##_##type(x[i]);                                                                             \
    return x;                                                                                                          \
  }
#define BINARY_VECTOR(name, T, type, n)                                                                                \
  using name##_##type##_##n = Vector<T, n>;                                                                            \
  LLVM_INTRINSIC(name##_##type##_##n, name##_v##n##type, (name##_##type##_##n x, name##_##type##_##n y)) {             \
    for (int i = 0; i < n; ++i)                                                                                        \
      x[i] = __llvm_##name##_##type(x[i], y[i]);                                                                       \
    return x;                                                                                                          \
  }
#define OF_SIZES(form, name, T, type)                                                                                  \
  form(name, T, type, 2) form(name, T, type, 3) form(name, T, type, 4) form(name, T, type, 8) form(name, T, type, 16)
#define VECTORS(form, name)                                                                                            \
  OF_SIZES(form, name, float, f32) OF_SIZES(form, name, double, f64) OF_SIZES(form, name, _Float16, f16)
#define UNARY(name)                                                                                                    \
  LLVM_INTRINSIC(float, name##_f32, (float x)) { return name##f(x); }                                                  \
  LLVM_INTRINSIC(double, name##_f64, (double x)) { return name(x); }                                                   \
  LLVM_INTRINSIC(_Float16, name##_f16, (_Float16 x)) { return static_cast<_Float16>(name##f(x)); }                     \
  VECTORS(UNARY_VECTOR, name)
UNARY(acos)
UNARY(asin)
UNARY(atan)
UNARY(cosh)
UNARY(exp10)
UNARY(sinh)
UNARY(tan)
UNARY(tanh)

LLVM_INTRINSIC(float, atan2_f32, (float y, float x)) { return atan2f(y, x); }
LLVM_INTRINSIC(double, atan2_f64, (double y, double x)) { return atan2(y, x); }
LLVM_INTRINSIC(_Float16, atan2_f16, (_Float16 y, _Float16 x)) { return static_cast<_Float16>(atan2f(y, x)); }
VECTORS(BINARY_VECTOR, atan2)

// Intrinsics with two results return the first one here; AmdDialectPass puts them together.
#define TWO_RESULTS(T, type, f, R)                                                                                     \
  LLVM_INTRINSIC(T, sincos_##type, (T x, PRIVATE T * cosine)) {                                                        \
    R sine, other;                                                                                                     \
    sincos##f(x, &sine, &other);                                                                                       \
    *cosine = static_cast<T>(other);                                                                                   \
    return static_cast<T>(sine);                                                                                       \
  }                                                                                                                    \
  LLVM_INTRINSIC(T, sincospi_##type, (T x, PRIVATE T * cosine)) {                                                      \
    R sine, other;                                                                                                     \
    sincospi##f(x, &sine, &other);                                                                                     \
    *cosine = static_cast<T>(other);                                                                                   \
    return static_cast<T>(sine);                                                                                       \
  }                                                                                                                    \
  LLVM_INTRINSIC(T, modf_##type, (T x, PRIVATE T * whole)) {                                                           \
    R other;                                                                                                           \
    const T fraction = static_cast<T>(modf##f(x, &other));                                                             \
    *whole = static_cast<T>(other);                                                                                    \
    return fraction;                                                                                                   \
  }                                                                                                                    \
  LLVM_INTRINSIC(T, frexp_##type##_i32, (T x, PRIVATE int *exponent)) {                                                \
    int other;                                                                                                         \
    const T fraction = static_cast<T>(frexp##f(x, &other));                                                            \
    *exponent = other;                                                                                                 \
    return fraction;                                                                                                   \
  }
TWO_RESULTS(float, f32, f, float)
TWO_RESULTS(double, f64, , double)
TWO_RESULTS(_Float16, f16, f, float)

LLVM_INTRINSIC(float, ldexp_f32_i32, (float x, int exponent)) { return ldexpf(x, exponent); }
LLVM_INTRINSIC(double, ldexp_f64_i32, (double x, int exponent)) { return ldexp(x, exponent); }
LLVM_INTRINSIC(_Float16, ldexp_f16_i32, (_Float16 x, int exponent)) {
  return static_cast<_Float16>(ldexpf(x, exponent));
}

/// The lesser or greater number: of a NaN and a number the number, of two zeros the one with the right sign.
template <class T> __device__ T extremum(T x, T y, bool least) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  if (x == y)
    return (__builtin_copysign(1.0, static_cast<double>(x)) < 0) == least ? x : y;
  return (x < y) == least ? x : y;
}
#define EXTREMA(T, type)                                                                                               \
  LLVM_INTRINSIC(T, minimumnum_##type, (T x, T y)) { return extremum(x, y, true); }                                    \
  LLVM_INTRINSIC(T, maximumnum_##type, (T x, T y)) { return extremum(x, y, false); }
EXTREMA(float, f32)
EXTREMA(double, f64)
EXTREMA(_Float16, f16)
VECTORS(BINARY_VECTOR, minimumnum)
VECTORS(BINARY_VECTOR, maximumnum)

LLVM_INTRINSIC(unsigned long, readcyclecounter, ()) { return clock64(); }
LLVM_INTRINSIC(unsigned long, readsteadycounter, ()) { return wall_clock64(); }
LLVM_INTRINSIC(int, get_rounding, ()) { return 1; } // to the nearest

// Functions that take a pointer: bits of it, to align it, and advice.
#define POINTERS(space, kind)                                                                                          \
  LLVM_INTRINSIC(kind void *, ptrmask_##space##_i64, (kind void *pointer, unsigned long mask)) {                       \
    return (kind void *)((unsigned long)pointer & mask);                                                               \
  }                                                                                                                    \
  LLVM_INTRINSIC(void, prefetch_##space, (kind void *, int, int, int)) {}                                              \
  LLVM_INTRINSIC(unsigned long, objectsize_i64_##space, (kind void *, bool least, bool, bool)) {                       \
    return least ? 0 : -1; /* not known */                                                                             \
  }                                                                                                                    \
  LLVM_INTRINSIC(kind void *, launder_invariant_group_##space, (kind void *pointer)) { return pointer; }               \
  LLVM_INTRINSIC(kind void *, strip_invariant_group_##space, (kind void *pointer)) { return pointer; }
POINTERS(p0, PRIVATE)
POINTERS(p1, __attribute__((opencl_global)))
POINTERS(p3, __attribute__((opencl_local)))
POINTERS(p4, )
