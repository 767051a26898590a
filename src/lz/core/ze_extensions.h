// SPDX-License-Identifier: MIT
// Functions that drivers may offer beyond the headers that HIPLZ is built with (specification 1.4). Everything here is looked for
// at run time (LZDriver) and used only where it was found. HIPLZ's own extensions are in base/driver_extensions.h.
#pragma once
#include "base/driver_extensions.h"

#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>

namespace hiplz {

/// ZE_COMMAND_QUEUE_FLAG_IN_ORDER of specification 1.6: the commands of an immediate list execute in order without
/// barriers between them.
inline constexpr ze_command_queue_flags_t kZeCommandQueueFlagInOrder = ZE_BIT(1);
inline constexpr ze_api_version_t kZeApiVersionInOrder = static_cast<ze_api_version_t>(ZE_MAKE_VERSION(1, 6));

/// Intel's commands that wait for a word in memory (its experimental extension "command list memory sync"). They are not
/// called through the loader, so their handles are those of the driver: driverHandle(handle).
struct ZexWaitOnMemory {
  static constexpr uint32_t kEqual = 1 << 0, kGreaterEqual = 1 << 3; // unsigned
  static constexpr uint32_t kHostScope = 1 << 2;
  uint32_t action;
  uint32_t scope;
};
using ZexAppendWaitOnMemory32 = ze_result_t(ZE_APICALL *)(ze_command_list_handle_t, ZexWaitOnMemory *, void *, uint32_t,
                                                          ze_event_handle_t);
using ZexAppendWaitOnMemory64 = ze_result_t(ZE_APICALL *)(ze_command_list_handle_t, ZexWaitOnMemory *, void *, uint64_t,
                                                          ze_event_handle_t);

/// Intel's functions that make host memory known to a driver under its own address.
using ZexImportPointer = ze_result_t(ZE_APICALL *)(ze_driver_handle_t, void *, size_t);
using ZexReleasePointer = ze_result_t(ZE_APICALL *)(ze_driver_handle_t, void *);

/// Intel's answers about registers, behind a ze_device_module_properties_t and a ze_kernel_properties_t. Drivers that do not know them
/// leave them as they are.
struct ZexRegisterFileSizes {
  uint32_t stype = 0x30010;
  void *pNext = nullptr;
  uint32_t count = 0;        ///< of the sizes that the device can give to a hardware thread
  uint32_t *sizes = nullptr; ///< in registers; null: only their count is wanted
};
struct ZexKernelRegisters {
  uint32_t stype = 0x30012;
  void *pNext = nullptr;
  uint32_t registers = 0; ///< that a hardware thread has, each of 4 bytes for each of its EU's lanes
};

/// Intel's hint, behind a ze_command_queue_desc_t, that engines which only copy may take the copies of a list that keeps order.
inline constexpr char kZexCopyOffloadExtension[] = "ZEX_intel_experimental_queue_copy_operations_offload_hint";
struct ZexCopyOffload {
  uint32_t stype = 0x3001b;
  const void *pNext = nullptr;
  ze_bool_t wanted = true;
};

/// zeCommandListImmediateAppendCommandListsExp: puts closed lists into an immediate list.
inline constexpr char kZeAppendCommandListsExtension[] = "ZE_experimental_immediate_command_list_append";
using ZeAppendCommandLists = ze_result_t(ZE_APICALL *)(ze_command_list_handle_t, uint32_t, ze_command_list_handle_t *,
                                                       ze_event_handle_t, uint32_t, ze_event_handle_t *);

/// zePhysicalMemGetProperties of specification 1.15; export structures may be chained.
inline constexpr ze_structure_type_t kZeStructureTypePhysicalMemProperties = static_cast<ze_structure_type_t>(0x20040);
struct ZePhysicalMemProperties {
  ze_structure_type_t stype;
  void *pNext;
  uint64_t id;
  uint64_t size;
};
using ZePhysicalMemGetProperties = ze_result_t(ZE_APICALL *)(ze_context_handle_t, ze_physical_mem_handle_t,
                                                             ZePhysicalMemProperties *);

using ZeGetUsableMemory = ze_result_t(ZE_APICALL *)(ze_device_handle_t, uint64_t *); // kZeGetUsableMemory
using ZeGetFault = ze_result_t(ZE_APICALL *)(ze_device_handle_t, uint32_t *);        // kZeGetFault

inline constexpr zel_handle_type_t kindOf(ze_driver_handle_t) { return ZEL_HANDLE_DRIVER; }
inline constexpr zel_handle_type_t kindOf(ze_device_handle_t) { return ZEL_HANDLE_DEVICE; }
inline constexpr zel_handle_type_t kindOf(ze_context_handle_t) { return ZEL_HANDLE_CONTEXT; }
inline constexpr zel_handle_type_t kindOf(ze_physical_mem_handle_t) { return ZEL_HANDLE_PHYSICAL_MEM; }
inline constexpr zel_handle_type_t kindOf(ze_command_list_handle_t) { return ZEL_HANDLE_COMMAND_LIST; }
inline constexpr zel_handle_type_t kindOf(ze_event_handle_t) { return ZEL_HANDLE_EVENT; }

/// The driver's own handle behind one of the loader, for functions that the loader does not know.
template <class Handle> Handle driverHandle(Handle handle) {
  void *own = handle;
  zelLoaderTranslateHandle(kindOf(handle), handle, &own);
  return static_cast<Handle>(own);
}

/// A function that the headers lack, as LZDriver::function has found it: the driver's own, which takes the driver's handles, or
/// the loader's. A plain value; empty if there is none.
template <class Function> class ZeFunction {
public:
  ZeFunction() = default;
  ZeFunction(void *function, bool ofLoader) : function_(reinterpret_cast<Function>(function)), ofLoader_(ofLoader) {}
  explicit operator bool() const { return function_ != nullptr; }

  /// A handle as the function takes it; null stays null.
  template <class Handle> Handle as(Handle handle) const {
    return ofLoader_ || !handle ? handle : driverHandle(handle);
  }

  /// Calls it. Handles that are arguments themselves become what it takes; those behind pointers are the caller's affair.
  template <class... Arguments> ze_result_t operator()(Arguments... arguments) const {
    return function_(passed(arguments)...);
  }

private:
  template <class Argument> Argument passed(Argument argument) const {
    if constexpr (requires { kindOf(argument); })
      return as(argument);
    else
      return argument;
  }

  Function function_ = nullptr;
  bool ofLoader_ = false;
};

} // namespace hiplz
