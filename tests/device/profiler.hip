// SPDX-License-Identifier: MIT
// Functions for profilers and compiled code: names, the tracer's callbacks, the conversions of old compilers.
#include "tests/device/check.h"

#include <hip/amd_detail/hip_prof_str.h>

#include <cmath>
#include <mutex>
#include <string>
#include <thread>

extern "C" uint16_t __gnu_f2h_ieee(float);
extern "C" float __gnu_h2f_ieee(uint16_t);

extern "C" __global__ void named(int *out) { *out = 1; }

struct Seen {
  std::string name;
  uint32_t phase;
  int result;
  uint64_t correlation;
};
static std::mutex seenMutex;
static std::vector<Seen> seen;
static bool accept = true;

static void note(hip_api_id_t id, hip_api_trace_data_t *data) {
  std::lock_guard<std::mutex> lock(seenMutex);
  seen.push_back({hipApiName(id), data->phase, data->result, data->correlation_id});
}

static int trace(activity_domain_t domain, uint32_t id, void *data) {
  CHECK_EQ(domain, ACTIVITY_DOMAIN_HIP_API);
  CHECK(id <= HIP_API_ID_LAST);
  auto *call = static_cast<hip_api_trace_data_t *>(data);
  call->phase_enter = note;
  call->phase_exit = note;
  return accept ? 0 : 1;
}

TEST(tracer) {
  DeviceArray<int> out(1);
  hipRegisterTracerCallback(trace);
  void *memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, 16));
  CHECK_EQ(hipMalloc(nullptr, 16), hipErrorInvalidValue);
  named<<<1, 1>>>(out);
  HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
  std::thread([] { HIP_CHECK(hipSetDevice(0)); }).join();
  accept = false;
  HIP_CHECK(hipFree(memory));
  accept = true;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  HIP_CHECK(hipProfilerStop()); // the end of this call is reported still
  HIP_CHECK(hipMalloc(&memory, 16));
  HIP_CHECK(hipProfilerStart());
#pragma clang diagnostic pop
  HIP_CHECK(hipFree(memory));
  hipRegisterTracerCallback(nullptr);
  HIP_CHECK(hipDeviceSynchronize());

  const char *expected[] = {"hipMalloc",    "hipMalloc",       "hipLaunchKernel", "hipStreamSynchronize",
                            "hipSetDevice", "hipProfilerStop", "hipFree"};
  CHECK_EQ(seen.size(), 2 * std::size(expected));
  for (size_t i = 0; i < std::min(seen.size() / 2, std::size(expected)); ++i) {
    CHECK(seen[2 * i].name == std::string(expected[i]));
    CHECK(seen[2 * i + 1].name == std::string(expected[i]));
    CHECK_EQ(seen[2 * i].phase, 0u);
    CHECK_EQ(seen[2 * i + 1].phase, 1u);
    CHECK_EQ(seen[2 * i].correlation, seen[2 * i + 1].correlation);
    if (i > 0)
      CHECK(seen[2 * i].correlation > seen[2 * i - 1].correlation);
    CHECK_EQ(seen[2 * i + 1].result, static_cast<int>(i == 1 ? hipErrorInvalidValue : hipSuccess));
  }
}

