// SPDX-License-Identifier: MIT
// Structures, flags and names of versions of the specification later than 1.4, the version of Debian 12's headers. The
// names are this driver's own, so that newer headers do not clash with them; tests/driver compares the layouts with
// theirs where it can.
#pragma once
#include <cstdint>
#include <level_zero/ze_api.h>

namespace hiplz::cpu::ddi {

constexpr ze_structure_type_t structureType(uint32_t value) { return static_cast<ze_structure_type_t>(value); }

/// ze_init_driver_type_desc_t. The flags name GPU and NPU drivers; all bits mean drivers of any type.
struct InitDriverTypeDesc {
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};
constexpr uint32_t kInitGpuDrivers = 0x1, kInitDriverTypes = 0x3, kInitAllDriverTypes = UINT32_MAX;

/// ze_device_vector_width_properties_ext_t.
struct VectorWidthProperties {
  struct Widths {
    uint32_t ofChar, ofShort, ofInt, ofLong, ofFloat, ofDouble, ofHalf;
  };
  ze_structure_type_t stype;
  void *next;
  uint32_t size;
  Widths preferred, native;
};
inline constexpr char kVectorSizesExtension[] = "ZE_extension_device_vector_sizes";

inline constexpr char kImmediateAppendListsExtension[] = "ZE_experimental_immediate_command_list_append";

/// ze_physical_mem_properties_t.
struct PhysicalMemoryProperties {
  static constexpr ze_structure_type_t kType = structureType(0x20040);
  ze_structure_type_t stype;
  void *next; ///< may be a ze_external_memory_export_fd_t
  uint64_t id;
  uint64_t size;
};

/// ze_group_size_t.
struct GroupSize {
  uint32_t x, y, z;
};

/// ze_command_list_append_launch_kernel_param_cooperative_desc_t.
struct CooperativeParameter {
  static constexpr ze_structure_type_t kType = structureType(0x20036);
  ze_structure_type_t stype;
  const void *next;
  ze_bool_t isCooperative;
};

inline constexpr char kCloneExtension[] = "ZE_experimental_command_list_clone";
/// ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE.
constexpr ze_command_list_flags_t kCloneableList = ZE_BIT(4);

inline constexpr char kMutableListsExtension[] = "ZE_experimental_mutable_command_list";
constexpr uint32_t kAllMutableFlags = 0xff;                                 // ze_mutable_command_exp_flags_t of 1.17
constexpr auto kInvalidKernelHandle = static_cast<ze_result_t>(0x7800001c); // ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE

/// ze_mutable_command_list_exp_properties_t, behind a ze_device_properties_t.
struct MutableListProperties {
  static constexpr ze_structure_type_t kType = structureType(0x20015);
  ze_structure_type_t stype;
  void *next;
  uint32_t listFlags, commandFlags;
};

/// ze_mutable_command_list_exp_desc_t, behind a ze_command_list_desc_t.
struct MutableListDesc {
  static constexpr ze_structure_type_t kType = structureType(0x20016);
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};

/// ze_mutable_command_id_exp_desc_t. No flags mean all but another kernel.
struct MutableCommandIdDesc {
  static constexpr uint32_t kType = 0x20017;
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};

/// ze_mutable_commands_exp_desc_t: the changes are in its chain.
struct MutableCommandsDesc {
  static constexpr uint32_t kType = 0x20018;
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};

/// ze_mutable_kernel_argument_exp_desc_t.
struct MutableArgumentDesc {
  static constexpr uint32_t kType = 0x20019;
  ze_structure_type_t stype;
  const void *next;
  uint64_t command;
  uint32_t index;
  size_t size;
  const void *value;
};

/// ze_mutable_group_count_exp_desc_t.
struct MutableGroupCountDesc {
  static constexpr uint32_t kType = 0x2001a;
  ze_structure_type_t stype;
  const void *next;
  uint64_t command;
  const ze_group_count_t *count;
};

/// ze_mutable_group_size_exp_desc_t.
struct MutableGroupSizeDesc {
  static constexpr uint32_t kType = 0x2001b;
  ze_structure_type_t stype;
  const void *next;
  uint64_t command;
  GroupSize size;
};

/// ze_mutable_global_offset_exp_desc_t.
struct MutableGlobalOffsetDesc {
  static constexpr uint32_t kType = 0x2001c;
  ze_structure_type_t stype;
  const void *next;
  uint64_t command;
  uint32_t offset[3];
};

inline constexpr char kKernelTimestampsExtension[] = "ZE_extension_event_query_kernel_timestamps";

/// ze_event_query_kernel_timestamps_ext_properties_t, behind a ze_device_properties_t.
struct KernelTimestampsProperties {
  static constexpr ze_structure_type_t kType = structureType(0x10011);
  static constexpr uint32_t kKernel = 1, kSynchronized = 2;
  ze_structure_type_t stype;
  void *next;
  uint32_t flags;
};

/// ze_synchronized_timestamp_result_ext_t, in nanoseconds of the host's clock.
struct SynchronizedTimestamps {
  struct Span {
    uint64_t start, end;
  };
  Span global, context;
};

/// ze_event_query_kernel_timestamps_results_ext_properties_t.
struct KernelTimestampsResults {
  static constexpr ze_structure_type_t kType = structureType(0x10012);
  ze_structure_type_t stype;
  void *next;
  ze_kernel_timestamp_result_t *kernel; ///< null: not wanted
  SynchronizedTimestamps *synchronized; ///< null: not wanted
};

inline constexpr char kCounterPoolsExtension[] = "ZE_experimental_event_pool_counter_based";

/// ze_event_pool_counter_based_exp_desc_t, behind a ze_event_pool_desc_t.
struct CounterPoolDesc {
  static constexpr ze_structure_type_t kType = structureType(0x20014);
  static constexpr uint32_t kFlags = 0x3;
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags; ///< for which kinds of lists; all are the same
};

/// ze_image_pitched_exp_desc_t.
struct PitchedImageDesc {
  ze_structure_type_t stype;
  const void *next;
  void *memory;
};

/// ze_event_counter_based_desc_t.
struct CounterEventDesc {
  static constexpr uint32_t kFlags = 0x7f, kScopes = 0x7;
  static constexpr uint32_t kTimestamps = 0x30;  // of the device, of the host
  static constexpr uint32_t kUnsupported = 0x48; // IPC, graphs
  /// Extensions that put the counter into memory of the program.
  static constexpr ze_structure_type_t kExternal[] = {structureType(0x2003b), structureType(0x2003f)};
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
  ze_event_scope_flags_t signal, wait;
};

/// ze_device_event_properties_t, behind a ze_device_properties_t.
struct EventProperties {
  static constexpr ze_structure_type_t kType = structureType(0x2003e);
  ze_structure_type_t stype;
  void *next;
  uint32_t flags; ///< counters elsewhere, IPC
};

inline constexpr char kIpcHandleTypeExtension[] = "ZE_extension_ipc_mem_handle_type";

/// ze_ipc_mem_handle_type_ext_desc_t.
struct IpcHandleTypeDesc {
  static constexpr ze_structure_type_t kType = structureType(0x2003d);
  static constexpr uint32_t kDefault = 1, kFabric = 2;
  ze_structure_type_t stype;
  const void *next;
  uint32_t types;
};

/// ze_memory_atomic_attr_exp_flags_t.
constexpr uint32_t kAtomicAccessFlags = 0x7f;

inline constexpr char kImageViewExtension[] = "ZE_extension_image_view";

inline constexpr char kUsableMemoryExtension[] = "ZE_extension_device_usablemem_size_properties";
inline constexpr char kCacheLineExtension[] = "ZE_extension_device_cache_line_size";
inline constexpr char kMaxGroupSizeExtension[] = "ZE_extension_kernel_max_group_size_properties";

/// ze_kernel_max_group_size_properties_ext_t, behind a ze_kernel_properties_t.
struct KernelMaxGroupSizeProperties {
  static constexpr ze_structure_type_t kType = structureType(0x10013);
  ze_structure_type_t stype;
  void *next;
  uint32_t maxGroupSize;
};

/// ze_device_usablemem_size_ext_properties_t, behind a ze_device_properties_t. In bytes.
struct UsableMemoryProperties {
  static constexpr ze_structure_type_t kType = structureType(0x20041);
  ze_structure_type_t stype;
  void *next;
  uint64_t bytes;
};

inline constexpr char kReadOnlyMemoryExtension[] = "ZE_extension_virtual_mem_readonly_properties";

/// ze_device_readonly_memory_ext_properties_t, behind a ze_device_properties_t.
struct ReadOnlyMemoryProperties {
  static constexpr ze_structure_type_t kType = structureType(0x10015);
  static constexpr uint32_t kEnforced = 2; ///< writing faults
  ze_structure_type_t stype;
  void *next;
  uint32_t capability;
};

inline constexpr char kImageFormatsExtension[] = "ZE_extension_image_format_support";

/// ze_image_format_support_ext_properties_t, behind a ze_image_properties_t.
struct ImageFormatProperties {
  static constexpr ze_structure_type_t kType = structureType(0x10014);
  ze_structure_type_t stype;
  void *next;
  ze_bool_t isSupported;
};

/// The name since specification 1.17 of what was experimental before; there is no limit but the memory.
inline constexpr char kAllocationLimitsExtension[] = "ZE_extension_relaxed_allocation_limits";

/// ze_device_cache_line_size_ext_t, behind a ze_device_cache_properties_t. In bytes.
struct CacheLineProperties {
  static constexpr ze_structure_type_t kType = structureType(0x20028);
  ze_structure_type_t stype;
  void *next;
  size_t bytes;
};

} // namespace hiplz::cpu::ddi
