// SPDX-License-Identifier: MIT
// The processor's clock and energy as the system reports them, for system management (zes*). Where it tells nothing there is nothing:
// no value is made up.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hiplz::cpu {

/// Frequencies in MHz.
struct ClockRange {
  double least, most;
};

/// Reads files below the mount point of sysfs. Any thread.
class ProcessorSensors {
public:
  explicit ProcessorSensors(std::filesystem::path root = "/sys") : root_(std::move(root)) {}

  /// The range of the first processor; nothing if the system does not scale frequencies.
  std::optional<ClockRange> clockRange() const;
  /// The frequency of the fastest processor at the moment, in MHz.
  std::optional<double> currentClock() const;

  /// The files with the energy counters of the processor's packages (powercap), in their order.
  std::vector<std::filesystem::path> energyCounters() const;

  enum class Reading { good, notAllowed, failed };
  /// Microjoules since some time; wraps where the processor's own counter does.
  static Reading readEnergy(const std::filesystem::path &counter, uint64_t &microjoules);

private:
  const std::filesystem::path root_;
};

} // namespace hiplz::cpu
