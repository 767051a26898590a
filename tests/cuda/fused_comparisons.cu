// SPDX-License-Identifier: MIT
// The fused comparisons (__viaddmax_s32 and the others) of words and of halves, in kernels and on the host, against plain arithmetic.
#include "check.h"

#include <algorithm>
#include <cstdint>

struct Results {
  int s32[10];
  unsigned u32[6], s16[10], u16[6];
  bool first[12];
};

__host__ __device__ void all(unsigned a, unsigned b, unsigned c, Results &r) {
  const int x = (int)a, y = (int)b, z = (int)c;
  r.s32[0] = __viaddmax_s32(x, y, z), r.s32[1] = __viaddmax_s32_relu(x, y, z);
  r.s32[2] = __viaddmin_s32(x, y, z), r.s32[3] = __viaddmin_s32_relu(x, y, z);
  r.s32[4] = __vimax3_s32(x, y, z), r.s32[5] = __vimax3_s32_relu(x, y, z);
  r.s32[6] = __vimin3_s32(x, y, z), r.s32[7] = __vimin3_s32_relu(x, y, z);
  r.s32[8] = __vimax_s32_relu(x, y), r.s32[9] = __vimin_s32_relu(x, y);
  r.u32[0] = __viaddmax_u32(a, b, c), r.u32[1] = __viaddmin_u32(a, b, c);
  r.u32[2] = __vimax3_u32(a, b, c), r.u32[3] = __vimin3_u32(a, b, c);
  r.u32[4] = __vibmax_u32(a, b, &r.first[0]), r.u32[5] = __vibmin_u32(a, b, &r.first[1]);
  r.s16[0] = __viaddmax_s16x2(a, b, c), r.s16[1] = __viaddmax_s16x2_relu(a, b, c);
  r.s16[2] = __viaddmin_s16x2(a, b, c), r.s16[3] = __viaddmin_s16x2_relu(a, b, c);
  r.s16[4] = __vimax3_s16x2(a, b, c), r.s16[5] = __vimax3_s16x2_relu(a, b, c);
  r.s16[6] = __vimin3_s16x2(a, b, c), r.s16[7] = __vimin3_s16x2_relu(a, b, c);
  r.s16[8] = __vimax_s16x2_relu(a, b), r.s16[9] = __vimin_s16x2_relu(a, b);
  r.u16[0] = __viaddmax_u16x2(a, b, c), r.u16[1] = __viaddmin_u16x2(a, b, c);
  r.u16[2] = __vimax3_u16x2(a, b, c), r.u16[3] = __vimin3_u16x2(a, b, c);
  r.u16[4] = __vibmax_u16x2(a, b, &r.first[2], &r.first[3]), r.u16[5] = __vibmin_u16x2(a, b, &r.first[4], &r.first[5]);
  __vibmax_s32(x, y, &r.first[6]), __vibmin_s32(x, y, &r.first[7]);
  __vibmax_s16x2(a, b, &r.first[8], &r.first[9]), __vibmin_s16x2(a, b, &r.first[10], &r.first[11]);
}

__global__ void compute(const unsigned *numbers, Results *results) {
  all(numbers[threadIdx.x], numbers[threadIdx.x + 1], numbers[threadIdx.x + 2], results[threadIdx.x]);
}

// In 64 bits, which hold every sum of the words; `T` wraps it.
template <class T> int64_t sum(int64_t a, int64_t b) { return (T)(uint64_t)(a + b); }

template <class T> void checkLane(int64_t a, int64_t b, int64_t c, const int64_t *lane, bool isSigned) {
  const int64_t s = sum<T>(a, b), most = std::max(a, std::max(b, c)), least = std::min(a, std::min(b, c)), zero = 0;
  const std::vector<int64_t> plain = {std::max(s, c), std::min(s, c), most, least};
  for (int i = 0; i < 4; ++i) {
    EXPECT(lane[isSigned ? 2 * i : i] == plain[i]);
    if (isSigned)
      EXPECT(lane[2 * i + 1] == std::max(zero, plain[i]));
  }
  EXPECT(lane[isSigned ? 8 : 4] == (isSigned ? std::max(zero, std::max(a, b)) : std::max(a, b)));
  EXPECT(lane[isSigned ? 9 : 5] == (isSigned ? std::max(zero, std::min(a, b)) : std::min(a, b)));
}

static void check(unsigned a, unsigned b, unsigned c, const Results &r) {
  int64_t lane[10];
  std::copy(r.s32, r.s32 + 10, lane);
  checkLane<int>((int)a, (int)b, (int)c, lane, true);
  std::copy(r.u32, r.u32 + 6, lane);
  checkLane<unsigned>(a, b, c, lane, false);
  for (int shift = 0; shift < 32; shift += 16) {
    for (int i = 0; i < 10; ++i)
      lane[i] = (short)(r.s16[i] >> shift);
    checkLane<short>((short)(a >> shift), (short)(b >> shift), (short)(c >> shift), lane, true);
    for (int i = 0; i < 6; ++i)
      lane[i] = (unsigned short)(r.u16[i] >> shift);
    checkLane<unsigned short>((unsigned short)(a >> shift), (unsigned short)(b >> shift), (unsigned short)(c >> shift),
                              lane, false);
    const int low = shift == 0;
    EXPECT(r.first[2 + low] == ((unsigned short)(a >> shift) >= (unsigned short)(b >> shift)));
    EXPECT(r.first[4 + low] == ((unsigned short)(a >> shift) <= (unsigned short)(b >> shift)));
    EXPECT(r.first[8 + low] == ((short)(a >> shift) >= (short)(b >> shift)));
    EXPECT(r.first[10 + low] == ((short)(a >> shift) <= (short)(b >> shift)));
  }
  EXPECT(r.first[0] == (a >= b) && r.first[1] == (a <= b));
  EXPECT(r.first[6] == ((int)a >= (int)b) && r.first[7] == ((int)a <= (int)b));
}

int main() {
  std::vector<unsigned> numbers = {0,           1,           ~0u,         0x80000000u, 0x7fffffffu,
                                   0x80007fffu, 0x7fff8000u, 0x00010001u, 0xffff0001u};
  for (unsigned x = 12345; numbers.size() < 258; x = x * 1664525u + 1013904223u)
    numbers.push_back(x);
  const int count = (int)numbers.size() - 2;
  unsigned *in = onDevice(numbers);
  Results *out = onDevice(std::vector<Results>(count));
  compute<<<1, count>>>(in, out);
  const std::vector<Results> results = onHost(out, count);
  for (int i = 0; i < count; ++i) {
    check(numbers[i], numbers[i + 1], numbers[i + 2], results[i]);
    Results here;
    all(numbers[i], numbers[i + 1], numbers[i + 2], here);
    check(numbers[i], numbers[i + 1], numbers[i + 2], here);
  }
  return 0;
}
