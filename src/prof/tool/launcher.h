// SPDX-License-Identifier: MIT
// Runs the program that is profiled, and other tools.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace hiplz::prof {

struct Ended {
  int pid = 0;
  int exitCode = 0; ///< as a shell tells it: 128 and the signal if there was one
  int signal = 0;
  std::string problem; ///< not empty: it could not be started, and why
};

/// The input and output of a program: the tool's, or an empty input and no output but errors.
enum class Streams { inherited, silent };

/// With these variables in its environment; an empty value removes one. Returns when it has ended; signals that end programs go to
/// it, so that there is a profile of what it did until then.
Ended runProgram(const std::vector<std::string> &program,
                 const std::vector<std::pair<std::string, std::string>> &environment, Streams streams);

} // namespace hiplz::prof
