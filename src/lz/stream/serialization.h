// SPDX-License-Identifier: MIT
// For debugging: commands around which the host waits, so that a fault shows in the call that caused it
// (HIP_LAUNCH_BLOCKING, AMD_SERIALIZE_KERNEL, AMD_SERIALIZE_COPY).
#pragma once
#include "base/env.h"
#include "lz/module/hostcall.h"
#include "lz/stream/queue.h"

#include <memory>
#include <span>
#include <vector>

namespace hiplz {

/// Read from the environment once. Immutable.
class Serialization {
public:
  static const Serialization &ofKernels() {
    static const Serialization settings(EnvVar::AMD_SERIALIZE_KERNEL,
                                        envNumber(EnvVar::HIP_LAUNCH_BLOCKING).value_or(0) != 0);
    return settings;
  }
  static const Serialization &ofCopies() {
    static const Serialization settings(EnvVar::AMD_SERIALIZE_COPY, false);
    return settings;
  }

  bool any() const { return before_ || behind_; }

  /// Submits a command to the queue by submit() and waits for the queue as the settings say. The first error is returned.
  template <class Submit> hipError_t around(LZQueue &queue, Submit submit) const {
    if (before_)
      if (hipError_t error = queue.synchronize())
        return error;
    const hipError_t error = submit();
    return error || !behind_ ? error : queue.synchronize();
  }

private:
  // AMD's bits: 1 before the command, 2 after it.
  Serialization(EnvVar variable, bool behind) {
    const uint64_t bits = envNumber(variable).value_or(0);
    before_ = bits & 1;
    behind_ = (bits & 2) || behind;
  }

  bool before_, behind_;
};

/// Submits something that prints into buffers of the devices, and waits until it is printed. Errors of kernels are those of later calls.
template <class Submit> hipError_t withPrinting(LZQueue &queue, std::span<LZDevice *const> devices, Submit submit) {
  std::vector<std::unique_ptr<const LZHostcall::Printing>> printing;
  for (LZDevice *device : devices)
    printing.push_back(std::make_unique<const LZHostcall::Printing>(LZHostcall::of(*device)));
  const hipError_t error = submit();
  if (!error)
    queue.finish();
  return error;
}

} // namespace hiplz
