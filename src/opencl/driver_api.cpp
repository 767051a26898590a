// SPDX-License-Identifier: MIT
// zeInit, zeDriver* and zeDevice*.
#include "base/driver_extensions.h"
#include "driver/tables.h"
#include "opencl/entry_points.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace hiplz::opencl {
namespace {

// OpenCL has no groups of queues and makes as many queues as one likes.
constexpr uint32_t kQueues = 8;
constexpr size_t kMostPattern = 128;

/// The same for every kind of memory that kernels and the host share.
ze_memory_access_cap_flags_t svmFlags(const Device &device) {
  const auto given = device.info<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES);
  ze_memory_access_cap_flags_t flags = ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT;
  if (given & CL_DEVICE_SVM_ATOMICS || device.isCpu())
    flags |= ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  return flags;
}

ze_memory_access_cap_flags_t accessFlags(const Device &device, cl_device_info what) {
  const auto given = device.info<cl_bitfield>(what);
  ze_memory_access_cap_flags_t flags = 0;
  for (const auto &[from, to] :
       {std::pair(CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL, ZE_MEMORY_ACCESS_CAP_FLAG_RW),
        std::pair(CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL, ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC),
        std::pair(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL, ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT),
        std::pair(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL,
                  ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC)})
    if (given & static_cast<cl_bitfield>(from))
      flags |= to;
  // Memory of a processor is the same for kernels and the host, though Intel's runtime does not say so.
  if (device.isCpu() && flags & ZE_MEMORY_ACCESS_CAP_FLAG_RW)
    flags |= ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT |
             ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  return flags;
}

ze_device_fp_flags_t floatFlags(cl_device_fp_config config) {
  ze_device_fp_flags_t flags = 0;
  for (const auto &[from, to] :
       {std::pair(CL_FP_DENORM, ZE_DEVICE_FP_FLAG_DENORM), std::pair(CL_FP_INF_NAN, ZE_DEVICE_FP_FLAG_INF_NAN),
        std::pair(CL_FP_ROUND_TO_NEAREST, ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST),
        std::pair(CL_FP_ROUND_TO_ZERO, ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO),
        std::pair(CL_FP_ROUND_TO_INF, ZE_DEVICE_FP_FLAG_ROUND_TO_INF), std::pair(CL_FP_FMA, ZE_DEVICE_FP_FLAG_FMA),
        std::pair(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT)})
    if (config & static_cast<cl_device_fp_config>(from))
      flags |= to;
  return flags;
}

/// The newest version of SPIR-V in a list such as "SPIR-V_1.0 SPIR-V_1.2".
uint32_t newestSpirv(const std::string &list) {
  constexpr std::string_view kPrefix = "SPIR-V_1.";
  uint32_t minor = 0;
  for (size_t at = list.find(kPrefix); at != std::string::npos; at = list.find(kPrefix, at + 1))
    minor = std::max(minor, static_cast<uint32_t>(std::strtoul(list.c_str() + at + kPrefix.size(), nullptr, 10)));
  return ZE_MAKE_VERSION(1, minor);
}

} // namespace

