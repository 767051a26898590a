// SPDX-License-Identifier: MIT
// Properties of devices that came with specifications after 1.4. Each is a structure behind a ze_device_properties_t, which drivers
// that do not list its extension leave as it is.
#pragma once
#include <level_zero/ze_api.h>

#include <cstdint>

namespace hiplz {

/// ze_device_ip_version_ext_t of specification 1.5.
struct ZeIpVersion {
  static constexpr char kExtension[] = "ZE_extension_device_ip_version";
  uint32_t stype = 0x1000f;
  const void *pNext = nullptr;
  uint32_t value = 0; ///< the architecture, its release and its revision
};

/// ze_device_usablemem_size_ext_properties_t of specification 1.15.
struct ZeUsableMemory {
  static constexpr char kExtension[] = "ZE_extension_device_usablemem_size_properties";
  uint32_t stype = 0x20041;
  void *pNext = nullptr;
  uint64_t value = 0; ///< bytes that can be allocated now, without what this process and others already have
};

/// The device's answer; 0 if it has none.
template <class Property> auto askFor(ze_device_handle_t device) {
  Property property;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  properties.pNext = &property;
  return zeDeviceGetProperties(device, &properties) == ZE_RESULT_SUCCESS ? property.value : 0;
}

} // namespace hiplz
