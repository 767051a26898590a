// SPDX-License-Identifier: MIT
// The entry points of later_functions.def.
#pragma once
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_types.h"

#include <span>

namespace hiplz::cpu::ddi {

// later_driver_api.cpp
ze_result_t initDrivers(uint32_t *count, ze_driver_handle_t *drivers, const InitDriverTypeDesc *desc);
ze_result_t driverGetLastErrorDescription(ze_driver_handle_t driver, const char **text);
ze_context_handle_t driverGetDefaultContext(ze_driver_handle_t driver);
ze_result_t deviceGetRootDevice(ze_device_handle_t device, ze_device_handle_t *root);
ze_result_t deviceGetVectorWidthPropertiesExt(ze_device_handle_t device, uint32_t *count,
                                              VectorWidthProperties *properties);
ze_result_t deviceSynchronize(ze_device_handle_t device);

// later_driver_api.cpp: the functions zer*, which find the driver themselves
ze_result_t runtimeGetLastErrorDescription(const char **text);
uint32_t runtimeTranslateDeviceHandleToIdentifier(ze_device_handle_t device);
ze_device_handle_t runtimeTranslateIdentifierToDeviceHandle(uint32_t identifier);
ze_context_handle_t runtimeGetDefaultContext();

// later_list_api.cpp
ze_result_t commandQueueGetOrdinal(ze_command_queue_handle_t queue, uint32_t *ordinal);
ze_result_t commandQueueGetIndex(ze_command_queue_handle_t queue, uint32_t *index);
ze_result_t commandQueueGetFlags(ze_command_queue_handle_t queue, ze_command_queue_flags_t *flags);
ze_result_t commandQueueGetMode(ze_command_queue_handle_t queue, ze_command_queue_mode_t *mode);
ze_result_t commandQueueGetPriority(ze_command_queue_handle_t queue, ze_command_queue_priority_t *priority);
ze_result_t commandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout);
ze_result_t commandListGetDeviceHandle(ze_command_list_handle_t list, ze_device_handle_t *device);
ze_result_t commandListGetContextHandle(ze_command_list_handle_t list, ze_context_handle_t *context);
ze_result_t commandListGetOrdinal(ze_command_list_handle_t list, uint32_t *ordinal);
ze_result_t commandListImmediateGetIndex(ze_command_list_handle_t list, uint32_t *index);
ze_result_t commandListIsImmediate(ze_command_list_handle_t list, ze_bool_t *immediate);
ze_result_t commandListGetFlags(ze_command_list_handle_t list, ze_command_list_flags_t *flags);
ze_result_t commandListImmediateGetFlags(ze_command_list_handle_t list, ze_command_queue_flags_t *flags);
ze_result_t commandListImmediateGetMode(ze_command_list_handle_t list, ze_command_queue_mode_t *mode);
ze_result_t commandListImmediateGetPriority(ze_command_list_handle_t list, ze_command_queue_priority_t *priority);
ze_result_t commandListImmediateAppendCommandListsExp(ze_command_list_handle_t list, uint32_t count,
                                                      ze_command_list_handle_t *lists, ze_event_handle_t signal,
                                                      uint32_t waitCount, ze_event_handle_t *waits);

// later_append_api.cpp
ze_result_t commandListAppendLaunchKernelWithParameters(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                        const ze_group_count_t *groups, const void *parameters,
                                                        ze_event_handle_t signal, uint32_t waitCount,
                                                        ze_event_handle_t *waits);
ze_result_t commandListAppendLaunchKernelWithArguments(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                       ze_group_count_t groups, GroupSize groupSize, void **arguments,
                                                       const void *parameters, ze_event_handle_t signal,
                                                       uint32_t waitCount, ze_event_handle_t *waits);
ze_result_t commandListAppendMemoryCopyWithParameters(ze_command_list_handle_t list, void *to, const void *from,
                                                      size_t size, const void *parameters, ze_event_handle_t signal,
                                                      uint32_t waitCount, ze_event_handle_t *waits);
ze_result_t commandListAppendMemoryFillWithParameters(ze_command_list_handle_t list, void *to, const void *pattern,
                                                      size_t patternSize, size_t size, const void *parameters,
                                                      ze_event_handle_t signal, uint32_t waitCount,
                                                      ze_event_handle_t *waits);
