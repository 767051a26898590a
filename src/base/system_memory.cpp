// SPDX-License-Identifier: MIT
// See system_memory.h.
#include "base/system_memory.h"
#include "base/control_groups.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace hiplz {
namespace {

/// The number after a word at the beginning of a line.
std::optional<uint64_t> valueOf(const std::string &path, const std::string &word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line);
    std::string first;
    uint64_t value = 0;
    if (text >> first && first == word && text >> value)
      return value;
  }
  return std::nullopt;
}

std::optional<uint64_t> numberIn(const std::string &path) {
  uint64_t value = 0;
  if (std::ifstream(path) >> value) // "max" is not a number
    return value;
  return std::nullopt;
}

/// What the two versions call the same things.
struct Version {
  const char *limit, *usage, *inactiveFile, *activeFile;
};
constexpr Version kFirst{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"};
constexpr Version kSecond{"memory.max", "memory.current", "inactive_file", "active_file"};

void limitBy(SystemMemory &memory, const std::string &folder, const Version &version) {
  const std::optional<uint64_t> limit = numberIn(folder + "/" + version.limit);
  if (!limit || *limit == 0)
    return;
  memory.total = std::min(memory.total, *limit);
  // Pages of files count as used, but the kernel takes them back before it kills.
  const std::string statistics = folder + "/memory.stat";
  const uint64_t usage = numberIn(folder + "/" + version.usage).value_or(0);
  const uint64_t files =
      valueOf(statistics, version.inactiveFile).value_or(0) + valueOf(statistics, version.activeFile).value_or(0);
  const uint64_t held = usage - std::min(usage, files);
  memory.available = std::min(memory.available, *limit - std::min(*limit, held));
}

} // namespace

SystemMemory readSystemMemory(const std::string &root) {
  SystemMemory memory;
  memory.total = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::string meminfo = root + "/proc/meminfo";
  if (const std::optional<uint64_t> kibibytes = valueOf(meminfo, "MemTotal:"))
    memory.total = *kibibytes * 1024;
  memory.available = memory.total;
  if (const std::optional<uint64_t> kibibytes = valueOf(meminfo, "MemAvailable:"))
    memory.available = std::min(memory.total, *kibibytes * 1024);
  forEachControlGroup(root, "memory", [&memory](const std::string &folder, ControlGroupVersion version) {
    limitBy(memory, folder, version == ControlGroupVersion::first ? kFirst : kSecond);
  });
  return memory;
}

} // namespace hiplz
