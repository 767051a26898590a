// SPDX-License-Identifier: MIT
// Small structures are copied as one integer, which is taken apart and put together again: every bit of their members stays what it
// is, also in values that arithmetic would change (NaNs with payloads, negative zeros, denormal numbers).
#include "tests/device/check.h"

#include <cstring>
#include <hip/hip_fp16.h>

struct FloatInt {
  float first;
  int second;
};
struct IntFloat {
  int first;
  float second;
};
struct Floats {
  float first, second;
};
struct Ints {
  int first;
  unsigned second;
};
struct Shorts {
  short first;
  unsigned short second;
};
struct Halves {
  _Float16 first, second;
};
struct HalfShort {
  _Float16 first;
  short second;
};
struct FourShorts {
  short first;
  unsigned short second;
  short third, fourth;
};
struct FourHalves {
  _Float16 first;
  short second;
  _Float16 third, fourth;
};
struct Mixed {
  short first;
  _Float16 second;
  int third;
};

template <class To, class From> __host__ __device__ To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
// Operations on members that keep all bits, or change integers only.
__host__ __device__ float changed(float x) { return bitsAs<float>(bitsAs<unsigned>(x) ^ 0x80000000u); }
__host__ __device__ _Float16 changed(_Float16 x) {
  return bitsAs<_Float16>((unsigned short)(bitsAs<unsigned short>(x) ^ 0x8000));
}
__host__ __device__ int changed(int x) { return int(unsigned(x) * 3); }
__host__ __device__ unsigned changed(unsigned x) { return x >> 3; }
__host__ __device__ short changed(short x) { return x / 3; } // of the sign-extended value
__host__ __device__ unsigned short changed(unsigned short x) { return x / 3; }

/// True if a member is less than another; false for NaNs.
template <class S> __host__ __device__ bool before(const S &a, const S &b) { return a.first < b.first; }

template <class S> __host__ __device__ S least(const S *in, int n, int i) {
  S best = in[i];
  for (int k = 1; k < n; ++k) {
    S other = in[(i + k * 7) % n];
    best = before(other, best) ? other : best;
  }
  return best;
}
template <class S> __host__ __device__ S withNewMembers(S s) {
  s.second = changed(s.second);
  return s;
}
/// A structure that is put together out of the members of others.
template <class S> __host__ __device__ S joined(const S &a, const S &b) {
  S s = a;
  s.first = changed(b.first);
  return s;
}
/// Members that differ by the way that is taken.
template <class S> __host__ __device__ S oneOf(const S &a, const S &b, int way) {
  S s = a;
  if (way & 1)
    s = b;
  if (way & 2)
    s.second = a.second;
  for (int k = 0; k < (way & 4); ++k)
    s.first = changed(s.first);
  return s;
}

template <class S> struct Results {
  S least, changed, joined, chosen, shared;
};
template <class S> __host__ __device__ void compute(const S *in, Results<S> *out, int n, int i) {
  const S &next = in[(i + 1) % n];
  out->least = least(in, n, i);
  out->changed = withNewMembers(in[i]);
  out->joined = joined(in[i], next);
  out->chosen = oneOf(in[i], next, i);
}
template <class S> __global__ void kernel(const S *in, Results<S> *out, int n) {
  __shared__ S tile[64];
  const int i = threadIdx.x;
  if (i < n) {
    compute(in, out + i, n, i);
    tile[i] = in[i];
  }
  __syncthreads();
  if (i < n) {
    S other = tile[n - 1 - i];
    if (i % 3 == 0)
      other.second = tile[i].second;
    out[i].shared = other;
  }
}

template <class S> void testStructure(const char *name) {
  constexpr int kCount = 61;
  std::vector<S> in(kCount);
  const unsigned words[] = {0x00000000, 0x80000000, 0x7fc01234, 0xffa0beef, 0x00000001, 0x7f800000, 0x3f800000,
                            0xbf812345, 0x7c017e33, 0xfe118000, 0x80017bff, 0xffffffff, 0x0001fffe, 0x12345678};
  for (int i = 0; i < kCount; ++i) {
    unsigned parts[2] = {words[i % 14], words[i * 5 % 13] + i};
    std::memcpy(static_cast<void *>(&in[i]), parts, sizeof(S));
  }
  std::vector<Results<S>> wanted(kCount);
  for (int i = 0; i < kCount; ++i) {
    compute(in.data(), &wanted[i], kCount, i);
    wanted[i].shared = in[kCount - 1 - i];
    if (i % 3 == 0)
      std::memcpy(&wanted[i].shared.second, &in[i].second, sizeof in[i].second);
  }
  DeviceArray<S> source(in);
  DeviceArray<Results<S>> target(kCount);
  kernel<S><<<1, 64>>>(static_cast<S *>(source), static_cast<Results<S> *>(target), kCount);
  const std::vector<Results<S>> found = target.host();
  for (int i = 0; i < kCount; ++i)
    if (std::memcmp(&found[i], &wanted[i], sizeof found[i])) {
      for (size_t part = 0; part < sizeof found[i] / sizeof(S); ++part)
        if (std::memcmp(&found[i].least + part, &wanted[i].least + part, sizeof(S)))
          std::fprintf(stderr, "%s, item %d, result %zu differs\n", name, i, part);
      CHECK(!"the bits are the same");
    }
}

#define TEST_OF(S)                                                                                                     \
  TEST(S) { testStructure<struct S>(#S); }
TEST_OF(FloatInt)
TEST_OF(IntFloat)
TEST_OF(Floats)
TEST_OF(Ints)
TEST_OF(Shorts)
TEST_OF(Halves)
TEST_OF(HalfShort)
TEST_OF(FourShorts)
TEST_OF(FourHalves)
TEST_OF(Mixed)

// The two halves of an integer and the whole of it, in one kernel: the integer stays one.
__global__ void wholeAndHalves(const unsigned long *in, unsigned long *out, unsigned *parts, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const unsigned long x = in[i];
  parts[2 * i] = unsigned(x);
  parts[2 * i + 1] = unsigned(x >> 32);
  out[i] = x * 3 + (x << 32 | x >> 32);
}
TEST(wholeIntegers) {
  const std::vector<unsigned long> in = {0, 1, ~0ul, 0x8000000000000000, 0x123456789abcdef0, 0x7fffffff80000000};
  const int n = int(in.size());
  DeviceArray<unsigned long> source(in), target(in.size());
  DeviceArray<unsigned> parts(2 * in.size());
  wholeAndHalves<<<1, 32>>>(static_cast<unsigned long *>(source), static_cast<unsigned long *>(target),
                            static_cast<unsigned *>(parts), n);
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(target.host()[i], in[i] * 3 + (in[i] << 32 | in[i] >> 32));
    CHECK_EQ(parts.host()[2 * i], unsigned(in[i]));
    CHECK_EQ(parts.host()[2 * i + 1], unsigned(in[i] >> 32));
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
