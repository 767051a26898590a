// SPDX-License-Identifier: MIT
// OCP's formats with scales (hip/hip_ext_ocp.h) against values computed in double, which is exact here: every half and bfloat16 and
// floats around the codes to every format, to nearest and by chance; every code with every scale back; on the device and on the host.
#include <hip/hip_ext_ocp.h>

#include "tests/device/check.h"
#include "tests/device/ocp_model.h"

#include <vector>

#pragma clang diagnostic ignored "-Wpsabi" // vectors of eight floats are passed in memory, as AMD's are

/// 32 numbers in each format, by the functions for one, two, eight and 32: the first index is the format, the second one is 1 by chance.
struct Narrowed {
  uint8_t one[2][32], two[2][32], eight[2][2][32];
  __amd_fp6x32_storage_t six[2][2];
  __amd_fp4x2_storage_t fourTwo[2][16];
  __amd_fp4x8_storage_t fourEight[2][4];
};
/// 32 codes as larger numbers.
template <class T> struct Widened {
  T one[2][32], two[2][32], eight[2][32], six[2][32], fourTwo[32], fourEight[32];
};

#define CONVERSIONS(Wide, T)                                                                                           \
  __host__ __device__ static void narrow(const T *in, Narrowed &out, unsigned seed, __amd_scale_t scale) {             \
    __amd_##Wide##x32_storage_t all{};                                                                                 \
    for (int i = 0; i < 32; ++i)                                                                                       \
      all[i] = in[i];                                                                                                  \
    for (int f = 0; f < 2; ++f) {                                                                                      \
      const auto kind = static_cast<__amd_fp8_interpretation_t>(f);                                                    \
      for (int i = 0; i < 32; ++i)                                                                                     \
        out.one[f][i] = __amd_cvt_##Wide##_to_fp8_sr_scale(in[i], kind, seed, scale);                                  \
      for (int i = 0; i < 32; i += 2) {                                                                                \
        const __amd_##Wide##x2_storage_t v{in[i], in[i + 1]};                                                          \
        const auto codes = __amd_cvt_##Wide##x2_to_fp8x2_scale(v, kind, scale);                                        \
        out.two[f][i] = __amd_extract_fp8(codes, 0);                                                                   \
        out.two[f][i + 1] = __amd_extract_fp8(codes, 1);                                                               \
      }                                                                                                                \
      for (int i = 0; i < 32; i += 8) {                                                                                \
        __amd_##Wide##x8_storage_t v{};                                                                                \
        for (int k = 0; k < 8; ++k)                                                                                    \
          v[k] = in[i + k];                                                                                            \
        const auto nearest = __amd_cvt_##Wide##x8_to_fp8x8_scale(v, kind, scale);                                      \
        const auto chance = __amd_cvt_##Wide##x8_to_fp8x8_sr_scale(v, kind, seed, scale);                              \
        for (int k = 0; k < 8; ++k) {                                                                                  \
          out.eight[f][0][i + k] = nearest[k];                                                                         \
          out.eight[f][1][i + k] = chance[k];                                                                          \
        }                                                                                                              \
      }                                                                                                                \
      const auto small = static_cast<__amd_fp6_interpretation_t>(f);                                                   \
      out.six[f][0] = __amd_cvt_##Wide##x32_to_fp6x32_scale(all, small, scale);                                        \
      out.six[f][1] = __amd_cvt_##Wide##x32_to_fp6x32_sr_scale(all, small, seed, scale);                               \
    }                                                                                                                  \
    for (int i = 0; i < 32; i += 2) {                                                                                  \
      const __amd_##Wide##x2_storage_t v{in[i], in[i + 1]};                                                            \
      out.fourTwo[0][i / 2] = __amd_cvt_##Wide##x2_to_fp4x2_scale(v, __AMD_OCP_E2M1, scale);                           \
      out.fourTwo[1][i / 2] = __amd_cvt_##Wide##x2_to_fp4x2_sr_scale(v, __AMD_OCP_E2M1, seed, scale);                  \
    }                                                                                                                  \
    for (int i = 0; i < 32; i += 8) {                                                                                  \
      __amd_##Wide##x8_storage_t v{};                                                                                  \
      for (int k = 0; k < 8; ++k)                                                                                      \
        v[k] = in[i + k];                                                                                              \
      out.fourEight[0][i / 8] = __amd_cvt_##Wide##x8_to_fp4x8_scale(v, __AMD_OCP_E2M1, scale);                         \
      out.fourEight[1][i / 8] = __amd_cvt_##Wide##x8_to_fp4x8_sr_scale(v, __AMD_OCP_E2M1, seed, scale);                \
    }                                                                                                                  \
  }                                                                                                                    \
  __host__ __device__ static void widen(unsigned first, Widened<T> &out, __amd_scale_t scale) {                        \
    __amd_fp6x32_storage_t packed{};                                                                                   \
    for (unsigned i = 0; i < 32; ++i)                                                                                  \
      for (unsigned bit = 0; bit < 6; ++bit)                                                                           \
        packed[(6 * i + bit) / 32] |= ((first + i) >> bit & 1) << (6 * i + bit) % 32;                                  \
    for (int f = 0; f < 2; ++f) {                                                                                      \
      const auto kind = static_cast<__amd_fp8_interpretation_t>(f);                                                    \
      for (int i = 0; i < 32; i += 8) {                                                                                \
        const auto code = [&](int k) { return static_cast<uint8_t>(first + i + k); };                                  \
        const auto pair = [&](int k) { return __amd_create_fp8x2(code(k), code(k + 1)); };                             \
        const auto v =                                                                                                 \
            __amd_cvt_fp8x8_to_##Wide##x8_scale(__amd_create_fp8x8(pair(0), pair(2), pair(4), pair(6)), kind, scale);  \
        for (int k = 0; k < 8; ++k) {                                                                                  \
          out.eight[f][i + k] = v[k];                                                                                  \
          out.one[f][i + k] = __amd_cvt_fp8_to_##Wide##_scale(code(k), kind, scale);                                   \
        }                                                                                                              \
        for (int k = 0; k < 8; k += 2) {                                                                               \
          const auto two = __amd_cvt_fp8x2_to_##Wide##x2_scale(pair(k), kind, scale);                                  \
          out.two[f][i + k] = two[0];                                                                                  \
          out.two[f][i + k + 1] = two[1];                                                                              \
        }                                                                                                              \
      }                                                                                                                \
      const auto v = __amd_cvt_fp6x32_to_##Wide##x32_scale(packed, static_cast<__amd_fp6_interpretation_t>(f), scale); \
      for (int i = 0; i < 32; ++i)                                                                                     \
        out.six[f][i] = v[i];                                                                                          \
    }                                                                                                                  \
    for (int i = 0; i < 32; i += 8) {                                                                                  \
      const auto pair = [&](int k) { return __amd_create_fp4x2((first + i + k) & 15, (first + i + k + 1) & 15); };     \
      const auto v = __amd_cvt_fp4x8_to_##Wide##x8_scale(__amd_create_fp4x8(pair(0), pair(2), pair(4), pair(6)),       \
                                                         __AMD_OCP_E2M1, scale);                                       \
      for (int k = 0; k < 8; ++k) {                                                                                    \
        const auto two = __amd_cvt_fp4x2_to_##Wide##x2_scale(pair(k & 6), __AMD_OCP_E2M1, scale);                      \
        out.fourEight[i + k] = v[k];                                                                                   \
        out.fourTwo[i + k] = two[k & 1];                                                                               \
      }                                                                                                                \
    }                                                                                                                  \
  }
