// SPDX-License-Identifier: MIT
// The vector types: every operator by component, for every type and length, on the device and on the host; sizes,
// alignments, and how they lie in memory.
#include "tests/device/check.h"

template <class V> struct Component;
template <class T, unsigned n> struct Component<HIP_vector_type<T, n>> {
  typedef T type;
  static constexpr unsigned count = n;
};
template <class V> using ComponentOf = typename Component<V>::type;

// The components by their names, not by address.
template <class V> __host__ __device__ ComponentOf<V> at(const V &v, unsigned i) {
  if constexpr (Component<V>::count > 1) {
    if (i == 1)
      return v.y;
  }
  if constexpr (Component<V>::count > 2) {
    if (i == 2)
      return v.z;
  }
  if constexpr (Component<V>::count > 3) {
    if (i == 3)
      return v.w;
  }
  return v.x;
}

// By name and by number.
template <class V> __host__ __device__ bool sameByNumber(const V &v) {
  for (unsigned i = 0; i < Component<V>::count; ++i)
#if HIP_VERSION_MAJOR >= 7
    if (!(v[i] == at(v, i)))
#else
    if (!(v.data[i] == at(v, i)))
#endif
      return false;
  return true;
}

// Counts the components that differ from the expected ones.
template <class V>
__host__ __device__ __attribute__((noinline)) int wrong(const V &actual, const ComponentOf<V> *expected) {
  int count = 0;
  for (unsigned i = 0; i < Component<V>::count; ++i)
    count += at(actual, i) != expected[i];
  return count + !sameByNumber(actual);
}

template <class V, class = void> constexpr bool kHasNegative = false;
template <class V> constexpr bool kHasNegative<V, decltype(void(-V()))> = true;

// The types' own facts: their components, and that a scalar becomes a vector only where that is written.
template <class V> constexpr bool isDeclaredWell() {
  typedef ComponentOf<V> T;
  return std::is_same_v<typename V::value_type, T> && kHasNegative<V> == std::is_signed_v<T> &&
         std::is_constructible_v<V, T> && std::is_constructible_v<V, int> && !std::is_convertible_v<T, V> &&
         !std::is_convertible_v<int, V> && !std::is_assignable_v<V &, T> && std::is_trivially_copyable_v<V>;
}

// A function of a program for a vector beside HIP's for scalars.
__device__ int4 __shfl_down(int4 v, unsigned delta, int width = 32) {
  return make_int4(__shfl_down(v.x, delta, width), __shfl_down(v.y, delta, width), v.z, v.w);
}
__global__ void shuffle(int4 *out) {
  out[threadIdx.x] = __shfl_down(make_int4(threadIdx.x, 2 * threadIdx.x, 7, 9), 1u);
}
static void testOwnOverload() {
  DeviceArray<int4> out(32);
  shuffle<<<1, 32>>>(out);
  const std::vector<int4> results = out.host();
  for (int i = 0; i < 31; ++i)
    CHECK(results[i] == make_int4(i + 1, 2 * i + 2, 7, 9));
}

