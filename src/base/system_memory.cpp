// SPDX-License-Identifier: MIT
// See system_memory.h.
#include "base/system_memory.h"
#include "base/control_groups.h"
#include "base/system_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace hiplz {
namespace {

/// The numbers after two words, each at the beginning of a line.
std::array<std::optional<uint64_t>, 2> valuesOf(const std::string &path, std::string_view first,
                                                std::string_view second) {
  std::array<std::optional<uint64_t>, 2> values;
  const std::string text = systemText(path);
  for (std::string_view rest = text; !(values[0] && values[1]) && !rest.empty();) {
    const std::string_view line = nextLine(rest);
    const size_t end = std::min(line.size(), line.find(' '));
    const std::string_view word = line.substr(0, end);
    if (word == first || word == second)
      if (const auto value = numberAt(line.substr(end)))
        values[word == first ? 0 : 1] = value;
  }
  return values;
}

std::optional<uint64_t> numberIn(const std::string &path) { return numberAt(systemText(path)); } // "max" is none

/// The names of the two versions for the same things.
struct Version {
  const char *limit, *usage, *inactiveFile, *activeFile;
};
constexpr Version kFirst{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"};
constexpr Version kSecond{"memory.max", "memory.current", "inactive_file", "active_file"};

void limitBy(SystemMemory &memory, uint64_t machine, const std::string &folder, const Version &version) {
  const std::optional<uint64_t> limit = numberIn(folder + "/" + version.limit);
  if (!limit || *limit == 0)
    return;
  // Memory in use is no more than the machine has. So most limits, or rather the lack of one, say nothing.
  if (*limit >= machine && *limit - machine >= memory.available)
    return;
  memory.total = std::min(memory.total, *limit);
  // Pages of files count as used, but the kernel takes them back before it kills.
  const uint64_t usage = numberIn(folder + "/" + version.usage).value_or(0);
  const auto [inactive, active] = valuesOf(folder + "/memory.stat", version.inactiveFile, version.activeFile);
  const uint64_t files = inactive.value_or(0) + active.value_or(0);
  const uint64_t held = usage - std::min(usage, files);
  memory.available = std::min(memory.available, *limit - std::min(*limit, held));
}

} // namespace

SystemMemory readSystemMemory(const std::string &root) {
  SystemMemory memory;
  memory.total = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto [total, available] = valuesOf(root + "/proc/meminfo", "MemTotal:", "MemAvailable:");
  if (total)
    memory.total = *total * 1024;
  memory.available = available ? std::min(memory.total, *available * 1024) : memory.total;
  const uint64_t machine = memory.total;
  forEachControlGroup(root, "memory", [&memory, machine](const std::string &folder, ControlGroupVersion version) {
    limitBy(memory, machine, folder, version == ControlGroupVersion::first ? kFirst : kSecond);
  });
  return memory;
}

} // namespace hiplz
