// SPDX-License-Identifier: MIT
// A program to look at with hiplz-prof: two streams whose copies and kernels may overlap, and ranges of roctx that name the
// phases.
//
//   hipcc -O3 profiling.hip -o profiling -lroctx64
//   hiplz-prof -- ./profiling        and open profiling-*_timeline.json in ui.perfetto.dev
#include "common.h"

#include <roctracer/roctx.h>

#include <array>

constexpr int kParts = 8, kPart = 1 << 18, kSteps = 40;

__global__ void relax(float *values, int count, int steps) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= count)
    return;
  float value = values[index];
  for (int step = 0; step < steps; ++step)
    value = 0.5f * (value + 1.0f);
  values[index] = value;
}

int main() {
  constexpr size_t kBytes = kPart * sizeof(float);
  std::array<hipStream_t, 2> streams;
  for (hipStream_t &stream : streams)
    HIP_CHECK(hipStreamCreate(&stream));
  roctxNameHipStream("even parts", streams[0]);
  roctxNameHipStream("odd parts", streams[1]);

  roctxRangePush("prepare");
  float *host = nullptr;
  HIP_CHECK(hipHostMalloc(&host, kParts * kBytes));
  for (int index = 0; index < kParts * kPart; ++index)
    host[index] = static_cast<float>(index % 1000);
  sample::DeviceArray<float> onDevice(size_t{kParts} * kPart);
  roctxRangePop();

  const double seconds = sample::bestSeconds(3, [&] {
    roctxRangePush("all parts");
    for (int part = 0; part < kParts; ++part) {
      hipStream_t stream = streams[part % 2];
      float *to = onDevice.get() + size_t{kPart} * part, *from = host + size_t{kPart} * part;
      HIP_CHECK(hipMemcpyAsync(to, from, kBytes, hipMemcpyHostToDevice, stream));
      relax<<<kPart / 256, 256, 0, stream>>>(to, kPart, kSteps);
      HIP_CHECK(hipMemcpyAsync(from, to, kBytes, hipMemcpyDeviceToHost, stream));
    }
    roctxRangePop();
  });

  roctxMark("done");
  bool good = true;
  for (int index = 0; index < kParts * kPart; ++index)
    good = good && host[index] > 0.999f && host[index] < 1.001f;
  HIP_CHECK(hipHostFree(host));
  for (hipStream_t stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
  return sample::report("profiling", good, 2e-9 * kParts * kBytes / seconds, "GB/s");
}