template <class V> __host__ __device__ int arithmetic(const V &a, const V &b) {
  typedef ComponentOf<V> T;
  constexpr unsigned n = Component<V>::count;
  T x[n], y[n], expected[n], s = T(3);
  for (unsigned i = 0; i < n; ++i)
    x[i] = at(a, i), y[i] = at(b, i);
  int bad = 0;
// The result of the vector operation, and that of the scalar one for component i.
#define CHECK_RESULT(result, scalar)                                                                                   \
  for (unsigned i = 0; i < n; ++i)                                                                                     \
    expected[i] = static_cast<T>(scalar);                                                                              \
  bad += wrong<V>(result, expected);
#define CHECK_OPERATOR(OP)                                                                                             \
  {                                                                                                                    \
    V assigned = a, scaled = a;                                                                                        \
    assigned OP## = b;                                                                                                 \
    scaled OP## = s;                                                                                                   \
    CHECK_RESULT(a OP b, x[i] OP y[i])                                                                                 \
    bad += wrong(assigned, expected);                                                                                  \
    CHECK_RESULT(a OP s, x[i] OP s)                                                                                    \
    bad += wrong(scaled, expected);                                                                                    \
    CHECK_RESULT(s OP b, s OP y[i])                                                                                    \
  }
  CHECK_OPERATOR(+)
  CHECK_OPERATOR(-)
  CHECK_OPERATOR(*)
  CHECK_OPERATOR(/)
  if constexpr (std::is_integral_v<T>) {
    CHECK_OPERATOR(%)
    CHECK_OPERATOR(&)
    CHECK_OPERATOR(|)
    CHECK_OPERATOR(^)
    CHECK_OPERATOR(<<)
    CHECK_OPERATOR(>>)
    CHECK_RESULT(~a, ~x[i])
  }
  if constexpr (std::is_signed_v<T>) {
    CHECK_RESULT(-a, -x[i])
  }
  V stepped = a;
  CHECK_RESULT(stepped++, x[i])
  CHECK_RESULT(++stepped, x[i] + 2)
  CHECK_RESULT(stepped--, x[i] + 2)
  CHECK_RESULT(--stepped, x[i])
  V first(s), filled = a - a + s, copy(a);
  CHECK_RESULT(first, HIP_VERSION_MAJOR < 7 || i == 0 ? s : T(0))
#undef CHECK_OPERATOR
#undef CHECK_RESULT
  bad += !(copy == a) + (copy != a) + (a == b) + !(a != b) + !(filled == s) + (filled != s) + !(s == filled) +
         (s != filled);
  copy.x = T(100);
  bad += copy == a;
  double4 mapped = __hipMapVector<double, 4>(a);
  for (unsigned i = 0; i < 4; ++i)
    bad += at(mapped, i) != (i < n ? double(x[i < n ? i : 0]) : 0.0);
  bad += __hipMapVector<T, 1>(a).x != x[0];
  return bad;
}

template <class V> __global__ void onDevice(const V *in, V *out, int *bad) {
  *bad = arithmetic(in[0], in[1]);
  // Of the right size in memory, as loads of neighbours show.
  out[0] = in[1];
  out[1] = in[0];
}

template <class V> V make(std::initializer_list<int> values) {
  typedef ComponentOf<V> T;
  T components[4] = {};
  int i = 0;
  for (int value : values)
    components[i++] = static_cast<T>(value);
  V v;
  std::memcpy(&v, components, sizeof v);
  return v;
}

template <class V> void test(const char *name, size_t alignment) {
  static_assert(isDeclaredWell<V>(), "");
  static_assert(std::is_trivially_copyable_v<V>, "copies are copies of bytes");
  static_assert(sizeof(V) == Component<V>::count * sizeof(ComponentOf<V>), "no padding");
  CHECK_EQ(alignof(V), alignment);
  std::vector<V> values{make<V>({21, 14, 7, 5}), make<V>({2, 3, 4, 1})};
  DeviceArray<V> in(values), out(2);
  DeviceArray<int> bad(1);
  onDevice<<<1, 1>>>(static_cast<const V *>(static_cast<V *>(in)), static_cast<V *>(out), static_cast<int *>(bad));
  if (bad.host()[0] != 0 || arithmetic(values[0], values[1]) != 0)
    std::fprintf(stderr, "%s: %d wrong on the device, %d on the host\n", name, bad.host()[0],
                 arithmetic(values[0], values[1]));
  CHECK_EQ(bad.host()[0], 0);
  CHECK_EQ(arithmetic(values[0], values[1]), 0);
  std::vector<V> swapped = out.host();
  CHECK(swapped[0] == values[1] && swapped[1] == values[0]);
}
#define VECTORS_OF(name)                                                                                               \
  test<name##1>(#name "1", alignof(ComponentOf<name##1>));                                                             \
  test<name##2>(#name "2", 2 * sizeof(ComponentOf<name##1>));                                                          \
  test<name##3>(#name "3", alignof(ComponentOf<name##1>));                                                             \
  test<name##4>(#name "4", 4 * sizeof(ComponentOf<name##1>));
// The other types differ in nothing but the component: one length shows it.
#define TEST3(name) test<name##3>(#name "3", alignof(ComponentOf<name##1>));

