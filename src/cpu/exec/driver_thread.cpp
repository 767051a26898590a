// SPDX-License-Identifier: MIT
// See driver_thread.h.
#include "cpu/exec/driver_thread.h"

#include <csignal>
#include <initializer_list>

namespace hiplz::cpu {

int startDriverThread(pthread_t &thread, const char *name, void *(*main)(void *), void *argument) {
  sigset_t blocked, before;
  ::sigfillset(&blocked);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    ::sigdelset(&blocked, signal);
  ::pthread_sigmask(SIG_SETMASK, &blocked, &before);
  int error = ::pthread_create(&thread, nullptr, main, argument);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error == 0)
    ::pthread_setname_np(thread, name);
  return error;
}

} // namespace hiplz::cpu
