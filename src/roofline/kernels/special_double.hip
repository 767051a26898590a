// SPDX-License-Identifier: MIT
// Throughput of special functions in double precision: x = f(x) + a in four chains, where a keeps x in the domain.
#include "roofline/kernels/throughput.h"

namespace {

struct Sine {
  __device__ static double of(double x) { return sin(x); }
};
struct Exponential {
  __device__ static double of(double x) { return exp(-x); }
};
struct Logarithm {
  __device__ static double of(double x) { return log(x); }
};
struct SquareRoot {
  __device__ static double of(double x) { return sqrt(x); }
};
struct ReciprocalRoot {
  __device__ static double of(double x) { return rsqrt(x); }
};
struct Reciprocal {
  __device__ static double of(double x) { return 1 / x; }
};

} // namespace

#define SPECIAL(NAME, FUNCTION)                                                                                        \
  extern "C" __global__ void NAME##_double(double *out, double a, double b, unsigned iterations) {                     \
    hiplz::roofline::runChains<hiplz::roofline::FunctionChains<FUNCTION, double, 4>, double, 4>(out, a, b,             \
                                                                                                iterations);           \
  }
SPECIAL(sin, Sine)
SPECIAL(exp, Exponential)
SPECIAL(log, Logarithm)
SPECIAL(sqrt, SquareRoot)
SPECIAL(rsqrt, ReciprocalRoot)
SPECIAL(divide, Reciprocal)

namespace hiplz::roofline {

std::vector<ThroughputKernel> doubleSpecialKernels() {
#define ENTRY(NAME)                                                                                                    \
  ThroughputKernel {                                                                                                   \
#NAME "_double", reinterpret_cast < const void *>(&NAME##_double), Operation::Special, ElementType::Double, 1, 4   \
  }
  return {ENTRY(sin), ENTRY(exp), ENTRY(log), ENTRY(sqrt), ENTRY(rsqrt), ENTRY(divide)};
}

} // namespace hiplz::roofline
