// SPDX-License-Identifier: MIT
// Measures the errors of the mathematical functions of kernels, in float and double, against MPFR: for special values, for
// arguments of all exponents, and for random ones, in the ranges for which bounds are documented and elsewhere. It fails
// where a bound is exceeded.
//
//   accuracy [--points N] [--only TEXT] [--document FILE]
//
// The error of a result is its distance from the exact value, in units in the last place of the latter. A bound of b
// units from the correctly rounded value allows an error of b + 1/2.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <thread>

#include "tests/accuracy/references.h"
#include "tests/device/check.h"

namespace {

constexpr double kNone = -1;
constexpr int kThreads = 2;

// Functions of other shapes, as functions of one to three arguments.
__device__ float sincosSinef(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return s;
}
__device__ double sincosSine(double x) {
  double s, c;
  sincos(x, &s, &c);
  return s;
}
__device__ float sincosCosinef(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return c;
}
__device__ double sincosCosine(double x) {
  double s, c;
  sincos(x, &s, &c);
  return c;
}
__device__ float sincospiSinef(float x) {
  float s, c;
  sincospif(x, &s, &c);
  return s;
}
__device__ double sincospiSine(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return s;
}
__device__ float sincospiCosinef(float x) {
  float s, c;
  sincospif(x, &s, &c);
  return c;
}
__device__ double sincospiCosine(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return c;
}
__device__ float norm3f(float x, float y, float z) { return norm3df(x, y, z); }
__device__ double norm3(double x, double y, double z) { return norm3d(x, y, z); }
__device__ float norm4f(float x, float y, float z) { return norm4df(x, y, z, x / 2); }
__device__ double norm4(double x, double y, double z) { return norm4d(x, y, z, x / 2); }
__device__ float rnorm3f(float x, float y, float z) { return rnorm3df(x, y, z); }
__device__ double rnorm3(double x, double y, double z) { return rnorm3d(x, y, z); }
__device__ float rnorm4f(float x, float y, float z) { return rnorm4df(x, y, z, x / 2); }
__device__ double rnorm4(double x, double y, double z) { return rnorm4d(x, y, z, x / 2); }
__device__ float normOfThreef(float x, float y, float z) {
  const float a[] = {x, y, z};
  return normf(3, a);
}
__device__ double normOfThree(double x, double y, double z) {
  const double a[] = {x, y, z};
  return norm(3, a);
}
__device__ float rnormOfThreef(float x, float y, float z) {
  const float a[] = {x, y, z};
  return rnormf(3, a);
}
__device__ double rnormOfThree(double x, double y, double z) {
  const double a[] = {x, y, z};
  return rnorm(3, a);
}

// Each function as a type.
#define CALLS(name, floatCall, doubleCall)                                                                             \
  struct name##_ {                                                                                                     \
    static __device__ float call(float x, float y, float z) { return floatCall; }                                      \
    static __device__ double call(double x, double y, double z) { return doubleCall; }                                 \
  };
#define UNARY(name, ...) CALLS(name, name##f(x), name(x))
#define BINARY(name, ...) CALLS(name, name##f(x, y), name(x, y))
#define TERNARY(name, ...) CALLS(name, name##f(x, y, z), name(x, y, z))
#define INTEGER_LAST(name, ...) CALLS(name, name##f(x, (int)y), name(x, (int)y))
#define BESSEL(name, ...) CALLS(name, name##f(x), name(x))
#define BESSEL_ORDER(name, ...) CALLS(name, name##f((int)y, x), name((int)y, x))
#define INTRINSIC(name, ...) CALLS(name, name(x), 0)
#define INTRINSIC2(name, ...) CALLS(name, name(x, y), 0)
#include "tests/accuracy/functions.def"

template <class Function, class T> __global__ void evaluate(const T *x, const T *y, const T *z, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = Function::call(x[i], y[i], z[i]);
}

typedef void (*Reference)(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, int n);

/// The results of one function in one type.
struct Function {
  const char *name;
  Reference reference;
  double low, high, hipBound, wholeBound;
  bool integer; // y is a whole number
  // Where |x| is in the interval, the bound is that of the absolute error, which is divided by values larger than 1.
  double absoluteRange[2] = {1, 0}, absolute = 0;
};

struct Worst {
  double error = 0, x = 0, y = 0, z = 0, result = 0, exact = 0;
  void add(const Worst &other) {
    if (other.error > error)
      *this = other;
  }
};

struct Measured {
  Worst inRange, anywhere;
  double absolute = 0;
};

