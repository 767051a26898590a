// SPDX-License-Identifier: MIT
// See device/device_list.h.
#include "lz/device/device_list.h"
#include "lz/device/device.h"

namespace hiplz {
namespace {
constinit std::span<LZDevice *const> entered; // written before the runtime is usable
} // namespace

void enterDevices(std::span<LZDevice *const> devices) noexcept { entered = devices; }

std::span<LZDevice *const> allDevices() {
  requireRuntime();
  return entered;
}

std::span<LZDevice *const> existingDevices() noexcept {
  return runtimeUsable() ? entered : std::span<LZDevice *const>();
}

void synchronizeDevices() {
  for (LZDevice *device : existingDevices())
    device->synchronize();
}

} // namespace hiplz
