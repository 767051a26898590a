// SPDX-License-Identifier: MIT
#include "tools/cucc/lenient.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <system_error>

namespace hiplz::cucc {

namespace fs = std::filesystem;

namespace {

struct Complaint {
  std::string_view text;
  LeniencyKind kind;
};
constexpr Complaint kComplaints[] = {
    {"invalid % escape in inline assembly string", LeniencyKind::escape},
    {"invalid output constraint '", LeniencyKind::constraint},
    {"missing 'template' keyword prior to dependent template name", LeniencyKind::keyword}, // behind "::"
    {"use 'template' keyword to treat", LeniencyKind::keyword},                             // behind "." or "->"
    {"reference to overloaded function could not be resolved; did you mean to call it?", LeniencyKind::scope},
    {"'alignas' attribute cannot be applied to types", LeniencyKind::alignment},
    {"an attribute list cannot appear here", LeniencyKind::alignment}, // within functions
};

std::string quoted(const std::string &word) {
  std::string result = "\"";
  for (char c : word) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

/// Puts right what stands at a place of a line, if it is what clang has complained of.
void putRightAt(std::string &line, const Leniency &place) {
  static const std::regex constraint("\"[=+]&?[hlfdq]\""), scope(R"(([A-Za-z_][\w<>, :]*>::)[A-Za-z_]\w*<)");
  const size_t at = static_cast<size_t>(place.column) - 1;
  if (place.column < 1 || at >= line.size())
    return;
  std::smatch match;
  if (place.kind == LeniencyKind::keyword)
    line.insert(at, "template ");
  else if (place.kind == LeniencyKind::scope && std::regex_search(line.cbegin() + place.column - 1, line.cend(), match,
                                                                  scope, std::regex_constants::match_continuous))
    line.insert(at + static_cast<size_t>(match.length(1)), "template ");
  else if (place.kind == LeniencyKind::alignment && line.compare(at, 7, "alignas") == 0)
    line.replace(at, 7, "_Alignas");
  else if (place.kind == LeniencyKind::constraint &&
           std::regex_search(line.cbegin() + place.column - 1, line.cend(), match, constraint,
                             std::regex_constants::match_continuous))
    line[at + static_cast<size_t>(match.length()) - 2] = 'r';
}

} // namespace

size_t findLeniency(std::string_view messages, size_t from) {
  size_t first = messages.npos;
  for (const Complaint &complaint : kComplaints)
    first = std::min(first, messages.find(complaint.text, from));
  return first;
}

std::map<std::string, std::vector<Leniency>> lenienciesIn(std::string_view messages) {
  std::map<std::string, std::vector<Leniency>> found;
  static const std::regex colour("\x1b\\[[0-9;]*[mK]"), place(R"(^(.+?):(\d+):(\d+): )");
  std::istringstream stream{std::string(messages)};
  const Complaint *current = nullptr;
  for (std::string line; std::getline(stream, line);) {
    const auto *complaint =
        std::ranges::find_if(kComplaints, [&](const Complaint &known) { return line.find(known.text) != line.npos; });
    const bool inMacro = line.find("expanded from macro") != line.npos; // the text may stand there
    if (complaint != std::end(kComplaints))
      current = complaint;
    else if (!current || !inMacro)
      continue;
    line = std::regex_replace(line, colour, "");
    std::smatch match;
    if (!std::regex_search(line, match, place))
      continue;
    std::vector<Leniency> &places = found[match[1]];
    const Leniency next = {std::atoi(match[2].str().c_str()), std::atoi(match[3].str().c_str()), current->kind};
    if (std::ranges::count(places, next) == 0)
      places.push_back(next);
  }
  return found;
}

std::string putRight(const std::string &text, std::vector<Leniency> places) {
  static const std::regex registers(
      "(^|[^%])%(laneid|warpid|nwarpid|n?tid\\b|n?ctaid\\b|n?smid|gridid|lanemask_[a-z]+|clock|"
      "globaltimer|pm[0-9]|envreg[0-9]|[a-z]+_smem_size)");
  std::ranges::sort(places, std::greater());
  std::istringstream stream(text);
  std::string result;
  bool inStatement = false;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    for (const Leniency &place : places) { // from right to left
      if (place.line != number)
        continue;
      inStatement |= place.kind == LeniencyKind::escape;
      putRightAt(line, place);
    }
    if (inStatement) {
      line = std::regex_replace(line, registers, "$1%%$2");
      inStatement = line.find(");") == line.npos;
    }
    result += line;
    if (!stream.eof())
      result += '\n';
  }
  return result;
}

SourceOverlay::~SourceOverlay() {
  std::error_code ignored;
  if (!folder_.empty())
    fs::remove_all(folder_, ignored);
}

bool SourceOverlay::add(std::string_view messages) {
  bool changed = false;
  for (const auto &[name, places] : lenienciesIn(messages)) {
    std::error_code error;
    const std::string path = fs::absolute(name, error).lexically_normal();
    std::string &text = texts_[path];
    if (text.empty()) {
      std::ifstream file(path, std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::string right = putRight(text, places);
    changed |= right != text;
    text = std::move(right);
  }
  if (!changed)
    return false;
  if (folder_.empty()) {
    std::string pattern = (fs::temp_directory_path() / "cucc-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      return false;
    folder_ = pattern;
  }
  std::ofstream list(folder_ / "overlay.yaml");
  list << R"({"version": 0, "case-sensitive": "true", "use-external-names": "false", "roots": [)";
  int number = 0;
  for (const auto &[path, text] : texts_) {
    const fs::path copy = folder_ / std::to_string(number);
    std::ofstream(copy, std::ios::binary) << text;
    list << (number++ ? ", " : "") << R"({"type": "file", "name": )" << quoted(path) << R"(, "external-contents": )"
         << quoted(copy) << '}';
  }
  list << "]}\n";
  list.close();
  return list.good();
}

std::string SourceOverlay::option() const { return "-ivfsoverlay" + (folder_ / "overlay.yaml").string(); }

} // namespace hiplz::cucc
