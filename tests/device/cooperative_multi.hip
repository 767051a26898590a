// SPDX-License-Identifier: MIT
// Cooperative launches on several devices at once. On a machine with one device the launch has one part.
#include "check.h"

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>

#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

namespace {

// Each grid writes its number, and all threads of all grids see all numbers after the barrier, round by round.
__global__ void meet(int *words, int *wrong, int rounds) {
  cg::multi_grid_group all = cg::this_multi_grid();
  cg::grid_group mine = cg::this_grid();
  for (int round = 1; round <= rounds; ++round) {
    if (mine.thread_rank() == 0)
      words[all.grid_rank()] = round;
    all.sync();
    for (unsigned other = 0; other < all.num_grids(); ++other)
      if (words[other] != round)
        atomicAdd_system(wrong, 1);
    all.sync();
  }
}

__global__ void describe(unsigned long long *out) {
  cg::multi_grid_group all = cg::this_multi_grid();
  if (cg::this_grid().thread_rank() == 0) {
    out[0] = all.is_valid();
    if (all.is_valid()) {
      out[1] = all.num_grids();
      out[2] = all.grid_rank();
      out[3] = all.size();
      out[4] = all.thread_rank();
    }
  }
}

__global__ void setTo(int *word, int value) { *word = value; }

const void *address(void (*kernel)(int *, int *, int)) { return reinterpret_cast<const void *>(kernel); }

struct Streams {
  explicit Streams(int count) : list(count) {
    for (int device = 0; device < count; ++device) {
      HIP_CHECK(hipSetDevice(device));
      HIP_CHECK(hipStreamCreate(&list[device]));
    }
    HIP_CHECK(hipSetDevice(0));
  }
  ~Streams() {
    for (hipStream_t stream : list)
      HIP_CHECK(hipStreamDestroy(stream));
  }
  void synchronize() {
    for (hipStream_t stream : list)
      HIP_CHECK(hipStreamSynchronize(stream));
  }
  std::vector<hipStream_t> list;
};

int deviceCount() {
  int count = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  return count;
}

TEST(barriers) {
  const int devices = deviceCount();
  Streams streams(devices);
  int *memory;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&memory), 64 * sizeof(int)));
  std::fill_n(memory, 64, 0);
  int *words = memory, *wrong = memory + 32;
  int rounds = 20;
  void *arguments[] = {&words, &wrong, &rounds};
  std::vector<hipLaunchParams> parts;
  for (int device = 0; device < devices; ++device)
    parts.push_back({const_cast<void *>(address(meet)), dim3(2 + device), dim3(32 + 16 * device), arguments, 0,
                     streams.list[device]});
  for (int repeat = 0; repeat < 5; ++repeat)
    HIP_CHECK(hipLaunchCooperativeKernelMultiDevice(parts.data(), devices, 0));
  streams.synchronize();
  CHECK_EQ(*wrong, 0);
  CHECK_EQ(words[devices - 1], rounds);
  HIP_CHECK(hipHostFree(memory));
}

TEST(descriptions) {
  const int devices = deviceCount();
  Streams streams(devices);
  unsigned long long *out;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&out), devices * 5 * sizeof *out));
  std::vector<unsigned long long *> places;
  std::vector<void *> pointers;
  std::vector<hipFunctionLaunchParams> parts;
  for (int device = 0; device < devices; ++device)
    places.push_back(out + device * 5);
  for (int device = 0; device < devices; ++device)
    pointers.push_back(&places[device]);
  hipFunction_t function;
  HIP_CHECK(hipGetFuncBySymbol(&function, reinterpret_cast<const void *>(describe)));
  unsigned long long total = 0;
  for (unsigned device = 0; device < static_cast<unsigned>(devices); ++device) {
    parts.push_back({function, 3 + device, 1, 1, 10, 2, 1, 0, streams.list[device], &pointers[device]});
    total += (3 + device) * 20;
  }
  constexpr unsigned kNoSync = hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
  HIP_CHECK(hipModuleLaunchCooperativeKernelMultiDevice(parts.data(), static_cast<unsigned>(devices), kNoSync));
  streams.synchronize();
  unsigned long long before = 0;
  for (int device = 0; device < devices; ++device) {
    CHECK_EQ(places[device][0], 1u);
    CHECK_EQ(places[device][1], static_cast<unsigned>(devices));
    CHECK_EQ(places[device][2], static_cast<unsigned>(device));
    CHECK_EQ(places[device][3], total);
    CHECK_EQ(places[device][4], before);
    before += (3 + device) * 20;
  }
  describe<<<1, 32, 0, streams.list[0]>>>(out);
  streams.synchronize();
  CHECK_EQ(out[0], 0u);
  HIP_CHECK(hipHostFree(out));
}

