// SPDX-License-Identifier: MIT
// Threads of the driver's own.
#pragma once
#include <pthread.h>

namespace hiplz::cpu {

/// Starts a thread that takes no signal of the application but faults. Zero, or an error number.
int startDriverThread(pthread_t &thread, const char *name, void *(*main)(void *), void *argument);

/// The same for a thread that nobody joins.
int startDetachedThread(const char *name, void *(*main)(void *), void *argument);

} // namespace hiplz::cpu
