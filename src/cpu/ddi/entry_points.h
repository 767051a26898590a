// SPDX-License-Identifier: MIT
// The entry points that this driver implements, each declared with the type of the API function of that name. What is
// not here is answered with "unsupported feature" by the tables (tables.cpp).
#pragma once
#include "cpu/ddi/api.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/scheduler.h"
#include "cpu/objects/command_queue.h"
#include "cpu/objects/context.h"
#include "cpu/objects/driver.h"
#include "cpu/objects/kernel.h"
#include "cpu/objects/module.h"

namespace hiplz::cpu::ddi {

// driver_api.cpp
decltype(::zeInit) init;
decltype(::zeDriverGet) driverGet;
decltype(::zeDriverGetApiVersion) driverGetApiVersion;
decltype(::zeDriverGetProperties) driverGetProperties;
decltype(::zeDriverGetIpcProperties) driverGetIpcProperties;
decltype(::zeDriverGetExtensionProperties) driverGetExtensionProperties;
decltype(::zeDriverGetExtensionFunctionAddress) driverGetExtensionFunctionAddress;

// device_api.cpp
decltype(::zeDeviceGet) deviceGet;
decltype(::zeDeviceGetSubDevices) deviceGetSubDevices;
decltype(::zeDeviceGetProperties) deviceGetProperties;
decltype(::zeDeviceGetComputeProperties) deviceGetComputeProperties;
decltype(::zeDeviceGetModuleProperties) deviceGetModuleProperties;
decltype(::zeDeviceGetCommandQueueGroupProperties) deviceGetCommandQueueGroupProperties;
decltype(::zeDeviceGetMemoryProperties) deviceGetMemoryProperties;
decltype(::zeDeviceGetMemoryAccessProperties) deviceGetMemoryAccessProperties;
decltype(::zeDeviceGetCacheProperties) deviceGetCacheProperties;
decltype(::zeDeviceGetExternalMemoryProperties) deviceGetExternalMemoryProperties;
decltype(::zeDeviceGetP2PProperties) deviceGetP2PProperties;
decltype(::zeDevicePciGetPropertiesExt) devicePciGetPropertiesExt;
decltype(::zeDeviceCanAccessPeer) deviceCanAccessPeer;
decltype(::zeDeviceGetStatus) deviceGetStatus;
decltype(::zeDeviceGetGlobalTimestamps) deviceGetGlobalTimestamps;

// context_api.cpp
decltype(::zeContextCreate) contextCreate;
decltype(::zeContextCreateEx) contextCreateEx;
decltype(::zeContextDestroy) contextDestroy;
decltype(::zeContextGetStatus) contextGetStatus;
decltype(::zeContextSystemBarrier) contextSystemBarrier;
decltype(::zeContextMakeMemoryResident) contextMakeMemoryResident;
decltype(::zeContextEvictMemory) contextEvictMemory;
decltype(::zeMemAllocShared) memAllocShared;
decltype(::zeMemAllocDevice) memAllocDevice;
decltype(::zeMemAllocHost) memAllocHost;
decltype(::zeMemFree) memFree;
decltype(::zeMemFreeExt) memFreeExt;
decltype(::zeMemGetAllocProperties) memGetAllocProperties;
decltype(::zeMemGetAddressRange) memGetAddressRange;

// ipc_api.cpp
decltype(::zeMemGetIpcHandle) memGetIpcHandle;
decltype(::zeMemOpenIpcHandle) memOpenIpcHandle;
decltype(::zeMemCloseIpcHandle) memCloseIpcHandle;

// virtual_memory_api.cpp
decltype(::zeVirtualMemReserve) virtualMemReserve;
decltype(::zeVirtualMemFree) virtualMemFree;
decltype(::zeVirtualMemQueryPageSize) virtualMemQueryPageSize;
decltype(::zeVirtualMemMap) virtualMemMap;
decltype(::zeVirtualMemUnmap) virtualMemUnmap;
decltype(::zeVirtualMemSetAccessAttribute) virtualMemSetAccessAttribute;
decltype(::zeVirtualMemGetAccessAttribute) virtualMemGetAccessAttribute;
decltype(::zePhysicalMemCreate) physicalMemCreate;
decltype(::zePhysicalMemDestroy) physicalMemDestroy;

// command_list_api.cpp
decltype(::zeCommandQueueCreate) commandQueueCreate;
decltype(::zeCommandQueueDestroy) commandQueueDestroy;
decltype(::zeCommandQueueExecuteCommandLists) commandQueueExecuteCommandLists;
decltype(::zeCommandQueueSynchronize) commandQueueSynchronize;
decltype(::zeCommandListCreate) commandListCreate;
decltype(::zeCommandListCreateImmediate) commandListCreateImmediate;
decltype(::zeCommandListDestroy) commandListDestroy;
decltype(::zeCommandListClose) commandListClose;
decltype(::zeCommandListReset) commandListReset;
decltype(::zeCommandListAppendWriteGlobalTimestamp) commandListAppendWriteGlobalTimestamp;
decltype(::zeCommandListAppendBarrier) commandListAppendBarrier;
decltype(::zeCommandListAppendMemoryRangesBarrier) commandListAppendMemoryRangesBarrier;
decltype(::zeCommandListAppendMemoryCopy) commandListAppendMemoryCopy;
decltype(::zeCommandListAppendMemoryCopyFromContext) commandListAppendMemoryCopyFromContext;
decltype(::zeCommandListAppendMemoryFill) commandListAppendMemoryFill;
decltype(::zeCommandListAppendMemoryCopyRegion) commandListAppendMemoryCopyRegion;
decltype(::zeCommandListAppendMemoryPrefetch) commandListAppendMemoryPrefetch;
decltype(::zeCommandListAppendMemAdvise) commandListAppendMemAdvise;
decltype(::zeCommandListAppendSignalEvent) commandListAppendSignalEvent;
decltype(::zeCommandListAppendWaitOnEvents) commandListAppendWaitOnEvents;
decltype(::zeCommandListAppendEventReset) commandListAppendEventReset;
decltype(::zeCommandListAppendQueryKernelTimestamps) commandListAppendQueryKernelTimestamps;
decltype(::zeCommandListAppendLaunchKernel) commandListAppendLaunchKernel;
decltype(::zeCommandListAppendLaunchCooperativeKernel) commandListAppendLaunchCooperativeKernel;
decltype(::zeCommandListAppendLaunchKernelIndirect) commandListAppendLaunchKernelIndirect;
decltype(::zeCommandListAppendLaunchMultipleKernelsIndirect) commandListAppendLaunchMultipleKernelsIndirect;

// event_api.cpp
decltype(::zeEventPoolCreate) eventPoolCreate;
decltype(::zeEventPoolDestroy) eventPoolDestroy;
decltype(::zeEventPoolGetIpcHandle) eventPoolGetIpcHandle;
decltype(::zeEventPoolOpenIpcHandle) eventPoolOpenIpcHandle;
decltype(::zeEventPoolCloseIpcHandle) eventPoolCloseIpcHandle;
decltype(::zeEventCreate) eventCreate;
decltype(::zeEventDestroy) eventDestroy;
decltype(::zeEventHostSignal) eventHostSignal;
decltype(::zeEventHostSynchronize) eventHostSynchronize;
decltype(::zeEventQueryStatus) eventQueryStatus;
decltype(::zeEventHostReset) eventHostReset;
decltype(::zeEventQueryKernelTimestamp) eventQueryKernelTimestamp;
decltype(::zeEventQueryTimestampsExp) eventQueryTimestampsExp;
decltype(::zeFenceCreate) fenceCreate;
decltype(::zeFenceDestroy) fenceDestroy;
decltype(::zeFenceHostSynchronize) fenceHostSynchronize;
decltype(::zeFenceQueryStatus) fenceQueryStatus;
decltype(::zeFenceReset) fenceReset;

// module_api.cpp
decltype(::zeModuleCreate) moduleCreate;
decltype(::zeModuleDestroy) moduleDestroy;
decltype(::zeModuleDynamicLink) moduleDynamicLink;
decltype(::zeModuleInspectLinkageExt) moduleInspectLinkageExt;
decltype(::zeModuleGetFunctionPointer) moduleGetFunctionPointer;
decltype(::zeModuleBuildLogDestroy) moduleBuildLogDestroy;
decltype(::zeModuleBuildLogGetString) moduleBuildLogGetString;
decltype(::zeModuleGetNativeBinary) moduleGetNativeBinary;
decltype(::zeModuleGetGlobalPointer) moduleGetGlobalPointer;
decltype(::zeModuleGetKernelNames) moduleGetKernelNames;
decltype(::zeModuleGetProperties) moduleGetProperties;
decltype(::zeKernelCreate) kernelCreate;
decltype(::zeKernelDestroy) kernelDestroy;
decltype(::zeKernelSetCacheConfig) kernelSetCacheConfig;
decltype(::zeKernelSetGroupSize) kernelSetGroupSize;
decltype(::zeKernelSuggestGroupSize) kernelSuggestGroupSize;
decltype(::zeKernelSuggestMaxCooperativeGroupCount) kernelSuggestMaxCooperativeGroupCount;
decltype(::zeKernelSetArgumentValue) kernelSetArgumentValue;
decltype(::zeKernelSetIndirectAccess) kernelSetIndirectAccess;
decltype(::zeKernelGetIndirectAccess) kernelGetIndirectAccess;
decltype(::zeKernelGetSourceAttributes) kernelGetSourceAttributes;
decltype(::zeKernelGetProperties) kernelGetProperties;
decltype(::zeKernelGetName) kernelGetName;
decltype(::zeKernelSetGlobalOffsetExp) kernelSetGlobalOffsetExp;

// image_api.cpp
decltype(::zeDeviceGetImageProperties) deviceGetImageProperties;
decltype(::zeImageGetProperties) imageGetProperties;
decltype(::zeImageCreate) imageCreate;
decltype(::zeImageDestroy) imageDestroy;
decltype(::zeImageGetAllocPropertiesExt) imageGetAllocPropertiesExt;
decltype(::zeImageGetMemoryPropertiesExp) imageGetMemoryPropertiesExp;
decltype(::zeImageViewCreateExp) imageViewCreateExp;
decltype(::zeContextMakeImageResident) contextMakeImageResident;
decltype(::zeContextEvictImage) contextEvictImage;
decltype(::zeSamplerCreate) samplerCreate;
decltype(::zeSamplerDestroy) samplerDestroy;
decltype(::zeCommandListAppendImageCopy) commandListAppendImageCopy;
decltype(::zeCommandListAppendImageCopyRegion) commandListAppendImageCopyRegion;
decltype(::zeCommandListAppendImageCopyToMemory) commandListAppendImageCopyToMemory;
decltype(::zeCommandListAppendImageCopyFromMemory) commandListAppendImageCopyFromMemory;
decltype(::zeCommandListAppendImageCopyToMemoryExt) commandListAppendImageCopyToMemoryExt;
decltype(::zeCommandListAppendImageCopyFromMemoryExt) commandListAppendImageCopyFromMemoryExt;

} // namespace hiplz::cpu::ddi
