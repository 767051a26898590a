// SPDX-License-Identifier: MIT
// The entry points of this driver, each declared with the type of the API function of that name.
#pragma once
#include "driver/api.h"
#include "opencl/command_list.h"

namespace hiplz::opencl {

using driver::deref;
using driver::findInChain;
using driver::guarded;
using driver::listInto;
using driver::objectsFrom;
using driver::require;
using driver::stringInto;
using driver::tell;

/// The extension by which closed lists go into an immediate list.
inline constexpr char kImmediateAppendLists[] = "ZE_experimental_immediate_command_list_append";

// driver_api.cpp
decltype(::zeInit) init;
decltype(::zeDriverGet) driverGet;
decltype(::zeDriverGetApiVersion) driverGetApiVersion;
decltype(::zeDriverGetProperties) driverGetProperties;
decltype(::zeDriverGetIpcProperties) driverGetIpcProperties;
decltype(::zeDriverGetExtensionProperties) driverGetExtensionProperties;
decltype(::zeDriverGetExtensionFunctionAddress) driverGetExtensionFunctionAddress;
ze_result_t driverGetLastErrorDescription(ze_driver_handle_t driver, const char **text);
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
decltype(::zeDeviceCanAccessPeer) deviceCanAccessPeer;
decltype(::zeDeviceGetStatus) deviceGetStatus;
decltype(::zeDeviceGetGlobalTimestamps) deviceGetGlobalTimestamps;

// memory_api.cpp
decltype(::zeContextCreate) contextCreate;
decltype(::zeContextCreateEx) contextCreateEx;
decltype(::zeContextDestroy) contextDestroy;
decltype(::zeContextGetStatus) contextGetStatus;
decltype(::zeContextMakeMemoryResident) contextMakeMemoryResident;
decltype(::zeContextEvictMemory) contextEvictMemory;
decltype(::zeMemAllocShared) memAllocShared;
decltype(::zeMemAllocDevice) memAllocDevice;
decltype(::zeMemAllocHost) memAllocHost;
decltype(::zeMemFree) memFree;
decltype(::zeMemGetAllocProperties) memGetAllocProperties;
decltype(::zeMemGetAddressRange) memGetAddressRange;

// list_api.cpp
decltype(::zeCommandQueueCreate) commandQueueCreate;
decltype(::zeCommandQueueDestroy) commandQueueDestroy;
decltype(::zeCommandQueueExecuteCommandLists) commandQueueExecuteCommandLists;
decltype(::zeCommandQueueSynchronize) commandQueueSynchronize;
decltype(::zeCommandListCreate) commandListCreate;
decltype(::zeCommandListCreateImmediate) commandListCreateImmediate;
decltype(::zeCommandListDestroy) commandListDestroy;
decltype(::zeCommandListClose) commandListClose;
decltype(::zeCommandListReset) commandListReset;
ze_result_t commandListImmediateAppendCommandListsExp(ze_command_list_handle_t list, uint32_t count,
                                                      ze_command_list_handle_t *lists, ze_event_handle_t signal,
                                                      uint32_t waitCount, ze_event_handle_t *waits);
decltype(::zeCommandListAppendBarrier) commandListAppendBarrier;
decltype(::zeCommandListAppendMemoryRangesBarrier) commandListAppendMemoryRangesBarrier;
decltype(::zeCommandListAppendSignalEvent) commandListAppendSignalEvent;
decltype(::zeCommandListAppendWaitOnEvents) commandListAppendWaitOnEvents;
decltype(::zeCommandListAppendEventReset) commandListAppendEventReset;

// command_api.cpp
decltype(::zeCommandListAppendMemoryCopy) commandListAppendMemoryCopy;
decltype(::zeCommandListAppendMemoryCopyRegion) commandListAppendMemoryCopyRegion;
decltype(::zeCommandListAppendMemoryFill) commandListAppendMemoryFill;
decltype(::zeCommandListAppendMemoryPrefetch) commandListAppendMemoryPrefetch;
decltype(::zeCommandListAppendMemAdvise) commandListAppendMemAdvise;
decltype(::zeCommandListAppendLaunchKernel) commandListAppendLaunchKernel;
decltype(::zeCommandListAppendWriteGlobalTimestamp) commandListAppendWriteGlobalTimestamp;
decltype(::zeCommandListAppendQueryKernelTimestamps) commandListAppendQueryKernelTimestamps;

// event_api.cpp
decltype(::zeEventPoolCreate) eventPoolCreate;
decltype(::zeEventPoolDestroy) eventPoolDestroy;
decltype(::zeEventCreate) eventCreate;
decltype(::zeEventDestroy) eventDestroy;
decltype(::zeEventHostSignal) eventHostSignal;
decltype(::zeEventHostSynchronize) eventHostSynchronize;
decltype(::zeEventQueryStatus) eventQueryStatus;
decltype(::zeEventHostReset) eventHostReset;
decltype(::zeEventQueryKernelTimestamp) eventQueryKernelTimestamp;
decltype(::zeFenceCreate) fenceCreate;
decltype(::zeFenceDestroy) fenceDestroy;
decltype(::zeFenceHostSynchronize) fenceHostSynchronize;
decltype(::zeFenceQueryStatus) fenceQueryStatus;
decltype(::zeFenceReset) fenceReset;

// module_api.cpp
decltype(::zeModuleCreate) moduleCreate;
decltype(::zeModuleDestroy) moduleDestroy;
decltype(::zeModuleBuildLogDestroy) moduleBuildLogDestroy;
decltype(::zeModuleBuildLogGetString) moduleBuildLogGetString;
decltype(::zeModuleGetNativeBinary) moduleGetNativeBinary;
decltype(::zeModuleGetGlobalPointer) moduleGetGlobalPointer;
decltype(::zeModuleGetKernelNames) moduleGetKernelNames;
decltype(::zeModuleGetProperties) moduleGetProperties;
decltype(::zeKernelCreate) kernelCreate;
decltype(::zeKernelDestroy) kernelDestroy;
decltype(::zeKernelSetGroupSize) kernelSetGroupSize;
decltype(::zeKernelSetArgumentValue) kernelSetArgumentValue;
decltype(::zeKernelSetIndirectAccess) kernelSetIndirectAccess;
decltype(::zeKernelGetIndirectAccess) kernelGetIndirectAccess;
decltype(::zeKernelGetProperties) kernelGetProperties;
decltype(::zeKernelGetName) kernelGetName;
decltype(::zeKernelSetGlobalOffsetExp) kernelSetGlobalOffsetExp;

} // namespace hiplz::opencl
