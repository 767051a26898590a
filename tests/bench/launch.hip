// What a kernel launch costs the host, through HIP and through Level Zero itself on the same device in the same process.
// Asynchronous: time of the call alone, the stream is drained every kBatch launches with the clock stopped. Synchronous:
// launch and wait.
#include <benchmark/benchmark.h>
#include <hip/hip_runtime.h>
#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

constexpr int kBatch = 512;

__global__ void empty() {}
__global__ void fourArgs(float *, float *, int, float) {}

void check(bool good, const char *what) {
  if (!good) {
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
  }
}
#define HIP(call) check((call) == hipSuccess, #call)
#define ZE(call) check((call) == ZE_RESULT_SUCCESS, #call)

/// The same device as HIP's device 0, driven directly: one immediate list and the kernels of empty.cl.
struct Raw {
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_command_list_handle_t list;
  ze_kernel_handle_t empty, fourArgs;
  ze_event_handle_t event;

  Raw() {
    int count = 0;
    HIP(hipGetDeviceCount(&count)); // chooses the drivers
    ZE(zeInit(0));
    uint32_t one = 1;
    ze_driver_handle_t driver;
    ZE(zeDriverGet(&one, &driver));
    ZE(zeDeviceGet(driver, &one, &device));
    ze_context_desc_t contextDesc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ZE(zeContextCreate(driver, &contextDesc, &context));
    ze_command_queue_desc_t queueDesc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0,
                                      ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    ZE(zeCommandListCreateImmediate(context, device, &queueDesc, &list));
    std::ifstream file(EMPTY_SPV, std::ios::binary);
    std::vector<char> spirv((std::istreambuf_iterator<char>(file)), {});
    ze_module_desc_t moduleDesc{ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, spirv.size(),
                                reinterpret_cast<uint8_t *>(spirv.data()), nullptr, nullptr};
    ze_module_handle_t module;
    ZE(zeModuleCreate(context, device, &moduleDesc, &module, nullptr));
    empty = kernel(module, "empty");
    fourArgs = kernel(module, "four_args");
    ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
    ze_event_pool_handle_t pool;
    ZE(zeEventPoolCreate(context, &poolDesc, 1, &device, &pool));
    ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST,
                              ZE_EVENT_SCOPE_FLAG_HOST};
    ZE(zeEventCreate(pool, &eventDesc, &event));
  }

  static ze_kernel_handle_t kernel(ze_module_handle_t module, const char *name) {
    ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t handle;
    ZE(zeKernelCreate(module, &desc, &handle));
    ZE(zeKernelSetGroupSize(handle, 1, 1, 1));
    return handle;
  }

  void drain() {
    ZE(zeCommandListAppendBarrier(list, event, 0, nullptr));
    ZE(zeEventHostSynchronize(event, UINT64_MAX));
    ZE(zeEventHostReset(event));
  }
};

Raw &raw() {
  static Raw instance;
  return instance;
}

/// Runs `launch` kBatch times with the clock on and `drain` with the clock off.
template <class Launch, class Drain> void batches(benchmark::State &state, Launch launch, Drain drain) {
  launch();
  drain();
  while (state.KeepRunningBatch(kBatch)) {
    for (int i = 0; i < kBatch; ++i)
      launch();
    state.PauseTiming();
    drain();
    state.ResumeTiming();
  }
}

void asyncHip(benchmark::State &state) {
  raw();
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  batches(state, [&] { empty<<<1, 1, 0, stream>>>(); }, [&] { HIP(hipStreamSynchronize(stream)); });
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(asyncHip)->UseRealTime();

void asyncHipNullStream(benchmark::State &state) {
  raw();
  batches(state, [&] { empty<<<1, 1>>>(); }, [&] { HIP(hipStreamSynchronize(nullptr)); });
}
BENCHMARK(asyncHipNullStream)->UseRealTime();

void asyncLevelZero(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  batches(state, [&] { ZE(zeCommandListAppendLaunchKernel(ze.list, ze.empty, &groups, nullptr, 0, nullptr)); },
          [&] { ze.drain(); });
}
BENCHMARK(asyncLevelZero)->UseRealTime();

void asyncHipFourArgs(benchmark::State &state) {
  raw();
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  int n = 0;
  batches(state, [&] { fourArgs<<<1, 1, 0, stream>>>(nullptr, nullptr, ++n, 1.0f); },
          [&] { HIP(hipStreamSynchronize(stream)); });
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(asyncHipFourArgs)->UseRealTime();

void asyncLevelZeroFourArgs(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  int n = 0;
  float f = 1.0f;
  void *none = nullptr;
  batches(state,
          [&] {
            ++n;
            ZE(zeKernelSetArgumentValue(ze.fourArgs, 0, sizeof none, &none));
            ZE(zeKernelSetArgumentValue(ze.fourArgs, 1, sizeof none, &none));
            ZE(zeKernelSetArgumentValue(ze.fourArgs, 2, sizeof n, &n));
            ZE(zeKernelSetArgumentValue(ze.fourArgs, 3, sizeof f, &f));
            ZE(zeCommandListAppendLaunchKernel(ze.list, ze.fourArgs, &groups, nullptr, 0, nullptr));
          },
          [&] { ze.drain(); });
}
BENCHMARK(asyncLevelZeroFourArgs)->UseRealTime();

void syncHip(benchmark::State &state) {
  raw();
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  for (auto _ : state) {
    empty<<<1, 1, 0, stream>>>();
    HIP(hipStreamSynchronize(stream));
  }
  HIP(hipStreamDestroy(stream));
}
BENCHMARK(syncHip)->UseRealTime();

void syncLevelZero(benchmark::State &state) {
  Raw &ze = raw();
  ze_group_count_t groups{1, 1, 1};
  for (auto _ : state) {
    ZE(zeCommandListAppendLaunchKernel(ze.list, ze.empty, &groups, ze.event, 0, nullptr));
    ZE(zeEventHostSynchronize(ze.event, UINT64_MAX));
    ZE(zeEventHostReset(ze.event));
  }
}
BENCHMARK(syncLevelZero)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
