// SPDX-License-Identifier: MIT
#include "prof/tool/summary.h"
#include "base/kernel_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

namespace hiplz::prof {
namespace {

using Shape = std::array<uint32_t, 6>; // grid and block

Shape shapeOf(const trace::Command &command) {
  return {command.grid[0], command.grid[1], command.grid[2], command.block[0], command.block[1], command.block[2]};
}

struct KernelRow {
  std::string mangled; // of one of them
  Statistics time;
  std::map<Shape, uint64_t> shapes;
};
using KernelRows = std::map<std::string, KernelRow>;

/// Rows by what they took, the most first.
template <class Row> void sortByTime(std::vector<Row> &rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.time.total > b.time.total; });
}

class Summariser {
public:
  explicit Summariser(std::span<const Process> processes) : processes_(processes) {}

  Summary run() {
    uint64_t first = UINT64_MAX, last = 0;
    for (const Process &process : processes_) {
      summary_.processes.push_back(process.title());
      first = std::min(first, process.first);
      last = std::max(last, process.last);
      addCommands(process);
      addCalls(process);
      addCompilations(process);
      addOccupancy(process);
      addDevices(process);
      addWarnings(process);
    }
    summary_.wall = last > first ? last - first : 0;
    summary_.kernels = rowsOf(kernels_);
    summary_.functions = rowsOf(functions_);
    for (auto &[name, call] : calls_)
      summary_.calls.push_back(call);
    for (auto &[direction, copy] : copies_)
      summary_.copies.push_back(copy);
    for (auto &[name, compilation] : compilations_)
      summary_.compilations.push_back(compilation);
    sortByTime(summary_.calls);
    sortByTime(summary_.copies);
    std::stable_sort(summary_.compilations.begin(), summary_.compilations.end(),
                     [](const auto &a, const auto &b) { return a.time > b.time; });
    addHints(summary_);
    return std::move(summary_);
  }

private:
  void addKernel(std::string_view title, std::string_view mangled, const Shape &shape, uint64_t duration) {
    for (KernelRow *row : {&kernels_[std::string(title)], &functions_[std::string(mangled)]}) {
      row->mangled = mangled;
      row->time.add(duration);
      ++row->shapes[shape];
    }
    // One that was launched in several ranges of roctx has a name of its own.
    if (const auto [known, isNew] = titles_.try_emplace(std::string(mangled), title); !isNew && known->second != title)
      known->second = readableKernel(mangled);
  }

  std::vector<KernelSummary> rowsOf(const KernelRows &rows) const {
    std::vector<KernelSummary> all;
    for (const auto &[name, row] : rows) {
      KernelSummary kernel{};
      kernel.mangled = row.mangled;
      kernel.name = &rows == &functions_ ? titles_.at(name) : name;
      kernel.time = row.time;
      const auto &[shape, count] = *std::max_element(row.shapes.begin(), row.shapes.end(),
                                                     [](const auto &a, const auto &b) { return a.second < b.second; });
      std::copy_n(shape.begin(), 3, kernel.grid);
      std::copy_n(shape.begin() + 3, 3, kernel.block);
      kernel.shapes = row.shapes.size();
      if (const auto found = occupancy_.find(row.mangled); found != occupancy_.end())
        kernel.occupancy = found->second;
      all.push_back(std::move(kernel));
    }
    sortByTime(all);
    return all;
  }

  void addCopy(std::string direction, uint64_t bytes, uint64_t duration) {
    CopySummary &copy = copies_[direction];
    copy.direction = std::move(direction);
    copy.bytes += bytes;
    copy.time.add(duration);
  }

  void addCommands(const Process &process) {
    for (const Command &command : process.commands) {
      if (!command.executed || !command.wanted)
        continue;
      const trace::Command &about = command.about;
      switch (about.type) {
      case trace::CommandType::kernel:
        addKernel(command.title, command.kernel, shapeOf(about), command.duration());
        break;
      case trace::CommandType::copy:
        addCopy(copyDirection(about.from, about.to), about.bytes, command.duration());
        break;
      case trace::CommandType::fill: addCopy("fill", about.bytes, command.duration()); break;
      case trace::CommandType::hostFunction: summary_.hostFunctions.add(command.duration()); break;
      case trace::CommandType::wait: summary_.waits.add(command.duration()); break;
      case trace::CommandType::graph: summary_.graphs.add(command.duration()); break;
      case trace::CommandType::write: break;
      }
    }
    for (const Node &node : process.nodes) {
      if (!node.wanted)
        continue;
      const trace::Node &about = node.about;
      const uint64_t duration = node.end - node.begin;
      if (about.type == trace::CommandType::kernel)
        addKernel(node.title, node.kernel,
                  {about.grid[0], about.grid[1], about.grid[2], about.block[0], about.block[1], about.block[2]},
                  duration);
      else if (about.type == trace::CommandType::copy)
        addCopy(copyDirection(about.from, about.to), about.bytes, duration);
      else if (about.type == trace::CommandType::fill)
        addCopy("fill", about.bytes, duration);
    }
  }

  void addCalls(const Process &process) {
    for (const Call &call : process.calls) {
      CallSummary &row = calls_[std::string(call.function)];
      row.name = call.function;
      row.time.add(call.end - call.begin);
      row.failed += call.result != 0;
    }
  }

