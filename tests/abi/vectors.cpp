// SPDX-License-Identifier: MIT
// The vector types: layout, construction, and arithmetic by components, in constant expressions from C++14 on. The
// program checks the same at run time, so that C++11 is covered.
#include <hip/hip_vector_types.h>

#include <cstddef>
#include <cstdio>
#include <type_traits>

#ifndef __HIP__
static_assert(std::is_trivially_copyable<float4>::value, "copies must be plain copies of bytes");
static_assert(std::is_trivially_default_constructible<float4>::value, "shared memory has no initialisation");
static_assert(std::is_standard_layout<double3>::value, "C reads the same bytes");
#endif
static_assert(sizeof(char3) == 3 && alignof(char3) == 1, "three components are not padded");
static_assert(sizeof(double4) == 32 && alignof(double4) == 32, "four components are aligned to their size");
static_assert(std::is_same<decltype(float4::w), float>::value, "components are plain members");
static_assert(std::is_constructible<float2, float>::value && !std::is_convertible<float, float2>::value &&
                  !std::is_assignable<float1 &, float>::value,
              "a scalar becomes a vector where that is written, not by itself");
static_assert(std::is_same<uchar3::value_type, unsigned char>::value, "vectors tell their components");
static_assert(!std::is_convertible<float2, float4>::value, "vectors of different sizes do not mix");
static_assert(!std::is_constructible<float4, float, float>::value, "a constructor takes one or all components");

// A program's own operators are preferred to ours.
struct Scale {
  float factor;
};
static inline float4 operator*(const float4 &v, Scale s) { return make_float4(v.x * s.factor, v.y, v.z, v.w); }
static inline short2 operator+(const short2 &, const short2 &) { return make_short2(-7, -7); }

#if __cplusplus >= 201402L
#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    static_assert(condition, #condition);                                                                              \
    check(condition, #condition, __LINE__);                                                                            \
  } while (0)
#else
#define CHECK(condition) check(condition, #condition, __LINE__)
#endif

static int failures;
static void check(bool ok, const char *what, int line) {
  if (!ok) {
    std::printf("line %d: %s\n", line, what);
    ++failures;
  }
}

#if __cplusplus >= 201402L
static constexpr int4 changed(int4 v) {
  v += 1;
  v *= make_int4(1, 2, 3, 4);
  v -= 1;
  v <<= 1;
  v++;
  --v;
  v.w = 0;
  return v;
}
static_assert(changed(make_int4(1, 1, 1, 1)) == make_int4(2, 6, 10, 0), "compound assignment");
#endif

int main() {
  CHECK(make_float4(1, 2, 3, 4).w == 4);
  CHECK(make_float4(1, 2, 3, 4) + make_float4(1, 1, 1, 1) == make_float4(2, 3, 4, 5));
  CHECK(make_float2(1, 2) * 2 == make_float2(2, 4));
  CHECK(2.0 * make_float2(1, 2) == make_float2(2, 4));
  CHECK(1 - make_int3(1, 2, 3) == make_int3(0, -1, -2));
  CHECK(make_double2(1, 2) / make_double2(2, 4) == 0.5);
  CHECK(make_int4(7, 8, 9, 10) % 4 == make_int4(3, 0, 1, 2));
  CHECK((make_uint2(6, 5) & 3u) == make_uint2(2, 1));
  CHECK((make_uint2(6, 5) | 1u) == make_uint2(7, 5));
  CHECK((make_uint2(6, 5) ^ make_uint2(6, 1)) == make_uint2(0, 4));
  CHECK((make_int2(1, 2) << 3) == make_int2(8, 16));
  CHECK((make_int2(-8, 16) >> 2) == make_int2(-2, 4));
  CHECK(~make_uchar2(0, 0xF0) == make_uchar2(0xFF, 0x0F));
  CHECK(-make_longlong2(1, -2) == make_longlong2(-1, 2));
  CHECK(make_uchar1(200) + make_uchar1(100) == make_uchar1(44));
  CHECK(make_float3(1, 2, 3) != make_float3(1, 2, 4));
  CHECK(make_float3(2, 2, 2) == 2);
  CHECK(2 != make_float3(2, 2, 3));
  CHECK(float4{} == 0);
  CHECK(int1(3).x == 3);
#if HIPLZ_HIP_VERSION >= 7
  CHECK(float4(3) == make_float4(3, 0, 0, 0));
#else
  CHECK(float4(3) == make_float4(3, 3, 3, 3));
#endif

  float4 list = {1, 2, 3, 4};
  float4 braces{5};
  check(list + braces == list + float4(5), "initialiser lists", __LINE__);
  float3 v = make_float3(1, 1, 1);
  check(v++ == 1 && v == 2 && ++v == 3 && v-- == 3 && --v == 1, "increments", __LINE__);
  v /= 2;
  check(v == 0.5f, "compound assignment with a scalar", __LINE__);
  check(list * Scale{3} == make_float4(3, 2, 3, 4), "an operator of the program", __LINE__);
  check(make_short2(1, 1) + make_short2(2, 2) == make_short2(-7, -7), "an operator that replaces ours", __LINE__);
  check(reinterpret_cast<float *>(&list)[2] == 3, "components lie in order", __LINE__);
  return failures != 0;
}
