// SPDX-License-Identifier: MIT
// How far the clock of a device drifts while it is measured. A chain of dependent integer operations on one thread takes a number
// of cycles that nothing but the clock turns into seconds: it touches no memory and needs no other processor. The whole device
// would be another matter: on a machine where other programs run, its times are mostly theirs.
#pragma once
#include "roofline/device_memory.h"

#include <optional>
#include <vector>

namespace hiplz::roofline {

class ClockProbe {
public:
  /// Measures on `stream` with that many pairs of a short and a long chain. Throws DeviceError.
  ClockProbe(hipStream_t stream, unsigned pairs);
  ~ClockProbe();
  ClockProbe(const ClockProbe &) = delete;
  ClockProbe &operator=(const ClockProbe &) = delete;

  /// Takes some milliseconds. Throws DeviceError.
  void look();
  /// Of all looks so far, (slowest - fastest) / median; nothing if they were fewer than two, or disturbed.
  std::optional<double> drift() const;

private:
  void launch(unsigned iterations);
  double seconds(unsigned from, unsigned to) const;

  const hipStream_t stream_;
  const unsigned pairs_;
  DeviceMemory out_;
  const void *chain_;
  hipEvent_t events_[3] = {};
  unsigned iterations_ = 0; // of the short chain
  std::vector<std::optional<double>> looks_;
};

} // namespace hiplz::roofline