ze_result_t commandListImmediateAppendCommandListsWithParameters(ze_command_list_handle_t list, uint32_t count,
                                                                 ze_command_list_handle_t *lists,
                                                                 const void *parameters, ze_event_handle_t signal,
                                                                 uint32_t waitCount, ze_event_handle_t *waits);
ze_result_t commandListAppendHostFunction(ze_command_list_handle_t list, void (*function)(void *), void *argument,
                                          const void *parameters, ze_event_handle_t signal, uint32_t waitCount,
                                          ze_event_handle_t *waits);
ze_result_t commandListCreateCloneExp(ze_command_list_handle_t list, ze_command_list_handle_t *clone);

// mutable_list_api.cpp
ze_result_t commandListGetNextCommandIdExp(ze_command_list_handle_t list, const MutableCommandIdDesc *desc,
                                           uint64_t *id);
ze_result_t commandListGetNextCommandIdWithKernelsExp(ze_command_list_handle_t list, const MutableCommandIdDesc *desc,
                                                      uint32_t kernelCount, ze_kernel_handle_t *kernels, uint64_t *id);
ze_result_t commandListUpdateMutableCommandsExp(ze_command_list_handle_t list, const MutableCommandsDesc *desc);
ze_result_t commandListUpdateMutableCommandSignalEventExp(ze_command_list_handle_t list, uint64_t id,
                                                          ze_event_handle_t signal);
ze_result_t commandListUpdateMutableCommandWaitEventsExp(ze_command_list_handle_t list, uint64_t id, uint32_t count,
                                                         ze_event_handle_t *events);
ze_result_t commandListUpdateMutableCommandKernelsExp(ze_command_list_handle_t list, uint32_t count, uint64_t *ids,
                                                      ze_kernel_handle_t *kernels);
ze_result_t commandListIsMutableExp(ze_command_list_handle_t list, ze_bool_t *isMutable);

// later_event_api.cpp
ze_result_t eventQueryKernelTimestampsExt(ze_event_handle_t event, ze_device_handle_t device, uint32_t *count,
                                          KernelTimestampsResults *results);
ze_result_t eventPoolPutIpcHandle(ze_context_handle_t context, ze_ipc_event_pool_handle_t handle);
ze_result_t eventPoolGetContextHandle(ze_event_pool_handle_t pool, ze_context_handle_t *context);
ze_result_t eventPoolGetFlags(ze_event_pool_handle_t pool, ze_event_pool_flags_t *flags);
ze_result_t eventGetEventPool(ze_event_handle_t event, ze_event_pool_handle_t *pool);
ze_result_t eventGetSignalScope(ze_event_handle_t event, ze_event_scope_flags_t *scope);
ze_result_t eventGetWaitScope(ze_event_handle_t event, ze_event_scope_flags_t *scope);
ze_result_t eventCounterBasedCreate(ze_context_handle_t context, ze_device_handle_t device,
                                    const CounterEventDesc *desc, ze_event_handle_t *event);
ze_result_t eventGetCounterBasedFlags(ze_event_handle_t event, uint32_t *flags);

// ipc_api.cpp
ze_result_t memPutIpcHandle(ze_context_handle_t context, ze_ipc_mem_handle_t handle);

// later_memory_api.cpp
ze_result_t memGetIpcHandleWithProperties(ze_context_handle_t context, const void *pointer, void *properties,
                                          ze_ipc_mem_handle_t *handle);
ze_result_t memGetIpcHandleFromFileDescriptorExp(ze_context_handle_t context, uint64_t descriptor,
                                                 ze_ipc_mem_handle_t *handle);
ze_result_t memGetFileDescriptorFromIpcHandleExp(ze_context_handle_t context, ze_ipc_mem_handle_t handle,
                                                 uint64_t *descriptor);
ze_result_t memSetAtomicAccessAttributeExp(ze_context_handle_t context, ze_device_handle_t device, const void *pointer,
                                           size_t size, uint32_t access);
ze_result_t memGetAtomicAccessAttributeExp(ze_context_handle_t context, ze_device_handle_t device, const void *pointer,
                                           size_t size, uint32_t *access);

// virtual_memory_api.cpp
ze_result_t physicalMemGetProperties(ze_context_handle_t context, ze_physical_mem_handle_t memory,
                                     PhysicalMemoryProperties *properties);

// image_api.cpp
ze_result_t memGetPitchFor2dImage(ze_context_handle_t context, ze_device_handle_t device, size_t width, size_t height,
                                  uint32_t elementBytes, size_t *pitch);

} // namespace hiplz::cpu::ddi
