// SPDX-License-Identifier: MIT
// The order of the commands of all streams and of the host, for racecheck: a vector clock for each stream, for the host (all its threads
// count as one), and for each event that has been signalled. What is not known counts as order, so that no race is made up.
#pragma once
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace hiplz::cpu::check {

/// How many commands of each stream come before. Place 0 is the host.
using Clock = std::vector<uint32_t>;

/// A command: the n-th of a stream.
struct Moment {
  uint32_t stream = 0, time = 0;
};

inline bool isBefore(const Moment &moment, const Clock &clock) {
  return moment.stream < clock.size() && clock[moment.stream] >= moment.time;
}

/// The order of one stream. Without racecheck the functions do nothing. Thread-safe.
class StreamOrder {
public:
  StreamOrder();
  void submitted(uint64_t command);
  void begins(uint64_t command);
  void follows(const void *event);
  void followsEverything();
  void signals(const void *event);
  void followsHost();
  void hostFollows();

  /// A part of the current command that is told from others, such as a launch.
  Moment next();
  /// The commands that the current one comes after, itself included.
  Clock clock() const;

private:
  uint32_t index_ = 0;
  std::deque<std::pair<uint64_t, Clock>> submissions_; ///< the host's clock of commands that have not begun
  uint64_t hostVersion_ = 0;                           ///< of the last one
};

} // namespace hiplz::cpu::check
