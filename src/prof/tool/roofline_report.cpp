// SPDX-License-Identifier: MIT
// The roofline of a program as a table for the terminal, as CSV and as JSON.
#include "prof/tool/json.h"
#include "prof/tool/roofline.h"
#include "prof/tool/table.h"
#include "roofline/roofs.h"

namespace hiplz::prof {

using roofline::figure;

void printRoofline(std::ostream &out, const ProgramRoofline &program, const TableStyle &style) {
  if (!program.kernels.empty()) {
    out << "Roofline\n";
    printRows(out, Table({"kernel", "total", "type", "Gop/s", "GB/s", "op/byte", "roof", "% of it"}), program.kernels,
              style, [&](Table &table, const PlacedKernel &kernel) {
                table.add({shortened(kernel.name), style.time(kernel.time.total),
                           kernel.type.empty() ? "-" : kernel.type, figure(kernel.gigaOps), figure(kernel.gigaBytes),
                           kernel.intensity > 0 ? figure(kernel.intensity) : "-",
                           kernel.roof.empty() ? "-" : kernel.roof,
                           kernel.roof.empty() ? "-" : figure(100 * kernel.share)});
              });
    if (!program.roofs.empty())
      out << "  " << program.roofs << '\n';
  }
  for (const std::string &note : program.notes)
    out << "\nNote: " << note << '\n';
  out << '\n';
}

void writeRooflineCsv(std::ostream &out, const ProgramRoofline &program) {
  out << "\"Kernel_Name\",\"Launches\",\"TotalDurationNs\",\"Type\",\"Operations\",\"Bytes\",\"Memory_Bytes\",\"Gop_"
         "per_s\",\"GB_per_"
         "s\","
         "\"Intensity\",\"Roof\",\"Share\",\"Counted_Launches\"";
  for (uint32_t counter = counts::items; counter < counts::counterCount; ++counter)
    out << ",\"" << counts::kColumns[counter] << '"';
  out << '\n';
  for (const PlacedKernel &kernel : program.kernels) {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, "%.0f,%.0f,%.0f,%.6g,%.6g,%.6g", kernel.operations, kernel.bytes,
                  kernel.memoryBytes, kernel.gigaOps, kernel.gigaBytes, kernel.intensity);
    out << '"' << kernel.name << "\"," << kernel.time.count << ',' << kernel.time.total << ",\"" << kernel.type << "\","
        << numbers << ",\"" << kernel.roof << "\",";
    std::snprintf(numbers, sizeof numbers, "%.4f", kernel.share);
    out << numbers << ',' << kernel.counts[counts::launches];
    for (uint32_t counter = counts::items; counter < counts::counterCount; ++counter)
      out << ',' << kernel.counts.counters[counter];
    out << '\n';
  }
}

void writeRooflineJson(std::ostream &out, const ProgramRoofline &program, const roofline::Result *roofs) {
  JsonWriter json(out);
  json.beginObject().pair("version", 1);
  if (roofs) {
    json.key("roofs").beginObject().pair("device", roofs->device.name).pair("uuid", roofs->device.uuid);
    json.pair("mode", roofs->mode).pair("date", roofs->date).endObject();
  }
  json.key("kernels").beginArray();
  for (const PlacedKernel &kernel : program.kernels) {
    json.line().beginObject().pair("name", kernel.name).pair("mangled", kernel.counts.kernel);
    json.pair("launches", kernel.time.count).pair("total_ns", kernel.time.total).pair("type", kernel.type);
    json.pair("operations", kernel.operations)
        .pair("bytes", kernel.bytes)
        .pair("memory_bytes", kernel.memoryBytes)
        .pair("gop_s", kernel.gigaOps);
    json.pair("gb_s", kernel.gigaBytes);
    if (kernel.intensity > 0)
      json.pair("intensity", kernel.intensity);
    if (!kernel.roof.empty())
      json.pair("roof", kernel.roof).pair("share", kernel.share);
    json.key("counts").beginObject();
    for (uint32_t counter = 0; counter < counts::counterCount; ++counter)
      json.pair(counts::kColumns[counter], kernel.counts.counters[counter]);
    json.endObject().endObject();
  }
  json.endArray().key("notes").beginArray();
  for (const std::string &note : program.notes)
    json.value(note);
  json.endArray().endObject();
  out << '\n';
}

} // namespace hiplz::prof
