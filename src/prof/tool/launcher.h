// SPDX-License-Identifier: MIT
// Runs the program that is profiled.
#pragma once
#include <string>
#include <vector>

namespace hiplz::prof {

struct Ended {
  int pid = 0;
  int exitCode = 0; ///< as a shell tells it: 128 and the signal if there was one
  int signal = 0;
  std::string problem; ///< not empty: it could not be started, and why
};

/// With HIPLZ_PROF and HIPLZ_PROF_TRACE in its environment. Returns when it has ended; signals that end programs go to it, so
/// that there is a profile of what it did until then.
Ended runProfiled(const std::vector<std::string> &program, const std::string &traces, const std::string &parts);

} // namespace hiplz::prof
