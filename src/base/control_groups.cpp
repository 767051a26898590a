// SPDX-License-Identifier: MIT
// See control_groups.h.
#include "base/control_groups.h"
#include "base/system_file.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

namespace hiplz {
namespace {

/// The characters that /proc/self/mountinfo writes as octal numbers.
std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 1]))) {
      result += static_cast<char>(std::stoi(std::string(text.substr(at + 1, 3)), nullptr, 8));
      at += 3;
    } else {
      result += text[at];
    }
  }
  return result;
}

bool names(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (nextPart(list, ',') == word)
      return true;
  return false;
}

std::string_view nextWord(std::string_view &line) { return nextPart(line, ' '); }

/// Begins the end of a mount's line, which goes on with the type: "cgroup" or "cgroup2".
constexpr const char *kGroupMount = " - cgroup";

/// A mount of a hierarchy of control groups: `root` is the group that is seen at `place`.
struct Mount {
  std::string root, place;
};

/// The mounts of the first hierarchy of each version that has the controller.
struct Mounts {
  std::optional<Mount> first, second;
};

/// The lines of mountinfo that are about control groups.
std::vector<std::string> readMountLines(const std::string &root) {
  std::vector<std::string> lines;
  const std::string text = systemText(root + "/proc/self/mountinfo");
  for (std::string_view rest = text; !rest.empty();)
    if (const std::string_view line = nextLine(rest); line.find(kGroupMount) != line.npos) // few have it
      lines.emplace_back(line);
  return lines;
}

/// The kernel takes longer to write mountinfo than to answer everything else that a process asks about its groups. Where the
/// hierarchies are mounted does not change while a process runs, so the machine's own file is read once.
std::vector<std::string> mountLines(const std::string &root) {
  if (!root.empty())
    return readMountLines(root);
  static const std::vector<std::string> lines = readMountLines(root);
  return lines;
}

Mounts findMounts(const std::string &root, const std::string &controller) {
  Mounts found;
  for (const std::string &line : mountLines(root)) {
    const size_t dash = line.find(kGroupMount);
    // Number, parent, device, group, place ... - type, source, options.
    std::string_view front = std::string_view(line).substr(0, dash), back = std::string_view(line).substr(dash + 3);
    for (int skipped = 0; skipped < 3; ++skipped)
      nextWord(front);
    const std::string_view group = nextWord(front), place = nextWord(front), type = nextWord(back);
    nextWord(back);
    const std::string_view options = nextWord(back);
    if (place.empty() || options.empty())
      continue;
    if (type == "cgroup2" && !found.second)
      found.second = Mount{unescaped(group), unescaped(place)};
    else if (type == "cgroup" && names(options, controller) && !found.first)
      found.first = Mount{unescaped(group), unescaped(place)};
  }
  return found;
}

} // namespace

void forEachControlGroup(const std::string &root, const std::string &controller,
                         const std::function<void(const std::string &folder, ControlGroupVersion version)> &visit) {
  const Mounts mounts = findMounts(root, controller);
  const std::string groups = systemText(root + "/proc/self/cgroup");
  for (std::string_view rest = groups; !rest.empty();) {
    const std::string_view line = nextLine(rest);
    const size_t first = line.find(':'), last = first == line.npos ? first : line.find(':', first + 1);
    if (last == line.npos)
      continue;
    const std::string_view controllers = line.substr(first + 1, last - first - 1);
    if (!controllers.empty() && !names(controllers, controller))
      continue;
    const auto version = controllers.empty() ? ControlGroupVersion::second : ControlGroupVersion::first;
    const std::optional<Mount> &mount = version == ControlGroupVersion::first ? mounts.first : mounts.second;
    if (!mount)
      continue;
    // In a container the group may be named as seen from outside, and lie above or beside what is mounted.
    std::string group(line.substr(last + 1));
    if (mount->root != "/" && group.compare(0, mount->root.size(), mount->root) == 0)
      group.erase(0, mount->root.size());
    else if (mount->root != "/")
      group.clear();
    if (group.find("/..") != std::string::npos)
      group.clear();
    while (!group.empty() && group.back() == '/')
      group.pop_back();
    for (;;) {
      visit(root + mount->place + group, version);
      if (group.empty())
        break;
      group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
    }
  }
}

} // namespace hiplz