template <class T> struct Points {
  std::vector<T> x, y, z;
  // The first ones are special values, then come those of the documented range, then all the others.
  size_t rangeBegin = 0, rangeEnd = 0;
  void add(double a, double b, double c) {
    x.push_back((T)a);
    y.push_back((T)b);
    z.push_back((T)c);
  }
};

template <class T> Points<T> makePoints(const Function &function, size_t count) {
  typedef std::numeric_limits<T> Limits;
  typedef typename std::conditional<sizeof(T) == 4, uint32_t, uint64_t>::type Bits;
  std::mt19937_64 random(20251120);
  Points<T> points;
  std::vector<T> special;
  for (double value : {0.0,
                       (double)Limits::denorm_min(),
                       (double)Limits::min(),
                       1e-30,
                       1e-10,
                       1e-3,
                       0.25,
                       0.5,
                       1.0,
                       1.5,
                       2.0,
                       2.5,
                       3.0,
                       4.0,
                       5.5,
                       7.0,
                       8.0,
                       10.0,
                       16.0,
                       20.0,
                       26.5,
                       88.7,
                       103.0,
                       150.0,
                       171.5,
                       709.5,
                       745.0,
                       1e4,
                       8388609.0,
                       1e10,
                       4503599627370497.0,
                       1e20,
                       1e38,
                       (double)Limits::max()})
    for (T sign : {(T)1, (T)-1}) {
      T v = (T)value * sign;
      special.insert(special.end(), {v, std::nextafter(v, (T)INFINITY), std::nextafter(v, -(T)INFINITY)});
    }
  special.insert(special.end(), {(T)INFINITY, -(T)INFINITY, (T)NAN});
  std::uniform_int_distribution<size_t> chooseSpecial(0, special.size() - 1);
  std::uniform_int_distribution<int> chooseInteger(-40, 40);
  auto second = [&](double value) { return function.integer ? (double)chooseInteger(random) : value; };
  for (T v : special)
    for (int i = 0; i < 8; ++i)
      points.add(v, second(special[chooseSpecial(random)]), special[chooseSpecial(random)]);
  points.rangeBegin = points.x.size();
  std::uniform_real_distribution<double> inRange(function.low, function.high);
  std::uniform_int_distribution<int> small((int)function.low, (int)function.high);
  for (size_t i = 0; i < count / 2; ++i) {
    // Rounded to T, a value may leave the range.
    T v = std::min(std::max((T)inRange(random), (T)function.low), (T)function.high);
    points.add(v, function.integer ? small(random) : inRange(random), inRange(random));
  }
  points.rangeEnd = points.x.size();
  // All exponents, and more often the moderate ones; exponents of several arguments are often near each other.
  std::uniform_real_distribution<double> exponent(-20, 11), near(-3, 3), wide(-30, 30);
  auto any = [&] {
    Bits bits = (Bits)random();
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return (double)value;
  };
  for (size_t i = 0; i < count / 4; ++i) {
    double v = any(), near1 = v * std::exp2(wide(random)), near2 = v * std::exp2(wide(random));
    points.add(v, second(i & 1 ? any() : near1), i & 1 ? any() : near2);
    double w = std::exp2(exponent(random)) * (random() & 1 ? 1 : -1);
    points.add(w, second(w * std::exp2(near(random)) * (random() & 1 ? 1 : -1)), w * std::exp2(near(random)));
  }
  return points;
}

/// The distance of a result from the exact value, in units of the exact value's last place.
template <class T> double errorOf(T result, mpfr_srcptr exact, mpfr_ptr scratch) {
  typedef std::numeric_limits<T> Limits;
  if (mpfr_nan_p(exact) || result != result)
    return mpfr_nan_p(exact) && result != result ? 0 : INFINITY;
  T rounded = sizeof(T) == 4 ? (T)mpfr_get_flt(exact, RN) : (T)mpfr_get_d(exact, RN);
  if (mpfr_inf_p(exact) || std::isinf(rounded))
    return result == rounded || (!mpfr_inf_p(exact) && result == std::copysign(Limits::max(), rounded)) ? 0 : INFINITY;
  // An infinite result stands for the number that follows the largest one.
  if (std::isinf(result))
    mpfr_set_si_2exp(scratch, result > 0 ? 1 : -1, Limits::max_exponent, RN);
  else
    mpfr_set_d(scratch, result, RN);
  mpfr_sub(scratch, scratch, exact, RN);
  mpfr_exp_t exponent =
      mpfr_zero_p(exact) ? Limits::min_exponent : std::max<mpfr_exp_t>(mpfr_get_exp(exact), Limits::min_exponent);
  mpfr_mul_2si(scratch, scratch, Limits::digits - exponent, RN);
  return std::fabs(mpfr_get_d(scratch, RN));
}