// The launches wait for all streams, and all streams wait for the launches.
TEST(order) {
  const int devices = deviceCount();
  Streams streams(devices);
  std::vector<int> values(devices, 0);
  int *memory;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&memory), 64 * sizeof(int)));
  std::fill_n(memory, 64, 0);
  std::vector<int *> words;
  std::vector<std::vector<void *>> arguments;
  std::vector<hipLaunchParams> parts;
  for (int device = 0; device < devices; ++device) {
    words.push_back(memory + device);
    values[device] = device + 5;
  }
  for (int device = 0; device < devices; ++device)
    arguments.push_back({&words[device], &values[device]});
  for (int device = 0; device < devices; ++device)
    parts.push_back(
        {reinterpret_cast<void *>(setTo), dim3(1), dim3(1), arguments[device].data(), 0, streams.list[device]});
  HIP_CHECK(hipExtLaunchMultiKernelMultiDevice(parts.data(), devices, 0));
  int *last = memory + 32;
  HIP_CHECK(hipMemcpyAsync(last, memory, devices * sizeof(int), hipMemcpyDefault, streams.list[0]));
  HIP_CHECK(hipStreamSynchronize(streams.list[0]));
  for (int device = 0; device < devices; ++device)
    CHECK_EQ(last[device], device + 5);
  HIP_CHECK(hipHostFree(memory));
}

TEST(refused) {
  const int devices = deviceCount();
  Streams streams(devices);
  int *none = nullptr, rounds = 0;
  void *arguments[] = {&none, &none, &rounds};
  hipLaunchParams part{const_cast<void *>(address(meet)), dim3(1), dim3(1), arguments, 0, streams.list[0]};
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(static_cast<hipLaunchParams *>(nullptr), 1, 0), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(&part, 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(&part, devices + 1, 0), hipErrorInvalidValue);
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(&part, 1, 4), hipErrorInvalidValue);
  hipLaunchParams wrong = part;
  wrong.stream = nullptr;
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(&wrong, 1, 0), hipErrorInvalidHandle);
  wrong = part;
  wrong.func = nullptr;
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(&wrong, 1, 0), hipErrorInvalidDeviceFunction);
  wrong = part;
  wrong.gridDim = dim3(1 << 20);
  CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(&wrong, 1, 0), hipErrorCooperativeLaunchTooLarge);
  CHECK_EQ(hipExtLaunchMultiKernelMultiDevice(static_cast<hipLaunchParams *>(nullptr), 1, 0), hipErrorInvalidValue);
  if (devices > 1) {
    hipLaunchParams twice[] = {part, part};
    CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(twice, 2, 0), hipErrorInvalidDevice);
    // Nothing is launched if one of the launches cannot be: the first grid would wait for the second one.
    void *incomplete[] = {&none, nullptr, &rounds};
    hipLaunchParams second = part;
    second.args = incomplete;
    second.stream = streams.list[1];
    int *word;
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&word), sizeof *word));
    int *words = word, one = 1;
    *word = 0;
    void *complete[] = {&words, &words, &one};
    part.args = complete;
    hipLaunchParams halves[] = {part, second};
    CHECK_EQ(hipLaunchCooperativeKernelMultiDevice(halves, 2, 0), hipErrorInvalidValue);
    HIP_CHECK(hipStreamQuery(streams.list[0]));
    CHECK_EQ(*word, 0);
    HIP_CHECK(hipHostFree(word));
  }
}

} // namespace

TEST(supported) {
  for (int device = 0; device < deviceCount(); ++device) {
    int supported = 0;
    HIP_CHECK(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeMultiDeviceLaunch, device));
    CHECK_EQ(supported, 1);
  }
}

int main(int argc, char **argv) {
  setenv("HIPLZ_CPU_DEVICES", "2", 0); // has an effect on the CPU device alone
  return runTests(argc, argv);
}
