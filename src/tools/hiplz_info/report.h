// SPDX-License-Identifier: MIT
// The report of hiplz-info: sections of named values, printed as a table for people or as JSON for programs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hiplz {

struct Section {
  struct Entry {
    std::string name;
    std::string text; // as people read it
    std::string json; // the same as a JSON value
  };
  std::string title; // the heading; in JSON the name of the object or of the list it stands in
  bool inList = false;
  std::vector<Entry> entries;

  void add(const std::string &name, const std::string &text);
  void add(const std::string &name, uint64_t number, const std::string &unit = {});
  void add(const std::string &name, const std::vector<std::string> &list);
  void addFlag(const std::string &name, bool yes);
  /// Bytes: "1.5 GiB" for people, the plain number in JSON.
  void addBytes(const std::string &name, uint64_t bytes);
  /// 16 bytes in the usual form: 00112233-4455-6677-8899-aabbccddeeff.
  void addUuid(const std::string &name, const void *bytes);
};

std::string asTable(const std::vector<Section> &sections);

/// One object: a member for each section, where sections in lists with the same title form an array.
std::string asJson(const std::vector<Section> &sections);

} // namespace hiplz
