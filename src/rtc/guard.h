// SPDX-License-Identifier: MIT
// Clang, LLVM and the translator end the process when something is wrong inside them: by exit, abort or a fault. In a
// library that serves an application they must not.
#pragma once
#include <functional>
#include <string>

namespace hiplz::rtc {

/// Runs `work` on a thread with a large stack and waits for it. Returns an empty string, or a sentence if the work was cut
/// short by exit, abort, a fault or leaveGuarded; its thread and what it had allocated are lost then. `work` must not throw. Thread-safe.
std::string runGuarded(const std::function<void()> &work);

/// Cuts short the work that the calling thread does within runGuarded, which returns `why`.
[[noreturn]] void leaveGuarded(std::string why);

/// Makes calls of exit and abort from the shared library that contains `address` end the guarded work instead of the
/// process. Calls from threads that do no such work stay what they are.
void catchExitsOf(const void *address);

} // namespace hiplz::rtc
