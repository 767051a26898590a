// SPDX-License-Identifier: MIT
// See check_report.h.
#include "base/check_report.h"

#include <algorithm>

namespace hiplz {
std::string textOf(const CheckReport &report, const std::string &mark) {
  std::string text;
  auto line = [&](const std::string &words) { text += mark + " " + words + "\n"; };
  auto stack = [&](const char *name, const std::vector<std::string> &frames) {
    if (!frames.empty())
      line(std::string("    ") + name + " by");
    for (const std::string &frame : frames)
      line("      " + frame);
  };
  line(report.tool + ": " + report.severity + ": " + report.what);
  if (!report.kernel.empty())
    line("    in " + report.kernel + (report.place.empty() ? "" : " at " + report.place));
  else if (!report.place.empty())
    line("    at " + report.place);
  if (!report.item.empty())
    line("    by " + report.item);
  if (!report.other.empty())
    line("    and " + report.other);
  if (!report.address.empty())
    line("    address " + report.address);
  forEachStack(report, stack);
  if (report.count > 1)
    line("    found " + std::to_string(report.count) + " times");
  return text;
}

std::string recordOf(const CheckReport &report) {
  std::string text;
  auto add = [&](const char *key, std::string value) {
    std::replace(value.begin(), value.end(), '\n', ' ');
    if (!value.empty())
      text += std::string(key) + "\t" + value + "\n";
  };
  forEachField(report, add);
  forEachStack(report, [&](const char *name, const std::vector<std::string> &frames) {
    for (const std::string &frame : frames)
      add(name, frame);
  });
  add("count", std::to_string(report.count));
  return text + "\n";
}

bool readRecord(std::istream &from, CheckReport &report) {
  report = {};
  std::string line;
  bool any = false;
  while (std::getline(from, line) && !line.empty()) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos)
      continue;
    const std::string key = line.substr(0, tab), value = line.substr(tab + 1);
    any = true;
    forEachField(report, [&](const char *name, std::string &field) {
      if (key == name)
        field = value;
    });
    forEachStack(report, [&](const char *name, std::vector<std::string> &frames) {
      if (key == name)
        frames.push_back(value);
    });
    if (key == "count")
      report.count = std::strtoull(value.c_str(), nullptr, 10);
  }
  return any;
}

} // namespace hiplz
