// SPDX-License-Identifier: MIT
// The work of a device through its streams, for the folders below them: memory, textures and modules wait for a device and put
// tables and variables into it, and streams need all three. So a device has this interface, which its list of streams
// implements (stream/device_queues.h) and LZContext provides.
#pragma once
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace hiplz {

struct CopyRegion;
struct FillRegion;

/// Thread-safe.
class DeviceWork {
public:
  virtual ~DeviceWork() = default;

  /// Waits for everything submitted to the device; costs next to nothing when it is known to be idle. Returns the first
  /// error, after waiting for everything.
  virtual hipError_t synchronize() = 0;
  /// True if everything submitted is known to be complete.
  virtual bool idle() const = 0;

  /// Copies or fills at once, unordered with any stream: for the runtime's own globals and tables. Either side of a
  /// copy may be any host memory. Throws HipError.
  virtual void copyBlocking(void *to, const void *from, size_t bytes) = 0;
  virtual void copyBlocking(const CopyRegion &region) = 0;
  virtual void fillBlocking(void *to, uint32_t pattern, size_t patternBytes, size_t bytes) = 0;
  virtual void fillBlocking(const FillRegion &region) = 0;
};

} // namespace hiplz
