// SPDX-License-Identifier: MIT
// Throughput of special functions in single precision: x = f(x) + a in four chains, where a keeps x in the domain.
#include "roofline/kernels/throughput.h"

namespace {

struct Sine {
  __device__ static float of(float x) { return sinf(x); }
};
struct Exponential {
  __device__ static float of(float x) { return expf(-x); }
};
struct Logarithm {
  __device__ static float of(float x) { return logf(x); }
};
struct SquareRoot {
  __device__ static float of(float x) { return sqrtf(x); }
};
struct ReciprocalRoot {
  __device__ static float of(float x) { return rsqrtf(x); }
};
struct Reciprocal {
  __device__ static float of(float x) { return 1 / x; }
};
struct FastSine {
  __device__ static float of(float x) { return __sinf(x); }
};
struct FastExponential {
  __device__ static float of(float x) { return __expf(-x); }
};

} // namespace

#define SPECIAL(NAME, FUNCTION)                                                                                        \
  extern "C" __global__ void NAME##_float(float *out, float a, float b, unsigned iterations) {                         \
    hiplz::roofline::runChains<hiplz::roofline::FunctionChains<FUNCTION, float, 4>, float, 4>(out, a, b, iterations);  \
  }
SPECIAL(sin, Sine)
SPECIAL(exp, Exponential)
SPECIAL(log, Logarithm)
SPECIAL(sqrt, SquareRoot)
SPECIAL(rsqrt, ReciprocalRoot)
SPECIAL(divide, Reciprocal)
SPECIAL(fast_sin, FastSine)
SPECIAL(fast_exp, FastExponential)

namespace hiplz::roofline {

std::vector<ThroughputKernel> floatSpecialKernels() {
#define ENTRY(NAME)                                                                                                    \
  ThroughputKernel {                                                                                                   \
#NAME "_float", reinterpret_cast < const void *>(&NAME##_float), Operation::Special, ElementType::Float, 1, 4      \
  }
  return {ENTRY(sin),   ENTRY(exp),    ENTRY(log),      ENTRY(sqrt),
          ENTRY(rsqrt), ENTRY(divide), ENTRY(fast_sin), ENTRY(fast_exp)};
}

} // namespace hiplz::roofline
