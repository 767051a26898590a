// SPDX-License-Identifier: MIT
// Where in the program something was done: the call stack of the host.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hiplz {

constexpr uint32_t kMostFrames = 32;

struct HostStack {
  std::array<void *, kMostFrames> frames{};
  uint32_t count = 0;
};

/// The caller's stack.
HostStack hostStack();

/// "main (app+0x1234)" for each frame outside of HIPLZ and of the loader of Level Zero, the innermost first.
std::vector<std::string> describe(const HostStack &stack);

/// The innermost of those frames, with the first one behind it that has a name if it has none itself: functions in headers, and static ones.
/// Empty if there are no frames.
std::string callerOf(const HostStack &stack);

} // namespace hiplz