TEST(names) {
  CHECK(std::string(hipApiName(HIP_API_ID_hipMemcpyAsync)) == std::string("hipMemcpyAsync"));
  CHECK(std::string(hipApiName(HIP_API_ID_hipEventRecordWithFlags)) == std::string("hipEventRecordWithFlags"));
  CHECK(std::string(hipApiName(HIP_API_ID_NONE)) == std::string("unknown"));
  CHECK(std::string(hipApiName(HIP_API_ID_LAST + 1)) == std::string("unknown"));
  CHECK(std::string(hipApiName(UINT32_MAX)) == std::string("unknown"));
  CHECK(std::string(hipGetCmdName(0x11F0)) == std::string("KernelExecution"));
  CHECK(std::string(hipGetCmdName(12345)) == std::string("Unknown command type"));

  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(named)));
  CHECK(std::string(hipKernelNameRef(function)) == std::string("named"));
  CHECK(std::string(hipKernelNameRefByPtr(reinterpret_cast<const void *>(named), nullptr)) == std::string("named"));
  CHECK(hipKernelNameRef(nullptr) == nullptr);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidHandle);
  int noKernel = 0;
  CHECK(hipKernelNameRefByPtr(&noKernel, nullptr) == nullptr);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidDeviceFunction);

  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  CHECK_EQ(hipGetStreamDeviceId(stream), 0);
  CHECK_EQ(hipGetStreamDeviceId(nullptr), 0);
  CHECK_EQ(hipGetStreamDeviceId(hipStreamPerThread), 0);
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_EQ(hipGetStreamDeviceId(stream), -1);
  CHECK_EQ(hipGetLastError(), hipErrorContextIsDestroyed);

  const char *header = "x";
  unsigned size = 1;
  __hipGetPCH(&header, &size);
  CHECK(header == nullptr && size == 0);
  CHECK(amd_dbgapi_get_build_name() && amd_dbgapi_get_git_hash());
  CHECK_EQ(amd_dbgapi_get_build_id(), 0u);
}

// How many blocks run at the same time. A block stays for a while without waiting for anything.
__global__ void countRunning(int *running, int *most, int *sink, int rounds) {
  atomicMax(most, atomicAdd(running, 1) + 1);
  unsigned value = blockIdx.x;
  for (int i = 0; i < rounds; ++i)
    value = value * 1664525u + 1013904223u + (value >> 7);
  *sink = static_cast<int>(value);
  atomicSub(running, 1);
}

