// SPDX-License-Identifier: MIT
#include "prof/tool/kernel_choice.h"
#include "base/kernel_name.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace hiplz::prof {
namespace {

// "space::scale<float>" without namespaces and arguments of the template.
std::string baseName(const std::string &readable) {
  int depth = 0;
  size_t begin = 0, end = readable.size();
  for (size_t at = 0; at < readable.size(); ++at) {
    const char letter = readable[at];
    if (letter == '<' && depth++ == 0)
      end = at;
    else if (letter == '>' && depth > 0)
      --depth;
    else if (letter == ':' && depth == 0) {
      begin = at + 1;
      end = readable.size();
    }
  }
  return readable.substr(begin, end - begin);
}

/// The ranges of roctx of one process.
class Ranges {
public:
  explicit Ranges(const Process &process) {
    std::unordered_map<uint32_t, std::vector<size_t>> open;
    for (const Marker &marker : process.markers) {
      auto &all = ranges_[marker.thread];
      if (marker.about.type == trace::Marker::Type::push) {
        open[marker.thread].push_back(all.size());
        all.push_back({marker.about.time, UINT64_MAX, &marker.message});
      } else if (auto &inside = open[marker.thread]; marker.about.type == trace::Marker::Type::pop && !inside.empty()) {
        all[inside.back()].end = marker.about.time;
        inside.pop_back();
      }
    }
  }

  /// The innermost one that is open on the thread at that time, or null.
  const std::string *at(uint32_t thread, uint64_t time) const {
    const auto found = ranges_.find(thread);
    if (found == ranges_.end())
      return nullptr;
    // By their beginnings; of those around the moment the last one is the innermost.
    auto range = std::upper_bound(found->second.begin(), found->second.end(), time,
                                  [](uint64_t moment, const Range &each) { return moment < each.begin; });
    while (range != found->second.begin())
      if ((--range)->end > time)
        return range->message;
    return nullptr;
  }

private:
  struct Range {
    uint64_t begin, end;
    const std::string *message;
  };
  std::unordered_map<uint32_t, std::vector<Range>> ranges_;
};

/// A kernel that has run, by itself or in a graph.
struct Run {
  uint64_t begin;
  std::string_view kernel;
  bool *wanted;
};

} // namespace

std::string KernelChoice::nameOf(std::string_view mangled) const {
  switch (names) {
  case Names::mangled: return std::string(mangled);
  case Names::truncated: return baseName(readableKernel(mangled));
  case Names::readable: break;
  }
  return readableKernel(mangled);
}

bool addIterations(std::set<uint32_t> &iterations, const std::string &text) {
  constexpr const char *kSeparators = "[], ";
  constexpr uint32_t kMost = 1'000'000; // a range is kept number by number
  bool any = false;
  for (size_t begin = 0; (begin = text.find_first_not_of(kSeparators, begin)) != text.npos;) {
    const size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
    const char *from = text.data() + begin, *to = text.data() + end;
    uint32_t first = 0, last = 0;
    auto read = std::from_chars(from, to, first);
    last = first;
    if (read.ec == std::errc() && read.ptr != to && *read.ptr == '-')
      read = std::from_chars(read.ptr + 1, to, last);
    if (read.ec != std::errc() || read.ptr != to || first == 0 || last < first || last > kMost)
      return false;
    for (uint32_t number = first; number <= last; ++number)
      iterations.insert(number);
    any = true;
    begin = end;
  }
  return any;
}

void chooseKernels(Process &process, const KernelChoice &choice) {
  std::unordered_map<std::string_view, std::string_view> titles;
  const auto keep = [&](const std::string &text) -> std::string_view { return *process.titles.insert(text).first; };
  const auto titleOf = [&](std::string_view mangled) {
    const auto [title, isNew] = titles.try_emplace(mangled);
    if (isNew)
      title->second = keep(choice.nameOf(mangled));
    return title->second;
  };
  const auto matches = [&](std::string_view title) {
    return (!choice.included || choice.included->isIn(title)) && !(choice.excluded && choice.excluded->isIn(title));
  };
  std::unordered_map<std::string_view, bool> wanted; // by title
  std::unordered_map<uint64_t, const Command *> graphs;
  std::vector<Run> runs;
  const std::optional<Ranges> ranges = choice.rename ? std::optional<Ranges>(process) : std::nullopt;
  const auto name = [&](auto &kernel, const Command &submitted) {
    kernel.title = titleOf(kernel.kernel);
    const auto [known, isNew] = wanted.try_emplace(kernel.title);
    if (isNew)
      known->second = matches(kernel.title);
    kernel.wanted = known->second;
    runs.push_back({kernel.begin, kernel.kernel, &kernel.wanted});
    if (ranges)
      if (const std::string *range = ranges->at(submitted.thread, submitted.about.submitted))
        kernel.title = keep(*range);
  };
  for (Command &command : process.commands)
    if (command.about.type == trace::CommandType::kernel)
      name(command, command);
    else if (command.about.type == trace::CommandType::graph)
      graphs.emplace(command.about.id, &command);
  for (Node &node : process.nodes)
    if (node.about.type == trace::CommandType::kernel)
      if (const auto graph = graphs.find(node.about.command); graph != graphs.end())
        name(node, *graph->second);
  for (Compilation &compilation : process.compilations)
    if (!compilation.kernel.empty())
      compilation.title = titleOf(compilation.kernel);
  if (choice.iterations.empty())
    return;
  std::stable_sort(runs.begin(), runs.end(), [](const Run &a, const Run &b) { return a.begin < b.begin; });
  std::unordered_map<std::string_view, uint32_t> iteration;
  for (const Run &run : runs)
    *run.wanted = choice.iterations.contains(++iteration[run.kernel]) && *run.wanted;
}

} // namespace hiplz::prof
