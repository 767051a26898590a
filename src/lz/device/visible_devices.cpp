// SPDX-License-Identifier: MIT
#include "lz/device/visible_devices.h"
#include "base/env.h"
#include "base/log.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hiplz {
namespace {

std::optional<size_t> positionOf(std::string_view entry, std::span<const std::string> uuids) {
  constexpr std::string_view kUuidPrefix = "GPU-";
  if (!entry.starts_with(kUuidPrefix)) {
    size_t position = 0;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), position);
    const bool number = error == std::errc() && end == entry.data() + entry.size();
    return number && position < uuids.size() ? std::optional(position) : std::nullopt;
  }
  std::string digits;
  for (char digit : entry.substr(kUuidPrefix.size()))
    if (digit != '-')
      digits += static_cast<char>(digit >= 'A' && digit <= 'F' ? digit - 'A' + 'a' : digit);
  std::optional<size_t> found;
  for (size_t position = 0; position < uuids.size(); ++position)
    if (!digits.empty() && uuids[position].starts_with(digits)) {
      if (found)
        return std::nullopt;
      found = position;
    }
  return found;
}

// Replaces the positions by those that the variable names among them.
void apply(EnvVar variable, std::vector<size_t> &positions, std::span<const std::string> uuids) {
  const std::string list = envString(variable);
  std::vector<std::string> remaining;
  for (size_t position : positions)
    remaining.push_back(uuids[position]);
  std::vector<size_t> chosen;
  for (size_t index : selectDevices(list, remaining))
    chosen.push_back(positions[index]);
  if (chosen.empty())
    HIPLZ_LOG_INFO("no device: %s=%s names none of the %zu devices", envVarInfo(variable).name, list.c_str(),
                   positions.size());
  positions = std::move(chosen);
}

} // namespace

std::vector<size_t> selectDevices(std::string_view list, std::span<const std::string> uuids) {
  std::vector<size_t> positions;
  while (!list.empty()) {
    const size_t length = std::min(list.find(','), list.size());
    const std::optional<size_t> position = positionOf(list.substr(0, length), uuids);
    if (!position)
      break;
    if (std::find(positions.begin(), positions.end(), *position) == positions.end())
      positions.push_back(*position);
    list.remove_prefix(std::min(list.size(), length + 1));
  }
  return positions;
}

std::vector<size_t> visibleDevices(std::span<const std::string> uuids) {
  std::vector<size_t> positions(uuids.size());
  for (size_t position = 0; position < uuids.size(); ++position)
    positions[position] = position;
  if (uuids.empty())
    return positions;
  if (envIsSet(EnvVar::ROCR_VISIBLE_DEVICES))
    apply(EnvVar::ROCR_VISIBLE_DEVICES, positions, uuids);
  if (!positions.empty())
    for (EnvVar variable : {EnvVar::HIP_VISIBLE_DEVICES, EnvVar::CUDA_VISIBLE_DEVICES})
      if (!envString(variable).empty()) {
        apply(variable, positions, uuids);
        break;
      }
  return positions;
}

} // namespace hiplz
