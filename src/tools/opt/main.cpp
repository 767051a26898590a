// SPDX-License-Identifier: MIT
// The program that clang calls as opt when it is given -BP/lib/hiplz/bin. From LLVM 16 on, opt warns in every run that it
// cannot generate code for SPIR-V, which nobody asks of it here; this program says everything else that opt says.
#include "tools/process.h"

#include <csignal>
#include <cstdio>
#include <sstream>

int main(int count, char **arguments) {
  const hiplz::Outcome outcome = hiplz::run(HIPLZ_OPT, {arguments + 1, arguments + count});
  if (!outcome.started) {
    std::fprintf(stderr, "opt: %s cannot be run: %s\n", HIPLZ_OPT, outcome.messages.c_str());
    return 1;
  }
  std::istringstream lines(outcome.messages);
  for (std::string line; std::getline(lines, line);)
    if (line.find("WARNING: failed to create target machine for 'spirv") == std::string::npos)
      std::fprintf(stderr, "%s\n", line.c_str());
  if (outcome.signal)
    std::raise(outcome.signal); // so that clang sees a crash
  return outcome.exitCode;
}
