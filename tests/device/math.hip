// SPDX-License-Identifier: MIT
// The functions of <math.h>, float and double, by their C names and as overloads, against the
// host's long double functions within the error bounds of OpenCL; special values included.
#include "tests/device/ulp.h"

// One type a function: `c` calls it by its C name, `overload` by that of its overload for T. For double these are one
// function, which shortens the compilation for devices that emulate double. std:: names the same overloads.
#define UNARY_FUNCTION(name)                                                                                           \
  struct name##_ {                                                                                                     \
    static __device__ float c(float x) { return name##f(x); }                                                          \
    static __device__ double c(double x) { return name(x); }                                                           \
    template <class T> static __device__ T overload(T x) {                                                             \
      static_assert(sizeof(name(x)) == sizeof(T), #name);                                                              \
      return std::name(x);                                                                                             \
    }                                                                                                                  \
    static long double host(long double x) { return std::name(x); }                                                    \
  };
#define BINARY_FUNCTION(name)                                                                                          \
  struct name##_ {                                                                                                     \
    static __device__ float c(float x, float y) { return name##f(x, y); }                                              \
    static __device__ double c(double x, double y) { return name(x, y); }                                              \
    template <class T> static __device__ T overload(T x, T y) {                                                        \
      static_assert(sizeof(name(x, y)) == sizeof(T), #name);                                                           \
      return std::name(x, y);                                                                                          \
    }                                                                                                                  \
    template <class T> static long double host(T x, T y) { return std::name((long double)x, (long double)y); }         \
  };

#define UNARY_FUNCTIONS(X)                                                                                             \
  X(acos, 4)                                                                                                           \
  X(acosh, 4)                                                                                                          \
  X(asin, 4)                                                                                                           \
  X(asinh, 4)                                                                                                          \
  X(atan, 5)                                                                                                           \
  X(atanh, 5)                                                                                                          \
  X(cbrt, 2)                                                                                                           \
  X(ceil, 0)                                                                                                           \
  X(cos, 4)                                                                                                            \
  X(cosh, 4)                                                                                                           \
  X(erf, 16)                                                                                                           \
  X(erfc, 16)                                                                                                          \
  X(exp, 3)                                                                                                            \
  X(exp2, 3)                                                                                                           \
  X(expm1, 3)                                                                                                          \
  X(fabs, 0)                                                                                                           \
  X(floor, 0)                                                                                                          \
  X(log, 3)                                                                                                            \
  X(log10, 3)                                                                                                          \
  X(log1p, 2)                                                                                                          \
  X(log2, 3)                                                                                                           \
  X(logb, 0)                                                                                                           \
  X(nearbyint, 0) X(rint, 0) X(round, 0) X(sin, 4) X(sinh, 4) X(sqrt, 3) X(tan, 5) X(tanh, 5) X(tgamma, 16) X(trunc, 0)
#define BINARY_FUNCTIONS(X)                                                                                            \
  X(atan2, 6) X(copysign, 0) X(fdim, 0) X(fmax, 0) X(fmin, 0) X(fmod, 0) X(hypot, 4) X(pow, 16) X(remainder, 0)
#define DEFINE_UNARY(name, bound) UNARY_FUNCTION(name)
#define DEFINE_BINARY(name, bound) BINARY_FUNCTION(name)
UNARY_FUNCTIONS(DEFINE_UNARY)
BINARY_FUNCTIONS(DEFINE_BINARY)

template <class Function, class T> __global__ void unary(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[2 * i] = out[2 * i + 1] = Function::c(in[i]);
  if constexpr (sizeof(T) == sizeof(float))
    out[2 * i + 1] = Function::overload(in[i]);
}

template <class Function, class T> __global__ void binary(const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  T x = in[i / n], y = in[i % n];
  out[2 * i] = out[2 * i + 1] = Function::c(x, y);
  if constexpr (sizeof(T) == sizeof(float))
    out[2 * i + 1] = Function::overload(x, y);
}

template <class T> static std::vector<T> unaryInputs() {
  std::vector<T> in;
  for (double v : {0.0,        1e-30,
                   1e-7,       0.001,
                   0.1,        0.3,
                   0.49999,    0.5,
                   0.7,        0.99,
                   1.0,        1.0001,
                   1.5,        2.0,
                   2.5,        3.0,
                   3.14159265, 3.5,
                   5.0,        7.3,
                   10.0,       12.6,
                   20.0,       33.4,
                   50.0,       80.0,
                   88.0,       100.0,
                   170.0,      709.0,
                   1000.0,     12345.678,
                   1e6,        8388609.5,
                   1e10,       1e20,
                   3e38,       (double)INFINITY})
    for (double w : {v, -v})
      in.push_back((T)w);
  in.push_back((T)NAN);
  for (int i = -200; i < 200; ++i)
    in.push_back((T)(i * 0.0437));
  return in;
}

template <class T> static std::vector<T> binaryInputs() {
  std::vector<T> in;
  for (double v :
       {0.0, 1e-20, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 3.7, 10.0, 25.0, 100.25, 1e5, 1e10, 1e30, (double)INFINITY})
    for (double w : {v, -v})
      in.push_back((T)w);
  in.push_back((T)NAN);
  return in;
}

template <class Function, class T> static void checkUnary(const char *name, double bound) {
  std::vector<T> in = unaryInputs<T>();
  DeviceArray<T> device(in), out(2 * in.size());
  unary<Function, T><<<(in.size() + 63) / 64, 64>>>(device, out, (int)in.size());
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = out.host();
  for (size_t i = 0; i < in.size(); ++i)
    for (int k = 0; k < 2; ++k)
      checkUlp(name, r[2 * i + k], Function::host((long double)in[i]), bound, in[i]);
}

template <class Function, class T> static void checkBinary(const char *name, double bound) {
  std::vector<T> in = binaryInputs<T>();
  int n = in.size();
  DeviceArray<T> device(in), out(2 * n * n);
  binary<Function, T><<<(n * n + 63) / 64, 64>>>(device, out, n);
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = out.host();
  for (int i = 0; i < n * n; ++i)
    for (int k = 0; k < 2; ++k)
      checkUlp(name, r[2 * i + k], Function::host(in[i / n], in[i % n]), bound, in[i / n], in[i % n]);
}

int main() {
#define CHECK_UNARY(name, bound)                                                                                       \
  checkUnary<name##_, float>(#name, bound);                                                                            \
  checkUnary<name##_, double>(#name, bound);
#define CHECK_BINARY(name, bound)                                                                                      \
  checkBinary<name##_, float>(#name, bound);                                                                           \
  checkBinary<name##_, double>(#name, bound);
  UNARY_FUNCTIONS(CHECK_UNARY)
  BINARY_FUNCTIONS(CHECK_BINARY)
  return testResult();
}
