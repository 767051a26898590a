// SPDX-License-Identifier: MIT
// See device/preset_context.h.
#include "lz/device/preset_context.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace hiplz {
namespace {

struct Preset {
  std::mutex mutex; // guards the list
  std::vector<std::pair<ze_driver_handle_t, ZeContext>> contexts;
};

// Never destroyed, like what is made from it.
Preset &preset() {
  static Preset *preset = new Preset;
  return *preset;
}

} // namespace

bool presetContext(ze_driver_handle_t driver, ze_context_handle_t context, bool owned) {
  Preset &known = preset();
  std::lock_guard lock(known.mutex);
  if (runtimeUsable()) {
    const std::span<LZDevice *const> devices = allDevices();
    return std::any_of(devices.begin(), devices.end(), [&](const LZDevice *device) {
      return device->driver().ze() == driver && device->zeContext() == context;
    });
  }
  // A second choice replaces the first, whose handle has not been used.
  std::erase_if(known.contexts, [&](auto &entry) {
    if (entry.first != driver)
      return false;
    if (entry.second.get() == context)
      entry.second.release();
    return true;
  });
  known.contexts.emplace_back(driver, ZeContext(context, owned));
  return true;
}

ZeContext takePresetContext(ze_driver_handle_t driver) {
  Preset &known = preset();
  std::lock_guard lock(known.mutex);
  for (auto &[of, context] : known.contexts)
    if (of == driver)
      return std::move(context);
  return {};
}

} // namespace hiplz
