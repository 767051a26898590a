// SPDX-License-Identifier: MIT
// See control_groups.h.
#include "base/control_groups.h"

#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>

namespace hiplz {
namespace {

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

/// The mounts of the first hierarchy of each version that has the controller.
struct Mounts {
  std::optional<Mount> first, second;
};

Mounts findMounts(const std::string &root, const std::string &controller) {
  Mounts found;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.find(" - cgroup") == std::string::npos) // most lines
      continue;
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos)
      continue;
    std::istringstream front(line.substr(0, dash)), back(line.substr(dash + 3));
    std::string id, parent, device, group, place, type, source, options;
    if (!(front >> id >> parent >> device >> group >> place) || !(back >> type >> source >> options))
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
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), last = first == std::string::npos ? first : line.find(':', first + 1);
    if (last == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, last - first - 1);
    if (!controllers.empty() && !names(controllers, controller))
      continue;
    const auto version = controllers.empty() ? ControlGroupVersion::second : ControlGroupVersion::first;
    const std::optional<Mount> &mount = version == ControlGroupVersion::first ? mounts.first : mounts.second;
    if (!mount)
      continue;
    // In a container the group may be named as seen from outside, and lie above or beside what is mounted.
    std::string group = line.substr(last + 1);
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
