// SPDX-License-Identifier: MIT
// A context: owns allocations, knows which of its devices are lost, and which streams belong to it.
#pragma once
#include "base/lockable.h"
#include "cpu/exec/stream.h"
#include "cpu/objects/memory.h"
#include "cpu/objects/object.h"

#include <atomic>
#include <memory>
#include <vector>

namespace hiplz::cpu {

class Device;
class Driver;

class Context : public Object<Context, ze_context_handle_t> {
public:
  static constexpr uint64_t kKind = 3;
  Context(Driver &driver, const std::vector<Device *> &devices);
  /// Frees the allocations that the application has left.
  ~Context();

  Driver &driver() const { return driver_; }

  /// Throws Error(INVALID_ARGUMENT) if the device does not belong to the context.
  void requireDevice(const Device &device) const;

  /// DEVICE_LOST if a kernel has faulted on one of the devices in this context.
  ze_result_t status() const;

  /// A new stream on a device of the context, which so many threads may execute at once, and its end.
  Stream *createStream(Device &device, ze_command_queue_priority_t priority, uint32_t maxThreads);
  void destroyStream(Stream *stream);

  /// Waits until everything that has been submitted on the context has been executed. Other threads can submit and create
  /// meanwhile.
  void drain() const;

  /// Adds what has been submitted for a device.
  void addProgress(const Device &device, std::vector<Stream::Progress> &progress) const;

  /// Releases memory that is no longer in any table as soon as everything that has been submitted up to now has been
  /// executed: at once, in a later call of releaseDeferred(), or with the context.
  void releaseLater(const Allocation &allocation);
  void releaseDeferred();

private:
  struct PerDevice {
    Device *device;
    std::shared_ptr<DeviceStatus> status;
  };
  Driver &driver_;
  std::vector<PerDevice> devices_;
  struct Deferred {
    Allocation allocation;
    std::vector<Stream::Progress> users;
    bool isOver() const;
  };
  struct DeviceStream {
    const Device *device;
    Stream *stream;
  };
  struct Work {
    std::vector<DeviceStream> streams;
    std::vector<Deferred> deferred;
  };
  mutable Lockable<Work> work_{LockRank::cpuContext};
  std::atomic<bool> hasDeferred_{false};
};

} // namespace hiplz::cpu
