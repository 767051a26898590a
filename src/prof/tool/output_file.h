// SPDX-License-Identifier: MIT
// A file that is written as a whole or reported: a full disk must not pass for a short profile.
#pragma once
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

namespace hiplz::prof {

class OutputFile {
public:
  /// Throws std::runtime_error if the file cannot be opened.
  explicit OutputFile(std::string path) : path_(std::move(path)), out_(path_, std::ios::binary) { check(); }
  std::ofstream &out() { return out_; }
  /// Throws std::runtime_error if something has not been written.
  void close() {
    out_.close();
    check();
  }

private:
  void check() const {
    if (!out_)
      throw std::runtime_error(path_ + " cannot be written");
  }
  std::string path_;
  std::ofstream out_;
};

} // namespace hiplz::prof
