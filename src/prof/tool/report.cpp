// SPDX-License-Identifier: MIT
// The summary as tables for the terminal and as JSON.
#include "prof/tool/json.h"
#include "prof/tool/summary.h"
#include "prof/tool/table.h"

#include <algorithm>
#include <cstdio>

namespace hiplz::prof {
namespace {

std::string scaled(double value, double step, const char *const (&units)[4], const char *format) {
  size_t unit = 0;
  while (unit < 3 && value >= step) {
    value /= step;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, format, value, units[unit]);
  return text;
}

std::string shape(const uint32_t (&sizes)[3]) {
  std::string text = std::to_string(sizes[0]);
  if (sizes[1] > 1 || sizes[2] > 1)
    text += "x" + std::to_string(sizes[1]);
  if (sizes[2] > 1)
    text += "x" + std::to_string(sizes[2]);
  return text;
}

std::string percent(double part, double whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", whole > 0 ? 100 * part / whole : 0);
  return text;
}

template <class Rows> double totalOf(const Rows &rows) {
  double total = 0;
  for (const auto &row : rows)
    total += static_cast<double>(row.time.total);
  return total;
}

void printDevices(std::ostream &out, const Summary &summary, const TableStyle &style) {
  for (const DeviceSummary &device : summary.devices) {
    out << "\nDevice " << device.ordinal << ", " << device.name << ", of " << device.process << '\n';
    if (device.span)
      out << "  busy " << percent(static_cast<double>(device.busy), static_cast<double>(device.span)) << " % of "
          << style.time(device.span) << " between its first and last command; " << device.gapCount << " gaps over "
          << style.time(DeviceSummary::kGap) << '\n';
    for (const Gap &gap : device.longest)
      out << "    idle for " << style.time(gap.end - gap.begin) << " during " << gap.meanwhile << '\n';
    if (device.mostMemory > 0)
      out << "  most memory " << readableBytes(static_cast<double>(device.mostMemory)) << '\n';
  }
}

void writeStatistics(JsonWriter &json, const Statistics &time) {
  json.pair("count", time.count).pair("total_ns", time.total).pair("average_ns", time.average());
  json.pair("min_ns", time.count ? time.least : 0).pair("max_ns", time.most).pair("deviation_ns", time.deviation());
}

} // namespace

std::string readableTime(double nanoseconds) {
  static constexpr const char *kUnits[4] = {"ns", "us", "ms", "s"};
  return scaled(nanoseconds, 1000, kUnits, nanoseconds < 1000 ? "%.0f %s" : "%.2f %s");
}

std::string TableStyle::time(double nanoseconds) const {
  static constexpr struct {
    double nanoseconds;
    const char *format;
  } kUnits[] = {{1e9, "%.6f s"}, {1e6, "%.3f ms"}, {1e3, "%.2f us"}, {1, "%.0f ns"}};
  if (unit == Unit::fitting)
    return readableTime(nanoseconds);
  const auto &chosen = kUnits[static_cast<size_t>(unit) - 1];
  char text[48];
  std::snprintf(text, sizeof text, chosen.format, nanoseconds / chosen.nanoseconds);
  return text;
}

std::string readableBytes(double bytes) {
  static constexpr const char *kUnits[4] = {"B", "KiB", "MiB", "GiB"};
  return scaled(bytes, 1024, kUnits, bytes < 1024 ? "%.0f %s" : "%.1f %s");
}

void printSummary(std::ostream &out, const Summary &summary, const TableStyle &style) {
  out << "\n== profile of";
  for (const std::string &process : summary.processes)
    out << ' ' << process;
  out << ", " << style.time(summary.wall) << '\n';
  if (!summary.kernels.empty()) {
    out << "\nKernels\n";
    const double all = totalOf(summary.kernels);
    printRows(out, Table({"name", "%", "total", "count", "average", "min", "max", "grid", "block", "occupancy"}),
              summary.kernels, style, [&](Table &table, const KernelSummary &kernel) {
                table.add({shortened(kernel.name), percent(static_cast<double>(kernel.time.total), all),
                           style.time(kernel.time.total), std::to_string(kernel.time.count),
                           style.time(kernel.time.average()), style.time(kernel.time.least),
                           style.time(kernel.time.most), shape(kernel.grid) + (kernel.shapes > 1 ? "*" : ""),
                           shape(kernel.block), kernel.occupancy < 0 ? "-" : percent(kernel.occupancy, 1) + " %"});
              });
    if (std::any_of(summary.kernels.begin(), summary.kernels.end(),
                    [](const auto &kernel) { return kernel.shapes > 1; }))
      out << "  * the most frequent of several shapes\n";
  }
  if (!summary.copies.empty()) {
    out << "\nCopies and fills\n";
    printRows(out, Table({"direction", "total", "count", "bytes", "average", "GB/s"}), summary.copies, style,
              [&](Table &table, const CopySummary &copy) {
                char rate[16];
                std::snprintf(rate, sizeof rate, "%.2f", copy.gigabytesPerSecond());
                table.add({copy.direction, style.time(copy.time.total), std::to_string(copy.time.count),
                           readableBytes(static_cast<double>(copy.bytes)),
                           readableBytes(static_cast<double>(copy.bytes) / static_cast<double>(copy.time.count)),
                           rate});
              });
  }
  if (!summary.calls.empty()) {
    out << "\nHIP calls\n";
    const double all = totalOf(summary.calls);
    printRows(out, Table({"function", "%", "total", "count", "average", "max", "failed"}), summary.calls, style,
              [&](Table &table, const CallSummary &call) {
                table.add({call.name, percent(static_cast<double>(call.time.total), all), style.time(call.time.total),
                           std::to_string(call.time.count), style.time(call.time.average()), style.time(call.time.most),
                           call.failed ? std::to_string(call.failed) : "-"});
              });
  }
  if (summary.graphs.count)
    out << "\n"
        << summary.graphs.count << " launches of graphs took " << style.time(summary.graphs.total) << ", "
        << style.time(summary.graphs.average()) << " each\n";
  if (summary.hostFunctions.count)
    out << "\n"
        << summary.hostFunctions.count << " host functions in streams took " << style.time(summary.hostFunctions.total)
        << '\n';
  if (!summary.compilations.empty()) {
    out << "\nCompiled and loaded\n";
    printRows(
        out, Table({"what", "time", "count"}), summary.compilations, style,
        [&](Table &table, const CompilationSummary &compilation) {
          table.add({shortened(compilation.name), style.time(compilation.time), std::to_string(compilation.count)});
        });
  }
  printDevices(out, summary, style);
  for (const std::string &hint : summary.hints)
    out << "\nHint: " << hint << '\n';
  for (const std::string &warning : summary.warnings)
    out << "\nNote: " << warning << '\n';
  out << '\n';
}

void writeSummaryJson(std::ostream &out, const Summary &summary) {
  JsonWriter json(out);
  json.beginObject().pair("version", 1).pair("wall_ns", summary.wall).key("processes").beginArray();
  for (const std::string &process : summary.processes)
    json.value(process);
  json.endArray().key("kernels").beginArray();
  for (const KernelSummary &kernel : summary.kernels) {
    json.line().beginObject().pair("name", kernel.name).pair("mangled", kernel.mangled);
    writeStatistics(json, kernel.time);
    for (const auto &[name, sizes] : {std::pair("grid", kernel.grid), std::pair("block", kernel.block)})
      json.key(name).beginArray().value(sizes[0]).value(sizes[1]).value(sizes[2]).endArray();
    json.pair("shapes", kernel.shapes);
    if (kernel.occupancy >= 0)
      json.pair("occupancy", kernel.occupancy);
    json.endObject();
  }
  json.endArray().key("calls").beginArray();
  for (const CallSummary &call : summary.calls) {
    json.line().beginObject().pair("name", call.name);
    writeStatistics(json, call.time);
    json.pair("failed", call.failed).endObject();
  }
  json.endArray().key("copies").beginArray();
  for (const CopySummary &copy : summary.copies) {
    json.line().beginObject().pair("direction", copy.direction).pair("bytes", copy.bytes);
    writeStatistics(json, copy.time);
    json.pair("gigabytes_per_second", copy.gigabytesPerSecond()).endObject();
  }
  json.endArray().key("devices").beginArray();
  for (const DeviceSummary &device : summary.devices) {
    json.line().beginObject().pair("process", device.process).pair("ordinal", device.ordinal).pair("name", device.name);
    json.pair("span_ns", device.span).pair("busy_ns", device.busy).pair("gaps", device.gapCount);
    json.pair("most_memory", device.mostMemory).key("longest_gaps").beginArray();
    for (const Gap &gap : device.longest)
      json.beginObject().pair("ns", gap.end - gap.begin).pair("meanwhile", gap.meanwhile).endObject();
    json.endArray().endObject();
  }
  json.endArray().key("compilations").beginArray();
  for (const CompilationSummary &compilation : summary.compilations) {
    json.line().beginObject().pair("name", compilation.name).pair("ns", compilation.time);
    json.pair("count", compilation.count).pair("bytes", compilation.bytes).endObject();
  }
  json.endArray();
  for (const auto &[name, time] :
       {std::pair("graphs", &summary.graphs), std::pair("host_functions", &summary.hostFunctions),
        std::pair("waits", &summary.waits)}) {
    json.line().key(name).beginObject();
    writeStatistics(json, *time);
    json.endObject();
  }
  for (const auto &[name, lines] : {std::pair("hints", &summary.hints), std::pair("warnings", &summary.warnings)}) {
    json.line().key(name).beginArray();
    for (const std::string &line : *lines)
      json.value(line);
    json.endArray();
  }
  json.endObject();
  out << '\n';
}

} // namespace hiplz::prof
