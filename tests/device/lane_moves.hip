// SPDX-License-Identifier: MIT
// Moves between lanes by AMD's encodings, against a model on the host; reductions of a warp by masks; and the small
// helpers of AMD's headers.
#include "tests/device/check.h"

#include <algorithm>

namespace {

enum { kLanes = 32 };

// With `mask`: only these lanes take part.
template <class Operation>
__global__ void apply(unsigned *out, const unsigned *in, const int *index, unsigned mask, Operation operation) {
  int lane = threadIdx.x;
  if (mask >> lane & 1)
    out[lane] = operation(in[lane], index[lane]);
}

// Runs the operation on the device and compares it with model(lane), over the lanes of the mask.
template <class Operation, class Model>
void check(const char *what, unsigned mask, const std::vector<int> &index, Operation operation, Model model) {
  std::vector<unsigned> values(kLanes);
  for (int i = 0; i < kLanes; ++i)
    values[i] = 0x3f800000u + 1000 * i * i + i; // also floating-point numbers
  DeviceArray<unsigned> in(values), out(std::vector<unsigned>(kLanes, 77u));
  DeviceArray<int> places(index);
  apply<<<1, kLanes>>>(out, in, places, mask, operation);
  HIP_CHECK(hipGetLastError());
  std::vector<unsigned> results = out.host();
  for (int lane = 0; lane < kLanes; ++lane) {
    unsigned expected = mask >> lane & 1 ? model(lane, values) : 77u;
    if (results[lane] != expected) {
      ++checkFailures;
      std::fprintf(stderr, "%s, lanes %08x: lane %d has %u, expected %u\n", what, mask, lane, results[lane], expected);
    }
  }
}

using Values = std::vector<unsigned>;

template <int pattern> struct Swizzle {
  __device__ unsigned operator()(unsigned value, int) const { return __hip_ds_swizzle(value, pattern); }
};
template <int pattern> struct SwizzleFloat {
  __device__ unsigned operator()(unsigned value, int) const {
    return __float_as_uint(__hip_ds_swizzlef(__uint_as_float(value), pattern));
  }
};

template <int pattern> void checkSwizzle(unsigned mask) {
  auto model = [=](int lane, const Values &values) {
    int source = pattern & 0x8000 ? (lane & ~3) + (pattern >> 2 * (lane % 4)) % 4
                                  : ((lane & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    return mask >> source & 1 ? values[source] : 0;
  };
  std::vector<int> none(kLanes);
  check("swizzle", mask, none, Swizzle<pattern>(), model);
  check("swizzlef", mask, none, SwizzleFloat<pattern>(), model);
}

template <int control, int rows, int banks, bool bound> struct Dpp {
  __device__ unsigned operator()(unsigned value, int) const {
    return (unsigned)__hip_move_dpp((int)value, control, rows, banks, bound);
  }
};

template <int control, int rows = 15, int banks = 15, bool bound = true, class Source>
void checkDpp(unsigned mask, Source source) {
  check("dpp", mask, std::vector<int>(kLanes), Dpp<control, rows, banks, bound>(),
        [=](int lane, const Values &values) -> unsigned {
          if (!(rows >> lane / 16 & 1) || !(banks >> lane % 16 / 4 & 1))
            return values[lane];
          int from = source(lane);
          if (from < 0 || from >= kLanes || !(mask >> from & 1))
            return bound ? 0 : values[lane];
          return values[from];
        });
}

void checkPermutes(unsigned mask) {
  std::vector<int> index(kLanes);
  for (int i = 0; i < kLanes; ++i)
    index[i] = 4 * (i * 7 % 40); // beyond the warp, and several to one lane
  auto pulled = [&](int lane, const Values &values) {
    int source = index[lane] / 4 % kLanes;
    return mask >> source & 1 ? values[source] : 0;
  };
  auto pushed = [&](int lane, const Values &values) {
    unsigned result = 0;
    for (int source = 0; source < kLanes; ++source)
      if ((mask >> source & 1) && index[source] / 4 % kLanes == lane)
        result = values[source];
    return result;
  };
  check(
      "bpermute", mask, index, [] __device__(unsigned value, int at) { return __hip_ds_bpermute(at, value); }, pulled);
  check(
      "bpermutef", mask, index,
      [] __device__(unsigned value, int at) { return __float_as_uint(__hip_ds_bpermutef(at, __uint_as_float(value))); },
      pulled);
  check(
      "permute", mask, index, [] __device__(unsigned value, int at) { return __hip_ds_permute(at, value); }, pushed);
  check(
      "permutef", mask, index,
      [] __device__(unsigned value, int at) { return __float_as_uint(__hip_ds_permutef(at, __uint_as_float(value))); },
      pushed);
}

struct Wide {
  double real;
  short small[5];
};

void checkLanes(unsigned mask) {
  std::vector<int> none(kLanes);
  const int first = __builtin_ctz(mask);
  check(
      "readfirstlane", mask, none, [] __device__(unsigned value, int) { return __hip_readfirstlane(value); },
      [=](int, const Values &values) { return values[first]; });
  check(
      "readfirstlane of a structure", mask, none,
      [] __device__(unsigned value, int) {
        Wide wide = {(double)value, {1, 2, 3, 4, (short)threadIdx.x}};
        wide = __hip_readfirstlane(wide);
        return (unsigned)wide.real + wide.small[4];
      },
      [=](int, const Values &values) { return values[first] + first; });
  check(
      "mbcnt", mask, none, [] __device__(unsigned value, int) { return __mbcnt_hi(~0u, __mbcnt_lo(0xf0f0f0f1u, 100)); },
      [=](int lane, const Values &) { return 100u + __builtin_popcount(0xf0f0f0f1u & ((1u << lane) - 1)); });
}

// Threads with different masks reduce together.
__global__ void reduce(unsigned *out, long long *wide) {
  unsigned lane = threadIdx.x, value = lane * 5 + 1;
  unsigned mask = 0x11111111u << lane % 4;
  out[lane] = __reduce_add_sync(mask, value);
  out[32 + lane] = __reduce_min_sync(mask, value);
  out[64 + lane] = __reduce_max_sync((unsigned long long)mask, value);
  out[96 + lane] = __reduce_and_sync(mask, ~value);
  out[128 + lane] = __reduce_or_sync(mask, value);
  out[160 + lane] = __reduce_xor_sync(mask, value);
  out[192 + lane] = (unsigned)__reduce_min_sync(mask, -(int)value);
  wide[lane] = __reduce_add_sync(mask, (long long)value << 32);
  out[224 + lane] = (unsigned)__match_any_sync(mask, lane / 8);
  int same;
  out[256 + lane] = (unsigned)__match_all_sync(mask, lane % 4 == 1 ? 5u : lane, &same) + (unsigned)same;
}

void checkReductions() {
  DeviceArray<unsigned> out(288);
  DeviceArray<long long> wide(kLanes);
  reduce<<<1, kLanes>>>(out, wide);
  HIP_CHECK(hipGetLastError());
  Values r = out.host();
  std::vector<long long> w = wide.host();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned sum = 0, low = ~0u, high = 0, all = ~0u, any = 0, odd = 0;
    for (unsigned other = lane % 4; other < kLanes; other += 4) {
      unsigned value = other * 5 + 1;
      sum += value;
      low = std::min(low, value);
      high = std::max(high, value);
      all &= ~value;
      any |= value;
      odd ^= value;
    }
    CHECK_EQ(r[lane], sum);
    CHECK_EQ(r[32 + lane], low);
    CHECK_EQ(r[64 + lane], high);
    CHECK_EQ(r[96 + lane], all);
    CHECK_EQ(r[128 + lane], any);
    CHECK_EQ(r[160 + lane], odd);
    CHECK_EQ(r[192 + lane], -high);
    CHECK_EQ(w[lane], (long long)sum << 32);
    CHECK_EQ(r[224 + lane], (0x11u << lane % 4) << lane / 8 * 8);
    CHECK_EQ(r[256 + lane], lane % 4 == 1 ? 0x22222223u : 0u);
  }
}

__global__ void helpers(int *out) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[128];
  int i = threadIdx.x, n = blockDim.x;
  fixed[i] = i;
  __barrier(__CLK_LOCAL_MEM_FENCE);
  dynamic[i] = fixed[n - 1 - i];
  __work_group_barrier(__CLK_LOCAL_MEM_FENCE | __CLK_GLOBAL_MEM_FENCE);
  int *base = (int *)__get_dynamicgroupbaseptr();
  int *local = (int *)__local_to_generic(fixed);
  out[i] = base[n - 1 - i] + local[i];
  __named_sync();
  if (i == 0) {
    char4 x = make_char4(100, -100, 3, 127), y = make_char4(100, 100, -5, 2);
    char4 sum = __hip_hc_add8pk(x, y), difference = __hip_hc_sub8pk(x, y), product = __hip_hc_mul8pk(x, y);
    out[128] = sum.x == (char)200 && sum.y == 0 && sum.z == -2 && sum.w == (char)129;
    out[129] = difference.x == 0 && difference.y == (char)-200 && difference.z == 8 && difference.w == 125;
    out[130] = product.x == (char)10000 && product.y == (char)-10000 && product.z == -15 && product.w == (char)254;
    out[131] = (int)__smid();
  }
}

} // namespace