  void addCompilations(const Process &process) {
    for (const Compilation &compilation : process.compilations) {
      std::string name = compilation.kernel.empty() ? std::string("loading modules") : std::string(compilation.title);
      CompilationSummary &row = compilations_[name];
      row.name = std::move(name);
      row.time += compilation.end - compilation.begin;
      // Of a kernel's time, that of loading its module is told by itself.
      if (!compilation.kernel.empty())
        for (const Compilation &inner : process.compilations)
          if (inner.kernel.empty() && inner.thread == compilation.thread && inner.begin >= compilation.begin &&
              inner.end <= compilation.end)
            row.time -= inner.end - inner.begin;
      row.count += 1;
      row.bytes += compilation.bytes;
    }
  }

  void addOccupancy(const Process &process) {
    for (const KernelUse &use : process.kernels)
      if (const auto device = process.devices.find(use.about.device);
          device != process.devices.end() && device->second.about.residentThreads)
        occupancy_[std::string(use.kernel)] =
            std::min(1.0, static_cast<double>(use.about.blocksPerMultiprocessor) * use.about.blockThreads /
                              device->second.about.residentThreads);
  }

  void addDevices(const Process &process) {
    for (const auto &[ordinal, device] : process.devices) {
      DeviceSummary row{};
      row.process = process.title();
      row.name = device.title();
      row.ordinal = ordinal;
      std::vector<std::pair<uint64_t, uint64_t>> times;
      for (const Command &command : process.commands)
        if (const auto stream = process.streams.find(command.about.stream);
            command.executed && works(command.about.type) && stream != process.streams.end() &&
            stream->second.device == ordinal)
          times.emplace_back(command.begin, command.end);
      std::sort(times.begin(), times.end());
      addBusy(process, times, row);
      addMemory(process, row);
      if (!times.empty() || row.mostMemory)
        summary_.devices.push_back(std::move(row));
    }
  }

  static bool works(trace::CommandType type) {
    return type != trace::CommandType::wait && type != trace::CommandType::hostFunction;
  }

  void addBusy(const Process &process, const std::vector<std::pair<uint64_t, uint64_t>> &times,
               DeviceSummary &row) const {
    if (times.empty())
      return;
    uint64_t end = times.front().first;
    std::vector<Gap> gaps;
    for (const auto &[from, to] : times) {
      if (from > end + DeviceSummary::kGap)
        gaps.push_back({end, from, {}});
      if (to > end) {
        row.busy += to - std::max(from, end);
        end = to;
      }
    }
    row.span = end - times.front().first;
    row.gapCount = gaps.size();
    std::stable_sort(gaps.begin(), gaps.end(),
                     [](const Gap &a, const Gap &b) { return a.end - a.begin > b.end - b.begin; });
    gaps.resize(std::min(gaps.size(), DeviceSummary::kShownGaps));
    for (Gap &gap : gaps) {
      uint64_t most = (gap.end - gap.begin) / 10; // less explains nothing
      gap.meanwhile = "no HIP call";
      for (const Call &call : process.calls) {
        if (call.begin >= gap.end)
          break;
        const uint64_t from = std::max(call.begin, gap.begin), to = std::min(call.end, gap.end);
        if (to > from && to - from > most) {
          most = to - from;
          gap.meanwhile = call.function;
        }
      }
    }
    row.longest = std::move(gaps);
  }

  void addMemory(const Process &process, DeviceSummary &row) const {
    int64_t held = 0;
    for (const trace::Memory &memory : process.memory)
      if (memory.device == row.ordinal && memory.place != trace::Place::pinned) {
        held += memory.bytes;
        row.mostMemory = std::max(row.mostMemory, held);
      }
  }

  void addWarnings(const Process &process) {
    const auto unfinished =
        std::count_if(process.commands.begin(), process.commands.end(), [](const Command &c) { return !c.executed; });
    if (!process.ended)
      summary_.warnings.push_back(process.title() +
                                  " did not come to a regular end; the profile goes as far as it ran.");
    if (unfinished)
      summary_.warnings.push_back(std::to_string(unfinished) + " commands of " + process.title() +
                                  " have no times: they had not ended when the process did, or not for long.");
    if (process.damagedChunks)
      summary_.warnings.push_back(std::to_string(process.damagedChunks) + " parts of " + process.file +
                                  " are damaged and left out.");
  }

  std::span<const Process> processes_;
  Summary summary_;
  KernelRows kernels_, functions_;            // by what they are called, and as modules call them
  std::map<std::string, std::string> titles_; // of functions
  std::map<std::string, CallSummary> calls_;
  std::map<std::string, CopySummary> copies_;
  std::map<std::string, CompilationSummary> compilations_;
  std::map<std::string, double> occupancy_;
};

} // namespace

void Statistics::add(uint64_t duration) {
  ++count;
  total += duration;
  least = std::min(least, duration);
  most = std::max(most, duration);
  squares += static_cast<double>(duration) * static_cast<double>(duration);
}

double Statistics::deviation() const {
  if (count < 2)
    return 0;
  const double n = static_cast<double>(count);
  return std::sqrt(std::max(0.0, (squares - n * average() * average()) / (n - 1)));
}

Summary summarise(std::span<const Process> processes) { return Summariser(processes).run(); }

} // namespace hiplz::prof
