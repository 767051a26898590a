// SPDX-License-Identifier: MIT
// Sixteen threads that do everything at once: launches, copies, textures, pools, graphs, host functions, registered
// memory, symbols, default streams. Each checks its own results. HIPLZ_STRESS_SECONDS sets how long; by default it is short.
#include "tests/device/check.h"

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

namespace {

constexpr int kThreads = 16, kCount = 256;
constexpr size_t kBytes = kCount * sizeof(int);

__device__ int counters[kThreads];

__global__ void add(int *to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] += value; }
__global__ void reverse(int *to) {
  __shared__ int shared[kCount];
  shared[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = shared[kCount - 1 - threadIdx.x];
}
__global__ void sample(hipTextureObject_t object, float *out) {
  out[threadIdx.x] = tex2D<float>(object, threadIdx.x % 16 + 0.5f, threadIdx.x / 16 + 0.5f);
}
__global__ void count(int thread) { atomicAdd(&counters[thread], 1); }

bool all(const std::vector<int> &values, int expected) {
  for (int value : values)
    if (value != expected)
      return false;
  return true;
}

class Worker {
public:
  explicit Worker(int thread) : thread_(thread), random_(thread) {
    HIP_CHECK(hipStreamCreateWithFlags(&own_, thread % 2 ? hipStreamNonBlocking : hipStreamDefault));
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&memory_), kBytes));
    HIP_CHECK(hipEventCreate(&event_));
  }
  ~Worker() {
    int launched = 0;
    HIP_CHECK(hipMemcpyFromSymbol(&launched, HIP_SYMBOL(counters), sizeof launched, thread_ * sizeof launched));
    CHECK_EQ(launched, counted_);
    HIP_CHECK(hipEventDestroy(event_));
    HIP_CHECK(hipFree(memory_));
    HIP_CHECK(hipStreamDestroy(own_));
  }

  void run(std::chrono::steady_clock::time_point end) {
    using Chapter = void (Worker::*)();
    constexpr Chapter chapters[] = {&Worker::launches, &Worker::copies,  &Worker::textures,   &Worker::pools,
                                    &Worker::graphs,   &Worker::symbols, &Worker::registered, &Worker::hostFunctions,
                                    &Worker::waits,    &Worker::capture, &Worker::allocations};
    do
      (this->*chapters[random_() % std::size(chapters)])();
    while (std::chrono::steady_clock::now() < end);
  }

