// SPDX-License-Identifier: MIT
// zeInit and zeDriver*.
#include "base/driver_extensions.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/extensions.h"
#include "cpu/ddi/later_api.h"
#include "cpu/program/binary_format.h"
#include "cpu/program/compiler_process.h"
#include "cpu/program/host_processor.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <string>

namespace hiplz::cpu::ddi {
namespace {

// Drivers with one UUID make the same code of a module, so that a program may keep it.
ze_driver_uuid_t driverUuid() {
  static const ze_driver_uuid_t uuid = [] {
    const std::string id = compilerBuildId() + std::to_string(kBinaryVersion) + hostProcessorKey();
    const uint64_t hash = XXH3_64bits(id.data(), id.size());
    ze_driver_uuid_t made{};
    std::memcpy(made.id, "hiplzcpu", 8);
    std::memcpy(made.id + 8, &hash, sizeof hash);
    return made;
  }();
  return uuid;
}

} // namespace

ze_result_t init(ze_init_flags_t flags) {
  return guarded([&] {
    require(flags <= (ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY), ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(flags == 0 || (deviceType() == ZE_DEVICE_TYPE_GPU && (flags & ZE_INIT_FLAG_GPU_ONLY)),
            ZE_RESULT_ERROR_UNINITIALIZED, "the device is neither a GPU (HIPLZ_CPU_AS_GPU is not set) nor a VPU");
    Driver::initialise();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t driverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  return guarded([&] {
    Driver &driver = Driver::get();
    return listInto(count, drivers, 1, [&](uint32_t, ze_driver_handle_t &handle) { handle = driver.handle(); });
  });
}

ze_result_t driverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t *version) {
  return guarded([&] {
    Driver::from(driver);
    // The latest version that later_functions.def covers. Features of it that a processor lacks have queries that say so.
    deref(version) = static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 17));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t driverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t *properties) {
  return guarded([&] {
    Driver::from(driver);
    ze_driver_properties_t &out = deref(properties);
    out.uuid = driverUuid();
    out.driverVersion = HIPLZ_DRIVER_VERSION;
    if (auto *free = findInChain<ze_driver_memory_free_ext_properties_t>(
            out.pNext, ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES))
      free->freePolicies =
          ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE | ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t driverGetIpcProperties(ze_driver_handle_t driver, ze_driver_ipc_properties_t *properties) {
  return guarded([&] {
    Driver::from(driver);
    deref(properties).flags = ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t driverGetExtensionProperties(ze_driver_handle_t driver, uint32_t *count,
                                         ze_driver_extension_properties_t *properties) {
  static constexpr struct {
    const char *name;
    uint32_t version;
  } kExtensions[] = {
      {ZE_FLOAT_ATOMICS_EXT_NAME, ZE_FLOAT_ATOMICS_EXT_VERSION_CURRENT},
      {ZE_GLOBAL_OFFSET_EXP_NAME, ZE_GLOBAL_OFFSET_EXP_VERSION_CURRENT},
      {ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_CURRENT},
      {ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_VERSION_CURRENT},
      {ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_MEMORY_FREE_POLICIES_EXT_VERSION_CURRENT},
      {ZE_SUBGROUPS_EXT_NAME, ZE_SUBGROUP_EXT_VERSION_CURRENT},
      {ZE_EU_COUNT_EXT_NAME, ZE_EU_COUNT_EXT_VERSION_CURRENT},
      {ZE_IMAGE_COPY_EXT_NAME, ZE_IMAGE_COPY_EXT_VERSION_CURRENT},
      {ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME, ZE_IMAGE_MEMORY_PROPERTIES_EXP_VERSION_CURRENT},
      {ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME, ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_VERSION_CURRENT},
      {ZE_IMAGE_VIEW_EXP_NAME, ZE_IMAGE_VIEW_EXP_VERSION_CURRENT},
      {kImageViewExtension, ZE_MAKE_VERSION(1, 0)},
      {ZE_LINKAGE_INSPECTION_EXT_NAME, ZE_LINKAGE_INSPECTION_EXT_VERSION_CURRENT},
      {ZE_MODULE_PROGRAM_EXP_NAME, ZE_MODULE_PROGRAM_EXP_VERSION_CURRENT},
      {ZE_PCI_PROPERTIES_EXT_NAME, ZE_PCI_PROPERTIES_EXT_VERSION_CURRENT},
      {kImmediateAppendListsExtension, ZE_MAKE_VERSION(1, 0)},
      {kVectorSizesExtension, ZE_MAKE_VERSION(1, 0)},
      {kCloneExtension, ZE_MAKE_VERSION(1, 0)},
      {kMutableListsExtension, ZE_MAKE_VERSION(1, 1)},
      {kCounterPoolsExtension, ZE_MAKE_VERSION(1, 0)},
      {kKernelTimestampsExtension, ZE_MAKE_VERSION(1, 0)},
      {kIpcHandleTypeExtension, ZE_MAKE_VERSION(1, 0)},
      {kUsableMemoryExtension, ZE_MAKE_VERSION(1, 0)},
      {kCacheLineExtension, ZE_MAKE_VERSION(1, 0)},
      {kMaxGroupSizeExtension, ZE_MAKE_VERSION(1, 0)},
      {kReadOnlyMemoryExtension, ZE_MAKE_VERSION(1, 0)},
      {kImageFormatsExtension, ZE_MAKE_VERSION(1, 0)},
      {kAllocationLimitsExtension, ZE_MAKE_VERSION(1, 0)},
      {ZE_DEVICE_MEMORY_PROPERTIES_EXT_NAME, ZE_MAKE_VERSION(1, 0)},
      {kZeInOrderListsExtension, ZE_MAKE_VERSION(1, 0)},
      {kZeProcessorExtension, ZE_MAKE_VERSION(1, 0)},
      {kZeMachineCodeExtension, ZE_MAKE_VERSION(1, 0)},
      {kZeKernelsOnDemandExtension, ZE_MAKE_VERSION(1, 0)},
      {kZeQueueUnitsExtension, ZE_MAKE_VERSION(1, 0)},
      {kZeFaultReportsExtension, ZE_MAKE_VERSION(1, 0)},
  };
  return guarded([&] {
    Driver::from(driver);
    return listInto(count, properties, std::size(kExtensions),
                    [](uint32_t index, ze_driver_extension_properties_t &out) {
                      std::strncpy(out.name, kExtensions[index].name, sizeof out.name - 1);
                      out.name[sizeof out.name - 1] = '\0';
                      out.version = kExtensions[index].version;
                    });
  });
}

ze_result_t driverGetExtensionFunctionAddress(ze_driver_handle_t driver, const char *name, void **address) {
  return guarded([&] {
    Driver::from(driver);
    const char *wanted = &deref(name);
    void *&out = deref(address);
    out = findExtensionFunction(wanted);
    return out ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

} // namespace hiplz::cpu::ddi
