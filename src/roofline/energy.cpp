// SPDX-License-Identifier: MIT
#include "roofline/energy.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace hiplz::roofline {

namespace {

std::optional<uint64_t> readNumber(const std::string &path) {
  std::ifstream file(path);
  uint64_t number = 0;
  return file >> number ? std::optional(number) : std::nullopt;
}

std::string readLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

} // namespace

EnergyMeter::EnergyMeter(ze_device_handle_t device, bool integrated, const std::string &root) {
  // Without ZES_ENABLE_SYSMAN in the environment when Level Zero is initialised, drivers refuse this.
  uint32_t count = 0;
  if (device && zesDeviceEnumPowerDomains(device, &count, nullptr) == ZE_RESULT_SUCCESS && count) {
    std::vector<zes_pwr_handle_t> domains(count);
    if (zesDeviceEnumPowerDomains(device, &count, domains.data()) == ZE_RESULT_SUCCESS && count)
      for (zes_pwr_handle_t domain : domains) {
        zes_power_properties_t properties{};
        properties.stype = ZES_STRUCTURE_TYPE_POWER_PROPERTIES;
        zes_power_energy_counter_t counter{};
        // The domains overlap: that of the whole device contains the others.
        if (zesPowerGetProperties(domain, &properties) == ZE_RESULT_SUCCESS && !properties.onSubdevice &&
            zesPowerGetEnergyCounter(domain, &counter) == ZE_RESULT_SUCCESS) {
          domains_ = {domain};
          source_ = "Level Zero Sysman, the device's first power domain";
          return;
        }
      }
  }
  if (!integrated) {
    source_ = "not readable: the driver has no energy counter for this device";
    return;
  }
  bool seen = false;
  std::error_code error;
  const std::filesystem::path folder = root + "/sys/class/powercap";
  for (std::filesystem::directory_iterator at(folder, error), end; at != end; at.increment(error)) {
    // A package is intel-rapl:0; intel-rapl:0:1 is part of it, intel-rapl-mmio counts the same once more.
    const std::string name = at->path().filename();
    if (!name.starts_with("intel-rapl:") || std::ranges::count(name, ':') != 1 ||
        !readLine(at->path().string() + "/name").starts_with("package"))
      continue;
    seen = true;
    if (readNumber(at->path().string() + "/energy_uj"))
      zones_.push_back({at->path().string(), readNumber(at->path().string() + "/max_energy_range_uj").value_or(0)});
  }
  if (!zones_.empty())
    source_ = "RAPL, the processor's package as a whole (" + folder.string() + ")";
  else if (seen)
    source_ = "not readable: only root may read energy_uj in " + folder.string();
  else
    source_ = "not readable: there is neither a counter of the driver nor RAPL in " + folder.string();
}

std::optional<std::vector<uint64_t>> EnergyMeter::read() const {
  std::vector<uint64_t> values;
  for (zes_pwr_handle_t domain : domains_) {
    zes_power_energy_counter_t counter{};
    if (zesPowerGetEnergyCounter(domain, &counter) != ZE_RESULT_SUCCESS)
      return std::nullopt;
    values.push_back(counter.energy);
  }
  for (const Zone &zone : zones_) {
    const std::optional<uint64_t> value = readNumber(zone.folder + "/energy_uj");
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values.empty() ? std::nullopt : std::optional(values);
}

void EnergyMeter::start() { started_ = read(); }

std::optional<double> EnergyMeter::stop() const {
  const std::optional<std::vector<uint64_t>> now = read();
  if (!now || !started_)
    return std::nullopt;
  double microjoules = 0;
  for (size_t i = 0; i < now->size(); ++i) {
    const uint64_t before = (*started_)[i], after = (*now)[i];
    const uint64_t range = i < zones_.size() ? zones_[i].range : 0;
    if (after < before && range < before)
      return std::nullopt;
    microjoules += static_cast<double>(after >= before ? after - before : range - before + after);
  }
  return microjoules / 1e6;
}

} // namespace hiplz::roofline
