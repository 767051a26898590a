// SPDX-License-Identifier: MIT
// The built-in functions of AMD's compiler that move values between lanes, vote, reduce and order memory, against models on
// the host written from AMD's ISA manuals.
#include "tests/device/check.h"

#include <algorithm>

namespace {

enum { kLanes = 32 };
using Values = std::vector<unsigned>;

// With `mask`: only these lanes take part.
template <class Operation>
__global__ void apply(unsigned *out, const unsigned *in, unsigned mask, Operation operation) {
  int lane = threadIdx.x;
  if (mask >> lane & 1)
    out[lane] = operation(in[lane], lane);
}

Values input() {
  Values values(kLanes);
  for (int i = 0; i < kLanes; ++i)
    values[i] = 0x3f800000u + 1000 * i * i + i;
  return values;
}

// Compares the operation on the device with model(lane, values), over several sets of active lanes.
template <class Operation, class Model> void check(const char *what, Operation operation, Model model) {
  for (unsigned mask : {~0u, 0x0000ffffu, 0xdeadbeefu, 0x80000001u}) {
    const Values values = input();
    DeviceArray<unsigned> in(values), out(Values(kLanes, 77u));
    apply<<<1, kLanes>>>(out, in, mask, operation);
    HIP_CHECK(hipGetLastError());
    const Values results = out.host();
    for (int lane = 0; lane < kLanes; ++lane) {
      const unsigned expected = mask >> lane & 1 ? model(mask, lane, values) : 77u;
      if (results[lane] != expected) {
        ++checkFailures;
        std::fprintf(stderr, "%s, lanes %08x: lane %d has %x, expected %x\n", what, mask, lane, results[lane],
                     expected);
      }
    }
  }
}

// ds_swizzle in its four modes. The order of a Fourier transform: bits in reverse, in groups that the mask fixes.
template <int pattern> struct Swizzle {
  __device__ unsigned operator()(unsigned value, int) const {
    return (unsigned)__builtin_amdgcn_ds_swizzle((int)value, pattern);
  }
};
template <int pattern> void checkSwizzle() {
  check("ds_swizzle", Swizzle<pattern>(), [](unsigned mask, int lane, const Values &values) {
    int source;
    const int fixed = pattern & 31;
    if (pattern >= 0xe000) {
      int reversed = 0;
      for (int bit = 0; bit < 5; ++bit)
        reversed |= (lane >> bit & 1) << (4 - bit);
      source = reversed >> __builtin_popcount(fixed) | (lane & fixed);
    } else if (pattern >= 0xc000) {
      const int by = pattern & 0x400 ? -(pattern >> 5 & 31) : pattern >> 5 & 31;
      source = (lane & fixed) | ((lane + by) & ~fixed & 31);
    } else if (pattern & 0x8000) {
      source = (lane & ~3) | (pattern >> 2 * (lane & 3) & 3);
    } else {
      source = ((lane & fixed) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    }
    return mask >> source & 1 ? values[source] : 0u;
  });
}

// DPP: rows of 16 lanes, banks of four.
template <int control, int rows, int banks, bool bound> struct Update {
  __device__ unsigned operator()(unsigned value, int lane) const {
    return (unsigned)__builtin_amdgcn_update_dpp(1000 + lane, (int)value, control, rows, banks, bound);
  }
};
template <int control, int rows, int banks, bool bound> struct Move {
  __device__ unsigned operator()(unsigned value, int) const {
    return (unsigned)__builtin_amdgcn_mov_dpp((int)value, control, rows, banks, bound);
  }
};
int dppSource(int control, int lane) {
  const int row = lane / 16 * 16, at = lane % 16, by = control & 15;
  const auto inRow = [&](int place) { return place >= 0 && place < 16 ? row + place : -1; };
  if (control < 0x100)
    return lane / 4 * 4 + (control >> 2 * (lane % 4) & 3);
  switch (control & ~15) {
  case 0x100: return inRow(at + by);
  case 0x110: return inRow(at - by);
  case 0x120: return row + (at + 16 - by) % 16;
  case 0x150: return row + by;
  case 0x160: return row + (at ^ by);
  }
  switch (control) {
  case 0x130: return lane + 1 < kLanes ? lane + 1 : -1;
  case 0x134: return (lane + 1) % kLanes;
  case 0x138: return lane - 1;
  case 0x13c: return (lane + kLanes - 1) % kLanes;
  case 0x140: return row + 15 - at;
  case 0x141: return lane / 8 * 8 + 7 - lane % 8;
  case 0x142: return row - 1;
  default: return -1;
  }
}
template <int control, int rows = 15, int banks = 15, bool bound = false> void checkDpp() {
  const auto model = [](unsigned mask, int lane, const Values &values, unsigned old) {
    const int source = dppSource(control, lane);
    if (!(rows >> lane / 16 & 1) || !(banks >> lane % 16 / 4 & 1))
      return old;
    return source >= 0 && (mask >> source & 1) ? values[source] : bound ? 0 : old;
  };
  check("update_dpp", Update<control, rows, banks, bound>(),
        [=](unsigned mask, int lane, const Values &values) { return model(mask, lane, values, 1000u + lane); });
  check("mov_dpp", Move<control, rows, banks, bound>(),
        [=](unsigned mask, int lane, const Values &values) { return model(mask, lane, values, values[lane]); });
}

void checkMoves() {
  checkSwizzle<0x401f>(); // exchange of halves
  checkSwizzle<0x041f>(); // neighbours
  checkSwizzle<0x8055>();
  checkSwizzle<0x80b1>();
  checkSwizzle<0xe000>();
  checkSwizzle<0xe010>();
  checkSwizzle<0xe01c>();
  checkSwizzle<0xc000 | 3 << 5>();
  checkSwizzle<0xc400 | 5 << 5 | 0x10>();
  checkDpp<0xb1>();
  checkDpp<0x101>();
  checkDpp<0x10f, 15, 15, true>();
  checkDpp<0x111>();
  checkDpp<0x118, 1>();
  checkDpp<0x123, 15, 5>();
  checkDpp<0x130>();
  checkDpp<0x134>();
  checkDpp<0x138, 15, 15, true>();
  checkDpp<0x13c>();
  checkDpp<0x140, 2, 10, true>();
  checkDpp<0x141>();
  checkDpp<0x142, 10>();
  checkDpp<0x143, 12>();
  checkDpp<0x155>();
  checkDpp<0x16a>();
  check(
      "readlane", [] __device__(unsigned value, int) { return (unsigned)__builtin_amdgcn_readlane((int)value, 32); },
      [](unsigned mask, int lane, const Values &values) { return mask & 1 ? values[0] : values[lane]; });
  check(
      "writelane",
      [] __device__(unsigned value, int lane) { return (unsigned)__builtin_amdgcn_writelane(5, 31, (int)value); },
      [](unsigned, int lane, const Values &values) { return lane == 31 ? 5u : values[lane]; });
  check(
      "readfirstlane",
      [] __device__(unsigned value, int) { return (unsigned)__builtin_amdgcn_readfirstlane((int)value); },
      [](unsigned mask, int, const Values &values) { return values[__builtin_ctz(mask)]; });
  check(
      "ds_bpermute",
      [] __device__(unsigned value, int lane) {
        return (unsigned)__builtin_amdgcn_ds_bpermute(4 * lane * 3, (int)value);
      },
      [](unsigned mask, int lane, const Values &values) {
        const int source = lane * 3 % kLanes;
        return mask >> source & 1 ? values[source] : 0u;
      });
  check(
      "ds_permute",
      [] __device__(unsigned value, int lane) {
        return (unsigned)__builtin_amdgcn_ds_permute(4 * (lane ^ 5), (int)value);
      },
      [](unsigned mask, int lane, const Values &values) { return mask >> (lane ^ 5) & 1 ? values[lane ^ 5] : 0u; });
  check(
      "mov_dpp8", [] __device__(unsigned value, int) { return __builtin_amdgcn_mov_dpp8(value, 0x2ca81f); },
      [](unsigned mask, int lane, const Values &values) {
        const int source = lane / 8 * 8 + (0x2ca81f >> 3 * (lane % 8) & 7);
        return mask >> source & 1 ? values[source] : 0u;
      });
  const auto row = [](unsigned mask, int lane, const Values &values, int other, bool bound) {
    const unsigned choice = (lane & 8 ? 0x02468aceu : 0xfdb97531u) >> 4 * (lane & 7) & 15;
    const int source = ((lane & 16) ^ other) + (int)choice;
    return mask >> source & 1 ? values[source] : bound ? 0u : 9u;
  };
  check(
      "permlane16",
      [] __device__(unsigned value, int) {
        return __builtin_amdgcn_permlane16(9, value, 0xfdb97531u, 0x02468aceu, false, false);
      },
      [=](unsigned mask, int lane, const Values &values) { return row(mask, lane, values, 0, false); });
  check(
      "permlanex16",
      [] __device__(unsigned value, int) {
        return __builtin_amdgcn_permlanex16(9, value, 0xfdb97531u, 0x02468aceu, false, true);
      },
      [=](unsigned mask, int lane, const Values &values) { return row(mask, lane, values, 16, true); });
  check(
      "permlane16_var",
      [] __device__(unsigned value, int lane) {
        return __builtin_amdgcn_permlane16_var(9, value, 15 - lane % 16, false, false);
      },
      [](unsigned mask, int lane, const Values &values) {
        const int source = lane / 16 * 16 + 15 - lane % 16;
        return mask >> source & 1 ? values[source] : 9u;
      });
}

void checkVotes() {
  check(
      "exec",
      [] __device__(unsigned, int) { return (unsigned)__builtin_amdgcn_read_exec() + __builtin_amdgcn_read_exec_hi(); },
      [](unsigned mask, int, const Values &) { return mask; });
  check(
      "ballot",
      [] __device__(unsigned, int lane) {
        return __builtin_amdgcn_ballot_w32(lane % 3 == 0) ^ (unsigned)__builtin_amdgcn_ballot_w64(lane > 7);
      },
      [](unsigned mask, int, const Values &) { return (mask & 0x49249249u) ^ (mask & 0xffffff00u); });
  check(
      "inverse_ballot",
      [] __device__(unsigned, int) {
        return 2u * __builtin_amdgcn_inverse_ballot_w32(0xf0f0aaaau) + __builtin_amdgcn_inverse_ballot_w64(0x3ul);
      },
      [](unsigned, int lane, const Values &) { return 2 * (0xf0f0aaaau >> lane & 1) + (lane < 2); });
  // Each predicate of integers, and some of numbers with a NaN among them.
  check(
      "icmp",
      [] __device__(unsigned, int lane) {
        unsigned sum = 0;
        for (int predicate = 32; predicate < 42; ++predicate)
          sum = sum * 31 + (unsigned)__builtin_amdgcn_uicmp(lane - 9, 7, predicate) +
                5 * (unsigned)__builtin_amdgcn_sicmpl(lane - 9l, 7, predicate);
        return sum;
      },
      [](unsigned mask, int, const Values &) {
        unsigned sum = 0;
        for (int predicate = 32; predicate < 42; ++predicate) {
          unsigned narrow = 0, wide = 0;
          for (int lane = 0; lane < kLanes; ++lane) {
            const unsigned u = (unsigned)lane - 9;
            const int s = lane - 9;
            const unsigned long ul = (unsigned long)(long)s;
            const bool all[10] = {u == 7, u != 7, u > 7, u >= 7, u<7, u <= 7, s> 7, s >= 7, s < 7, s <= 7};
            const bool wides[10] = {s == 7, s != 7, ul > 7, ul >= 7, ul<7, ul <= 7, s> 7, s >= 7, s < 7, s <= 7};
            narrow |= (unsigned)all[predicate - 32] << lane;
            wide |= (unsigned)wides[predicate - 32] << lane;
          }
          sum = sum * 31 + (narrow & mask) + 5 * (wide & mask);
        }
        return sum;
      });
  check(
      "fcmp",
      [] __device__(unsigned, int lane) {
        unsigned sum = 0;
        const float x = lane == 3 ? __builtin_nanf("") : (float)lane;
        for (int predicate = 0; predicate < 16; ++predicate)
          sum = sum * 31 + (unsigned)__builtin_amdgcn_fcmpf(x, 8, predicate);
        return sum;
      },
      [](unsigned mask, int, const Values &) {
        unsigned sum = 0;
        for (int predicate = 0; predicate < 16; ++predicate) {
          unsigned bits = 0;
          for (int lane = 0; lane < kLanes; ++lane) {
            const int relation = lane == 3 ? 8 : lane == 8 ? 1 : lane > 8 ? 2 : 4;
            bits |= (unsigned)((predicate & relation) != 0) << lane;
          }
          sum = sum * 31 + (bits & mask);
        }
        return sum;
      });
  check(
      "wave_reduce",
      [] __device__(unsigned value, int lane) {
        return __builtin_amdgcn_wave_reduce_add_u32(value, 0) +
               3 * (unsigned)__builtin_amdgcn_wave_reduce_min_i32(-lane, 0) +
               5 * (unsigned)__builtin_amdgcn_wave_reduce_max_u64((unsigned long)lane, 0) +
               7 * __builtin_amdgcn_wave_reduce_xor_b32(value, 0) +
               11 * (unsigned)__builtin_amdgcn_wave_reduce_fadd_f64((double)lane, 0) +
               13 * (unsigned)__builtin_amdgcn_wave_reduce_fmax_f32((float)lane, 0);
      },
      [](unsigned mask, int, const Values &values) {
        unsigned sum = 0, bits = 0, lanes = 0;
        for (int lane = 0; lane < kLanes; ++lane)
          if (mask >> lane & 1)
            sum += values[lane], bits ^= values[lane], lanes += lane;
        const unsigned last = 31 - __builtin_clz(mask);
        return sum + 3 * -last + 5 * last + 7 * bits + 11 * lanes + 13 * last;
      });
}

// The size of a warp for the preprocessor, on both sides.
#if __AMDGCN_WAVEFRONT_SIZE != 32 || __AMDGCN_WAVEFRONT_SIZE__ != 32 || defined(__AMDGCN__)
#error "a warp has 32 threads, and the target is not AMD's"
#endif

// Indices, fences, counters and atomics of a block.
struct Results {
  unsigned places[12], counted[64], appended, consumed, old[64], isShared, isGlobal, isPrivate;
  float sum, low, high;
  double wide;
};
__global__ void block(Results *out, unsigned *counter, float *number, double *wide) {
  __shared__ float local[3];
  __shared__ int list;
  const unsigned i = __builtin_amdgcn_workitem_id_x();
  if (i == 0) {
    local[0] = 0, local[1] = 1000, local[2] = -1000, list = 0;
    const unsigned places[] = {
        __builtin_amdgcn_workitem_id_y(),    __builtin_amdgcn_workitem_id_z(),    __builtin_amdgcn_workgroup_id_x(),
        __builtin_amdgcn_workgroup_id_y(),   __builtin_amdgcn_workgroup_id_z(),   __builtin_amdgcn_workgroup_size_x(),
        __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z(), __builtin_amdgcn_grid_size_x(),
        __builtin_amdgcn_grid_size_y(),      __builtin_amdgcn_grid_size_z(),      __builtin_amdgcn_wavefrontsize()};
    for (int k = 0; k < 12; ++k)
      out->places[k] = places[k];
  }
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
  out->counted[i] = __builtin_amdgcn_atomic_inc32(counter, 9u, __ATOMIC_RELAXED, "agent", false);
  __builtin_amdgcn_ds_faddf((__attribute__((address_space(3))) float *)&local[0], (float)i, 0, 0, false);
  __builtin_amdgcn_ds_fminf(&local[1], (float)i, 0, 0, false);
  __builtin_amdgcn_ds_fmaxf(&local[2], (float)i, 0, 0, false);
  __builtin_amdgcn_global_atomic_fadd_f32(number, (float)i);
  __builtin_amdgcn_flat_atomic_fadd_f64(wide, (double)i);
  if (i % 3 == 0)
    out->old[i] = (unsigned)__builtin_amdgcn_ds_append(&list);
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  __builtin_amdgcn_s_waitcnt(0);
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_s_setprio(1);
  __syncthreads();
  if (i == 0) {
    out->appended = (unsigned)list;
    out->consumed = (unsigned)__builtin_amdgcn_ds_consume(&list) - (unsigned)list;
    out->sum = local[0], out->low = local[1], out->high = local[2];
    out->isShared = __builtin_amdgcn_is_shared(local);
    out->isGlobal = !__builtin_amdgcn_is_shared(out) && !__builtin_amdgcn_is_private(out);
    unsigned own[] = {i, out->appended};
    out->isPrivate = __builtin_amdgcn_is_private(&own[out->appended & 1]) && !__builtin_amdgcn_is_private(local);
    out->wide = 0;
  }
}

void checkBlock() {
  DeviceArray<Results> out(1);
  DeviceArray<unsigned> counter(1);
  DeviceArray<float> number(1);
  DeviceArray<double> wide(1);
  block<<<dim3(1), dim3(64)>>>(out, counter, number, wide);
  HIP_CHECK(hipGetLastError());
  const Results r = out.host()[0];
  const unsigned places[12] = {0, 0, 0, 0, 0, 64, 1, 1, 64, 1, 1, 32};
  for (int k = 0; k < 12; ++k)
    CHECK_EQ(r.places[k], places[k]);
  unsigned seen[10] = {};
  for (unsigned count : r.counted) {
    CHECK(count < 10);
    ++seen[count % 10];
  }
  for (int k = 0; k < 10; ++k)
    CHECK_EQ(seen[k], k < 4 ? 7u : 6u);
  CHECK_EQ(counter.host()[0], 4u);
  CHECK_EQ(r.sum, 2016.0f);
  CHECK_EQ(r.low, 0.0f);
  CHECK_EQ(r.high, 63.0f);
  CHECK_EQ(number.host()[0], 2016.0f);
  CHECK_EQ(wide.host()[0], 2016.0);
  CHECK_EQ(r.appended, 22u);
  CHECK_EQ(r.consumed, 1u);
  for (int i = 0; i < 64; i += 3) // the lanes of a warp get the value before the warp's
    CHECK_EQ(r.old[i], r.old[i < 32 ? 0 : 33]);
  CHECK_EQ(std::min(r.old[0], r.old[33]), 0u);
  CHECK_EQ(r.isShared, 1u);
  CHECK_EQ(r.isGlobal, 1u);
  CHECK_EQ(r.isPrivate, 1u);
}

} // namespace

TEST(moves) { checkMoves(); }
TEST(votes) { checkVotes(); }
TEST(blocks) { checkBlock(); }

int main(int argc, char **argv) { return runTests(argc, argv); }
