// SPDX-License-Identifier: MIT
#include "check/suppressions.h"

#include <algorithm>
#include <array>
#include <fnmatch.h>
#include <fstream>
#include <stdexcept>

namespace hiplz::checking {
namespace {

// The properties that tell a finding from others and stay the same from run to run.
constexpr std::array<const char *, 5> kFields{"severity", "what", "kernel", "place", "other"};

std::string trimmed(const std::string &text) {
  const size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string fieldOf(const CheckReport &report, const std::string &name) {
  std::string text;
  forEachField(report, [&](const char *each, const std::string &value) {
    if (name == each)
      text = value;
  });
  return text;
}

// The other side of a race begins with its place; work-items differ from run to run.
std::string stable(const std::string &field, const std::string &text) {
  const size_t by = field == "other" ? text.find(" by ") : std::string::npos;
  return text.substr(0, by);
}

std::string escaped(const std::string &text) {
  std::string pattern;
  for (const char letter : text) {
    if (std::string_view("*?[\\").find(letter) != std::string_view::npos)
      pattern += '\\';
    pattern += letter;
  }
  return pattern;
}

} // namespace

void Suppressions::read(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error(path + " cannot be read");
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    line = trimmed(line);
    const auto wrong = [&](const std::string &why) {
      return std::runtime_error(path + ":" + std::to_string(number) + ": " + why);
    };
    if (line.empty() || line.front() == '#')
      continue;
    if (line.front() == '[' && line.back() == ']') {
      blocks_.push_back({line.substr(1, line.size() - 2), {}});
      continue;
    }
    const size_t equals = line.find('=');
    if (equals == std::string::npos || blocks_.empty())
      throw wrong("a line has the form [tool], or NAME = PATTERN below one");
    const std::string name = trimmed(line.substr(0, equals));
    if (std::find(kFields.begin(), kFields.end(), name) == kFields.end())
      throw wrong("'" + name + "' is none of severity, what, kernel, place and other");
    blocks_.back().patterns.emplace_back(name, trimmed(line.substr(equals + 1)));
  }
}

bool Suppressions::matches(const CheckReport &report) const {
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block &block) {
    return ::fnmatch(block.tool.c_str(), report.tool.c_str(), 0) == 0 &&
           std::all_of(block.patterns.begin(), block.patterns.end(), [&](const auto &pattern) {
             return ::fnmatch(pattern.second.c_str(), stable(pattern.first, fieldOf(report, pattern.first)).c_str(),
                              0) == 0;
           });
  });
}

void writeSuppressions(std::ostream &out, const std::vector<CheckReport> &reports) {
  out << "# Findings that hiplz-check --suppressions leaves out. * and ? stand for any text and any letter.\n";
  for (const CheckReport &report : reports) {
    out << "\n[" << report.tool << "]\n";
    for (const char *field : kFields)
      if (const std::string text = stable(field, fieldOf(report, field)); !text.empty())
        out << field << " = " << escaped(text) << '\n';
  }
}

} // namespace hiplz::checking
