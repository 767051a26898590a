// SPDX-License-Identifier: MIT
// See driver_thread.h.
#include "cpu/exec/driver_thread.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <new>

namespace hiplz::cpu {
namespace {

struct Start {
  void *(*main)(void *);
  void *argument;
  char name[16]; // the longest name that Linux takes, with its end
};

// A thread names itself by one system call. Another thread's name has to be written into a file of /proc.
void *beginThread(void *given) {
  const Start start = *std::unique_ptr<Start>(static_cast<Start *>(given));
  ::pthread_setname_np(::pthread_self(), start.name);
  return start.main(start.argument);
}

} // namespace

int startDriverThread(pthread_t &thread, const char *name, void *(*main)(void *), void *argument) {
  std::unique_ptr<Start> start(new (std::nothrow) Start{main, argument, {}});
  if (!start)
    return ENOMEM;
  std::snprintf(start->name, sizeof start->name, "%s", name);
  sigset_t blocked, before;
  ::sigfillset(&blocked);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    ::sigdelset(&blocked, signal);
  ::pthread_sigmask(SIG_SETMASK, &blocked, &before);
  const int error = ::pthread_create(&thread, nullptr, beginThread, start.get());
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error == 0)
    (void)start.release(); // the thread's
  return error;
}

int startDetachedThread(const char *name, void *(*main)(void *), void *argument) {
  pthread_t thread;
  const int error = startDriverThread(thread, name, main, argument);
  if (error == 0)
    ::pthread_detach(thread);
  return error;
}

} // namespace hiplz::cpu
