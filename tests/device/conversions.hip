// SPDX-License-Identifier: MIT
// Conversions with rounding modes, saturation and NaN, and views of bits, against values computed with the host's rounding
// modes.
#include <cfenv>

#include "tests/device/check.h"

typedef long long s64;
typedef unsigned long long u64;

// The results of one input by all conversions of a kind: one row a rounding mode.
struct FromFloat {
  int i[4];
  unsigned u[4];
  s64 l[4];
  u64 ul[4];
};
struct FromDouble {
  FromFloat integers;
  float f[4];
};
struct FromInteger {
  float i[4], u[4], l[4], ul[4];
  double dl[4], dul[4], di, du;
};

#define ROW(member, from, to, x)                                                                                       \
  r.member[0] = __##from##2##to##_rn(x);                                                                               \
  r.member[1] = __##from##2##to##_rz(x);                                                                               \
  r.member[2] = __##from##2##to##_ru(x);                                                                               \
  r.member[3] = __##from##2##to##_rd(x);

__global__ void fromFloat(const float *in, FromFloat *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  FromFloat r;
  ROW(i, float, int, in[i])
  ROW(u, float, uint, in[i])
  ROW(l, float, ll, in[i])
  ROW(ul, float, ull, in[i])
  out[i] = r;
}

__global__ void fromDouble(const double *in, FromDouble *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  FromDouble r;
  ROW(integers.i, double, int, in[i])
  ROW(integers.u, double, uint, in[i])
  ROW(integers.l, double, ll, in[i])
  ROW(integers.ul, double, ull, in[i])
  ROW(f, double, float, in[i])
  out[i] = r;
}

__global__ void fromInteger(const u64 *in, FromInteger *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  FromInteger r;
  ROW(i, int, float, (int)in[i])
  ROW(u, uint, float, (unsigned)in[i])
  ROW(l, ll, float, (s64)in[i])
  ROW(ul, ull, float, in[i])
  ROW(dl, ll, double, (s64)in[i])
  ROW(dul, ull, double, in[i])
  r.di = __int2double_rn((int)in[i]);
  r.du = __uint2double_rn((unsigned)in[i]);
  out[i] = r;
}

__global__ void views(const double *in, u64 *out) {
  int i = threadIdx.x;
  double d = in[i];
  float f = (float)d;
  u64 *o = out + 8 * i;
  o[0] = (unsigned)__float_as_int(f);
  o[1] = __float_as_uint(f);
  o[2] = __double_as_longlong(d);
  o[3] = (unsigned)__double2hiint(d);
  o[4] = (unsigned)__double2loint(d);
  o[5] = __double_as_longlong(__hiloint2double(__double2hiint(d), __double2loint(d)));
  o[6] = __float_as_uint(__int_as_float(__float_as_int(f))) ^ __float_as_uint(__uint_as_float(__float_as_uint(f)));
  o[7] = __double_as_longlong(__longlong_as_double(__double_as_longlong(d)));
}

static const int kModes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

// x rounded to an integral value by the mode, clamped to the range of I; zero for NaN.
template <class I> static I toInteger(double x, int mode) {
  if (x != x)
    return 0;
  std::fesetround(kModes[mode]);
  volatile double in = x;
  double r = std::nearbyint(in);
  std::fesetround(FE_TONEAREST);
  double end = std::ldexp(1.0, std::numeric_limits<I>::digits);
  if (r >= end)
    return std::numeric_limits<I>::max();
  if (r < (double)std::numeric_limits<I>::min())
    return std::numeric_limits<I>::min();
  return (I)r;
}

template <class F, class From> static F toFloat(From x, int mode) {
  std::fesetround(kModes[mode]);
  volatile From in = x;
  volatile F r = (F)in;
  std::fesetround(FE_TONEAREST);
  return r;
}

static void checkIntegers(const FromFloat &r, double x) {
  for (int m = 0; m < 4; ++m) {
    CHECK_EQ(r.i[m], toInteger<int>(x, m));
    CHECK_EQ(r.u[m], toInteger<unsigned>(x, m));
    CHECK_EQ(r.l[m], toInteger<s64>(x, m));
    CHECK_EQ(r.ul[m], toInteger<u64>(x, m));
  }
}

