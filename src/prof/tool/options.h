// SPDX-License-Identifier: MIT
// The command line of hiplz-prof. Options that mean what they mean in rocprofv3 have its names.
#pragma once
#include "prof/tool/collection_period.h"
#include "prof/tool/kernel_choice.h"
#include "prof/tool/table.h"

#include <string>
#include <vector>

namespace hiplz::prof {

struct Options {
  enum class Action { run, read, help, version } action = Action::run;
  std::vector<std::string> program;  ///< and its arguments
  std::vector<std::string> folders;  ///< of traces, for Action::read
  std::string directory = ".", name; ///< name is empty: that of the program and its number
  bool csv = false, json = false, timeline = false, picture = false;
  std::string range; ///< of roctx, that the picture shows; empty: everything
  bool summary = true, statistics = false, keep = false;
  TableStyle style;
  std::string tables = "stderr"; ///< where they go: stderr, stdout or a file
  KernelChoice choice;
  std::vector<CollectionPeriod> periods;
  double periodUnit = 1e9;      ///< nanoseconds
  bool selectedRegions = false; ///< record from roctxProfilerResume() on
  std::string preload;          ///< libraries for LD_PRELOAD, with colons between them
  bool calls = false, kernels = false, copies = false, memory = false, markers = false; ///< all false: all of them
  bool chooses() const { return calls || kernels || copies || memory || markers; }
  bool roofline = false;
  std::string counts, roofs; ///< files for the roofline; empty: a run that counts, what is saved or measured
  std::string problem;       ///< not empty: the command line is wrong, and why
};

/// \p arguments without the name of the tool.
Options parseOptions(const std::vector<std::string> &arguments);

/// The value of HIPLZ_PROF_TRACE for them. More is recorded than shown where kernels are named after markers.
std::string recordedParts(const Options &options);

/// Replaces %pid%, %rank% and %hostname%.
std::string expandKeys(std::string text, int pid, int rank);

extern const char kHelp[];

} // namespace hiplz::prof