template <class T>
void compare(const Function &function, const Points<T> &points, const std::vector<T> &results, size_t begin,
             size_t step, Measured &measured) {
  Number x(64), y(64), z(64), exact(std::numeric_limits<T>::digits + 30), scratch(2200);
  for (size_t i = begin; i < results.size(); i += step) {
    // MPFR takes very long for Bessel functions of order n of large arguments.
    if (function.integer && function.absolute > 0 && std::fabs(points.x[i]) > 100)
      continue;
    mpfr_set_d(x, points.x[i], RN);
    mpfr_set_d(y, points.y[i], RN);
    mpfr_set_d(z, points.z[i], RN);
    function.reference(exact, x, y, z, function.integer ? (int)points.y[i] : 0);
    Worst here;
    here.error = errorOf(results[i], (mpfr_ptr)exact, scratch);
    here.x = points.x[i], here.y = points.y[i], here.z = points.z[i];
    here.result = results[i], here.exact = mpfr_get_d(exact, RN);
    double absolute = std::fabs(here.result - here.exact) / std::max(1.0, std::fabs(here.exact));
    double magnitude = std::fabs(here.x);
    if (magnitude >= function.absoluteRange[0] && magnitude <= function.absoluteRange[1] && std::isfinite(absolute)) {
      measured.absolute = std::max(measured.absolute, absolute);
      continue;
    }
    if (i >= points.rangeBegin && i < points.rangeEnd)
      measured.inRange.add(here);
    measured.anywhere.add(here);
  }
  mpfr_free_cache();
}

/// Evaluates a function for n arguments on the device.
template <class T> using Launch = void (*)(const T *x, const T *y, const T *z, T *out, int n);
template <class Call, class T> void launch(const T *x, const T *y, const T *z, T *out, int n) {
  evaluate<Call, T><<<(n + 255) / 256, 256>>>(x, y, z, out, n);
}

template <class T> Measured measure(const Function &function, Launch<T> evaluateAll, size_t count) {
  Points<T> points = makePoints<T>(function, count);
  size_t n = points.x.size();
  std::vector<T> results;
  {
    DeviceArray<T> x(points.x), y(points.y), z(points.z), out(n);
    evaluateAll(x, y, z, out, (int)n);
    HIP_CHECK(hipGetLastError());
    results = out.host();
  }
  Measured parts[kThreads];
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] { compare(function, points, results, t, kThreads, parts[t]); });
  for (std::thread &thread : threads)
    thread.join();
  for (int t = 1; t < kThreads; ++t) {
    parts[0].inRange.add(parts[t].inRange);
    parts[0].anywhere.add(parts[t].anywhere);
    parts[0].absolute = std::max(parts[0].absolute, parts[t].absolute);
  }
  return parts[0];
}

std::string text(double value, const char *none) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.4g", value);
  return value == kNone ? none : buffer;
}

struct Options {
  size_t points = 2000;
  const char *only = "", *document = nullptr;
};

std::string rows;

void reportBound(const Function &function, const char *type, const char *where, const Worst &worst, double bound) {
  if (bound == kNone || worst.error <= bound + 0.5 + 1e-6)
    return;
  ++checkFailures;
  std::fprintf(stderr, "%s<%s>(%.17g, %.17g, %.17g) is %.17g, expected %.17g: %g ulp, bound %g + 0.5 %s\n",
               function.name, type, worst.x, worst.y, worst.z, worst.result, worst.exact, worst.error, bound, where);
}

template <class T> void check(const Function &function, Launch<T> evaluateAll, const Options &options) {
  if (!std::strstr(function.name, options.only))
    return;
  const char *type = sizeof(T) == 4 ? "float" : "double";
  Measured m = measure<T>(function, evaluateAll, options.points);
  reportBound(function, type, "in the documented range", m.inRange, function.hipBound);
  reportBound(function, type, "anywhere", m.anywhere, function.wholeBound);
  if (function.absolute > 0 && m.absolute > function.absolute) {
    ++checkFailures;
    std::fprintf(stderr, "%s<%s>: absolute error %g, bound %g\n", function.name, type, m.absolute, function.absolute);
  }
  char range[80], line[400];
  std::snprintf(range, sizeof range, "[%.4g, %.4g]", function.low, function.high);
  std::string absolute = function.absolute > 0 ? text(m.absolute, "") + " (" + text(function.absolute, "") + ")" : "";
  std::snprintf(line, sizeof line, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", function.name, type,
                function.hipBound == kNone ? "" : range,
                function.hipBound == kNone ? "" : text(m.inRange.error, "0").c_str(),
                text(function.hipBound, "").c_str(), text(m.anywhere.error, "0").c_str(),
                text(function.wholeBound, "").c_str(), absolute.c_str());
  rows += line;
  std::fputs(line, stdout);
  std::fflush(stdout);
}

