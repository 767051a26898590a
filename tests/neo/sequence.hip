// SPDX-License-Identifier: MIT
// The runtime's own call sequence on Intel's driver in capture mode: nothing is executed there, so no result is looked
// at, but every call must be taken. Arguments of all kinds: pointers, integers of all widths, bool, float, double, a
// struct by value, a struct with a pointer, dynamic shared memory.
#include "sequence.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace {

struct Pair {
  float x;
  double y;
};

struct Slice {
  int *data;
  size_t size;
  char tag;
};

__device__ int deviceCounter;
__constant__ float factors[4];

__global__ void allKinds(int *out, const float *in, bool flag, char c, short s, int i, long l, unsigned long long u,
                         float f, Pair pair, Slice slice) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[32];
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  dynamic[threadIdx.x] = id;
  fixed[threadIdx.x % 32] = i;
  __syncthreads();
  if (flag && static_cast<size_t>(id) < slice.size)
    slice.data[id] =
        dynamic[blockDim.x - 1 - threadIdx.x] + c + s + static_cast<int>(l) + static_cast<int>(u) + slice.tag;
  out[id] = fixed[0] + static_cast<int>(in[id] * factors[id % 4] + f + pair.x);
  atomicAdd(&deviceCounter, 1);
}

__global__ void empty() {}

std::atomic<int> callbacks{0};
void onStream(hipStream_t, hipError_t, void *data) { ++*static_cast<std::atomic<int> *>(data); }
void onHost(void *data) { ++*static_cast<std::atomic<int> *>(data); }

} // namespace

int main() {
  if (int code = requireIntel())
    return code;

  constexpr int n = 1024;
  std::vector<int> host(n, 1);
  int *device, *managed, *pinned;
  float *input;
  MUST(hipMalloc(&device, n * sizeof(int)));
  MUST(hipMalloc(&input, n * sizeof(float)));
  MUST(hipMallocManaged(&managed, n * sizeof(int)));
  MUST(hipHostMalloc(&pinned, n * sizeof(int)));
  hipStream_t stream, second;
  MUST(hipStreamCreate(&stream));
  MUST(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  hipEvent_t start, stop, plain;
  MUST(hipEventCreate(&start));
  MUST(hipEventCreate(&stop));
  MUST(hipEventCreateWithFlags(&plain, hipEventDisableTiming));

  MUST(hipMemcpy(device, host.data(), n * sizeof(int), hipMemcpyHostToDevice));
  MUST(hipMemcpyAsync(device, pinned, n * sizeof(int), hipMemcpyHostToDevice, stream));
  MUST(hipMemsetAsync(input, 0, n * sizeof(float), stream));
  float values[4] = {1, 2, 3, 4};
  MUST(hipMemcpyToSymbol(HIP_SYMBOL(factors), values, sizeof values));
  MUST(hipEventRecord(start, stream));
  for (int i = 0; i < 3; ++i)
    allKinds<<<n / 64, 64, 64 * sizeof(int), stream>>>(device, input, true, 'c', 2, 3, 4L, 5ULL, 6.0f, Pair{7, 8},
                                                       Slice{managed, size_t(n), 9});
  MUST(hipGetLastError());
  MUST(hipEventRecord(stop, stream));
  MUST(hipStreamWaitEvent(second, stop, 0));
  empty<<<1, 1, 0, second>>>();
  empty<<<dim3(2, 3, 4), dim3(4, 4, 2)>>>();
  MUST(hipEventRecord(plain, second));
  MUST(hipStreamAddCallback(stream, onStream, &callbacks, 0));
  MUST(hipLaunchHostFunc(second, onHost, &callbacks));
  MUST(hipMemcpyAsync(pinned, device, n * sizeof(int), hipMemcpyDeviceToHost, stream));
  MUST(hipStreamSynchronize(stream));
  MUST(hipStreamSynchronize(second));
  MUST(hipEventSynchronize(stop));
  MUST(hipDeviceSynchronize());
  // No hipEventElapsedTime: capture mode writes no timestamps, so the driver answers that there are none.
  MUST(hipMemcpy(host.data(), device, n * sizeof(int), hipMemcpyDeviceToHost));
  int counter;
  MUST(hipMemcpyFromSymbol(&counter, HIP_SYMBOL(deviceCounter), sizeof counter));
  // In capture mode nothing that the host waits for is really waited for, so the callbacks may still be on their way.
  for (int milliseconds = 0; callbacks != 2 && milliseconds < 10000; ++milliseconds)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (callbacks != 2) {
    std::printf("%d callbacks ran instead of 2\n", callbacks.load());
    return 1;
  }

  for (hipEvent_t event : {start, stop, plain})
    MUST(hipEventDestroy(event));
  MUST(hipStreamDestroy(stream));
  MUST(hipStreamDestroy(second));
  MUST(hipFree(device));
  MUST(hipFree(input));
  MUST(hipFree(managed));
  MUST(hipHostFree(pinned));
  std::printf("all calls were taken\n");
  return 0;
}
