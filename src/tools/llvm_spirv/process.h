// Runs the translator, or another program, and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace hiplz::spirv {

struct Outcome {
  bool started = false;
  int exitCode = 0;
  int signal = 0; ///< that ended it, or 0
  std::string messages;
};

enum class Collect { errors, everything };

/// Runs \p program with \p arguments, its standard error collected (and its standard output), and waits for it.
Outcome run(const std::string& program, const std::vector<std::string>& arguments, Collect collect = Collect::errors);

/// What the translator said, up to the stack trace of a crash, which tells a user nothing.
std::string messagesWithoutTrace(const Outcome& outcome);

/// One sentence for what went wrong.
std::string explain(const Outcome& outcome);

} // namespace hiplz::spirv
