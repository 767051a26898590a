// SPDX-License-Identifier: MIT
// See system_memory.h.
#include "base/system_memory.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <vector>

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

/// The characters that /proc/self/mountinfo writes as octal numbers.
std::string unescaped(const std::string &text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 1]))) {
      result += static_cast<char>(std::stoi(text.substr(at + 1, 3), nullptr, 8));
      at += 3;
    } else {
      result += text[at];
    }
  }
  return result;
}

bool names(const std::string &list, const std::string &word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

/// A mount of a hierarchy of control groups: `root` is the group that is seen at `place`.
struct Mount {
  std::string root, place;
};

std::optional<Mount> findMount(const std::string &root, bool second) {
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos)
      continue;
    std::istringstream front(line.substr(0, dash)), back(line.substr(dash + 3));
    std::string id, parent, device, group, place, type, source, options;
    if (!(front >> id >> parent >> device >> group >> place) || !(back >> type >> source >> options))
      continue;
    if (second ? type == "cgroup2" : type == "cgroup" && names(options, "memory"))
      return Mount{unescaped(group), unescaped(place)};
  }
  return std::nullopt;
}

/// All groups from that of the process up to the highest that is visible.
void limitByGroups(SystemMemory &memory, const std::string &root, std::string group, bool second) {
  const std::optional<Mount> mount = findMount(root, second);
  if (!mount)
    return;
  // In a container the group may be named as seen from outside, and lie above or beside what is mounted.
  if (mount->root != "/" && group.compare(0, mount->root.size(), mount->root) == 0)
    group.erase(0, mount->root.size());
  else if (mount->root != "/")
    group.clear();
  if (group.find("/..") != std::string::npos)
    group.clear();
  while (!group.empty() && group.back() == '/')
    group.pop_back();
  for (;;) {
    limitBy(memory, root + mount->place + group, second ? kSecond : kFirst);
    if (group.empty())
      return;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
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
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), last = first == std::string::npos ? first : line.find(':', first + 1);
    if (last == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, last - first - 1), group = line.substr(last + 1);
    if (controllers.empty() || names(controllers, "memory"))
      limitByGroups(memory, root, group, controllers.empty());
  }
  return memory;
}

} // namespace hiplz