CONVERSIONS(float, float)
CONVERSIONS(fp16, __amd_fp16_storage_t)
CONVERSIONS(bf16, __amd_bf16_storage_t)

__host__ __device__ static unsigned seedOf(unsigned group, int scale) {
  return (group * 2654435761u ^ static_cast<unsigned>(scale) * 40503u) * 2246822519u;
}
template <class T> __global__ void narrowAll(const T *in, Narrowed *out, unsigned groups, __amd_scale_t scale) {
  const unsigned group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group < groups)
    narrow(in + 32 * group, out[group], seedOf(group, scale), scale);
}
template <class T> __global__ void widenAll(Widened<T> *out) {
  widen(32 * threadIdx.x, out[8 * blockIdx.x + threadIdx.x], static_cast<__amd_scale_t>(blockIdx.x));
}

/// The model's answers for 32 numbers.
template <class T>
static void checkNarrowed(const T *in, const Narrowed &out, unsigned seed, int scale, Comparison &compare) {
  const int digits = digitsBehindPoint<T>();
  for (int i = 0; i < 32; ++i) {
    const double x = valueOf(in[i]);
    const auto check = [&](unsigned actual, const Model &format, bool chance) {
      compare(x, actual, format.narrowed(x, scale, chance, seed, digits));
    };
    for (int f = 0; f < 2; ++f) {
      const Model &eight = f == 0 ? kE4M3 : kE5M2, &six = f == 0 ? kE2M3 : kE3M2;
      check(out.one[f][i], eight, true);
      check(out.two[f][i], eight, false);
      for (int chance = 0; chance < 2; ++chance) {
        check(out.eight[f][chance][i], eight, chance);
        check(bitsAt(&out.six[f][chance], 6 * i, 6), six, chance);
      }
    }
    for (int chance = 0; chance < 2; ++chance) {
      check(bitsAt(out.fourTwo[chance], 4 * i, 4), kE2M1, chance);
      check(bitsAt(out.fourEight[chance], 4 * i, 4), kE2M1, chance);
    }
  }
}

