// SPDX-License-Identifier: MIT
// Level Zero without HIP, on the device that HIP shows as its first: what the benchmarks compare HIP with.
#pragma once

#include <hip/hip_runtime.h>
#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

inline void check(bool good, const char *what) {
  if (!good) {
    std::fprintf(stderr, "%s failed\n", what);
    std::exit(1);
  }
}
#define HIP(call) check((call) == hipSuccess, #call)
#define ZE(call) check((call) == ZE_RESULT_SUCCESS, #call)

/// The same device as HIP's device 0, driven directly: immediate lists and the kernels of empty.cl.
struct Raw {
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_command_list_handle_t list;
  ze_command_list_handle_t ordered; // keeps the order of its commands, as a stream of HIP; `list` where lists always do
  ze_kernel_handle_t empty, oneArg, fourArgs, fourPointers, sixteenArgs;
  ze_event_handle_t event, orderedEvent; // Intel's driver wants an event to stay with one of the lists

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
    ze_command_queue_desc_t queueDesc{
        ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    ZE(zeCommandListCreateImmediate(context, device, &queueDesc, &list));
    ordered = list;
    queueDesc.flags = ZE_BIT(1); // ZE_COMMAND_QUEUE_FLAG_IN_ORDER of specification 1.6
    ze_api_version_t version;
    ZE(zeDriverGetApiVersion(driver, &version));
    if (version >= ZE_MAKE_VERSION(1, 6))
      ZE(zeCommandListCreateImmediate(context, device, &queueDesc, &ordered));
    std::ifstream file(EMPTY_SPV, std::ios::binary);
    std::vector<char> spirv((std::istreambuf_iterator<char>(file)), {});
    ze_module_desc_t moduleDesc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                                nullptr,
                                ZE_MODULE_FORMAT_IL_SPIRV,
                                spirv.size(),
                                reinterpret_cast<uint8_t *>(spirv.data()),
                                nullptr,
                                nullptr};
    ze_module_handle_t module;
    ZE(zeModuleCreate(context, device, &moduleDesc, &module, nullptr));
    empty = kernel(module, "empty");
    oneArg = kernel(module, "one_arg");
    fourArgs = kernel(module, "four_args");
    fourPointers = kernel(module, "four_pointers");
    sixteenArgs = kernel(module, "sixteen_args");
    ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2};
    ze_event_pool_handle_t pool;
    ZE(zeEventPoolCreate(context, &poolDesc, 1, &device, &pool));
    ze_event_desc_t eventDesc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST,
                              ZE_EVENT_SCOPE_FLAG_HOST};
    ZE(zeEventCreate(pool, &eventDesc, &event));
    eventDesc.index = 1;
    ZE(zeEventCreate(pool, &eventDesc, &orderedEvent));
  }

  static ze_kernel_handle_t kernel(ze_module_handle_t module, const char *name) {
    ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t handle;
    ZE(zeKernelCreate(module, &desc, &handle));
    ZE(zeKernelSetGroupSize(handle, 1, 1, 1));
    return handle;
  }

  void drain() { drain(list, event); }
  void drainOrdered() { drain(ordered, orderedEvent); }

private:
  static void drain(ze_command_list_handle_t list, ze_event_handle_t event) {
    ZE(zeCommandListAppendBarrier(list, event, 0, nullptr));
    ZE(zeEventHostSynchronize(event, UINT64_MAX));
    ZE(zeEventHostReset(event));
  }
};

inline Raw &raw() {
  static Raw instance;
  return instance;
}

} // namespace
