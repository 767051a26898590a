// SPDX-License-Identifier: MIT
// The command line of hiplz-check. Options that compute-sanitizer has keep their names.
#pragma once
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace hiplz::checking {

struct Options {
  std::string tools = "all"; ///< as HIPLZ_CHECK has them
  bool leaks = false;        ///< memory that is not freed is an error
  std::string logFile;       ///< empty: standard error; %p is the number of the tool's process
  bool xml = false;          ///< the log is XML
  std::string json;          ///< a file for JSON; empty: none
  int errorExitCode = 0;     ///< of the tool if there are errors and the program has ended well; 0: the program's
  uint64_t printLimit = 100; ///< 0: all
  std::optional<std::regex> kernels;
  std::string kernelPart; ///< of a kernel's name
  std::vector<std::string> program;
};

/// Throws std::runtime_error with a sentence.
Options parseOptions(const std::vector<std::string> &arguments);

extern const char kHelp[];

} // namespace hiplz::checking
