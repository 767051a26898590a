// SPDX-License-Identifier: MIT
// Interoperability with Level Zero: the native handles of HIP's objects, and HIP objects made from native handles, so that
// code for Level Zero and code for HIP work in one process on the same memory, streams and events. docs/interop.md explains
// it with a complete example.
//
// Everything shared belongs to the one Level Zero context that HIP uses for all devices of a driver:
// hiplzGetNativeContext returns it, hiplzCreateContextFromNative chooses it. Level Zero counts no references and locks
// nothing:
//
// - A handle that a hiplzGetNative... function stores stays HIP's. It is valid as long as the HIP object, unless the
//   function says less. Do not destroy it.
// - An object that is made with hiplzOwnershipTransfer destroys the handle when HIP no longer needs it. Do not destroy
//   it, and do not use it after the HIP object has been destroyed.
// - An object that is made with hiplzOwnershipKeep leaves the handle alone. Destroy it after the HIP object, never before.
// - If a call that makes an object fails, the handle stays the caller's.
// - Level Zero's command lists, queues and kernels must not be used by two threads at the same time. HIP locks its own calls
//   only: while a thread uses a native handle, no other thread may use the HIP object.
#ifndef HIPLZ_INTEROP_H
#define HIPLZ_INTEROP_H

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime_api.h>
#include <level_zero/ze_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Ownership of a native handle from which an object is made.
typedef enum hiplzOwnership {
  hiplzOwnershipTransfer = 0,           ///< HIP
  hiplzOwnershipKeep = 1,               ///< the application
  hiplzOwnershipForceInt32 = 0x7fffffff ///< no value; makes the type 32 bits wide
} hiplzOwnership;

/* Native handles of HIP's objects. All of these functions return hipErrorInvalidValue for a null pointer where a handle is to
   be stored. */

/// The driver of a device.
hipError_t hiplzGetNativeDriver(int device, ze_driver_handle_t *driver);

/// The Level Zero device behind a device number.
hipError_t hiplzGetNativeDevice(int device, ze_device_handle_t *native);

/// The Level Zero context in which HIP works on a device and on all others of its driver.
hipError_t hiplzGetNativeContext(int device, ze_context_handle_t *context);

/// The immediate command list behind a stream, or the command queue if it was made from one; the other one is null. Either
/// pointer may be null, but not both. The default streams have a list, too.
hipError_t hiplzGetNativeStream(hipStream_t stream, ze_command_list_handle_t *list, ze_command_queue_handle_t *queue);

/// The Level Zero event of the last recording of an event. It is valid until the event is recorded again or destroyed, and
/// for commands that were appended before. hipErrorInvalidHandle if the event was never recorded. Never signal or reset it.
hipError_t hiplzGetNativeEvent(hipEvent_t event, ze_event_handle_t *native);

/// The Level Zero module of a loaded module on a device; compiles it there if need be. hipErrorNotSupported if code of
/// the module has been compiled in parts for a GPU before: ask right after the module has been loaded.
hipError_t hiplzGetNativeModule(hipModule_t module, int device, ze_module_handle_t *native);

/// A Level Zero kernel of a host function or hipFunction_t, on a device. The same one at each call, valid until its module is
/// unloaded; launches by HIP do not use it. Kernels with dynamic shared memory have it as an additional last argument.
hipError_t hiplzGetNativeKernel(const void *function, int device, ze_kernel_handle_t *native);

/// The Level Zero allocation that a pointer of HIP's memory points into: HIP's pointers are those of Level Zero. Every output
/// but context may be null. A block of hipMalloc may be a part of a larger allocation.
hipError_t hiplzGetNativeMemory(const void *pointer, ze_context_handle_t *context, void **base, size_t *bytes);

/* HIP's names for native objects that exist once. */

/// The number of a device. hipErrorInvalidDevice if HIP does not show it.
hipError_t hiplzGetDeviceFromNative(ze_device_handle_t native, int *device);

/// The numbers of a driver's devices. Stores up to *count of them and sets *count to how many there are; devices may be null.
hipError_t hiplzGetDevicesFromNativeDriver(ze_driver_handle_t driver, unsigned int *count, int *devices);

/* HIP objects made from native handles. */

/// Makes HIP use a context for all devices of a driver instead of creating one. The context must contain all devices of the
/// driver. It has to be called before the first HIP function that needs a device: hipErrorSetOnActiveProcess afterwards,
/// unless it names the context that HIP uses already. HIP uses the context until the end of the process.
hipError_t hiplzCreateContextFromNative(ze_driver_handle_t driver, ze_context_handle_t context,
                                        hiplzOwnership ownership);

/// A stream whose commands are appended to an immediate command list of the device. flags are those of
/// hipStreamCreateWithFlags; the default stream's rules see only the commands that HIP appends. hipStreamSynchronize and
/// hipStreamQuery look at everything in the list.
hipError_t hiplzCreateStreamFromNative(hipStream_t *stream, int device, ze_command_list_handle_t list,
                                       unsigned int flags, hiplzOwnership ownership);

/// A stream whose commands are executed by a command queue, each in a command list of its own. ordinal is that of the
/// queue's group. Otherwise it is like hiplzCreateStreamFromNative.
hipError_t hiplzCreateStreamFromNativeQueue(hipStream_t *stream, int device, ze_command_queue_handle_t queue,
                                            uint32_t ordinal, unsigned int flags, hiplzOwnership ownership);

/// An event that is the native one: complete when that is signalled. Recording it resets the native event and signals it when
/// the stream gets there; if an earlier recording is still pending, the call waits for that first. The event's pool must be
/// host visible; hipEventElapsedTime works if it has timestamps. Graphs cannot record it (hipErrorNotSupported).
hipError_t hiplzCreateEventFromNative(hipEvent_t *event, int device, ze_event_handle_t native,
                                      hiplzOwnership ownership);

/// A module whose code on a device is a Level Zero module, which must be linked. spirv is what that was built from: it
/// has the parameters of the kernels, and is compiled for other devices. The bytes are copied.
hipError_t hiplzCreateModuleFromNative(hipModule_t *module, int device, ze_module_handle_t native, const void *spirv,
                                       size_t spirvBytes, hiplzOwnership ownership);

/// The function of a module that a Level Zero kernel of its module on that device is. Launches use handles of HIP's own, so
/// the arguments of the native kernel stay as they are; hiplzGetNativeKernel stores it from then on. With ownership
/// transferred it is destroyed with the module.
hipError_t hiplzCreateFunctionFromNative(hipFunction_t *function, hipModule_t module, int device,
                                         ze_kernel_handle_t native, hiplzOwnership ownership);

/// Makes a Level Zero allocation of HIP's context known to HIP. pointer is what zeMemAllocDevice, zeMemAllocHost or
/// zeMemAllocShared returned. With ownership transferred, hipFree or hipHostFree free it; else hiplzReleaseNativeMemory ends
/// HIP's use of it. hipErrorInvalidValue if it is not an allocation of the context, or known already.
hipError_t hiplzCreateMemoryFromNative(void *pointer, hiplzOwnership ownership);

/// Waits until HIP no longer uses the memory, and forgets it. hipErrorInvalidValue unless it was made from a native
/// pointer with hiplzOwnershipKeep.
hipError_t hiplzReleaseNativeMemory(void *pointer);

#ifdef __cplusplus
}
#endif

#include <hip/spirv/user_macros_on.h>
#endif