ze_result_t init(ze_init_flags_t flags) {
  return guarded([&] {
    require(flags <= (ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    const auto isWanted = [&](const auto &device) {
      return flags == 0 || (flags & ZE_INIT_FLAG_GPU_ONLY && device->isGpu());
    };
    const bool any = std::ranges::any_of(
        Driver::all(), [&](const auto &driver) { return std::ranges::any_of(driver->devices(), isWanted); });
    require(any, ZE_RESULT_ERROR_UNINITIALIZED, "OpenCL has no device that takes SPIR-V and has unified shared memory");
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t driverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  return guarded([&] {
    const auto all = Driver::all();
    return listInto(count, drivers, all.size(),
                    [&](uint32_t index, ze_driver_handle_t &handle) { handle = all[index]->handle(); });
  });
}

ze_result_t driverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t *version) {
  return tell<Driver>(driver, version, [](const Driver &) { return ZE_API_VERSION_1_4; });
}

ze_result_t driverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t *properties) {
  return guarded([&] {
    Driver::from(driver);
    ze_driver_properties_t &out = deref(properties);
    out.uuid = {};
    std::memcpy(out.uuid.id, "hiplzopencl", 11);
    out.driverVersion = HIPLZ_DRIVER_VERSION;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t driverGetIpcProperties(ze_driver_handle_t driver, ze_driver_ipc_properties_t *properties) {
  return guarded([&] {
    Driver::from(driver);
    deref(properties).flags = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t driverGetExtensionProperties(ze_driver_handle_t driver, uint32_t *count,
                                         ze_driver_extension_properties_t *properties) {
  static constexpr struct {
    const char *name;
    uint32_t version;
  } kExtensions[] = {{ZE_GLOBAL_OFFSET_EXP_NAME, ZE_GLOBAL_OFFSET_EXP_VERSION_CURRENT},
                     {kImmediateAppendLists, ZE_MAKE_VERSION(1, 0)},
                     {kZeInOrderListsExtension, ZE_MAKE_VERSION(1, 0)},
                     {kZeOpenclExtension, ZE_MAKE_VERSION(1, 0)}};
  return guarded([&] {
    Driver::from(driver);
    return listInto(count, properties, std::size(kExtensions),
                    [](uint32_t index, ze_driver_extension_properties_t &out) {
                      std::memset(out.name, 0, sizeof out.name);
                      std::strncpy(out.name, kExtensions[index].name, sizeof out.name - 1);
                      out.version = kExtensions[index].version;
                    });
  });
}

ze_result_t driverGetExtensionFunctionAddress(ze_driver_handle_t driver, const char *name, void **address) {
  return guarded([&] {
    Driver::from(driver);
    deref(address) = driver::findLaterFunction(&deref(name));
    return *address ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t driverGetLastErrorDescription(ze_driver_handle_t driver, const char **text) {
  return guarded([&] {
    Driver::from(driver);
    deref(text) = driver::lastErrorText();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices) {
  return guarded([&] {
    const auto &all = Driver::from(driver).devices();
    return listInto(count, devices, all.size(),
                    [&](uint32_t index, ze_device_handle_t &handle) { handle = all[index]->handle(); });
  });
}

ze_result_t deviceGetSubDevices(ze_device_handle_t device, uint32_t *count, ze_device_handle_t *devices) {
  return guarded([&] {
    Device::from(device);
    return listInto(count, devices, 0, [](uint32_t, ze_device_handle_t &) {});
  });
}

ze_result_t deviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
  return guarded([&] {
    Device::from(device).getProperties(deref(properties));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetComputeProperties(ze_device_handle_t device, ze_device_compute_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    ze_device_compute_properties_t &out = deref(properties);
    struct Sizes {
      size_t size[3];
    };
    const auto items = object.info<Sizes>(CL_DEVICE_MAX_WORK_ITEM_SIZES);
    out.maxTotalGroupSize = static_cast<uint32_t>(object.info<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE));
    out.maxGroupSizeX = static_cast<uint32_t>(items.size[0]);
    out.maxGroupSizeY = static_cast<uint32_t>(items.size[1]);
    out.maxGroupSizeZ = static_cast<uint32_t>(items.size[2]);
    out.maxGroupCountX = out.maxGroupCountY = out.maxGroupCountZ = UINT32_MAX;
    out.maxSharedLocalMemory = static_cast<uint32_t>(object.info<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE));
    const std::vector<uint32_t> sizes = object.subgroupSizes();
    std::fill(std::begin(out.subGroupSizes), std::end(out.subGroupSizes), 0);
    out.numSubGroupSizes = static_cast<uint32_t>(std::min(sizes.size(), std::size(out.subGroupSizes)));
    std::copy_n(sizes.begin(), out.numSubGroupSizes, out.subGroupSizes);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetModuleProperties(ze_device_handle_t device, ze_device_module_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    ze_device_module_properties_t &out = deref(properties);
    out.spirvVersionSupported = newestSpirv(object.text(CL_DEVICE_IL_VERSION));
    const Abilities &abilities = object.abilities();
    out.fp64flags = abilities.doubles ? floatFlags(object.info<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG)) : 0;
    out.fp32flags = floatFlags(object.info<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG));
    out.fp16flags = abilities.halfs ? floatFlags(object.info<cl_device_fp_config>(CL_DEVICE_HALF_FP_CONFIG)) : 0;
    out.flags = (abilities.doubles ? ZE_DEVICE_MODULE_FLAG_FP64 : 0) |
                (abilities.halfs ? ZE_DEVICE_MODULE_FLAG_FP16 : 0) |
                (abilities.atomics64 ? ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS : 0);
    out.maxArgumentsSize = static_cast<uint32_t>(object.info<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE));
    out.printfBufferSize = static_cast<uint32_t>(object.info<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE));
    out.nativeKernelSupported = {};
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t *count,
                                                 ze_command_queue_group_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    return listInto(count, properties, 1, [](uint32_t, ze_command_queue_group_properties_t &out) {
      out.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
      out.maxMemoryFillPatternSize = kMostPattern;
      out.numQueues = kQueues;
    });
  });
}

ze_result_t deviceGetMemoryProperties(ze_device_handle_t device, uint32_t *count,
                                      ze_device_memory_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    return listInto(count, properties, 1, [&](uint32_t, ze_device_memory_properties_t &out) {
      out.flags = 0;
      out.maxClockRate = out.maxBusWidth = 0; // OpenCL does not say
      out.totalSize = object.info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
      std::memset(out.name, 0, sizeof out.name);
      std::strncpy(out.name, "global memory", sizeof out.name - 1);
    });
  });
}

ze_result_t deviceGetMemoryAccessProperties(ze_device_handle_t device,
                                            ze_device_memory_access_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    ze_device_memory_access_properties_t &out = deref(properties);
    if (const MemoryAccess access = object.driver.memoryAccess(); access != MemoryAccess::unified) {
      const ze_memory_access_cap_flags_t shared = access == MemoryAccess::fineSvm ? svmFlags(object) : 0;
      out.deviceAllocCapabilities = shared | ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
      out.hostAllocCapabilities = out.sharedSingleDeviceAllocCapabilities = out.sharedCrossDeviceAllocCapabilities =
          shared;
      out.sharedSystemAllocCapabilities = object.reachesAllMemory() ? shared : 0;
      return ZE_RESULT_SUCCESS;
    }
    out.hostAllocCapabilities = accessFlags(object, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL);
    out.deviceAllocCapabilities = accessFlags(object, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL);
    out.sharedSingleDeviceAllocCapabilities =
        accessFlags(object, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    out.sharedCrossDeviceAllocCapabilities = accessFlags(object, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    out.sharedSystemAllocCapabilities = accessFlags(object, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL);
    // PoCL says it of shared virtual memory only, which is the same addresses.
    if (object.isCpu() && object.info<cl_bitfield>(CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)
      out.sharedSystemAllocCapabilities = out.hostAllocCapabilities;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetCacheProperties(ze_device_handle_t device, uint32_t *count,
                                     ze_device_cache_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    return listInto(count, properties, 1, [&](uint32_t, ze_device_cache_properties_t &out) {
      out.flags = 0;
      out.cacheSize = object.info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    });
  });
}

ze_result_t deviceGetExternalMemoryProperties(ze_device_handle_t device,
                                              ze_device_external_memory_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    ze_device_external_memory_properties_t &out = deref(properties);
    out.memoryAllocationImportTypes = out.memoryAllocationExportTypes = 0;
    out.imageImportTypes = out.imageExportTypes = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetP2PProperties(ze_device_handle_t device, ze_device_handle_t peer,
                                   ze_device_p2p_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    Device::from(peer);
    deref(properties).flags = 0;
    return ZE_RESULT_SUCCESS;
  });
}

// Unified shared memory of one device is not for another.
ze_result_t deviceCanAccessPeer(ze_device_handle_t device, ze_device_handle_t peer, ze_bool_t *value) {
  return guarded([&] {
    deref(value) = &Device::from(device) == &Device::from(peer);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetStatus(ze_device_handle_t device) {
  return guarded([&] {
    return Device::from(device).info<cl_bool>(CL_DEVICE_AVAILABLE) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_DEVICE_LOST;
  });
}

ze_result_t deviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t *host, uint64_t *deviceTime) {
  return guarded([&] {
    const Device &object = Device::from(device);
    deref(host);
    deref(deviceTime) = object.now();
    *host = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::opencl