TEST(typesOfHip) {
  testOwnOverload();
  VECTORS_OF(char)
  VECTORS_OF(int)
  VECTORS_OF(float)
  TEST3(uchar)
  TEST3(short)
  TEST3(ushort)
  TEST3(uint)
  TEST3(long)
  TEST3(ulong)
  TEST3(longlong)
  TEST3(ulonglong)
  TEST3(double)

  CHECK(make_float3(1.0f, 2.0f, 3.0f) == float3(1.0f, 2.0f, 3.0f));
  CHECK_EQ(make_uchar4(1, 2, 3, 4).w, 4);
  const int left[] = {1, 2, 3}, right[] = {1, 2, 4};
  CHECK(_hip_compare(left, right, 1) && !_hip_compare(left, right, 2) && _hip_compare(left, right, -1));
  dim3 grid(4, 5);
  CHECK(grid.x == 4 && grid.y == 5 && grid.z == 1);
}

// Vectors of the compiler that SPIR-V does not have: five floats, six words, which are 24 bytes as well, ten comparisons. Functions
// take them too, and wide integers.
typedef float Five __attribute__((ext_vector_type(5)));
typedef unsigned Six __attribute__((ext_vector_type(6)));
typedef unsigned char Bytes __attribute__((ext_vector_type(24)));
typedef short Ten __attribute__((ext_vector_type(10)));
struct Odd {
  Five numbers;
  Six words;
  Ten halves;
};
__device__ Odd kept = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9, 10}, {}};

#pragma clang diagnostic ignored "-Wpsabi" // of the host
__host__ __device__ __attribute__((noinline)) Six changed(Six words, unsigned _BitInt(48) by) {
  return words ^ static_cast<unsigned>(by >> 20);
}

__host__ __device__ inline void change(Odd &odd, const Odd &first, unsigned which) {
  Five scaled = odd.numbers * 2.0f + first.numbers;
  for (unsigned i = 0; i <= which; ++i)
    scaled += scaled.yzwxx.xyzwx;
  odd.numbers = scaled;
  odd.words += changed(first.words, static_cast<unsigned _BitInt(48)>(odd.words[1]) << which);
  Bytes bytes = __builtin_bit_cast(Bytes, odd.words);
  bytes[which] += 3;
  bytes = bytes * bytes;
  odd.words = __builtin_bit_cast(Six, bytes) ^ (odd.words >> 3);
  odd.halves += (odd.halves > static_cast<short>(which)) & static_cast<short>(which * 17);
  odd.halves[which % 10] -= 5;
}

__global__ void changeAll(Odd *odds) { change(odds[threadIdx.x], kept, threadIdx.x); }

TEST(vectorsOfOtherLengths) {
  Odd *odds, expected[20], first = {{0, 1, 2, 3, 4}, {5, 6, 7, 8, 9, 10}, {}};
  HIP_CHECK(hipMallocManaged(&odds, sizeof expected));
  for (unsigned i = 0; i < 20; ++i) {
    for (unsigned n = 0; n < 10; ++n)
      odds[i].halves[n] = static_cast<short>(n * 3 - i);
    for (unsigned n = 0; n < 6; ++n)
      odds[i].words[n] = 0x9e3779b9u * (6 * i + n);
    for (unsigned n = 0; n < 5; ++n)
      odds[i].numbers[n] = static_cast<float>(i * n);
    expected[i] = odds[i];
    change(expected[i], first, i);
  }
  changeAll<<<1, 20>>>(odds);
  HIP_CHECK(hipDeviceSynchronize());
  for (unsigned i = 0; i < 20; ++i) {
    for (unsigned n = 0; n < 10; ++n)
      CHECK_EQ(odds[i].halves[n], expected[i].halves[n]);
    for (unsigned n = 0; n < 6; ++n)
      CHECK_EQ(odds[i].words[n], expected[i].words[n]);
    for (unsigned n = 0; n < 5; ++n)
      CHECK_EQ(odds[i].numbers[n], expected[i].numbers[n]);
  }
  HIP_CHECK(hipFree(odds));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
