// SPDX-License-Identifier: MIT
#include "check/output.h"
#include "base/xml.h"
#include "prof/tool/json.h"

namespace hiplz::checking {
void writeText(std::ostream &out, const std::vector<CheckReport> &reports, uint64_t limit) {
  uint64_t errors = 0, printed = 0;
  for (const CheckReport &report : reports) {
    errors += report.isError();
    if (!limit || printed++ < limit)
      out << textOf(report);
  }
  if (limit && reports.size() > limit)
    out << "========= " << reports.size() - limit << " more are not printed (--print-limit)\n";
  out << "========= " << errors << " errors, " << reports.size() - errors << " warnings\n";
}

void writeXml(std::ostream &out, const std::vector<CheckReport> &reports) {
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<findings>\n";
  for (const CheckReport &report : reports) {
    out << "  <finding>\n";
    auto element = [&](const char *name, const std::string &text) {
      if (!text.empty())
        out << "    <" << name << ">" << xmlEscaped(text) << "</" << name << ">\n";
    };
    forEachField(report, element);
    for (const std::string &frame : report.allocated)
      element("allocated", frame);
    for (const std::string &frame : report.freed)
      element("freed", frame);
    element("count", std::to_string(report.count));
    out << "  </finding>\n";
  }
  out << "</findings>\n";
}

void writeJson(std::ostream &out, const std::vector<CheckReport> &reports) {
  prof::JsonWriter json(out);
  json.beginArray();
  for (const CheckReport &report : reports) {
    json.line().beginObject();
    forEachField(report, [&](const char *name, const std::string &text) { json.key(name).value(text); });
    auto frames = [&](const char *name, const std::vector<std::string> &all) {
      json.key(name).beginArray();
      for (const std::string &frame : all)
        json.value(frame);
      json.endArray();
    };
    frames("allocated", report.allocated);
    frames("freed", report.freed);
    json.key("count").value(report.count);
    json.endObject();
  }
  json.endArray();
  out << '\n';
}

} // namespace hiplz::checking