private:
  // Its own stream, the thread's default stream, or the null stream, which waits for the blocking streams of all others.
  hipStream_t stream() {
    const unsigned which = random_() % 8;
    return which == 0 ? nullptr : which == 1 ? hipStreamPerThread : own_;
  }
  std::vector<int> contents(hipStream_t stream) {
    std::vector<int> values(kCount);
    HIP_CHECK(hipMemcpyAsync(values.data(), memory_, kBytes, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    return values;
  }

  void launches() {
    const hipStream_t s = stream();
    HIP_CHECK(hipMemsetAsync(memory_, 0, kBytes, s));
    for (int i = 1; i <= 10; ++i)
      add<<<kCount / 64, 64, 0, s>>>(memory_, i);
    reverse<<<1, kCount, 0, s>>>(memory_);
    CHECK(all(contents(s), 55));
  }
  void copies() {
    const hipStream_t s = stream();
    const int value = random_() % 1000;
    std::vector<int> from(kCount, value);
    HIP_CHECK(hipMemcpyAsync(memory_, from.data(), kBytes, hipMemcpyHostToDevice, s));
    std::fill(from.begin(), from.end(), -1);
    int *across;
    HIP_CHECK(hipMalloc(reinterpret_cast<void **>(&across), 2 * kBytes));
    HIP_CHECK(hipMemcpy2DAsync(across, 128, memory_, 64, 64, kBytes / 64, hipMemcpyDeviceToDevice, s));
    HIP_CHECK(hipMemsetAsync(memory_, 0, kBytes, s));
    HIP_CHECK(hipMemcpy2DAsync(memory_, 64, across, 128, 64, kBytes / 64, hipMemcpyDeviceToDevice, s));
    CHECK(all(contents(s), value));
    HIP_CHECK(hipFree(across));
  }
  void textures() {
    const hipStream_t s = stream();
    hipArray_t array;
    const hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
    HIP_CHECK(hipMallocArray(&array, &desc, 16, 16));
    std::vector<float> values(kCount), found(kCount);
    for (int i = 0; i < kCount; ++i)
      values[i] = thread_ * 1000 + i;
    HIP_CHECK(hipMemcpy2DToArrayAsync(array, 0, 0, values.data(), 64, 64, 16, hipMemcpyHostToDevice, s));
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc sampling{};
    hipTextureObject_t object;
    HIP_CHECK(hipCreateTextureObject(&object, &resource, &sampling, nullptr));
    float *out = reinterpret_cast<float *>(memory_);
    sample<<<1, kCount, 0, s>>>(object, out);
    HIP_CHECK(hipDestroyTextureObject(object));
    HIP_CHECK(hipMemcpyAsync(found.data(), out, kBytes, hipMemcpyDeviceToHost, s));
    HIP_CHECK(hipStreamSynchronize(s));
    CHECK(found == values);
    HIP_CHECK(hipFreeArray(array));
  }
  void pools() {
    const hipStream_t s = stream();
    for (int i = 0; i < 4; ++i) {
      int *block;
      HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&block), kBytes << i, s));
      HIP_CHECK(hipMemsetAsync(block, 0, kBytes, s));
      add<<<1, kCount, 0, s>>>(block, i);
      HIP_CHECK(hipMemcpyAsync(memory_, block, kBytes, hipMemcpyDeviceToDevice, s));
      HIP_CHECK(hipFreeAsync(block, s));
      CHECK(all(contents(s), i));
    }
  }
  void graphs() {
    hipGraph_t graph;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    hipMemsetParams fill{};
    fill.dst = memory_;
    fill.elementSize = 4;
    fill.width = kCount;
    fill.height = 1;
    hipGraphNode_t filled, launched;
    HIP_CHECK(hipGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
    int value = 3;
    void *arguments[] = {&memory_, &value};
    hipKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void *>(add);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(kCount);
    kernel.kernelParams = arguments;
    HIP_CHECK(hipGraphAddKernelNode(&launched, graph, &filled, 1, &kernel));
    launch(graph, 3);
  }
  // While a blocking stream is captured nobody may use the null stream.
  void capture() {
    hipStream_t captured;
    hipGraph_t graph;
    HIP_CHECK(hipStreamCreateWithFlags(&captured, hipStreamNonBlocking));
    HIP_CHECK(hipStreamBeginCapture(captured, hipStreamCaptureModeRelaxed));
    HIP_CHECK(hipMemsetAsync(memory_, 0, kBytes, captured));
    add<<<1, kCount, 0, captured>>>(memory_, 4);
    add<<<1, kCount, 0, captured>>>(memory_, 5);
    HIP_CHECK(hipStreamEndCapture(captured, &graph));
    HIP_CHECK(hipStreamDestroy(captured));
    launch(graph, 9);
  }
  void launch(hipGraph_t graph, int expected) {
    hipGraphExec_t exec;
    HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    HIP_CHECK(hipGraphDestroy(graph));
    for (int i = 0; i < 3; ++i)
      HIP_CHECK(hipGraphLaunch(exec, own_));
    CHECK(all(contents(own_), expected));
    HIP_CHECK(hipGraphExecDestroy(exec));
  }
  void symbols() {
    for (int i = 0; i < 5; ++i, ++counted_)
      count<<<1, 1, 0, own_>>>(thread_);
    int found = 0;
    HIP_CHECK(hipMemcpyFromSymbolAsync(&found, HIP_SYMBOL(counters), sizeof found, thread_ * sizeof found,
                                       hipMemcpyDeviceToHost, own_));
    HIP_CHECK(hipStreamSynchronize(own_));
    CHECK_EQ(found, counted_);
  }
  void registered() {
    std::vector<int> host(3000, 1);
    HIP_CHECK(hipHostRegister(host.data(), host.size() * sizeof(int), hipHostRegisterDefault));
    add<<<1, kCount, 0, own_>>>(host.data(), 6);
    HIP_CHECK(hipStreamSynchronize(own_));
    CHECK(host[0] == 7 && host[kCount - 1] == 7 && host[kCount] == 1);
    HIP_CHECK(hipHostUnregister(host.data()));
  }
  void hostFunctions() {
    const hipStream_t s = stream();
    std::vector<int> order;
    auto note = [](void *list) {
      auto &numbers = *static_cast<std::vector<int> *>(list);
      numbers.push_back(static_cast<int>(numbers.size()));
    };
    for (int i = 0; i < 5; ++i) {
      HIP_CHECK(hipLaunchHostFunc(s, note, &order));
      add<<<1, 1, 0, s>>>(memory_, 1);
    }
    HIP_CHECK(hipStreamSynchronize(s));
    CHECK_EQ(order.size(), size_t(5));
  }
  void waits() {
    hipStream_t other;
    HIP_CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    HIP_CHECK(hipMemsetAsync(memory_, 0, kBytes, own_));
    for (int i = 0; i < 6; ++i) {
      const hipStream_t first = i % 2 ? other : own_, second = i % 2 ? own_ : other;
      add<<<1, kCount, 0, first>>>(memory_, 2);
      HIP_CHECK(hipEventRecord(event_, first));
      HIP_CHECK(hipStreamWaitEvent(second, event_, 0));
    }
    CHECK(all(contents(own_), 12));
    HIP_CHECK(hipStreamDestroy(other));
  }
  void allocations() {
    void *device, *host, *managed;
    HIP_CHECK(hipMalloc(&device, 1 + random_() % (1 << 20)));
    HIP_CHECK(hipHostMalloc(&host, 4096, hipHostMallocDefault));
    HIP_CHECK(hipMallocManaged(&managed, 4096, hipMemAttachGlobal));
    HIP_CHECK(hipMemAdvise(managed, 4096, hipMemAdviseSetReadMostly, 0));
    HIP_CHECK(hipMemPrefetchAsync(managed, 4096, 0, own_));
    hipPointerAttribute_t attributes{};
    HIP_CHECK(hipPointerGetAttributes(&attributes, managed));
    CHECK_EQ(attributes.isManaged, 1);
    int blocks = 0;
    HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, kCount, 0));
    CHECK(blocks > 0);
    HIP_CHECK(hipFree(managed));
    HIP_CHECK(hipHostFree(host));
    HIP_CHECK(hipFree(device));
  }

  const int thread_;
  std::minstd_rand random_;
  hipStream_t own_ = nullptr;
  hipEvent_t event_ = nullptr;
  int *memory_ = nullptr, counted_ = 0;
};

} // namespace

int main() {
  const char *seconds = std::getenv("HIPLZ_STRESS_SECONDS");
  const auto duration = std::chrono::milliseconds(seconds ? 1000 * std::atoi(seconds) : 300);
  const auto end = std::chrono::steady_clock::now() + duration;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([=] { Worker(thread).run(end); });
  for (std::thread &thread : threads)
    thread.join();
  return testResult();
}