TEST(moves) {
  for (unsigned mask : {0xffffffffu, 0x0f35a9c2u, 0x80000001u}) {
    checkPermutes(mask);
    checkSwizzle<0x041f>(mask); // neighbours exchange
    checkSwizzle<0x7c1f>(mask); // reversed
    checkSwizzle<0x0060>(mask); // lane 3 to all
    checkSwizzle<0x801b>(mask); // four lanes reversed
    checkDpp<0x1b>(mask, [](int lane) { return lane ^ 3; });
    checkDpp<0x103>(mask, [](int lane) { return lane % 16 + 3 < 16 ? lane + 3 : -1; });
    checkDpp<0x111, 15, 15, false>(mask, [](int lane) { return lane % 16 >= 1 ? lane - 1 : -1; });
    checkDpp<0x125, 2, 5>(mask, [](int lane) { return lane / 16 * 16 + (lane + 11) % 16; });
    checkDpp<0x130>(mask, [](int lane) { return lane + 1; });
    checkDpp<0x134>(mask, [](int lane) { return (lane + 1) % 32; });
    checkDpp<0x138, 15, 15, false>(mask, [](int lane) { return lane - 1; });
    checkDpp<0x13c>(mask, [](int lane) { return (lane + 31) % 32; });
    checkDpp<0x140>(mask, [](int lane) { return lane ^ 15; });
    checkDpp<0x141>(mask, [](int lane) { return lane ^ 7; });
    checkDpp<0x142>(mask, [](int lane) { return lane < 16 ? -1 : 15; });
    checkDpp<0x143, 15, 15, false>(mask, [](int) { return -1; });
    checkLanes(mask);
  }
}

TEST(reductions) { checkReductions(); }

TEST(helpers) {
  DeviceArray<int> out(132);
  helpers<<<1, 128, 128 * sizeof(int)>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<int> r = out.host();
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(r[i], 2 * i);
  CHECK(r[128] && r[129] && r[130]);
  CHECK(r[131] >= 0 && r[131] < 65536);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
