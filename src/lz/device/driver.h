// SPDX-License-Identifier: MIT
// A Level Zero driver that the runtime uses, and the choice of the drivers that the loader opens. Nothing else knows
// that HIPLZ brings a driver of its own.
#pragma once
#include "lz/core/ze_extensions.h"
#include "lz/core/ze_handle.h"
#include "lz/sync/event_pool.h"

#include <memory>
#include <string>
#include <vector>

namespace hiplz {

/// A driver with the context in which the runtime creates everything on it: one for all its devices, so that memory is
/// shared between them. Immutable after construction, except for the event pools, which lock for themselves.
class LZDriver {
public:
  /// Chooses the loader's drivers (HIPLZ_DEVICES; ZE_ENABLE_ALT_DRIVERS is respected when the user has set it),
  /// initialises the loader and opens every driver that has a device of the wanted kind. Call once. An empty result
  /// means that there is none; `whyNone` then says why and what to do. Never throws but std::bad_alloc.
  static std::vector<std::unique_ptr<LZDriver>> openAll(std::string &whyNone);

  LZDriver(ze_driver_handle_t driver, std::vector<ze_device_handle_t> devices);
  LZDriver(const LZDriver &) = delete;
  LZDriver &operator=(const LZDriver &) = delete;

  ze_driver_handle_t ze() const { return ze_; }
  ze_context_handle_t zeContext() const { return context_.get(); }

  /// The devices of this driver that the runtime shows.
  const std::vector<ze_device_handle_t> &zeDevices() const { return devices_; }

  ze_api_version_t apiVersion() const { return apiVersion_; }
  /// The driver's own version number; together with the device's identity it names what compiled binaries depend on.
  uint32_t version() const { return version_; }
  bool hasExtension(const char *name) const;
  /// A function that the driver offers by this name and the loader does not know; null if there is none. It takes the
  /// driver's own handles (driverHandle, ze_extensions.h).
  void *extensionFunction(const char *name) const;
  /// A function of the specification that the headers lack: the driver's, or else the loader's, if the driver lists the extension
  /// that the function belongs to (null: it belongs to none). Intel's driver gives many of them to the loader alone. Empty if there
  /// is none.
  template <class Function> ZeFunction<Function> function(const char *name, const char *extension) const {
    if (void *own = extensionFunction(name))
      return {own, false};
    return {!extension || hasExtension(extension) ? loaderFunction(name) : nullptr, true};
  }
  /// Commands that wait for a word in memory; null if the driver has none.
  ZexAppendWaitOnMemory32 waitOnMemory32() const { return waitOnMemory32_; }
  ZexAppendWaitOnMemory64 waitOnMemory64() const { return waitOnMemory64_; }
  /// Functions that make host memory known to the driver, and that end this; null if the driver has none.
  ZexImportPointer importPointer() const { return importPointer_; }
  ZexReleasePointer releasePointer() const { return releasePointer_; }

  /// True if immediate lists keep the order of their commands without barriers.
  bool inOrderLists() const { return inOrderLists_; }

  /// Events for ordering and for the host's waiting.
  LZEventPool &events() { return events_; }
  /// Events that carry timestamps as well.
  LZEventPool &timedEvents() { return timedEvents_; }
  /// Events that the host signals, or that a command waits for before the command that signals them is appended. No list that keeps
  /// its order may signal one before some list waits for it or resets it: such a signal makes Intel's newer drivers take the
  /// event for a place in that list, for good, and they then refuse the other uses.
  LZEventPool &unorderedEvents() { return unorderedEvents_; }

private:
  static void *loaderFunction(const char *name);

  ze_driver_handle_t ze_;
  std::vector<ze_device_handle_t> devices_;
  ZeContext context_;
  ze_api_version_t apiVersion_ = ZE_API_VERSION_1_0;
  uint32_t version_ = 0;
  std::vector<ze_driver_extension_properties_t> extensions_;
  bool inOrderLists_ = false;
  ZexAppendWaitOnMemory32 waitOnMemory32_ = nullptr;
  ZexAppendWaitOnMemory64 waitOnMemory64_ = nullptr;
  ZexImportPointer importPointer_ = nullptr;
  ZexReleasePointer releasePointer_ = nullptr;
  LZEventPool events_;
  LZEventPool timedEvents_;
  LZEventPool unorderedEvents_;
};

} // namespace hiplz
