// SPDX-License-Identifier: MIT
// See processors.h.
#include "base/processors.h"
#include "base/control_groups.h"
#include "base/system_file.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sched.h>
#include <set>
#include <sys/single_threaded.h>
#include <unistd.h>

namespace hiplz {
namespace {

using Numbers = std::set<unsigned>;

/// A list as the kernel writes it: "0-3,8". Empty if it is malformed.
Numbers parseList(std::string_view text) {
  Numbers numbers;
  while (!text.empty()) {
    const std::string_view range = nextPart(text, ',');
    const size_t dash = range.find('-');
    const auto first = numberAt(range), last = dash == range.npos ? first : numberAt(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first > 1u << 16 || *last > std::numeric_limits<unsigned>::max())
      return {};
    for (uint64_t number = *first; number <= *last; ++number)
      numbers.insert(static_cast<unsigned>(number));
  }
  return numbers;
}

Numbers listIn(const std::string &path) {
  const std::string text = systemText(path);
  std::string_view rest = text;
  return parseList(nextLine(rest));
}

Numbers maskOfThread(const std::string &folder) {
  constexpr std::string_view kWord = "Cpus_allowed_list:";
  const std::string text = systemText(folder + "/status");
  for (std::string_view rest = text; !rest.empty();)
    if (const std::string_view line = nextLine(rest); line.substr(0, kWord.size()) == kWord)
      return parseList(line.substr(kWord.size()));
  return {};
}

/// The processors of the calling thread that are online; empty if there are too many for a set.
Numbers ownMask() {
  Numbers numbers;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (unsigned number = 0; number < CPU_SETSIZE; ++number)
      if (CPU_ISSET(number, &set))
        numbers.insert(number);
  return numbers;
}

/// Masks may have processors that the machine does not. What is not in /proc and /sys is asked for this thread alone.
Numbers processMask(const std::string &root) {
  if (root.empty() && __libc_single_threaded)
    if (Numbers numbers = ownMask(); !numbers.empty())
      return numbers;
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
  if (allowed.empty())
    allowed = ownMask();
  for (long number = 0; allowed.empty() && number < std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)); ++number)
    allowed.insert(static_cast<unsigned>(number));
  return allowed;
}

/// Where each processor's memory is, if it is not all at node 0.
std::map<unsigned, unsigned> readNodes(const std::string &root) {
  std::map<unsigned, unsigned> nodes;
  if (listIn(root + "/sys/devices/system/node/has_cpu") == Numbers{0})
    return nodes;
  const std::string word = "node";
  std::error_code error;
  for (std::filesystem::directory_iterator entry(root + "/sys/devices/system/node", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.compare(0, word.size(), word) != 0)
      continue;
    if (const auto node = numberAt(std::string_view(name).substr(word.size())))
      for (unsigned number : listIn(entry->path() / "cpulist"))
        nodes[number] = static_cast<unsigned>(*node);
  }
  return nodes;
}

/// Processors' worth of time that a group may have; nothing if it is not limited.
std::optional<double> quotaOf(const std::string &folder, ControlGroupVersion version) {
  std::optional<uint64_t> quota, period; // "max" and -1 are none
  if (version == ControlGroupVersion::second) {
    const std::string text = systemText(folder + "/cpu.max");
    quota = numberAt(text);
    period = numberAt(std::string_view(text).substr(std::min(text.size(), text.find(' '))));
  } else {
    quota = numberAt(systemText(folder + "/cpu.cfs_quota_us"));
    if (quota)
      period = numberAt(systemText(folder + "/cpu.cfs_period_us"));
  }
  if (!quota || !period || *quota == 0 || *period == 0)
    return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
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
    uint64_t highest = 0, bytes = 0;
    Numbers sharers{processor.number};
    for (unsigned index = 0;; ++index) {
      const std::string cache = root + "/sys/devices/system/cpu/cpu" + std::to_string(processor.number) +
                                "/cache/index" + std::to_string(index);
      const auto level = numberAt(systemText(cache + "/level"));
      if (!level)
        break;
      const auto kibibytes = *level > highest ? numberAt(systemText(cache + "/size")) : std::nullopt; // "491520K"
      if (!kibibytes)
        continue;
      highest = *level;
      bytes = *kibibytes * 1024;
      sharers = listIn(cache + "/shared_cpu_list");
    }
    seen.merge(sharers);
    total += bytes;
  }
  return total;
}

} // namespace hiplz