TEST(fromFloatingPoint) {
  std::vector<double> values;
  for (double v : {0.0,          0.25,         0.5,          0.75,         1.0,
                   1.5,          2.5,          3.5,          1e6 + 0.5,    2147483646.5,
                   2147483647.0, 2147483648.0, 4294967294.5, 4294967295.0, 4294967296.0,
                   1e15 + 0.5,   9.2e18,       9.3e18,       1.8e19,       1.9e19,
                   1e30,         1.0 + 1e-9,   3e38,         1e-40,        (double)INFINITY})
    for (double w : {v, -v})
      values.push_back(w);
  values.push_back(NAN);
  int n = values.size();
  std::vector<float> floats(values.begin(), values.end());

  DeviceArray<float> deviceFloats(floats);
  DeviceArray<FromFloat> f(n);
  fromFloat<<<(n + 31) / 32, 32>>>(deviceFloats, f, n);
  HIP_CHECK(hipGetLastError());
  std::vector<FromFloat> fs = f.host();
  for (int i = 0; i < n; ++i)
    checkIntegers(fs[i], floats[i]);

  DeviceArray<double> deviceDoubles(values);
  DeviceArray<FromDouble> d(n);
  fromDouble<<<(n + 31) / 32, 32>>>(deviceDoubles, d, n);
  HIP_CHECK(hipGetLastError());
  std::vector<FromDouble> ds = d.host();
  for (int i = 0; i < n; ++i) {
    checkIntegers(ds[i].integers, values[i]);
    for (int m = 0; m < 4; ++m) {
      float expected = toFloat<float>(values[i], m);
      if (expected == expected)
        CHECK_EQ(ds[i].f[m], expected);
      else
        CHECK(ds[i].f[m] != ds[i].f[m]);
    }
  }
}

TEST(fromIntegers) {
  std::vector<u64> integers = {0,
                               1,
                               16777217,
                               16777219,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x20000000000001,
                               0x20000000000003,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0x8000000000000401,
                               0xffffffffffffffff,
                               0xffffff7fffffffff};
  DeviceArray<u64> deviceIntegers(integers);
  DeviceArray<FromInteger> k(integers.size());
  fromInteger<<<1, 32>>>(deviceIntegers, k, (int)integers.size());
  HIP_CHECK(hipGetLastError());
  std::vector<FromInteger> ks = k.host();
  for (size_t i = 0; i < integers.size(); ++i) {
    u64 x = integers[i];
    for (int m = 0; m < 4; ++m) {
      CHECK_EQ(ks[i].i[m], toFloat<float>((int)x, m));
      CHECK_EQ(ks[i].u[m], toFloat<float>((unsigned)x, m));
      CHECK_EQ(ks[i].l[m], toFloat<float>((s64)x, m));
      CHECK_EQ(ks[i].ul[m], toFloat<float>(x, m));
      CHECK_EQ(ks[i].dl[m], toFloat<double>((s64)x, m));
      CHECK_EQ(ks[i].dul[m], toFloat<double>(x, m));
    }
    CHECK_EQ(ks[i].di, (double)(int)x);
    CHECK_EQ(ks[i].du, (double)(unsigned)x);
  }
}

TEST(views) {
  std::vector<double> some = {0.0, -0.0, 1.0, -1.5, 3.14159265358979, 1e-310, 1e300, (double)INFINITY};
  DeviceArray<double> deviceSome(some);
  DeviceArray<u64> v(8 * some.size());
  views<<<1, some.size()>>>(deviceSome, v);
  HIP_CHECK(hipGetLastError());
  std::vector<u64> vs = v.host();
  for (size_t i = 0; i < some.size(); ++i) {
    float narrow = (float)some[i];
    unsigned bits;
    u64 wide;
    std::memcpy(&bits, &narrow, 4);
    std::memcpy(&wide, &some[i], 8);
    CHECK_EQ(vs[8 * i], bits);
    CHECK_EQ(vs[8 * i + 1], bits);
    CHECK_EQ(vs[8 * i + 2], wide);
    CHECK_EQ(vs[8 * i + 3], wide >> 32);
    CHECK_EQ(vs[8 * i + 4], wide & 0xffffffff);
    CHECK_EQ(vs[8 * i + 5], wide);
    CHECK_EQ(vs[8 * i + 6], 0u);
    CHECK_EQ(vs[8 * i + 7], wide);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
