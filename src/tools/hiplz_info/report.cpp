// SPDX-License-Identifier: MIT
#include "tools/hiplz_info/report.h"

#include <algorithm>
#include <cstdio>

namespace hiplz {

namespace {

std::string quoted(const std::string &text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      json += escape;
    } else {
      json += c;
    }
  }
  return json + "\"";
}

// "max threads per block" as a JSON name: max_threads_per_block.
std::string jsonName(std::string name) {
  std::ranges::replace(name, ' ', '_');
  return quoted(name);
}

std::string object(const Section &section, const std::string &indent) {
  std::string json = "{";
  for (const Section::Entry &entry : section.entries)
    json += (json.size() > 1 ? ",\n" : "\n") + indent + "  " + jsonName(entry.name) + ": " + entry.json;
  return json + "\n" + indent + "}";
}

} // namespace

void Section::add(const std::string &name, const std::string &text) { entries.push_back({name, text, quoted(text)}); }

void Section::add(const std::string &name, uint64_t number, const std::string &unit) {
  const std::string digits = std::to_string(number);
  entries.push_back({name, unit.empty() ? digits : digits + " " + unit, digits});
}

void Section::add(const std::string &name, const std::vector<std::string> &list) {
  Entry entry{name, {}, "["};
  for (const std::string &item : list) {
    entry.text += (entry.text.empty() ? "" : "\n") + item;
    entry.json += (entry.json.size() > 1 ? ", " : "") + quoted(item);
  }
  entry.json += "]";
  entries.push_back(std::move(entry));
}

void Section::addFlag(const std::string &name, bool yes) {
  entries.push_back({name, yes ? "yes" : "no", yes ? "true" : "false"});
}

void Section::addBytes(const std::string &name, uint64_t bytes) {
  const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = double(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit && value < 100 && value != double(uint64_t(value)) ? "%.1f %s" : "%.0f %s",
                value, units[unit]);
  entries.push_back({name, text, std::to_string(bytes)});
}

void Section::addUuid(const std::string &name, const void *bytes) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char *>(bytes)[i]);
    text += (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(digits);
  }
  add(name, text);
}

std::string asTable(const std::vector<Section> &sections) {
  size_t width = 0;
  for (const Section &section : sections)
    for (const Section::Entry &entry : section.entries)
      width = std::max(width, entry.name.size());
  std::string table;
  size_t number = 0;
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section &section = sections[i];
    number = i && sections[i - 1].title == section.title ? number + 1 : 0;
    table += (i ? "\n" : "") + section.title + (section.inList ? " " + std::to_string(number) : "") + "\n";
    for (const Section::Entry &entry : section.entries) {
      std::string name = entry.name;
      name.resize(width, ' ');
      // The lines of a list stand below each other.
      size_t begin = 0;
      do {
        const size_t end = std::min(entry.text.find('\n', begin), entry.text.size());
        table += "  " + name + "  " + entry.text.substr(begin, end - begin) + "\n";
        name.assign(width, ' ');
        begin = end + 1;
      } while (begin < entry.text.size());
    }
  }
  return table;
}

std::string asJson(const std::vector<Section> &sections) {
  std::string json = "{";
  for (size_t i = 0; i < sections.size();) {
    const Section &section = sections[i];
    json += (i ? ",\n  " : "\n  ") + jsonName(section.title + (section.inList ? "s" : "")) + ": ";
    if (!section.inList) {
      json += object(section, "  ");
      ++i;
      continue;
    }
    json += "[";
    for (bool first = true; i < sections.size() && sections[i].title == section.title; ++i, first = false)
      json += (first ? "" : ", ") + object(sections[i], "  ");
    json += "]";
  }
  return json + "\n}\n";
}

} // namespace hiplz
