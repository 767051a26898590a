// SPDX-License-Identifier: MIT
// Structures, flags and names of versions of the specification later than 1.4, of which Debian 12's headers are. The names are
// this driver's own, so that newer headers do not clash with them; tests/driver compares the layouts with theirs where it can.
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
constexpr uint32_t kInitDriverTypes = 0x3, kInitAllDriverTypes = UINT32_MAX;

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

} // namespace hiplz::cpu::ddi
