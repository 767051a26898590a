// SPDX-License-Identifier: MIT
// See processor_sensors.h.
#include "cpu/objects/processor_sensors.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

std::optional<uint64_t> readNumber(const std::filesystem::path &file) {
  uint64_t number = 0;
  if (!(std::ifstream(file) >> number))
    return std::nullopt;
  return number;
}

/// Calls `visit` for the entries of a folder that begin with a prefix.
template <class Visit> void forEach(const std::filesystem::path &folder, const char *prefix, Visit visit) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
    if (entries->path().filename().string().starts_with(prefix))
      visit(entries->path());
}

constexpr double kKilohertz = 1e-3; // in MHz

} // namespace

std::optional<ClockRange> ProcessorSensors::clockRange() const {
  const std::filesystem::path folder = root_ / "devices/system/cpu/cpu0/cpufreq";
  const auto least = readNumber(folder / "cpuinfo_min_freq"), most = readNumber(folder / "cpuinfo_max_freq");
  if (!least || !most)
    return std::nullopt;
  return ClockRange{static_cast<double>(*least) * kKilohertz, static_cast<double>(*most) * kKilohertz};
}

std::optional<double> ProcessorSensors::currentClock() const {
  std::optional<uint64_t> fastest;
  forEach(root_ / "devices/system/cpu", "cpu", [&](const std::filesystem::path &processor) {
    if (const auto clock = readNumber(processor / "cpufreq/scaling_cur_freq"))
      fastest = std::max(fastest.value_or(0), *clock);
  });
  if (!fastest)
    return std::nullopt;
  return static_cast<double>(*fastest) * kKilohertz;
}

std::vector<std::filesystem::path> ProcessorSensors::energyCounters() const {
  std::vector<std::filesystem::path> counters;
  // Packages are intel-rapl:0, :1, on processors of AMD too; what lies within one has a second number.
  forEach(root_ / "class/powercap", "intel-rapl:", [&](const std::filesystem::path &zone) {
    const std::string name = zone.filename();
    std::error_code error;
    if (std::count(name.begin(), name.end(), ':') == 1 && std::filesystem::exists(zone / "energy_uj", error))
      counters.push_back(zone / "energy_uj");
  });
  std::sort(counters.begin(), counters.end());
  return counters;
}

ProcessorSensors::Reading ProcessorSensors::readEnergy(const std::filesystem::path &counter, uint64_t &microjoules) {
  const auto number = readNumber(counter);
  if (number) {
    microjoules = *number;
    return Reading::good;
  }
  return ::access(counter.c_str(), R_OK) != 0 && errno == EACCES ? Reading::notAllowed : Reading::failed;
}

} // namespace hiplz::cpu
