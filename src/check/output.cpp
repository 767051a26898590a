// SPDX-License-Identifier: MIT
#include "check/output.h"
#include "base/xml.h"
#include "hiplz/version.h"
#include "prof/tool/json.h"

#include <algorithm>
#include <charconv>

namespace hiplz::checking {
namespace {

void writeColoured(std::ostream &out, const CheckReport &report, const std::string &text) {
  constexpr const char *kRed = "\033[1;31m", *kYellow = "\033[1;33m", *kCyan = "\033[36m", *kPlain = "\033[0m";
  const size_t line = text.find('\n');
  out << (report.isError()               ? kRed
          : report.severity == "warning" ? kYellow
                                         : kCyan)
      << text.substr(0, line) << kPlain << text.substr(line);
}

uint64_t countOf(const std::vector<CheckReport> &reports, const char *severity) {
  return std::count_if(reports.begin(), reports.end(), [&](const auto &report) { return report.severity == severity; });
}

/// "file.hip:12" at the beginning of a text. False: there is none.
bool readPlace(const std::string &text, std::string &file, uint64_t &line) {
  const size_t end = std::min(text.find_first_of(", "), text.size()), colon = text.rfind(':', end);
  if (colon == std::string::npos || colon == 0 || colon + 1 >= end)
    return false;
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, text.data() + end, line);
  file = text.substr(0, colon);
  return error == std::errc() && rest == text.data() + end;
}

} // namespace

void writeText(std::ostream &out, const std::vector<CheckReport> &reports, const TextStyle &style) {
  uint64_t printed = 0;
  for (const CheckReport &report : reports) {
    if (style.limit && printed++ >= style.limit)
      break;
    const std::string text = textOf(report, style.prefix);
    if (style.colours)
      writeColoured(out, report, text);
    else
      out << text;
  }
  if (style.limit && reports.size() > style.limit)
    out << style.prefix << ' ' << reports.size() - style.limit << " more are not printed (--print-limit)\n";
  if (style.quiet && reports.empty())
    return;
  const uint64_t notes = countOf(reports, "note");
  out << style.prefix << ' ' << countOf(reports, "error") << " errors, " << countOf(reports, "warning") << " warnings"
      << (notes ? ", " + std::to_string(notes) + " notes" : "") << '\n';
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
    forEachStack(report, [&](const char *name, const std::vector<std::string> &frames) {
      for (const std::string &frame : frames)
        element(name, frame);
    });
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
    forEachStack(report, [&](const char *name, const std::vector<std::string> &frames) {
      json.key(name).beginArray();
      for (const std::string &frame : frames)
        json.value(frame);
      json.endArray();
    });
    json.key("count").value(report.count);
    json.endObject();
  }
  json.endArray();
  out << '\n';
}

void writeSarif(std::ostream &out, const std::vector<CheckReport> &reports) {
  prof::JsonWriter json(out);
  auto location = [&](const std::string &place, const std::string &kernel) {
    std::string file;
    uint64_t line = 0;
    json.beginObject();
    if (readPlace(place, file, line)) {
      json.key("physicalLocation").beginObject();
      json.key("artifactLocation").beginObject().pair("uri", file).endObject();
      json.key("region").beginObject().pair("startLine", line).endObject();
      json.endObject();
    }
    if (!kernel.empty()) {
      json.key("logicalLocations").beginArray().beginObject();
      json.pair("name", kernel).pair("kind", "function").endObject().endArray();
    }
    json.endObject();
  };
  json.beginObject();
  json.pair("$schema", "https://json.schemastore.org/sarif-2.1.0.json").pair("version", "2.1.0");
  json.key("runs").beginArray().beginObject();
  json.key("tool").beginObject().key("driver").beginObject();
  json.pair("name", "hiplz-check").pair("version", HIPLZ_VERSION_STRING).key("rules").beginArray();
  for (const char *tool : {"memcheck", "racecheck", "synccheck"})
    json.beginObject().pair("id", tool).endObject();
  json.endArray().endObject().endObject();
  json.key("results").beginArray();
  for (const CheckReport &report : reports) {
    json.line().beginObject();
    json.pair("ruleId", report.tool).pair("level", report.severity);
    std::string text = report.what;
    for (const std::string &more : {report.item, report.other, report.address})
      text += more.empty() ? "" : "; " + more;
    json.key("message").beginObject().pair("text", text).endObject();
    json.key("locations").beginArray();
    location(report.place, report.kernel);
    json.endArray();
    std::string file;
    uint64_t line = 0;
    if (readPlace(report.other, file, line)) {
      json.key("relatedLocations").beginArray();
      location(report.other, "");
      json.endArray();
    }
    json.pair("occurrenceCount", report.count).endObject();
  }
  json.endArray().endObject().endArray().endObject();
  out << '\n';
}

} // namespace hiplz::checking
