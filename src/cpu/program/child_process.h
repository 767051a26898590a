// Runs a program in a child process with a request on its standard input, so that nothing it does can end or corrupt the
// process that asked for it.
#pragma once
#include <span>
#include <string>

namespace hiplz::cpu {

/// What came back.
struct ChildResult {
  std::string answer;   ///< everything that was written to standard output
  std::string messages; ///< everything that was written to standard error, without trailing space
  bool started = false; ///< there was a child; otherwise `messages` says why not
  int signal = 0;       ///< the signal that ended the child, if one did
};

/// Starts `path` without arguments, with the pieces of the request one after the other as a file on its standard input, and
/// waits for its end. The child has the environment of the program, and default signal handling. Thread-safe. Nothing
/// of the calling process is copied (posix_spawn): a fork would inherit locks that other threads hold.
ChildResult runProgram(const std::string &path, std::span<const std::span<const std::byte>> request);

} // namespace hiplz::cpu
