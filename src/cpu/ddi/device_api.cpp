// SPDX-License-Identifier: MIT
// zeDevice*.
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/external_memory.h"
#include "cpu/ddi/later_types.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/scheduler.h"

#include <cstring>

namespace hiplz::cpu::ddi {
namespace {
constexpr ze_memory_access_cap_flags_t kAllAccess = ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC |
                                                    ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT |
                                                    ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
} // namespace

ze_result_t deviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices) {
  return guarded([&] {
    auto &all = Driver::from(driver).devices();
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

// There is no fabric.
ze_result_t deviceGetFabricVertexExp(ze_device_handle_t device, ze_fabric_vertex_handle_t *vertex) {
  return guarded([&] {
    Device::from(device);
    deref(vertex) = nullptr;
    return ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX;
  });
}

ze_result_t fabricVertexGetExp(ze_driver_handle_t driver, uint32_t *count, ze_fabric_vertex_handle_t *vertices) {
  return guarded([&] {
    Driver::from(driver);
    return listInto(count, vertices, 0, [](uint32_t, ze_fabric_vertex_handle_t &) {});
  });
}

ze_result_t deviceGetProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    ze_device_properties_t &out = deref(properties);
    object.getProperties(out);
    if (auto *count = findInChain<ze_eu_count_ext_t>(out.pNext, ZE_STRUCTURE_TYPE_EU_COUNT_EXT))
      count->numTotalEUs = Scheduler::get().threadCount();
    if (auto *lists = findInChain<MutableListProperties>(out.pNext, MutableListProperties::kType)) {
      lists->listFlags = 0;
      lists->commandFlags = kMutableFlags;
    }
    if (auto *stamps = findInChain<KernelTimestampsProperties>(out.pNext, KernelTimestampsProperties::kType))
      stamps->flags = KernelTimestampsProperties::kKernel | KernelTimestampsProperties::kSynchronized;
    if (auto *events = findInChain<EventProperties>(out.pNext, EventProperties::kType))
      events->flags = 0;
    if (auto *readOnly = findInChain<ReadOnlyMemoryProperties>(out.pNext, ReadOnlyMemoryProperties::kType))
      readOnly->capability = ReadOnlyMemoryProperties::kEnforced;
    if (auto *memory = findInChain<UsableMemoryProperties>(out.pNext, UsableMemoryProperties::kType))
      memory->bytes = object.freeMemory();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetComputeProperties(ze_device_handle_t device, ze_device_compute_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    ze_device_compute_properties_t &out = deref(properties);
    out.maxTotalGroupSize = kMaxGroupItems;
    out.maxGroupSizeX = out.maxGroupSizeY = out.maxGroupSizeZ = kMaxGroupItems;
    out.maxGroupCountX = out.maxGroupCountY = out.maxGroupCountZ = kMaxGroupCount;
    out.maxSharedLocalMemory = kMaxLocalBytes;
    out.numSubGroupSizes = 1;
    std::fill(std::begin(out.subGroupSizes), std::end(out.subGroupSizes), 0);
    out.subGroupSizes[0] = kSubgroupSize;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetModuleProperties(ze_device_handle_t device, ze_device_module_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    ze_device_module_properties_t &out = deref(properties);
    constexpr ze_device_fp_flags_t kFull = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN |
                                           ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST | ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO |
                                           ZE_DEVICE_FP_FLAG_ROUND_TO_INF | ZE_DEVICE_FP_FLAG_FMA |
                                           ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
    out.spirvVersionSupported = ZE_MAKE_VERSION(1, 3);
    out.flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
    out.fp16flags = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST;
    out.fp32flags = out.fp64flags = kFull;
    out.maxArgumentsSize = kMaxArgumentBytes;
    out.printfBufferSize = kPrintBytes;
    out.nativeKernelSupported = {};
    if (auto *atomics =
            findInChain<ze_float_atomic_ext_properties_t>(out.pNext, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)) {
      constexpr ze_device_fp_atomic_ext_flags_t kSums =
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD;
      constexpr ze_device_fp_atomic_ext_flags_t kOthers =
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE |
          ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
      atomics->fp32Flags = atomics->fp64Flags = kOthers | kSums;
      atomics->fp16Flags = kOthers; // the SPIR-V of sums of halfs is not read
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t *count,
                                                 ze_command_queue_group_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    return listInto(count, properties, kQueueGroups, [](uint32_t ordinal, ze_command_queue_group_properties_t &out) {
      out.flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
      if (ordinal == kGeneralGroup)
        out.flags |=
            ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
      out.maxMemoryFillPatternSize = kMaxFillPattern;
      out.numQueues = queuesOfGroup(ordinal);
    });
  });
}

ze_result_t deviceGetMemoryProperties(ze_device_handle_t device, uint32_t *count,
                                      ze_device_memory_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    return listInto(count, properties, 1, [&](uint32_t, ze_device_memory_properties_t &out) {
      out.flags = 0;
      out.maxClockRate = memoryMegahertz();
      out.maxBusWidth = 64;
      out.totalSize = object.memoryLimit();
      std::strncpy(out.name, "main memory", sizeof out.name);
      if (auto *more = findInChain<ze_device_memory_ext_properties_t>(out.pNext,
                                                                      ZE_STRUCTURE_TYPE_DEVICE_MEMORY_EXT_PROPERTIES)) {
        more->type = ZE_DEVICE_MEMORY_EXT_TYPE_DDR;
        more->physicalSize = Driver::get().budget().total();
        more->readBandwidth = more->writeBandwidth = 0;
        more->bandwidthUnit = ZE_BANDWIDTH_UNIT_UNKNOWN;
      }
    });
  });
}

ze_result_t deviceGetMemoryAccessProperties(ze_device_handle_t device,
                                            ze_device_memory_access_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    ze_device_memory_access_properties_t &out = deref(properties);
    out.hostAllocCapabilities = out.deviceAllocCapabilities = kAllAccess;
    out.sharedSingleDeviceAllocCapabilities = out.sharedCrossDeviceAllocCapabilities = kAllAccess;
    out.sharedSystemAllocCapabilities = kAllAccess;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetCacheProperties(ze_device_handle_t device, uint32_t *count,
                                     ze_device_cache_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    return listInto(count, properties, 1, [](uint32_t, ze_device_cache_properties_t &out) {
      out.flags = 0;
      out.cacheSize = cacheBytes();
      if (auto *line = findInChain<CacheLineProperties>(out.pNext, CacheLineProperties::kType))
        line->bytes = 64; // of every x86-64 processor
    });
  });
}

