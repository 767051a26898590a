// SPDX-License-Identifier: MIT
// Runs a program in a child process that answers a request, so that nothing it does can end or corrupt the process that asked
// for it.
#pragma once
#include <span>
#include <string>

namespace hiplz::cpu {

/// The child's descriptor of the request and the answer: a socket, which other children do not have. Reading ends behind the
/// request.
constexpr int kExchangeDescriptor = 3;

/// The outcome.
struct ChildResult {
  std::string answer;   ///< everything that was written to the exchange
  std::string messages; ///< everything that was written to standard output and error, without trailing space
  bool started = false; ///< there was a child; otherwise `messages` says why not
  int shortage = 0;     ///< if there was none because of a shortage that may pass, its error number
  int signal = 0;       ///< the signal that ended the child, if one did
};

/// Starts `path` without arguments, sends the pieces of the request one after the other, and waits for the child's end,
/// even if others have inherited its descriptors. If `endsWhenReadable` is a descriptor, the child is killed as soon as that can be read. The child has the environment of the program, or none if the
/// program has other privileges than its user's, nothing on standard input, and default signal handling. Thread-safe;
/// no cancellation point. Nothing of the calling process is copied (posix_spawn): a fork would inherit locks that other
/// threads hold.
ChildResult runProgram(const std::string &path, std::span<const std::span<const std::byte>> request,
                       int endsWhenReadable = -1);

} // namespace hiplz::cpu
