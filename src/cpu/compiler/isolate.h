// Runs work in a child process, so that nothing it does can end or corrupt the process that asked for it.
#pragma once
#include <functional>
#include <string>

namespace hiplz::cpu {

/// Where the child puts its answer, piece by piece. Pieces that were sent before a crash arrive.
class AnswerPipe {
public:
  explicit AnswerPipe(int descriptor) : descriptor_(descriptor) {}
  void send(const void *data, size_t size);

private:
  int descriptor_;
};

/// What came back.
struct ChildResult {
  std::string answer;   ///< everything that was sent
  std::string messages; ///< everything that was written to standard output and standard error, without trailing space
  bool started = false; ///< there was a child; otherwise `messages` says why not
  int signal = 0;       ///< the signal that ended the child, if one did
};

/// Forks, calls `work` in the child, and waits for its end. The child keeps nothing of the program's exit handlers and
/// signal handlers, leaves no core file, and may use a limited amount of processor time. Thread-safe.
ChildResult runIsolated(const std::function<void(AnswerPipe &)> &work);

} // namespace hiplz::cpu