int writeDocument(const Options &options) {
  std::FILE *file = std::fopen(options.document, "w");
  if (!file)
    return 1;
  std::fprintf(
      file,
      "# Accuracy of the mathematical functions\n\n"
      "Made by `tests/accuracy/run.sh` on the CPU device: %zu random arguments for each function and type, half of "
      "them in the\n"
      "range that HIP documents, the others over all exponents, and special values; compared with MPFR. Errors are "
      "distances from the\n"
      "exact value in units in the last place (ulp). A documented bound of n means at most n units from the correctly "
      "rounded\n"
      "value, that is, an error of at most n + 0.5.\n\n"
      "- range, bound of HIP: the page \"HIP math API\" of HIP 6.4. Bound for all arguments: CUDA C++ Programming "
      "Guide,\n"
      "  for which HIP has no statement. No entry: nothing is documented.\n"
      "- absolute error: that of arguments of at least 8, and its bound in parentheses, where the documents bound it "
      "in place of the\n"
      "  relative error. The other columns then hold for arguments below 8.\n\n"
      "`__expf`, `__logf`, `__sinf` and `__cosf` take numbers below the smallest normal one for zero, and the sine and "
      "the cosine of\n"
      "arguments beyond 2^21 are those of zero. Code that was compiled with `-ffast-math` or "
      "`-fgpu-approx-transcendentals` has the\n"
      "intrinsics in place of `sinf`, `cosf`, `sincosf`, `tanf`, `expf`, `exp10f`, `logf`, `log2f` and `log10f`, and "
      "an "
      "`exp2f` and an `rsqrtf` of\n"
      "this kind; its `powf` is the exponential of a product with a logarithm, whose error grows with the result's "
      "exponent.\n\n"
      "On a GPU most of these functions are the OpenCL instructions of the driver, with the errors that the OpenCL\n"
      "specification allows.\n\n"
      "| function | type | range of HIP | error in the range | bound of HIP | error anywhere | bound for all arguments "
      "| absolute error |\n"
      "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n%s",
      options.points, rows.c_str());
  return std::fclose(file);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--points")
      options.points = std::strtoul(argv[i + 1], nullptr, 10);
    else if (option == "--only")
      options.only = argv[i + 1];
    else if (option == "--document")
      options.document = argv[i + 1];
  }
#define REFERENCE(expression)                                                                                          \
  [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, int n) { (void)y, (void)z, (void)n, (void)(expression); }
#define CHECK_TYPE(T, name, expression, low, high, hip, whole, integer, ...)                                           \
  check<T>(Function{#name, REFERENCE(expression), low, high, hip, whole, integer, ##__VA_ARGS__}, launch<name##_, T>,  \
           options);
#define CHECK_BOTH(name, expression, low, high, hipFloat, hipDouble, wholeFloat, wholeDouble, integer)                 \
  CHECK_TYPE(float, name, expression, low, high, hipFloat, wholeFloat, integer)                                        \
  CHECK_TYPE(double, name, expression, low, high, hipDouble, wholeDouble, integer)
#define UNARY(...) CHECK_BOTH(__VA_ARGS__, false)
#define BINARY(...) CHECK_BOTH(__VA_ARGS__, false)
#define TERNARY(...) CHECK_BOTH(__VA_ARGS__, false)
#define INTEGER_LAST(...) CHECK_BOTH(__VA_ARGS__, true)
#define BESSEL(name, expression)                                                                                       \
  CHECK_TYPE(float, name, expression, 0, 30, kNone, 9, false, {8, INFINITY}, 2.2e-6)                                   \
  CHECK_TYPE(double, name, expression, 0, 30, kNone, 7, false, {8, INFINITY}, 5e-12)
#define BESSEL_ORDER(name, expression)                                                                                 \
  CHECK_TYPE(float, name, expression, -20, 20, kNone, kNone, true, {-INFINITY, INFINITY}, 2.2e-6)                      \
  CHECK_TYPE(double, name, expression, -20, 20, kNone, kNone, true, {-INFINITY, INFINITY}, 5e-12)
#define INTRINSIC(name, expression, low, high, bound)                                                                  \
  CHECK_TYPE(float, name, expression, low, high, bound, kNone, false)
#define INTRINSIC2(name, expression, low, high, bound)                                                                 \
  CHECK_TYPE(float, name, expression, low, high, bound, kNone, false)
#include "tests/accuracy/functions.def"
  if (options.document && writeDocument(options))
    ++checkFailures;
  return testResult();
}
