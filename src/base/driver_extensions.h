// SPDX-License-Identifier: MIT
// Extensions of HIPLZ's own Level Zero driver to the specification, under the names by which the runtime looks for it. A
// driver that does not list an extension is without it.
#pragma once
#include <cstdint>

namespace hiplz {

// Extensions, as zeDriverGetExtensionProperties lists them.

/// Command lists always execute in order, whether or not the flag of later specifications asks for it, so that events
/// between their commands would be wasted (docs/design/streams.md).
inline constexpr char kZeInOrderListsExtension[] = "HIPLZ_in_order_command_lists";
/// The driver itself reports the fault of a kernel on the error stream.
inline constexpr char kZeFaultReportsExtension[] = "HIPLZ_fault_reports";
/// The devices are processors, whatever type they answer with (HIPLZ_CPU_AS_GPU).
inline constexpr char kZeProcessorExtension[] = "HIPLZ_processor";
/// The devices are those of OpenCL, whatever type they answer with.
inline constexpr char kZeOpenclExtension[] = "HIPLZ_opencl";
/// Kernels of a module are compiled when they are first launched, and kept on disk by the driver. A native binary would have
/// to have all of them.
inline constexpr char kZeKernelsOnDemandExtension[] = "HIPLZ_kernels_on_demand";
/// zeModuleCreate takes code objects of AMD's compilers as ZE_MODULE_FORMAT_NATIVE and translates their machine code. Behind the arguments
/// of the source each kernel has one more: dynamic local memory.
inline constexpr char kZeMachineCodeExtension[] = "HIPLZ_machine_code";

/// No more than so many compute units at once execute the commands of an immediate command list or of a command queue: with a
/// ZeQueueUnits behind the ze_command_queue_desc_t.
inline constexpr char kZeQueueUnitsExtension[] = "HIPLZ_queue_units";
struct ZeQueueUnits {
  static constexpr uint32_t kType = 0x4c500001; // no specification has structures with such numbers
  uint32_t stype = kType;
  const void *pNext = nullptr;
  uint32_t units = 0;
};

// Functions, as zeDriverGetExtensionFunctionAddress finds them. They take the driver's own handles.

/// ze_result_t (ze_device_handle_t, uint64_t *bytes): how much memory this process can have on the device at the
/// moment, including what it already has.
inline constexpr char kZeGetUsableMemory[] = "hiplzDeviceGetUsableMemory";

/// ze_result_t (ze_device_handle_t, uint32_t *fault): why the device was lost, a ZeFault.
inline constexpr char kZeGetFault[] = "hiplzDeviceGetFault";
enum class ZeFault : uint32_t { none, address, other }; // address: memory that is not there, or not for such an access

/// Adds a finding of the runtime's to those of the checks (docs/checking.md). `record` is a CheckReport as a file has it (base/check_report.h);
/// the driver describes the first of the pointers that is in memory that it knows or has known, and adds the caller's call stack.
inline constexpr char kZeCheckReport[] = "hiplzCheckReport";
using ZeCheckReport = void (*)(const char *record, const void *const *pointers, uint32_t count);

/// `last` is called once when the process ends, behind the destructors of its static objects and in front of the summary of the findings.
inline constexpr char kZeCheckAtEnd[] = "hiplzCheckAtEnd";
using ZeCheckAtEnd = void (*)(void (*last)());

/// Where kernels of the runtime fault that wait for their grid without a cooperative launch; the report of the fault says so.
inline constexpr uint64_t kNoGridAddress = 0x7ffffffff000;

} // namespace hiplz
