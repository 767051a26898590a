// SPDX-License-Identifier: MIT
// SYCL and HIP in one process, each row of the interoperability specification of SYCL's Level Zero backend: what one side has made
// the other one uses. HIP is given SYCL's context, and both work on the same device. Kernels are SPIR-V of OpenCL C.
#include "check.h"

#include <hip/hip_runtime_api.h>
#include <hiplz/interop.h>
#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/backend/level_zero.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <variant>

#define HIP(call)                                                                                                      \
  do {                                                                                                                 \
    const hipError_t status_ = (call);                                                                                 \
    if (status_ != hipSuccess)                                                                                         \
      throw std::runtime_error(std::string(#call) + " -> " + hipGetErrorName(status_));                                \
  } while (false)

namespace {

constexpr auto kLevelZero = sycl::backend::ext_oneapi_level_zero;
using sycl::ext::oneapi::level_zero::ownership;
using Executable = sycl::kernel_bundle<sycl::bundle_state::executable>;
constexpr int kCount = 1024;
constexpr size_t kBytes = kCount * sizeof(float);

/// The state that all scenarios share. The queue is SYCL's, the module HIP's.
struct Both {
  sycl::queue queue{sycl::property::queue::in_order{}};
  sycl::context context = queue.get_context();
  sycl::device device = queue.get_device();
  int hipDevice = -1;
  hipModule_t module = nullptr;
  hipFunction_t add = nullptr;
  std::vector<char> spirv;
};

Both &both() {
  static Both *made = [] {
    auto *it = new Both;
    // Before HIP makes a context of its own.
    HIP(hiplzCreateContextFromNative(sycl::get_native<kLevelZero>(it->device.get_platform()),
                                     sycl::get_native<kLevelZero>(it->context), hiplzOwnershipKeep));
    HIP(hiplzGetDeviceFromNative(sycl::get_native<kLevelZero>(it->device), &it->hipDevice));
    HIP(hipSetDevice(it->hipDevice));
    std::ifstream file(KERNELS, std::ios::binary);
    it->spirv.assign(std::istreambuf_iterator<char>(file), {});
    HIP(hipModuleLoadData(&it->module, it->spirv.data()));
    HIP(hipModuleGetFunction(&it->add, it->module, "add"));
    return it;
  }();
  return *made;
}

void launchAdd(float *data, float value, hipStream_t stream) {
  void *arguments[] = {&data, &value};
  HIP(hipModuleLaunchKernel(both().add, kCount / 64, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
}

template <class Kernel> void submitAdd(sycl::queue &queue, const Kernel &add, float *data, float value) {
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(data, value);
    handler.parallel_for(sycl::range<1>(kCount), add);
  });
}

bool allAre(const std::vector<float> &values, float wanted) {
  return std::all_of(values.begin(), values.end(), [=](float value) { return value == wanted; });
}

/// Device memory of SYCL, filled with a value, in the hands of HIP too.
struct SyclMemory {
  explicit SyclMemory(float value) : pointer(sycl::malloc_device<float>(kCount, both().queue)) {
    const std::vector<float> start(kCount, value);
    both().queue.memcpy(pointer, start.data(), kBytes).wait();
    HIP(hiplzCreateMemoryFromNative(pointer, hiplzOwnershipKeep));
  }
  ~SyclMemory() {
    (void)hiplzReleaseNativeMemory(pointer);
    sycl::free(pointer, both().queue);
  }
  std::vector<float> values() const {
    std::vector<float> out(kCount);
    both().queue.memcpy(out.data(), pointer, kBytes).wait();
    return out;
  }
  float *const pointer;
};

void platformsAndDevices() {
  Both &it = both();
  ze_driver_handle_t driver = nullptr;
  HIP(hiplzGetNativeDriver(it.hipDevice, &driver));
  CHECK(driver == sycl::get_native<kLevelZero>(it.device.get_platform()));
  CHECK(sycl::make_platform<kLevelZero>(driver) == it.device.get_platform());
  ze_device_handle_t device = nullptr;
  HIP(hiplzGetNativeDevice(it.hipDevice, &device));
  CHECK(device == sycl::get_native<kLevelZero>(it.device));
  CHECK(sycl::make_device<kLevelZero>(device) == it.device);
  unsigned count = 4;
  int devices[4];
  HIP(hiplzGetDevicesFromNativeDriver(driver, &count, devices));
  CHECK(count == it.device.get_platform().get_devices().size());
  hipDeviceProp_t properties;
  HIP(hipGetDeviceProperties(&properties, it.hipDevice));
  CHECK(it.device.is_gpu() && properties.isLargeBar && properties.integrated); // for HIP it remains the CPU device
}

void contextOfSyclInHip() {
  Both &it = both();
  ze_context_handle_t context = nullptr;
  HIP(hiplzGetNativeContext(it.hipDevice, &context));
  CHECK(context == sycl::get_native<kLevelZero>(it.context));
}

void contextOfHipInSycl() {
  Both &it = both();
  ze_context_handle_t native = nullptr;
  HIP(hiplzGetNativeContext(it.hipDevice, &native));
  const sycl::context context = sycl::make_context<kLevelZero>({native, {it.device}, ownership::keep});
  sycl::queue queue(context, it.device);
  float *data = nullptr;
  HIP(hipMalloc(reinterpret_cast<void **>(&data), kBytes));
  std::vector<float> in(kCount, 3.0f), out(kCount);
  queue.memcpy(data, in.data(), kBytes).wait();
  HIP(hipMemcpy(out.data(), data, kBytes, hipMemcpyDeviceToHost));
  CHECK(allAre(out, 3.0f));
  HIP(hipFree(data));
}

void memoryOfSyclInHip() {
  const SyclMemory memory(1.0f);
  launchAdd(memory.pointer, 1.0f, nullptr);
  HIP(hipDeviceSynchronize());
  CHECK(allAre(memory.values(), 2.0f));
  void *base = nullptr;
  size_t bytes = 0;
  ze_context_handle_t context = nullptr;
  HIP(hiplzGetNativeMemory(memory.pointer, &context, &base, &bytes));
  CHECK(base <= memory.pointer && context == sycl::get_native<kLevelZero>(both().context));
}

void memoryOfHipInSycl() {
  Both &it = both();
  void *device = nullptr, *managed = nullptr, *host = nullptr;
  HIP(hipMalloc(&device, kBytes));
  HIP(hipMallocManaged(&managed, kBytes));
  HIP(hipHostMalloc(&host, kBytes));
  CHECK(sycl::get_pointer_type(device, it.context) == sycl::usm::alloc::device);
  CHECK(sycl::get_pointer_type(managed, it.context) == sycl::usm::alloc::shared);
  CHECK(sycl::get_pointer_type(host, it.context) == sycl::usm::alloc::host);
  std::fill_n(static_cast<float *>(host), kCount, 5.0f);
  it.queue.memcpy(device, host, kBytes);
  it.queue.memcpy(managed, device, kBytes).wait();
  CHECK(static_cast<float *>(managed)[kCount - 1] == 5.0f);
  HIP(hipFree(device));
  HIP(hipFree(managed));
  HIP(hipHostFree(host));
}

// Commands of both sides in one list, without the host between them.
void queueOfSyclInHip() {
  Both &it = both();
  const SyclMemory memory(0.0f);
  const auto native = sycl::get_native<kLevelZero>(it.queue);
  hipStream_t stream = nullptr;
  if (const auto *list = std::get_if<ze_command_list_handle_t>(&native))
    HIP(hiplzCreateStreamFromNative(&stream, it.hipDevice, *list, hipStreamNonBlocking, hiplzOwnershipKeep));
  else
    HIP(hiplzCreateStreamFromNativeQueue(&stream, it.hipDevice, std::get<ze_command_queue_handle_t>(native), 0,
                                         hipStreamNonBlocking, hiplzOwnershipKeep));
  const bool shared = std::holds_alternative<ze_command_list_handle_t>(native);
  std::vector<float> out(kCount);
  for (int round = 1; round <= 20; ++round) {
    const std::vector<float> in(kCount, static_cast<float>(round));
    it.queue.memcpy(memory.pointer, in.data(), kBytes);
    if (!shared)
      it.queue.wait(); // SYCL collects commands for a queue and submits them later
    launchAdd(memory.pointer, 1.0f, stream);
    if (!shared)
      HIP(hipStreamSynchronize(stream));
    it.queue.memcpy(out.data(), memory.pointer, kBytes).wait();
    CHECK(allAre(out, static_cast<float>(round) + 1.0f));
  }
  HIP(hipStreamDestroy(stream));
}

void streamOfHipInSycl() {
  Both &it = both();
  hipStream_t stream = nullptr;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  ze_command_list_handle_t list = nullptr;
  ze_command_queue_handle_t commands = nullptr;
  HIP(hiplzGetNativeStream(stream, &list, &commands));
  CHECK(list);
  {
    const SyclMemory memory(0.0f);
    sycl::queue queue = sycl::make_queue<kLevelZero>(
        {list, it.device, ownership::keep, sycl::property_list{sycl::property::queue::in_order{}}}, it.context);
    for (int round = 1; round <= 20; ++round) {
      const std::vector<float> in(kCount, static_cast<float>(round));
      queue.memcpy(memory.pointer, in.data(), kBytes);
      launchAdd(memory.pointer, 2.0f, stream);
      HIP(hipStreamSynchronize(stream));
      queue.wait();
      CHECK(allAre(memory.values(), static_cast<float>(round) + 2.0f));
    }
  }
  HIP(hipStreamDestroy(stream));
}

void eventOfSyclInHip() {
  Both &it = both();
  const SyclMemory memory(0.0f);
  const std::vector<float> in(kCount, 4.0f);
  const sycl::event copied = it.queue.memcpy(memory.pointer, in.data(), kBytes);
  hipEvent_t event = nullptr;
  HIP(hiplzCreateEventFromNative(&event, it.hipDevice, sycl::get_native<kLevelZero>(copied), hiplzOwnershipKeep));
  hipStream_t stream = nullptr;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP(hipStreamWaitEvent(stream, event, 0));
  launchAdd(memory.pointer, 1.0f, stream);
  HIP(hipStreamSynchronize(stream));
  CHECK(allAre(memory.values(), 5.0f));
  HIP(hipStreamDestroy(stream));
  HIP(hipEventDestroy(event));
}

void eventOfHipInSycl() {
  Both &it = both();
  const SyclMemory memory(1.0f);
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP(hipEventCreate(&event));
  for (int step = 0; step < 100; ++step)
    launchAdd(memory.pointer, 1.0f, stream);
  HIP(hipEventRecord(event, stream));
  ze_event_handle_t native = nullptr;
  HIP(hiplzGetNativeEvent(event, &native));
  std::vector<float> out(kCount);
  {
    const sycl::event done = sycl::make_event<kLevelZero>({native, ownership::keep}, it.context);
    it.queue.submit([&](sycl::handler &handler) {
      handler.depends_on(done);
      handler.memcpy(out.data(), memory.pointer, kBytes);
    });
    it.queue.wait();
  }
  CHECK(allAre(out, 101.0f));
  HIP(hipEventDestroy(event));
  HIP(hipStreamDestroy(stream));
}

void kernelsOfHipInSycl() {
  Both &it = both();
  const SyclMemory memory(1.0f);
  ze_module_handle_t module = nullptr;
  ze_kernel_handle_t kernel = nullptr;
  HIP(hiplzGetNativeModule(it.module, it.hipDevice, &module));
  HIP(hiplzGetNativeKernel(it.add, it.hipDevice, &kernel));
  const auto bundle =
      sycl::make_kernel_bundle<kLevelZero, sycl::bundle_state::executable>({module, ownership::keep}, it.context);
  const sycl::kernel add = sycl::make_kernel<kLevelZero>({bundle, kernel, ownership::keep}, it.context);
  submitAdd(it.queue, add, memory.pointer, 6.0f);
  it.queue.wait();
  CHECK(allAre(memory.values(), 7.0f));
}

void kernelsOfSyclInHip() {
  namespace syclexp = sycl::ext::oneapi::experimental;
  Both &it = both();
  const SyclMemory memory(1.0f);
  std::vector<std::byte> bytes(it.spirv.size());
  std::memcpy(bytes.data(), it.spirv.data(), it.spirv.size());
  auto source = syclexp::create_kernel_bundle_from_source(it.context, syclexp::source_language::spirv, bytes);
  Executable bundle = syclexp::build(source);
  const sycl::kernel kernel = bundle.ext_oneapi_get_kernel("add");
  const auto modules = sycl::get_native<kLevelZero>(bundle);
  CHECK(modules.size() == 1);
  hipModule_t module = nullptr;
  hipFunction_t add = nullptr;
  HIP(hiplzCreateModuleFromNative(&module, it.hipDevice, modules[0], it.spirv.data(), it.spirv.size(),
                                  hiplzOwnershipKeep));
  HIP(hiplzCreateFunctionFromNative(&add, module, it.hipDevice, sycl::get_native<kLevelZero>(kernel),
                                    hiplzOwnershipKeep));
  float *data = memory.pointer, value = 8.0f;
  void *arguments[] = {&data, &value};
  HIP(hipModuleLaunchKernel(add, kCount / 64, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  HIP(hipDeviceSynchronize());
  CHECK(allAre(memory.values(), 9.0f));
  HIP(hipModuleUnload(module));
}

void buffersOfSyclInHip() {
  Both &it = both();
  std::vector<float> data(kCount, 1.0f);
  {
    sycl::buffer<float> buffer(data);
    it.queue.submit([&](sycl::handler &handler) {
      auto accessor = buffer.get_access<sycl::access_mode::read_write>(handler);
      handler.host_task([=](const sycl::interop_handle &handle) {
        auto *pointer = reinterpret_cast<float *>(handle.get_native_mem<kLevelZero>(accessor));
        launchAdd(pointer, 1.0f, nullptr);
        HIP(hipDeviceSynchronize());
      });
    });
  }
  CHECK(allAre(data, 2.0f));
}

void memoryOfHipAsABuffer() {
  Both &it = both();
  // An allocation of Level Zero from its beginning, which a block of hipMalloc need not be.
  void *pointer = nullptr;
  HIP(hipMallocManaged(&pointer, kBytes));
  auto *data = static_cast<float *>(pointer);
  std::fill_n(data, kCount, 2.0f);
  {
    auto buffer = sycl::make_buffer<kLevelZero, float>({pointer, ownership::keep}, it.context);
    const sycl::host_accessor host(buffer);
    CHECK(host[0] == 2.0f && host[kCount - 1] == 2.0f);
  }
  HIP(hipFree(pointer));
}

} // namespace

int main(int argc, char **argv) {
  return runScenarios(argc, argv,
                      {{"platforms and devices", platformsAndDevices},
                       {"context of SYCL in HIP", contextOfSyclInHip},
                       {"context of HIP in SYCL", contextOfHipInSycl},
                       {"memory of SYCL in HIP", memoryOfSyclInHip},
                       {"memory of HIP in SYCL", memoryOfHipInSycl},
                       {"queue of SYCL in HIP", queueOfSyclInHip},
                       {"stream of HIP in SYCL", streamOfHipInSycl},
                       {"event of SYCL in HIP", eventOfSyclInHip},
                       {"event of HIP in SYCL", eventOfHipInSycl},
                       {"kernels of HIP in SYCL", kernelsOfHipInSycl},
                       {"kernels of SYCL in HIP", kernelsOfSyclInHip},
                       {"buffers of SYCL in HIP", buffersOfSyclInHip},
                       {"memory of HIP as a buffer", memoryOfHipAsABuffer}});
}
