// SPDX-License-Identifier: MIT
// The command line of hiplz-check. Options that compute-sanitizer has keep their names.
#pragma once
#include "base/name_pattern.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hiplz::checking {

/// Which kernels something is about. Without conditions: all.
class KernelFilter {
public:
  /// "kregex=E", "kns=TEXT" (a part of the name), "kne=NAME" (the whole name), or their long forms. Throws std::runtime_error.
  void add(const std::string &option, const std::string &text);
  bool isEmpty() const { return all_.empty(); }
  bool matches(const std::string &kernel) const;
  /// One expression for the driver.
  std::string expression() const;

private:
  struct One {
    std::string text;
    NamePattern expression;
  };
  std::vector<One> all_;
};

enum class Level { info, warning, error };
enum class Colours { automatic, yes, no };

struct Options {
  std::string tools = "all";                 ///< as HIPLZ_CHECK has them
  bool leaks = false;                        ///< memory that is not freed is an error
  bool stops = false;                        ///< in gdb at each finding
  bool onlyApplication = false;              ///< no findings of other processes; without effect in gdb
  bool blocking = false;                     ///< each launch is waited for
  std::string logFile;                       ///< empty: standard error; %p is the number of the tool's process
  bool xml = false;                          ///< the log is XML
  std::string json, sarif, saved, generated; ///< files; empty: none
  std::string read;                          ///< findings of an earlier run instead of a program
  std::vector<std::string> suppressions;     ///< files
  int errorExitCode = 0;     ///< of the tool if there are errors and the program has ended well; 0: the program's
  bool checkExitCode = true; ///< a program that fails is said to
  uint64_t printLimit = 100; ///< 0: all
  Level level = Level::warning;
  Level raceLevel = Level::info; ///< of racecheck, if it is higher
  bool apiErrors = true;
  bool hostStacks = true, deviceStacks = true;
  uint64_t hostFrames = UINT64_MAX;
  std::string prefix = "=========";
  bool quiet = false;
  Colours colours = Colours::automatic;
  uint64_t launchSkip = 0, launchCount = 0; ///< 0: all launches
  KernelFilter kernels, excluded;
  std::vector<std::string> program;
};

/// Throws std::runtime_error with a sentence.
Options parseOptions(const std::vector<std::string> &arguments);

extern const char kHelp[];

} // namespace hiplz::checking
