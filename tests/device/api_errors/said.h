// SPDX-License-Identifier: MIT
// The library's log during one call.
#pragma once
#include "tests/device/check.h"

#include <string>
#include <sys/mman.h>
#include <unistd.h>

/// Standard error as a file that is read after each call.
class Said {
public:
  Said() : file_(::memfd_create("said", 0)), real_(::dup(STDERR_FILENO)) { ::dup2(file_, STDERR_FILENO); }
  ~Said() { restore(); }
  /// The text since the last time.
  std::string take() {
    std::string text(::lseek(file_, 0, SEEK_END), '\0');
    const ssize_t bytes = ::pread(file_, text.data(), text.size(), 0);
    text.resize(bytes < 0 ? 0 : bytes);
    CHECK_EQ(::ftruncate(file_, 0), 0);
    ::lseek(file_, 0, SEEK_SET);
    return text;
  }
  void restore() { ::dup2(real_, STDERR_FILENO); }

private:
  int file_, real_;
};
