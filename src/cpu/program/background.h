// SPDX-License-Identifier: MIT
// Compilations that no launch waits for: one after the other, in a thread that is there as long as there are any.
#pragma once
#include <atomic>
#include <functional>

namespace hiplz::cpu {

/// Tells a job that the process ends.
struct BackgroundEnd {
  std::atomic<bool> isWanted{false};
  int descriptor = -1; ///< can be read from then on; negative if the system has given none
};

/// Executes the job behind those that were given before. When the process ends, the job that is under way is told to end and waited for, for two
/// seconds at most; the others are dropped. So they are in a forked child, and if the system has no thread. Thread-safe.
void inBackground(std::function<void(const BackgroundEnd &end)> job);

} // namespace hiplz::cpu