template <class T> static void checkNarrowing(std::vector<T> values) {
  values.resize((values.size() + 31) / 32 * 32);
  const unsigned groups = values.size() / 32;
  T *in;
  Narrowed *out;
  HIP_CHECK(hipMallocManaged(&in, values.size() * sizeof *in));
  HIP_CHECK(hipMallocManaged(&out, groups * sizeof *out));
  std::copy(values.begin(), values.end(), in);
  Comparison onDevice{"on the device"}, onHost{"on the host"};
  for (int scale : {0, 1, -1, 6, -9, 13, -20, 127, -127, -128}) {
    narrowAll<<<(groups + 63) / 64, 64>>>(in, out, groups, static_cast<__amd_scale_t>(scale));
    HIP_CHECK(hipDeviceSynchronize());
    for (unsigned group = 0; group < groups; ++group) {
      checkNarrowed(in + 32 * group, out[group], seedOf(group, scale), scale, onDevice);
      if (group % 16 == 0) { // a sample: the functions are the same
        Narrowed here;
        narrow(in + 32 * group, here, seedOf(group, scale), static_cast<__amd_scale_t>(scale));
        checkNarrowed(in + 32 * group, here, seedOf(group, scale), scale, onHost);
      }
    }
  }
  HIP_CHECK(hipFree(in));
  HIP_CHECK(hipFree(out));
}

template <class T> static std::vector<T> allPatterns() {
  std::vector<T> values;
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    values.push_back(fromBits<T>(static_cast<uint16_t>(bits)));
  return values;
}

TEST(fromHalf) { checkNarrowing(allPatterns<__amd_fp16_storage_t>()); }
TEST(fromBfloat16) { checkNarrowing(allPatterns<__amd_bf16_storage_t>()); }
TEST(fromFloat) {
  std::vector<float> values{0.0f,      -0.0f,     INFINITY,        -INFINITY,       NAN,
                            0x1p-149f, 0x1p-127f, 0x1.fffffep127f, -0x1.fffffep127f};
  for (const Model *format : {&kE4M3, &kE5M2, &kE2M3, &kE3M2, &kE2M1})
    for (unsigned code = 0; code <= format->largest; ++code) {
      const double here = format->value(code), middle = (here + format->value(code + 1)) / 2;
      for (float x : {static_cast<float>(here), std::nextafterf(static_cast<float>(middle), 0.0f),
                      static_cast<float>(middle), std::nextafterf(static_cast<float>(middle), INFINITY)})
        values.insert(values.end(), {x, -x, x * 64, x * 0x1p-13f});
    }
  uint64_t state = 5;
  for (int i = 0; i < 20000; ++i)
    values.push_back(floatOfBits(static_cast<uint32_t>(nextRandom(state))));
  checkNarrowing(values);
}

template <class T> static void checkWidening() {
  DeviceArray<Widened<T>> results(256 * 8);
  widenAll<T><<<256, 8>>>(results);
  std::vector<Widened<T>> out = results.host();
  Comparison onDevice{"on the device"}, onHost{"on the host"};
  for (unsigned n = 0; n < out.size(); ++n) {
    const auto scale = static_cast<__amd_scale_t>(n / 8);
    const unsigned first = 32 * (n % 8);
    Widened<T> here;
    widen(first, here, scale);
    for (const auto &[all, compare] : {std::pair{&out[n], &onDevice}, std::pair{&here, &onHost}})
      for (unsigned i = 0; i < 32; ++i) {
        const auto check = [&, compare = compare](T actual, const Model &format) {
          (*compare)(first + i, valueOf(actual), format.widened<T>(first + i, scale));
        };
        for (int f = 0; f < 2; ++f) {
          check(all->one[f][i], f == 0 ? kE4M3 : kE5M2);
          check(all->two[f][i], f == 0 ? kE4M3 : kE5M2);
          check(all->eight[f][i], f == 0 ? kE4M3 : kE5M2);
          check(all->six[f][i], f == 0 ? kE2M3 : kE3M2);
        }
        check(all->fourTwo[i], kE2M1);
        check(all->fourEight[i], kE2M1);
      }
  }
}

TEST(toFloat) { checkWidening<float>(); }
TEST(toHalf) { checkWidening<__amd_fp16_storage_t>(); }
TEST(toBfloat16) { checkWidening<__amd_bf16_storage_t>(); }

int main(int argc, char **argv) { return runTests(argc, argv); }
