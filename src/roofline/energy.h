// SPDX-License-Identifier: MIT
// Energy counters: those of Level Zero's Sysman, else those that Linux shows of the processor's package (powercap, RAPL) if the
// device is part of that, else none. Nothing is ever estimated.
#pragma once
#include <level_zero/zes_api.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hiplz::roofline {

class EnergyMeter {
public:
  /// For a Level Zero device; `integrated` says whether it is in the processor's package. `root` is put before all paths.
  EnergyMeter(ze_device_handle_t device, bool integrated, const std::string &root = {});

  bool readable() const { return !domains_.empty() || !zones_.empty(); }
  /// Which counters are read, or why none.
  const std::string &source() const { return source_; }
  /// Starts an interval.
  void start();
  /// Joules since start(), or nothing if a counter could not be read.
  std::optional<double> stop() const;

private:
  struct Zone {
    std::string folder;
    uint64_t range = 0; // where the counter starts again
  };
  std::optional<std::vector<uint64_t>> read() const; // microjoules

  std::vector<zes_pwr_handle_t> domains_;
  std::vector<Zone> zones_;
  std::string source_;
  std::optional<std::vector<uint64_t>> started_;
};

} // namespace hiplz::roofline
