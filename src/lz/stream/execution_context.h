// SPDX-License-Identifier: MIT
// The object behind hipExecutionCtx_t: a set of compute units of a device with the streams that use them. The units of a stream are
// fixed when it is created, so a context does not stand between its streams and the device: it finds its streams by its number.
#pragma once
#include "lz/core/handle_table.h"
#include "lz/device/unit_set.h"
#include "lz/stream/queue.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace hiplz {

class LZEvent;

/// Thread-safe. Those of devices are never destroyed.
class LZExecutionContext {
public:
  /// The one of a whole device; all its streams are the context's.
  static LZExecutionContext &of(LZDevice &device) { return device.part<LZExecutionContext>(); }
  static constexpr DevicePart kDevicePart = DevicePart::executionContext;
  explicit LZExecutionContext(LZDevice &device);

  /// A new one, with a handle.
  static LZExecutionContext &create(const UnitSet &units);
  /// The streams are detached and the handle ends. hipErrorInvalidValue for a device's, and if another thread was faster.
  static hipError_t destroy(LZExecutionContext &context);
  /// The context behind a handle; null if it is none. Lock-free.
  static LZExecutionContext *find(const void *handle) {
    return HandleTable<LZExecutionContext>::ofProcess().find(handle);
  }

  LZDevice &device() const { return units_.device(); }
  const UnitSet &units() const { return units_; }
  /// Unique in the process, never used again, and not 0.
  uint64_t id() const { return id_; }

  /// A new stream with a handle, which waits for what waitFor() was given. Throws HipError.
  LZQueue &createStream(unsigned flags, int priority);
  /// Waits for all streams. If one is captured, the capture becomes invalid: hipErrorStreamCaptureUnsupported.
  hipError_t synchronize();
  /// Records the event behind the work of all streams; captures as above.
  hipError_t record(LZEvent &event);
  /// Makes all streams wait, also those that createStream() makes later; captures as above.
  hipError_t waitFor(LZEvent &event);

private:
  struct Part {};
  LZExecutionContext(Part, const UnitSet &units);
  /// A stream of the context's own, which nobody else sees.
  struct Own {
    std::once_flag once;
    std::unique_ptr<LZQueue> queue; // written under once
    LZQueue &get(LZDevice &device);
  };

  std::vector<std::shared_ptr<LZQueue>> streams() const;
  static hipError_t refuseCaptured(const std::vector<std::shared_ptr<LZQueue>> &streams);

  const UnitSet &units_;
  const uint64_t id_;
  const bool isDevice_;
  Own joint_; // follows all streams where an event is recorded
  Own gate_;  // follows the events that later streams must wait for
  std::atomic<bool> gated_{false};
};

} // namespace hiplz
