// SPDX-License-Identifier: MIT
// Runs another program and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace hiplz {

struct Outcome {
  bool started = false;
  int exitCode = 0;
  int signal = 0; ///< that ended it, or 0
  std::string messages;
};

enum class Collect { errors, everything };

/// Runs \p program with \p arguments, its standard error collected (and its standard output), and waits for it.
Outcome run(const std::string &program, const std::vector<std::string> &arguments, Collect collect = Collect::errors);

} // namespace hiplz
