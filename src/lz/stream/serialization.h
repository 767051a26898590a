// SPDX-License-Identifier: MIT
// For debugging: commands around which the host waits, so that a fault shows in the call that caused it
// (HIP_LAUNCH_BLOCKING, AMD_SERIALIZE_KERNEL, AMD_SERIALIZE_COPY).
#pragma once
#include "base/env.h"
#include "lz/stream/queue.h"

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

} // namespace hiplz
