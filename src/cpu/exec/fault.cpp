// SPDX-License-Identifier: MIT
// See fault.h. The handler uses nothing but the interrupted thread's FaultScope, a futex and longjmp.
#include "cpu/exec/fault.h"
#include "base/log.h"
#include "cpu/exec/futex.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <forward_list>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>

namespace hiplz::cpu {

namespace {

/// A pointer for each thread, which a signal handler may read and write: the first keys of a process need no memory.
class ThreadPointer {
public:
  ThreadPointer() : valid_(::pthread_key_create(&key_, nullptr) == 0) {
    if (!valid_)
      HIPLZ_LOG_ERROR("no thread-local storage key is left; a fault in a kernel will end the process");
  }
  void *get() const { return valid_ ? ::pthread_getspecific(key_) : nullptr; }
  void set(void *value) const {
    if (valid_)
      ::pthread_setspecific(key_, value);
  }

private:
  pthread_key_t key_;
  bool valid_;
};
const ThreadPointer faultScope, lastRelocation, interposedFrame, interposedInfo; // made when the driver is opened

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction previous[NSIG];

void callPrevious(int signal, siginfo_t *info, void *context) {
  const struct sigaction &action = previous[signal];
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(signal, info, context);
  } else if (action.sa_handler == SIG_IGN && info->si_code <= 0) {
    // Sent by a process to a process that ignores it.
  } else if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
    // The instruction is executed again on return and faults again, now with the default action: the core file shows
    // the place of the fault.
    ::signal(signal, SIG_DFL);
    if (info->si_code <= 0)
      ::raise(signal);
  } else {
    action.sa_handler(signal);
  }
}

// Begun and ended relocations: odd while there is one. The range is written before it becomes odd.
std::atomic<uint32_t> relocations{0};
std::atomic<uintptr_t> relocatedBegin{0}, relocatedEnd{0};

// Whether the instruction should be repeated, because the memory may have been read-only only while it was moved. A
// fault that another thread's relocation has already made obsolete is recognised by their number: each thread repeats
// once after each relocation, so that a real fault is only seen a little later.
bool isFromRelocation(int signal, const siginfo_t *info) {
  uint32_t seen = relocations.load(std::memory_order_acquire);
  if (seen == 0 || signal != SIGSEGV || info->si_code != SEGV_ACCERR)
    return false;
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (seen % 2 == 1 && address >= relocatedBegin.load() && address < relocatedEnd.load()) {
    int savedError = errno;
    futexWait(&relocations, seen, kForever);
    errno = savedError;
    return true;
  }
  auto *number = reinterpret_cast<void *>(uintptr_t{seen});
  if (lastRelocation.get() == number)
    return false;
  lastRelocation.set(number);
  return true;
}

// The handler of the application that stood before ours when memory was about to be relocated; null: none. It was called
// first, and still is, for everything but relocations.
std::atomic<const struct sigaction *> interposed{nullptr};

// Where in the thread's stack the interposed handler was called, and with what. It may call ours in turn, with the same
// information and deeper in the same stack; or never return, so that what is noted becomes out of date. The notes are
// interposedFrame and interposedInfo.
bool callInterposed(int signal, siginfo_t *info, void *context) {
  const struct sigaction *action = signal == SIGSEGV ? interposed.load(std::memory_order_acquire) : nullptr;
  void *frame = __builtin_frame_address(0);
  if (!action || (info == interposedInfo.get() && frame < interposedFrame.get()))
    return false;
  interposedFrame.set(frame);
  interposedInfo.set(info);
  if (action->sa_flags & SA_SIGINFO)
    action->sa_sigaction(signal, info, context);
  else
    action->sa_handler(signal);
  interposedInfo.set(nullptr);
  return true;
}

void handler(int signal, siginfo_t *info, void *context) {
  if (isFromRelocation(signal, info))
    return;
  FaultScope *scope = currentFaultScope();
  if (!scope || info->si_code <= 0) // a code of zero or less: sent by kill(), not caused by an instruction
    return callPrevious(signal, info, context);
  setCurrentFaultScope(nullptr);
  scope->info = {signal, info->si_code, info->si_addr};
  _longjmp(scope->returnPoint, 1); // SA_NODEFER: the signal is not blocked, so the mask needs no restoring
}

// What stands before the application's handler. It is another function, so that an application which takes its own handler
// away, and with it this one, by installing what it found, is not called any more.
void firstHandler(int signal, siginfo_t *info, void *context) {
  if (!isFromRelocation(signal, info) && !callInterposed(signal, info, context))
    handler(signal, info, context);
}

struct SignalStack {
  static constexpr size_t kBytes = 64 << 10;
  void *memory = nullptr;

  void ensure() {
    stack_t current{};
    if (memory || ::sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE))
      return;
    void *fresh = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
      return;
    stack_t wanted{};
    wanted.ss_sp = fresh;
    wanted.ss_size = kBytes;
    if (::sigaltstack(&wanted, nullptr) == 0)
      memory = fresh;
    else
      ::munmap(fresh, kBytes);
  }

  ~SignalStack() {
    if (!memory)
      return;
    stack_t current{};
    if (::sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory) {
      stack_t off{};
      off.ss_flags = SS_DISABLE;
      ::sigaltstack(&off, nullptr);
    }
    ::munmap(memory, kBytes);
  }
};

} // namespace

namespace {
void install(int signal, void (*function)(int, siginfo_t *, void *), struct sigaction *replaced) {
  struct sigaction action {};
  action.sa_sigaction = function;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, replaced);
}

// The handler of SIGSEGV must be the first to see a fault, for another one cannot know what a relocation is. It stays there:
// a fault that was raised during a relocation may be delivered after its end.
void becomeFirst() {
  struct sigaction current {};
  ::sigaction(SIGSEGV, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) && (current.sa_sigaction == handler || current.sa_sigaction == firstHandler))
    return;
  const bool isHandler =
      (current.sa_flags & SA_SIGINFO) || (current.sa_handler != SIG_DFL && current.sa_handler != SIG_IGN);
  static std::forward_list<struct sigaction> handlers; // none is ever freed: another thread may be in it
  interposed.store(isHandler ? &handlers.emplace_front(current) : nullptr, std::memory_order_release);
  install(SIGSEGV, firstHandler, nullptr);
}
} // namespace
FaultScope *currentFaultScope() { return static_cast<FaultScope *>(faultScope.get()); }
void setCurrentFaultScope(FaultScope *scope) { faultScope.set(scope); }

void installFaultHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (int signal : kSignals)
      install(signal, handler, &previous[signal]);
  });
}

void beginRelocation(const void *begin, const void *end) {
  installFaultHandlers();
  becomeFirst();
  relocatedBegin.store(reinterpret_cast<uintptr_t>(begin));
  relocatedEnd.store(reinterpret_cast<uintptr_t>(end));
  relocations.fetch_add(1);
}

void endRelocation() {
  relocations.fetch_add(1);
  futexWake(&relocations, INT32_MAX);
}

void prepareForFaults() {
  sigset_t faults;
  ::sigemptyset(&faults);
  for (int signal : kSignals)
    ::sigaddset(&faults, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
  static thread_local SignalStack stack;
  stack.ensure();
}

} // namespace hiplz::cpu
