// SPDX-License-Identifier: MIT
// See device/preset_context.h.
#include "lz/device/preset_context.h"
#include "base/lockable.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hiplz {
namespace {

using Preset = std::vector<std::pair<ze_driver_handle_t, ZeContext>>;

// Never destroyed, like what is made from it.
Lockable<Preset> &preset() {
  static auto *preset = new Lockable<Preset>(LockRank::presetContexts);
  return *preset;
}

} // namespace

bool presetContext(ze_driver_handle_t driver, ze_context_handle_t context, bool owned) {
  const auto known = preset().lock();
  if (runtimeUsable()) {
    const std::span<LZDevice *const> devices = allDevices();
    return std::any_of(devices.begin(), devices.end(), [&](const LZDevice *device) {
      return device->driver().ze() == driver && device->zeContext() == context;
    });
  }
  // A second choice replaces the first, whose handle has not been used.
  std::erase_if(*known, [&](auto &entry) {
    if (entry.first != driver)
      return false;
    if (entry.second.get() == context)
      entry.second.release();
    return true;
  });
  known->emplace_back(driver, ZeContext(context, owned));
  return true;
}

ZeContext takePresetContext(ze_driver_handle_t driver) {
  const auto known = preset().lock();
  for (auto &[of, context] : *known)
    if (of == driver)
      return std::move(context);
  return {};
}

} // namespace hiplz
