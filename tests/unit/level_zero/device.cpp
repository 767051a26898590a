// SPDX-License-Identifier: MIT
// The driver of the fake, its devices, and contexts.
#include "base/driver_extensions.h"
#include "lz/core/later_properties.h"
#include "lz/core/mutable_lists.h"
#include "objects.h"

#include <algorithm>
#include <cstdio>

namespace fake_ze {
namespace {

constexpr uint64_t kMemoryBytes = uint64_t{1} << 30;
int driverObject;
char deviceObjects[8];

ze_driver_handle_t theDriver() { return reinterpret_cast<ze_driver_handle_t>(&driverObject); }

bool isDevice(const void *handle) {
  return handle >= deviceObjects && handle < deviceObjects + std::min<size_t>(driver().devices, sizeof deviceObjects);
}

/// An answer of one value to a question that is asked twice.
template <class Value, class Fill> ze_result_t answer(uint32_t available, uint32_t *count, Value *values, Fill fill) {
  if (*count == 0 || !values) {
    *count = available;
    return ZE_RESULT_SUCCESS;
  }
  *count = std::min(*count, available);
  for (uint32_t i = 0; i < *count; ++i)
    fill(values[i], i);
  return ZE_RESULT_SUCCESS;
}

/// Properties keep what connects them with others.
template <class Properties> void set(Properties &to, Properties from) {
  from.stype = to.stype;
  from.pNext = to.pNext;
  to = from;
}

std::vector<const char *> extensions() {
  if (!driver().newer)
    return {};
  return {hiplz::kZeAppendCommandListsExtension, hiplz::kZeMutableListsExtension};
}

} // namespace

namespace calls {

ze_result_t zeInit(ze_init_flags_t) { return ZE_RESULT_SUCCESS; }

ze_result_t zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  return answer(1, count, drivers, [](ze_driver_handle_t &to, uint32_t) { to = theDriver(); });
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t, ze_api_version_t *version) {
  *version = static_cast<ze_api_version_t>(driver().newer ? ZE_MAKE_VERSION(1, 13) : ZE_MAKE_VERSION(1, 4));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t, ze_driver_properties_t *properties) {
  properties->driverVersion = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t, uint32_t *count,
                                           ze_driver_extension_properties_t *properties) {
  const auto all = extensions();
  return answer(static_cast<uint32_t>(all.size()), count, properties, [&](auto &to, uint32_t i) {
    std::snprintf(to.name, sizeof to.name, "%s", all[i]);
    to.version = 1;
  });
}

ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t, const char *name, void **function) {
  *function = driver().newer || std::string(name).starts_with("zexDriver") ? extension(name) : nullptr;
  return *function ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zeDeviceGet(ze_driver_handle_t, uint32_t *count, ze_device_handle_t *devices) {
  return answer(driver().devices, count, devices, [](ze_device_handle_t &to, uint32_t i) {
    to = reinterpret_cast<ze_device_handle_t>(&deviceObjects[i]);
  });
}

ze_result_t zeDeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
  if (!isDevice(device))
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  ze_device_properties_t values{};
  values.type = ZE_DEVICE_TYPE_GPU;
  values.vendorId = 0x4c5a;
  values.maxMemAllocSize = kMemoryBytes;
  values.numThreadsPerEU = 8;
  values.physicalEUSimdWidth = 8;
  values.numEUsPerSubslice = 8;
  values.numSubslicesPerSlice = 2;
  values.numSlices = 1;
  values.timerResolution = 1'000'000'000;
  values.timestampValidBits = values.kernelTimestampValidBits = 64;
  values.uuid.id[0] = static_cast<uint8_t>(1 + (reinterpret_cast<char *>(device) - deviceObjects));
  std::snprintf(values.name, sizeof values.name, "fake");
  set(*properties, values);
  for (auto *next = static_cast<ze_base_properties_t *>(properties->pNext); next;
       next = static_cast<ze_base_properties_t *>(next->pNext))
    if (next->stype == hiplz::ZeMutableListProperties::kType)
      reinterpret_cast<hiplz::ZeMutableListProperties *>(next)->commandFlags =
          hiplz::kZeMutableArguments | hiplz::kZeMutableGroupCount | hiplz::kZeMutableGroupSize;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetComputeProperties(ze_device_handle_t, ze_device_compute_properties_t *properties) {
  ze_device_compute_properties_t values{};
  values.maxTotalGroupSize = values.maxGroupSizeX = values.maxGroupSizeY = values.maxGroupSizeZ = 1024;
  values.maxGroupCountX = values.maxGroupCountY = values.maxGroupCountZ = UINT32_MAX;
  values.maxSharedLocalMemory = 64 << 10;
  values.numSubGroupSizes = 1;
  values.subGroupSizes[0] = 32;
  set(*properties, values);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetModuleProperties(ze_device_handle_t, ze_device_module_properties_t *properties) {
  ze_device_module_properties_t values{};
  values.spirvVersionSupported = ZE_MAKE_VERSION(1, 3);
  values.flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  values.maxArgumentsSize = 2048;
  set(*properties, values);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryAccessProperties(ze_device_handle_t, ze_device_memory_access_properties_t *properties) {
  ze_device_memory_access_properties_t values{};
  values.hostAllocCapabilities = values.deviceAllocCapabilities = values.sharedSingleDeviceAllocCapabilities =
      values.sharedCrossDeviceAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
  set(*properties, values);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryProperties(ze_device_handle_t, uint32_t *count,
                                        ze_device_memory_properties_t *properties) {
  return answer(1, count, properties, [](auto &to, uint32_t) {
    ze_device_memory_properties_t values{};
    values.totalSize = kMemoryBytes;
    set(to, values);
  });
}

ze_result_t zeDeviceGetCacheProperties(ze_device_handle_t, uint32_t *count, ze_device_cache_properties_t *properties) {
  return answer(1, count, properties, [](auto &to, uint32_t) { to.cacheSize = 1 << 20; });
}

ze_result_t zeDeviceGetCommandQueueGroupProperties(ze_device_handle_t, uint32_t *count,
                                                   ze_command_queue_group_properties_t *properties) {
  return answer(1, count, properties, [](auto &to, uint32_t) {
    ze_command_queue_group_properties_t values{};
    values.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
                   ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
    values.numQueues = 4;
    set(to, values);
  });
}

ze_result_t zeDeviceGetExternalMemoryProperties(ze_device_handle_t,
                                                ze_device_external_memory_properties_t *properties) {
  properties->memoryAllocationImportTypes = properties->memoryAllocationExportTypes =
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDevicePciGetPropertiesExt(ze_device_handle_t device, ze_pci_ext_properties_t *properties) {
  ze_pci_ext_properties_t values{};
  values.address.device = static_cast<uint32_t>(reinterpret_cast<char *>(device) - deviceObjects);
  set(*properties, values);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(ze_device_handle_t, ze_device_handle_t, ze_bool_t *can) {
  *can = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetP2PProperties(ze_device_handle_t, ze_device_handle_t, ze_device_p2p_properties_t *properties) {
  properties->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetGlobalTimestamps(ze_device_handle_t, uint64_t *host, uint64_t *device) {
  *host = *device = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextCreate(ze_driver_handle_t, const ze_context_desc_t *, ze_context_handle_t *context) {
  const std::lock_guard lock(state().mutex);
  *context = reinterpret_cast<ze_context_handle_t>(&makeLocked<Context>());
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextDestroy(ze_context_handle_t handle) {
  std::unique_lock<std::mutex> lock;
  Context *context = begin<Context>(lock, handle);
  if (!context)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  buryLocked(*context);
  for (const auto &[other, object] : state().alive)
    noteMistake(std::string("there is still a ") + object->kind);
  return ZE_RESULT_SUCCESS;
}

// The runtime creates none of these; it takes them from the application.
ze_result_t zeFenceDestroy(ze_fence_handle_t) {
  noteMistake("there is no fence");
  return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}
ze_result_t zeSamplerDestroy(ze_sampler_handle_t) {
  noteMistake("there is no sampler");
  return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

} // namespace calls
} // namespace fake_ze
