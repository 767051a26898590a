// SPDX-License-Identifier: MIT
// Calls by which a stream of commands tells the checks what its commands come after, and the memory that they use. Racecheck derives
// from it which commands of different streams, and which of the host's calls, have an order (order.h).
#pragma once
#include "cpu/abi/kernel.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace hiplz::cpu::check {

/// Rows of `width` bytes.
struct Region {
  const void *begin;
  size_t width, rows = 1, pitch = 0, slices = 1, slicePitch = 0;
};

/// Of one stream. submitted() is called by the thread that appends, the others by the one that executes.
class StreamChecks {
public:
  /// Null without checks.
  static std::unique_ptr<StreamChecks> create();
  ~StreamChecks();

  /// The host has submitted commands, the first of them with this number.
  void submitted(uint64_t command);
  /// The command, or one of a list that it executes, begins.
  void begins(uint64_t command);
  /// The stream has waited for the event, or for something that is not known.
  void waited(const void *event);
  void waitedForAnything();
  /// Everything before has been executed when the event is signalled.
  void signals(const void *event);
  /// The host executes a function in the order of the stream.
  void beginsHostFunction();
  void endsHostFunction();
  /// The host has waited for the stream.
  void hostWaited();

  /// A launch begins. Changes what compiled code knows of it. `submission` is that of addSubmission().
  void launches(LaunchState &launch, const KernelInfo &kernel, uint32_t submission);
  /// A copy or a fill begins; it does not read unless `from` is set.
  void copies(const Region &to, const Region *from, uint32_t submission);
  /// Memory of a pool begins or ceases to exist.
  void lives(const Region &memory, bool begins, uint32_t submission);

private:
  StreamChecks();
  struct State;
  std::unique_ptr<State> state_;
};

/// The host has waited for the event, or for something that is not known; it signals the event; the event is gone. Without racecheck they
/// do nothing.
void hostWaited(const void *event);
void hostWaitedForAnything();
void hostSignals(const void *event);
void forgetEvent(const void *event);

} // namespace hiplz::cpu::check
