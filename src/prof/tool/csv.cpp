// SPDX-License-Identifier: MIT
#include "prof/tool/csv.h"
#include "prof/tool/output_file.h"

#include <unordered_map>

namespace hiplz::prof {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '"')
      out += '"';
    out += letter;
  }
  return out + '"';
}

/// A file that is created with its first row.
class Csv {
public:
  Csv(std::string path, const char *head) : path_(std::move(path)), head_(head) {}
  template <class... Fields> void row(const Fields &...fields) {
    if (!file_) {
      file_.emplace(path_);
      file_->out() << head_ << '\n';
    }
    const char *separator = "";
    ((file_->out() << separator << fields, separator = ","), ...);
    file_->out() << '\n';
  }
  void close() {
    if (file_)
      file_->close();
  }

private:
  std::string path_;
  const char *head_;
  std::optional<OutputFile> file_;
};

void writeCalls(const std::string &prefix, std::span<const Process> processes) {
  Csv csv(
      prefix + "_hip_api_trace.csv",
      "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"");
  for (const Process &process : processes)
    for (const Call &call : process.calls)
      csv.row("\"HIP_RUNTIME_API\"", quoted(call.function), process.about.pid, call.thread, call.id, call.begin,
              call.end);
  csv.close();
}

uint32_t deviceOf(const Process &process, uint64_t stream) {
  const auto found = process.streams.find(stream);
  return found == process.streams.end() ? 0 : found->second.device;
}

void writeCommands(const std::string &prefix, std::span<const Process> processes) {
  Csv kernels(prefix + "_kernel_trace.csv",
              "\"Kind\",\"Agent_Id\",\"Process_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Name\","
              "\"Correlation_Id\","
              "\"Start_Timestamp\",\"End_Timestamp\",\"Dynamic_LDS_Size\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\","
              "\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"");
  Csv copies(prefix + "_memory_copy_trace.csv", "\"Kind\",\"Direction\",\"Agent_Id\",\"Process_Id\",\"Stream_Id\","
                                                "\"Correlation_Id\",\"Bytes\",\"Start_Timestamp\","
                                                "\"End_Timestamp\"");
  for (const Process &process : processes) {
    std::unordered_map<uint64_t, const Command *> graphs;
    // As in rocprofv3, a grid is counted in work-items. That of a node has the number of the graph's launch.
    const auto kernelRow = [&](const Command &command, const auto &kernel, const auto &sharedBytes) {
      const auto &about = kernel.about;
      kernels.row("\"KERNEL_DISPATCH\"", deviceOf(process, command.about.stream), process.about.pid,
                  command.about.stream, command.thread, command.about.id, quoted(kernel.title), command.about.call,
                  kernel.begin, kernel.end, sharedBytes, about.block[0], about.block[1], about.block[2],
                  uint64_t{about.grid[0]} * about.block[0], uint64_t{about.grid[1]} * about.block[1],
                  uint64_t{about.grid[2]} * about.block[2]);
    };
    const auto copyRow = [&](const Command &command, const auto &copy) {
      const bool fill = copy.about.type == trace::CommandType::fill;
      copies.row(fill ? "\"MEMORY_FILL\"" : "\"MEMORY_COPY\"",
                 quoted(fill ? "" : copyDirection(copy.about.from, copy.about.to)),
                 deviceOf(process, command.about.stream), process.about.pid, command.about.stream, command.about.call,
                 copy.about.bytes, copy.begin, copy.end);
    };
    for (const Command &command : process.commands) {
      if (!command.executed || !command.wanted)
        continue;
      switch (command.about.type) {
      case trace::CommandType::kernel: kernelRow(command, command, command.about.sharedBytes); break;
      case trace::CommandType::copy:
      case trace::CommandType::fill: copyRow(command, command); break;
      case trace::CommandType::graph: graphs.emplace(command.about.id, &command); break;
      default: break;
      }
    }
    for (const Node &node : process.nodes)
      if (const auto graph = graphs.find(node.about.command); graph != graphs.end() && node.wanted) {
        if (node.about.type == trace::CommandType::kernel)
          kernelRow(*graph->second, node, "");
        else if (node.about.type == trace::CommandType::copy || node.about.type == trace::CommandType::fill)
          copyRow(*graph->second, node);
      }
  }
  kernels.close();
  copies.close();
}

void writeMarkers(const std::string &prefix, std::span<const Process> processes) {
  Csv csv(
      prefix + "_marker_api_trace.csv",
      "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"");
  for (const Process &process : processes) {
    std::unordered_map<uint32_t, std::vector<const Marker *>> pushed;
    std::unordered_map<uint64_t, const Marker *> started;
    auto row = [&](const Marker &from, uint64_t end) {
      csv.row("\"MARKER_CORE_API\"", quoted(from.message), process.about.pid, from.thread, from.about.id,
              from.about.time, end);
    };
    for (const Marker &marker : process.markers)
      switch (marker.about.type) {
      case trace::Marker::Type::mark: row(marker, marker.about.time); break;
      case trace::Marker::Type::push: pushed[marker.thread].push_back(&marker); break;
      case trace::Marker::Type::pop:
        if (auto &open = pushed[marker.thread]; !open.empty()) {
          row(*open.back(), marker.about.time);
          open.pop_back();
        }
        break;
      case trace::Marker::Type::start: started[marker.about.id] = &marker; break;
      case trace::Marker::Type::stop:
        if (const auto found = started.find(marker.about.id); found != started.end())
          row(*found->second, marker.about.time);
        break;
      }
  }
  csv.close();
}

template <class Rows, class Name> void writeStatistics(const std::string &path, const Rows &rows, Name name) {
  Csv csv(path, "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"");
  double all = 0;
  for (const auto &row : rows)
    all += static_cast<double>(row.time.total);
  for (const auto &row : rows)
    csv.row(quoted(name(row)), row.time.count, row.time.total, row.time.average(),
            all > 0 ? 100 * static_cast<double>(row.time.total) / all : 0, row.time.least, row.time.most,
            row.time.deviation());
  csv.close();
}

} // namespace

void writeCsv(const std::string &prefix, std::span<const Process> processes, const Summary &summary, bool traces,
              bool statistics) {
  if (traces) {
    writeCalls(prefix, processes);
    writeCommands(prefix, processes);
    writeMarkers(prefix, processes);
  }
  if (!statistics)
    return;
  writeStatistics(prefix + "_kernel_stats.csv", summary.kernels, [](const KernelSummary &row) { return row.name; });
  writeStatistics(prefix + "_hip_api_stats.csv", summary.calls, [](const CallSummary &row) { return row.name; });
  writeStatistics(prefix + "_memory_copy_stats.csv", summary.copies,
                  [](const CopySummary &row) { return row.direction; });
}

} // namespace hiplz::prof
