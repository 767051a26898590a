// SPDX-License-Identifier: MIT
// pthread_cancel ends a thread by an exception that nothing may stop: one that meets a noexcept function or C code ends
// the process. So no thread is cancelled inside a call; a pending cancellation takes effect at the thread's next
// cancellation point after it.
#pragma once
#include <pthread.h>

namespace hiplz {

/// Keeps the calling thread from being cancelled while the object lives. May be nested.
class CancellationOff {
public:
  CancellationOff() { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~CancellationOff() { ::pthread_setcancelstate(before_, nullptr); }
  CancellationOff(const CancellationOff &) = delete;
  CancellationOff &operator=(const CancellationOff &) = delete;

private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

} // namespace hiplz
