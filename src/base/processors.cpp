// SPDX-License-Identifier: MIT
// See processors.h.
#include "base/processors.h"
#include "base/control_groups.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sched.h>
#include <set>
#include <sstream>
#include <unistd.h>

namespace hiplz {
namespace {

using Numbers = std::set<unsigned>;

/// A list as the kernel writes it: "0-3,8". Empty if it is malformed.
Numbers parseList(const std::string &text) {
  Numbers numbers;
  std::istringstream list(text);
  for (std::string range; std::getline(list, range, ',');) {
    std::istringstream bounds(range);
    unsigned first = 0, last = 0;
    if (!(bounds >> first))
      return {};
    last = first;
    if (bounds.peek() == '-' && !(bounds.ignore() >> last))
      return {};
    if (last < first || last - first > 1u << 16)
      return {};
    for (unsigned number = first; number <= last; ++number)
      numbers.insert(number);
  }
  return numbers;
}

std::string lineOf(const std::string &path) {
  std::string line;
  std::getline(std::ifstream(path), line);
  return line;
}

Numbers listIn(const std::string &path) { return parseList(lineOf(path)); }

Numbers maskOfThread(const std::string &folder) {
  const std::string word = "Cpus_allowed_list:";
  std::ifstream file(folder + "/status");
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, word.size(), word) == 0)
      return parseList(line.substr(std::min(line.size(), line.find_first_not_of(" \t", word.size()))));
  return {};
}

/// The processors of the calling thread, for systems without /proc or /sys.
Numbers ownMask() {
  Numbers numbers;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (unsigned number = 0; number < CPU_SETSIZE; ++number)
      if (CPU_ISSET(number, &set))
        numbers.insert(number);
  if (numbers.empty())
    for (long number = 0; number < std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)); ++number)
      numbers.insert(static_cast<unsigned>(number));
  return numbers;
}

/// Masks may have processors that the machine does not.
Numbers processMask(const std::string &root) {
  const Numbers online = listIn(root + "/sys/devices/system/cpu/online");
  Numbers allowed;
  std::error_code error;
  for (std::filesystem::directory_iterator thread(root + "/proc/self/task", error), end; !error && thread != end;
       thread.increment(error)) {
    for (unsigned number : maskOfThread(thread->path()))
      if (online.count(number))
        allowed.insert(number);
    if (allowed.size() == online.size())
      break;
  }
  return allowed.empty() ? ownMask() : allowed;
}

/// Where each processor's memory is.
std::map<unsigned, unsigned> readNodes(const std::string &root) {
  std::map<unsigned, unsigned> nodes;
  const std::string word = "node";
  std::error_code error;
  for (std::filesystem::directory_iterator entry(root + "/sys/devices/system/node", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    unsigned node = 0;
    if (name.compare(0, word.size(), word) == 0 && std::istringstream(name.substr(word.size())) >> node)
      for (unsigned number : listIn(entry->path() / "cpulist"))
        nodes[number] = node;
  }
  return nodes;
}

/// Processors' worth of time that a group may have; nothing if it is not limited.
std::optional<double> quotaOf(const std::string &folder, ControlGroupVersion version) {
  double quota = 0, period = 0;
  if (version == ControlGroupVersion::second) {
    if (!(std::ifstream(folder + "/cpu.max") >> quota >> period)) // "max" is not a number
      return std::nullopt;
  } else if (!(std::ifstream(folder + "/cpu.cfs_quota_us") >> quota) ||
             !(std::ifstream(folder + "/cpu.cfs_period_us") >> period)) {
    return std::nullopt;
  }
  if (quota <= 0 || period <= 0)
    return std::nullopt;
  return quota / period;
}

} // namespace

Processors readProcessors(const std::string &root) {
  Processors processors;
  const std::map<unsigned, unsigned> nodes = readNodes(root);
  for (unsigned number : processMask(root)) {
    const auto node = nodes.find(number);
    processors.allowed.push_back({number, node == nodes.end() ? 0 : node->second});
  }
  std::stable_sort(processors.allowed.begin(), processors.allowed.end(),
                   [](const Processor &a, const Processor &b) { return a.node < b.node; });
  double limit = static_cast<double>(processors.allowed.size());
  forEachControlGroup(root, "cpu", [&limit](const std::string &folder, ControlGroupVersion version) {
    limit = std::min(limit, quotaOf(folder, version).value_or(limit));
  });
  processors.limit = std::max(1u, static_cast<unsigned>(limit));
  return processors;
}

uint64_t lastLevelCacheBytes(const std::vector<Processor> &processors, const std::string &root) {
  uint64_t total = 0;
  Numbers seen;
  for (const Processor &processor : processors) {
    if (seen.count(processor.number))
      continue;
    unsigned highest = 0;
    uint64_t bytes = 0;
    Numbers sharers{processor.number};
    for (unsigned index = 0;; ++index) {
      const std::string cache = root + "/sys/devices/system/cpu/cpu" + std::to_string(processor.number) +
                                "/cache/index" + std::to_string(index);
      unsigned level = 0;
      if (!(std::ifstream(cache + "/level") >> level))
        break;
      uint64_t kibibytes = 0; // "491520K"
      if (level <= highest || !(std::ifstream(cache + "/size") >> kibibytes))
        continue;
      highest = level;
      bytes = kibibytes * 1024;
      sharers = listIn(cache + "/shared_cpu_list");
    }
    seen.merge(sharers);
    total += bytes;
  }
  return total;
}

} // namespace hiplz