ze_result_t deviceGetExternalMemoryProperties(ze_device_handle_t device,
                                              ze_device_external_memory_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    ze_device_external_memory_properties_t &out = deref(properties);
    out.memoryAllocationImportTypes = out.memoryAllocationExportTypes = kExternalMemoryTypes;
    out.imageImportTypes = out.imageExportTypes = kExternalMemoryTypes;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetP2PProperties(ze_device_handle_t device, ze_device_handle_t peer,
                                   ze_device_p2p_properties_t *properties) {
  return guarded([&] {
    Device::from(device);
    Device::from(peer);
    deref(properties).flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
    return ZE_RESULT_SUCCESS;
  });
}

// Programs tell devices apart by their address, so each has one, in a domain that real buses do not have.
ze_result_t devicePciGetPropertiesExt(ze_device_handle_t device, ze_pci_ext_properties_t *properties) {
  return guarded([&] {
    const Device &object = Device::from(device);
    ze_pci_ext_properties_t &out = deref(properties);
    out.address = {0xffff, object.index(), 0, 0};
    out.maxSpeed = {-1, -1, -1}; // not known
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceCanAccessPeer(ze_device_handle_t device, ze_device_handle_t peer, ze_bool_t *value) {
  return guarded([&] {
    Device::from(device);
    Device::from(peer);
    deref(value) = true;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t deviceGetStatus(ze_device_handle_t device) {
  return guarded(
      [&] { return Device::from(device).lostContexts.load() > 0 ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS; });
}

ze_result_t deviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t *host, uint64_t *deviceTime) {
  return guarded([&] {
    Device::from(device);
    deref(host);
    deref(deviceTime) = *host = now();
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::cpu::ddi
