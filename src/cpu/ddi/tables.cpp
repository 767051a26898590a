// SPDX-License-Identifier: MIT
// The functions that the loader looks up in this library. Each fills one table of entry points; that is all the library
// exports. Entries for what the driver does not offer report that.
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_tables.h"

#include <level_zero/ze_ddi.h>

namespace {

template <class... Args> ze_result_t reportUnsupported(Args...) { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }

template <class... Args> void unsupported(ze_result_t (*&entry)(Args...)) { entry = reportUnsupported<Args...>; }

/// Fills the table of a loader that knows version 1.4, the version of Debian 12's headers, or a later one. What later
/// versions have added follows behind the last entry of 1.4 (later_tables.h).
template <class Table, class Fill> ze_result_t fillTable(ze_api_version_t version, Table *table, Fill fill) {
  if (!table)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(version) != ZE_MAJOR_VERSION(ZE_API_VERSION_1_4) || version < ZE_API_VERSION_1_4)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  fill(*table);
  return ZE_RESULT_SUCCESS;
}

} // namespace

using namespace hiplz::cpu;

extern "C" {

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetGlobalProcAddrTable(ze_api_version_t version, ze_global_dditable_t *table) {
  return fillTable(version, table, [&](ze_global_dditable_t &entries) {
    entries.pfnInit = ddi::init;
    ddi::fillLaterEntries("Global", version, &entries.pfnInit + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetDriverProcAddrTable(ze_api_version_t version, ze_driver_dditable_t *table) {
  return fillTable(version, table, [&](ze_driver_dditable_t &entries) {
    entries.pfnGet = ddi::driverGet;
    entries.pfnGetApiVersion = ddi::driverGetApiVersion;
    entries.pfnGetProperties = ddi::driverGetProperties;
    entries.pfnGetIpcProperties = ddi::driverGetIpcProperties;
    entries.pfnGetExtensionProperties = ddi::driverGetExtensionProperties;
    entries.pfnGetExtensionFunctionAddress = ddi::driverGetExtensionFunctionAddress;
    ddi::fillLaterEntries("Driver", version, &entries.pfnGetExtensionFunctionAddress + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetDeviceProcAddrTable(ze_api_version_t version, ze_device_dditable_t *table) {
  return fillTable(version, table, [&](ze_device_dditable_t &entries) {
    entries.pfnGet = ddi::deviceGet;
    entries.pfnGetSubDevices = ddi::deviceGetSubDevices;
    entries.pfnGetProperties = ddi::deviceGetProperties;
    entries.pfnGetComputeProperties = ddi::deviceGetComputeProperties;
    entries.pfnGetModuleProperties = ddi::deviceGetModuleProperties;
    entries.pfnGetCommandQueueGroupProperties = ddi::deviceGetCommandQueueGroupProperties;
    entries.pfnGetMemoryProperties = ddi::deviceGetMemoryProperties;
    entries.pfnGetMemoryAccessProperties = ddi::deviceGetMemoryAccessProperties;
    entries.pfnGetCacheProperties = ddi::deviceGetCacheProperties;
    entries.pfnGetImageProperties = ddi::deviceGetImageProperties;
    entries.pfnGetExternalMemoryProperties = ddi::deviceGetExternalMemoryProperties;
    entries.pfnGetP2PProperties = ddi::deviceGetP2PProperties;
    entries.pfnCanAccessPeer = ddi::deviceCanAccessPeer;
    entries.pfnGetStatus = ddi::deviceGetStatus;
    entries.pfnGetGlobalTimestamps = ddi::deviceGetGlobalTimestamps;
    unsupported(entries.pfnReserveCacheExt);
    unsupported(entries.pfnSetCacheAdviceExt);
    entries.pfnPciGetPropertiesExt = ddi::devicePciGetPropertiesExt;
    ddi::fillLaterEntries("Device", version, &entries.pfnPciGetPropertiesExt + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetDeviceExpProcAddrTable(ze_api_version_t version,
                                                                ze_device_exp_dditable_t *table) {
  return fillTable(version, table, [](ze_device_exp_dditable_t &entries) {
    entries.pfnGetFabricVertexExp = ddi::deviceGetFabricVertexExp;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetContextProcAddrTable(ze_api_version_t version, ze_context_dditable_t *table) {
  return fillTable(version, table, [](ze_context_dditable_t &entries) {
    entries.pfnCreate = ddi::contextCreate;
    entries.pfnDestroy = ddi::contextDestroy;
    entries.pfnGetStatus = ddi::contextGetStatus;
    entries.pfnSystemBarrier = ddi::contextSystemBarrier;
    entries.pfnMakeMemoryResident = ddi::contextMakeMemoryResident;
    entries.pfnEvictMemory = ddi::contextEvictMemory;
    entries.pfnMakeImageResident = ddi::contextMakeImageResident;
    entries.pfnEvictImage = ddi::contextEvictImage;
    entries.pfnCreateEx = ddi::contextCreateEx;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetCommandQueueProcAddrTable(ze_api_version_t version,
                                                                   ze_command_queue_dditable_t *table) {
  return fillTable(version, table, [&](ze_command_queue_dditable_t &entries) {
    entries.pfnCreate = ddi::commandQueueCreate;
    entries.pfnDestroy = ddi::commandQueueDestroy;
    entries.pfnExecuteCommandLists = ddi::commandQueueExecuteCommandLists;
    entries.pfnSynchronize = ddi::commandQueueSynchronize;
    ddi::fillLaterEntries("CommandQueue", version, &entries.pfnSynchronize + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetCommandListProcAddrTable(ze_api_version_t version,
                                                                  ze_command_list_dditable_t *table) {
  return fillTable(version, table, [&](ze_command_list_dditable_t &entries) {
    entries.pfnCreate = ddi::commandListCreate;
    entries.pfnCreateImmediate = ddi::commandListCreateImmediate;
    entries.pfnDestroy = ddi::commandListDestroy;
    entries.pfnClose = ddi::commandListClose;
    entries.pfnReset = ddi::commandListReset;
    entries.pfnAppendWriteGlobalTimestamp = ddi::commandListAppendWriteGlobalTimestamp;
    entries.pfnAppendBarrier = ddi::commandListAppendBarrier;
    entries.pfnAppendMemoryRangesBarrier = ddi::commandListAppendMemoryRangesBarrier;
    entries.pfnAppendMemoryCopy = ddi::commandListAppendMemoryCopy;
    entries.pfnAppendMemoryFill = ddi::commandListAppendMemoryFill;
    entries.pfnAppendMemoryCopyRegion = ddi::commandListAppendMemoryCopyRegion;
    entries.pfnAppendMemoryCopyFromContext = ddi::commandListAppendMemoryCopyFromContext;
    entries.pfnAppendImageCopy = ddi::commandListAppendImageCopy;
    entries.pfnAppendImageCopyRegion = ddi::commandListAppendImageCopyRegion;
    entries.pfnAppendImageCopyToMemory = ddi::commandListAppendImageCopyToMemory;
    entries.pfnAppendImageCopyFromMemory = ddi::commandListAppendImageCopyFromMemory;
    entries.pfnAppendMemoryPrefetch = ddi::commandListAppendMemoryPrefetch;
    entries.pfnAppendMemAdvise = ddi::commandListAppendMemAdvise;
    entries.pfnAppendSignalEvent = ddi::commandListAppendSignalEvent;
    entries.pfnAppendWaitOnEvents = ddi::commandListAppendWaitOnEvents;
    entries.pfnAppendEventReset = ddi::commandListAppendEventReset;
    entries.pfnAppendQueryKernelTimestamps = ddi::commandListAppendQueryKernelTimestamps;
    entries.pfnAppendLaunchKernel = ddi::commandListAppendLaunchKernel;
    entries.pfnAppendLaunchCooperativeKernel = ddi::commandListAppendLaunchCooperativeKernel;
    entries.pfnAppendLaunchKernelIndirect = ddi::commandListAppendLaunchKernelIndirect;
    entries.pfnAppendLaunchMultipleKernelsIndirect = ddi::commandListAppendLaunchMultipleKernelsIndirect;
    entries.pfnAppendImageCopyToMemoryExt = ddi::commandListAppendImageCopyToMemoryExt;
    entries.pfnAppendImageCopyFromMemoryExt = ddi::commandListAppendImageCopyFromMemoryExt;
    ddi::fillLaterEntries("CommandList", version, &entries.pfnAppendImageCopyFromMemoryExt + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetImageProcAddrTable(ze_api_version_t version, ze_image_dditable_t *table) {
  return fillTable(version, table, [&](ze_image_dditable_t &entries) {
    entries.pfnGetProperties = ddi::imageGetProperties;
    entries.pfnCreate = ddi::imageCreate;
    entries.pfnDestroy = ddi::imageDestroy;
    entries.pfnGetAllocPropertiesExt = ddi::imageGetAllocPropertiesExt;
    ddi::fillLaterEntries("Image", version, &entries.pfnGetAllocPropertiesExt + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetImageExpProcAddrTable(ze_api_version_t version,
                                                               ze_image_exp_dditable_t *table) {
  return fillTable(version, table, [&](ze_image_exp_dditable_t &entries) {
    entries.pfnGetMemoryPropertiesExp = ddi::imageGetMemoryPropertiesExp;
    entries.pfnViewCreateExp = ddi::imageViewCreateExp;
    ddi::fillLaterEntries("ImageExp", version, &entries.pfnViewCreateExp + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetFenceProcAddrTable(ze_api_version_t version, ze_fence_dditable_t *table) {
  return fillTable(version, table, [](ze_fence_dditable_t &entries) {
    entries.pfnCreate = ddi::fenceCreate;
    entries.pfnDestroy = ddi::fenceDestroy;
    entries.pfnHostSynchronize = ddi::fenceHostSynchronize;
    entries.pfnQueryStatus = ddi::fenceQueryStatus;
    entries.pfnReset = ddi::fenceReset;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetEventPoolProcAddrTable(ze_api_version_t version,
                                                                ze_event_pool_dditable_t *table) {
  return fillTable(version, table, [&](ze_event_pool_dditable_t &entries) {
    entries.pfnCreate = ddi::eventPoolCreate;
    entries.pfnDestroy = ddi::eventPoolDestroy;
    entries.pfnGetIpcHandle = ddi::eventPoolGetIpcHandle;
    entries.pfnOpenIpcHandle = ddi::eventPoolOpenIpcHandle;
    entries.pfnCloseIpcHandle = ddi::eventPoolCloseIpcHandle;
    ddi::fillLaterEntries("EventPool", version, &entries.pfnCloseIpcHandle + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetEventProcAddrTable(ze_api_version_t version, ze_event_dditable_t *table) {
  return fillTable(version, table, [&](ze_event_dditable_t &entries) {
    entries.pfnCreate = ddi::eventCreate;
    entries.pfnDestroy = ddi::eventDestroy;
    entries.pfnHostSignal = ddi::eventHostSignal;
    entries.pfnHostSynchronize = ddi::eventHostSynchronize;
    entries.pfnQueryStatus = ddi::eventQueryStatus;
    entries.pfnHostReset = ddi::eventHostReset;
    entries.pfnQueryKernelTimestamp = ddi::eventQueryKernelTimestamp;
    ddi::fillLaterEntries("Event", version, &entries.pfnQueryKernelTimestamp + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetEventExpProcAddrTable(ze_api_version_t version,
                                                               ze_event_exp_dditable_t *table) {
  return fillTable(version, table, [](ze_event_exp_dditable_t &entries) {
    entries.pfnQueryTimestampsExp = ddi::eventQueryTimestampsExp;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetModuleProcAddrTable(ze_api_version_t version, ze_module_dditable_t *table) {
  return fillTable(version, table, [](ze_module_dditable_t &entries) {
    entries.pfnCreate = ddi::moduleCreate;
    entries.pfnDestroy = ddi::moduleDestroy;
    entries.pfnDynamicLink = ddi::moduleDynamicLink;
    entries.pfnGetNativeBinary = ddi::moduleGetNativeBinary;
    entries.pfnGetGlobalPointer = ddi::moduleGetGlobalPointer;
    entries.pfnGetKernelNames = ddi::moduleGetKernelNames;
    entries.pfnGetProperties = ddi::moduleGetProperties;
    entries.pfnGetFunctionPointer = ddi::moduleGetFunctionPointer;
    entries.pfnInspectLinkageExt = ddi::moduleInspectLinkageExt;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetModuleBuildLogProcAddrTable(ze_api_version_t version,
                                                                     ze_module_build_log_dditable_t *table) {
  return fillTable(version, table, [](ze_module_build_log_dditable_t &entries) {
    entries.pfnDestroy = ddi::moduleBuildLogDestroy;
    entries.pfnGetString = ddi::moduleBuildLogGetString;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetKernelProcAddrTable(ze_api_version_t version, ze_kernel_dditable_t *table) {
  return fillTable(version, table, [](ze_kernel_dditable_t &entries) {
    entries.pfnCreate = ddi::kernelCreate;
    entries.pfnDestroy = ddi::kernelDestroy;
    entries.pfnSetCacheConfig = ddi::kernelSetCacheConfig;
    entries.pfnSetGroupSize = ddi::kernelSetGroupSize;
    entries.pfnSuggestGroupSize = ddi::kernelSuggestGroupSize;
    entries.pfnSuggestMaxCooperativeGroupCount = ddi::kernelSuggestMaxCooperativeGroupCount;
    entries.pfnSetArgumentValue = ddi::kernelSetArgumentValue;
    entries.pfnSetIndirectAccess = ddi::kernelSetIndirectAccess;
    entries.pfnGetIndirectAccess = ddi::kernelGetIndirectAccess;
    entries.pfnGetSourceAttributes = ddi::kernelGetSourceAttributes;
    entries.pfnGetProperties = ddi::kernelGetProperties;
    entries.pfnGetName = ddi::kernelGetName;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetKernelExpProcAddrTable(ze_api_version_t version,
                                                                ze_kernel_exp_dditable_t *table) {
  return fillTable(version, table, [&](ze_kernel_exp_dditable_t &entries) {
    entries.pfnSetGlobalOffsetExp = ddi::kernelSetGlobalOffsetExp;
    unsupported(entries.pfnSchedulingHintExp);
    ddi::fillLaterEntries("KernelExp", version, &entries.pfnSchedulingHintExp + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetSamplerProcAddrTable(ze_api_version_t version, ze_sampler_dditable_t *table) {
  return fillTable(version, table, [](ze_sampler_dditable_t &entries) {
    entries.pfnCreate = ddi::samplerCreate;
    entries.pfnDestroy = ddi::samplerDestroy;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetPhysicalMemProcAddrTable(ze_api_version_t version,
                                                                  ze_physical_mem_dditable_t *table) {
  return fillTable(version, table, [&](ze_physical_mem_dditable_t &entries) {
    entries.pfnCreate = ddi::physicalMemCreate;
    entries.pfnDestroy = ddi::physicalMemDestroy;
    ddi::fillLaterEntries("PhysicalMem", version, &entries.pfnDestroy + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetMemProcAddrTable(ze_api_version_t version, ze_mem_dditable_t *table) {
  return fillTable(version, table, [&](ze_mem_dditable_t &entries) {
    entries.pfnAllocShared = ddi::memAllocShared;
    entries.pfnAllocDevice = ddi::memAllocDevice;
    entries.pfnAllocHost = ddi::memAllocHost;
    entries.pfnFree = ddi::memFree;
    entries.pfnGetAllocProperties = ddi::memGetAllocProperties;
    entries.pfnGetAddressRange = ddi::memGetAddressRange;
    entries.pfnGetIpcHandle = ddi::memGetIpcHandle;
    entries.pfnOpenIpcHandle = ddi::memOpenIpcHandle;
    entries.pfnCloseIpcHandle = ddi::memCloseIpcHandle;
    entries.pfnFreeExt = ddi::memFreeExt;
    ddi::fillLaterEntries("Mem", version, &entries.pfnFreeExt + 1);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetVirtualMemProcAddrTable(ze_api_version_t version,
                                                                 ze_virtual_mem_dditable_t *table) {
  return fillTable(version, table, [](ze_virtual_mem_dditable_t &entries) {
    entries.pfnReserve = ddi::virtualMemReserve;
    entries.pfnFree = ddi::virtualMemFree;
    entries.pfnQueryPageSize = ddi::virtualMemQueryPageSize;
    entries.pfnMap = ddi::virtualMemMap;
    entries.pfnUnmap = ddi::virtualMemUnmap;
    entries.pfnSetAccessAttribute = ddi::virtualMemSetAccessAttribute;
    entries.pfnGetAccessAttribute = ddi::virtualMemGetAccessAttribute;
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetFabricVertexExpProcAddrTable(ze_api_version_t version,
                                                                      ze_fabric_vertex_exp_dditable_t *table) {
  return fillTable(version, table, [](ze_fabric_vertex_exp_dditable_t &entries) {
    entries.pfnGetExp = ddi::fabricVertexGetExp;
    unsupported(entries.pfnGetSubVerticesExp); // these take a vertex, and there is none
    unsupported(entries.pfnGetPropertiesExp);
    unsupported(entries.pfnGetDeviceExp);
  });
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zeGetFabricEdgeExpProcAddrTable(ze_api_version_t version,
                                                                    ze_fabric_edge_exp_dditable_t *table) {
  return fillTable(version, table, [](ze_fabric_edge_exp_dditable_t &entries) {
    unsupported(entries.pfnGetExp);
    unsupported(entries.pfnGetVerticesExp);
    unsupported(entries.pfnGetPropertiesExp);
  });
}

} // extern "C"
