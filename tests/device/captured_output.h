// SPDX-License-Identifier: MIT
// For tests of printf in kernels.
#pragma once
#include <cstdio>
#include <string>
#include <unistd.h>

/// Everything that is written to standard output, or to the error stream (2), in its lifetime.
class Capture {
public:
  explicit Capture(int stream = 1) : file_(std::tmpfile()), stream_(stream), saved_(::dup(stream)) {
    std::fflush(nullptr);
    ::dup2(::fileno(file_), stream);
  }
  std::string finish() {
    std::fflush(nullptr);
    ::dup2(saved_, stream_);
    ::close(saved_);
    std::fseek(file_, 0, SEEK_END);
    std::string text(static_cast<size_t>(std::ftell(file_)), '\0');
    std::rewind(file_);
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    std::fclose(file_);
    return text;
  }

private:
  std::FILE *file_;
  int stream_, saved_;
};
