// SPDX-License-Identifier: MIT
// Initialisation, once in a process, and the handles that are alive.
#include "lz/context/context.h"
#include "base/log.h"
#include "lz/context/checked_calls.h"
#include "lz/context/foreign_runtime.h"
#include "lz/core/error.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/device/visible_devices.h"
#include "lz/graph/graph_exec.h"
#include "lz/module/hostcall.h"
#include "lz/module/printf.h"
#include "lz/module/registry.h"
#include "lz/stream/callback.h"
#include "lz/stream/command_profile.h"
#include "lz/stream/device_queues.h"
#include "lz/texture/texture.h"

#include <cstdlib>
#include <mutex>
#include <pthread.h>

namespace hiplz {

std::atomic<LZContext *> LZContext::ready_{nullptr};

namespace {

std::once_flag initialised;
// Set in a forked child of a process that had been initialised: fork() copies neither the driver's threads nor its
// device.
std::atomic<bool> lostByFork{false};
// Set when the process runs its exit handlers: the drivers' own are next.
std::atomic<bool> ended{false};

std::string uuidDigits(ze_device_handle_t device) {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  std::string digits;
  if (zeDeviceGetProperties(device, &properties) == ZE_RESULT_SUCCESS)
    for (uint8_t byte : properties.uuid.id)
      for (int shift : {4, 0})
        digits += "0123456789abcdef"[byte >> shift & 15];
  return digits;
}

// Queues and executable graphs hold kernels and stand above modules.
void forgetInQueues(const LZModule &module) noexcept {
  for (LZDevice *device : existingDevices())
    LZDeviceQueues::of(*device).forgetModule(module);
}

} // namespace

LZContext &LZContext::initialise() {
  if (lostByFork.load(std::memory_order_relaxed))
    throw HipError(hipErrorNotInitialized, "HIP cannot be used in a forked child of a process that has used it; "
                                           "use exec in the child, or fork before the first HIP call");
  if (ended.load(std::memory_order_relaxed))
    throw HipError(hipErrorDeinitialized, "the process is ending, its drivers may be gone");
  static auto *const noDevice = new std::string; // why there is none; used until the process ends
  std::call_once(initialised, [] {
    sayIfForeign();
    static LZContext *context; // keeps it reachable where ready_ is null: in forked children and at the end
    context = new LZContext(*noDevice);
    if (context->devices().empty()) {
      if (noDevice->empty())
        *noDevice = "ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES leaves none";
      HIPLZ_LOG_INFO("no device: %s", noDevice->c_str());
      delete context;
      return;
    }
    pthread_atfork(nullptr, nullptr, [] {
      runtimeReady.store(false, std::memory_order_relaxed);
      if (ready_.exchange(nullptr, std::memory_order_relaxed))
        lostByFork.store(true, std::memory_order_relaxed);
    });
    // The drivers have been loaded, so this handler runs before theirs.
    std::atexit([] { endOfProcess(); });
    enterDevices(context->devices());
    if (const ProfilerHooks *hooks = profiler())
      for (LZDevice *device : context->devices())
        LZCommandProfile::describe(*hooks, *device);
    LZRegistry::instance().addKernelHolder(forgetInQueues);
    LZRegistry::instance().addKernelHolder(LZGraphExec::forgetModule);
    prepareCheckedCalls(context->devices());
    ready_.store(context, std::memory_order_release);
    runtimeReady.store(true, std::memory_order_release);
  });
  LZContext *context = ready_.load(std::memory_order_acquire);
  if (!context)
    throw HipError(hipErrorNoDevice, "there is no device: " + *noDevice);
  return *context;
}

/// From here on the runtime calls no driver, apart from calls that other threads of the application are already in.
void LZContext::endOfProcess() noexcept {
  LZContext *context = existing();
  if (!context)
    return; // a forked child has neither drivers nor threads
  ended.store(true, std::memory_order_relaxed);
  runtimeReady.store(false, std::memory_order_relaxed);
  ready_.store(nullptr, std::memory_order_relaxed);
  LZCallbackThread::stopAll();
  LZCommandProfile::stop();
  LZPrintf::stopAll(context->devices());
  LZHostcall::stopAll(context->devices());
}

LZContext::LZContext(std::string &whyNone) : drivers_(LZDriver::openAll(whyNone)) {
  struct Found {
    LZDriver *driver;
    ze_device_handle_t device;
  };
  std::vector<Found> found;
  std::vector<std::string> uuids;
  for (const auto &driver : drivers_)
    for (ze_device_handle_t device : driver->zeDevices()) {
      found.push_back({driver.get(), device});
      uuids.push_back(uuidDigits(device));
    }
  for (size_t position : visibleDevices(uuids))
    try {
      devices_.push_back(std::make_unique<LZDevice>(*found[position].driver, found[position].device,
                                                    static_cast<int>(devices_.size())));
    } catch (const HipError &error) {
      HIPLZ_LOG_INFO("a device is skipped: %s", error.what());
    }
  for (const auto &device : devices_) {
    devicePointers_.push_back(device.get());
    device->setWork(*queues_.emplace_back(std::make_unique<LZDeviceQueues>(*device)));
    HIPLZ_LOG_INFO("device %d: %s", device->ordinal(), device->properties().name);
  }
}

LZContext::~LZContext() = default;

void startRuntime() { LZContext::instance(); }

LZDevice &LZContext::device(int ordinal, hipError_t otherwise) const {
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= devices_.size())
    throw HipError(otherwise, "there is no device with this number");
  return *devices_[ordinal];
}

void LZContext::addHandle(LZTexture &texture) {
  const auto *const handle = reinterpret_cast<const void *>(texture.address());
  HandleTable<LZTexture>::ofProcess().add(handle, texture);
  OwnedObjects::made(texture.isSurface() ? "a surface object" : "a texture object", handle);
}

bool LZContext::removeHandle(const LZTexture *texture) {
  return HandleTable<LZTexture>::ofProcess().remove(reinterpret_cast<const void *>(texture->address()), *texture);
}

} // namespace hiplz