// A stream on some of the units has no more blocks in execution than these; only the CPU device can do that.
TEST(partialMasks) {
  int units = 0;
  HIP_CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::vector<uint32_t> mask((units + 31) / 32);
  for (int wanted : {1, (units + 1) / 2, units - 1}) {
    if (wanted < 1 || wanted >= units)
      continue;
    std::fill(mask.begin(), mask.end(), 0);
    for (int unit = units - wanted; unit < units; ++unit)
      mask[unit / 32] |= 1u << unit % 32;
    hipStream_t stream;
    const hipError_t error = hipExtStreamCreateWithCUMask(&stream, mask.size(), mask.data());
    if (error == hipErrorNotSupported) { // a GPU
      (void)hipGetLastError();
      CHECK(!properties.isLargeBar);
      continue;
    }
    HIP_CHECK(error);
    std::vector<uint32_t> got(mask.size());
    HIP_CHECK(hipExtStreamGetCUMask(stream, got.size(), got.data()));
    CHECK(got == mask);
    DeviceArray<int> counts(3);
    int *pointer = counts;
    for (int round = 0; round < 3; ++round)
      countRunning<<<64, 1, 0, stream>>>(pointer, pointer + 1, pointer + 2, 200'000);
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(counts.host()[1] >= 1 && counts.host()[1] <= wanted);
    HIP_CHECK(hipStreamDestroy(stream));
  }
}

TEST(masks) {
  int units = 0;
  HIP_CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
  const uint32_t words = (units + 31) / 32;
  std::vector<uint32_t> mask(words + 1, UINT32_MAX);
  hipStream_t stream;
  HIP_CHECK(hipExtStreamCreateWithCUMask(&stream, words + 1, mask.data()));
  DeviceArray<int> out(1);
  named<<<1, 1, 0, stream>>>(out);
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_EQ(out.host()[0], 1);
  HIP_CHECK(hipExtStreamGetCUMask(stream, words + 1, mask.data()));
  int bits = 0;
  for (uint32_t word : mask)
    bits += __builtin_popcount(word);
  CHECK_EQ(bits, units);
  HIP_CHECK(hipExtStreamGetCUMask(nullptr, words, mask.data()));
  CHECK_EQ(hipExtStreamGetCUMask(stream, 0, mask.data()), hipErrorInvalidValue);
  CHECK_EQ(hipExtStreamGetCUMask(stream, words, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_EQ(hipExtStreamGetCUMask(stream, words, mask.data()), hipErrorContextIsDestroyed);
  // No unit at all means all of them.
  std::fill(mask.begin(), mask.end(), 0);
  HIP_CHECK(hipExtStreamCreateWithCUMask(&stream, words, mask.data()));
  HIP_CHECK(hipExtStreamGetCUMask(stream, words, mask.data()));
  bits = 0;
  for (uint32_t word = 0; word < words; ++word)
    bits += __builtin_popcount(mask[word]);
  CHECK_EQ(bits, units);
  HIP_CHECK(hipStreamDestroy(stream));
  CHECK_EQ(hipExtStreamCreateWithCUMask(&stream, 0, mask.data()), hipErrorInvalidValue);
  CHECK_EQ(hipExtStreamCreateWithCUMask(&stream, words, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipExtStreamCreateWithCUMask(nullptr, words, mask.data()), hipErrorInvalidHandle);
  (void)hipGetLastError();
}

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
static float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The definition: to nearest, ties to even, worked out in double, in which every step is exact.
static uint16_t halfByDefinition(float value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude >= 65520)
    return sign | 0x7c00;
  int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  const double units = std::nearbyint(std::ldexp(magnitude, 10 - exponent));
  return static_cast<uint16_t>(sign + static_cast<uint16_t>(units) + static_cast<uint16_t>((exponent + 14) << 10));
}

TEST(halves) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const float value = __gnu_h2f_ieee(static_cast<uint16_t>(half));
    const bool nan = (half & 0x7fff) > 0x7c00;
    CHECK_EQ(std::isnan(value), nan);
    if (!nan) {
      if (__gnu_f2h_ieee(value) != half)
        CHECK_EQ(__gnu_f2h_ieee(value), half);
      if ((half & 0x7fff) < 0x7c00) {
        const int exponent = (half >> 10 & 31) ? (half >> 10 & 31) : 1;
        const double mantissa = (half & 0x3ff) + ((half >> 10 & 31) ? 1024 : 0);
        const double expected = std::ldexp(mantissa, exponent - 25) * (half & 0x8000 ? -1 : 1);
        CHECK(value == expected);
      }
    } else {
      CHECK(std::isnan(__gnu_h2f_ieee(__gnu_f2h_ieee(value))));
    }
  }
  // Around everything that rounds, and a sweep over all exponents.
  for (uint32_t bits = 0; bits < 0x7f800000; bits += 0x1337)
    for (uint32_t sign : {0u, 0x80000000u}) {
      const float value = floatOf(bits | sign);
      if (__gnu_f2h_ieee(value) != halfByDefinition(value))
        CHECK_EQ(__gnu_f2h_ieee(value), halfByDefinition(value));
    }
  for (uint32_t half = 0; half < 0x7c00; ++half) {
    const double middle = (static_cast<double>(__gnu_h2f_ieee(static_cast<uint16_t>(half))) +
                           (half == 0x7bff ? 65536.0 : __gnu_h2f_ieee(static_cast<uint16_t>(half + 1)))) /
                          2;
    for (int step = -1; step <= 1; ++step) {
      const float value = floatOf(bitsOf(static_cast<float>(middle)) + step);
      if (__gnu_f2h_ieee(value) != halfByDefinition(value))
        CHECK_EQ(__gnu_f2h_ieee(value), halfByDefinition(value));
    }
  }
  CHECK_EQ(__gnu_f2h_ieee(INFINITY), 0x7c00);
  CHECK_EQ(__gnu_f2h_ieee(-INFINITY), 0xfc00);
  CHECK(std::isinf(__gnu_h2f_ieee(0x7c00)));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
