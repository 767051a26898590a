// SPDX-License-Identifier: MIT
// See fault.h. The handler uses nothing but the interrupted thread's FaultScope, a futex and longjmp: no lock, no memory but its own.
// A kernel that has found its way to that scope, or to what pthread_getspecific reads, makes the handler fault in turn. That ends
// the process, with a sentence; otherwise it would fault again and again.
#include "cpu/exec/fault.h"
#include "base/log.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/kernel_memory.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <forward_list>
#include <iterator>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

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

// True if the instruction should be repeated, because the memory may have been read-only only while it was moved. A
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

/// The threads that are in the handler at the moment, by number: in a place that is not that thread's, and of which a damaged thread
/// still knows where it is.
class Handling {
public:
  /// False if the thread is in it already. Threads for which there is no room are not noted.
  static bool begin(pid_t thread) {
    for (const auto &each : threads_)
      if (each.load(std::memory_order_relaxed) == thread)
        return false;
    for (auto &each : threads_) {
      pid_t nobody = 0;
      if (each.compare_exchange_strong(nobody, thread, std::memory_order_relaxed))
        break;
    }
    return true;
  }
  static void end(pid_t thread) {
    for (auto &each : threads_)
      if (each.load(std::memory_order_relaxed) == thread)
        return each.store(0, std::memory_order_relaxed);
  }

private:
  static std::atomic<pid_t> threads_[64];
};
std::atomic<pid_t> Handling::threads_[64];

// The instruction that has faulted last is executed again on return, now with the default action: the process ends by the signal, with
// a core file if the system writes them.
void endProcess(int signal) {
  static constexpr char kText[] =
      "hiplz: a kernel has written over memory that the process needs to go on after a fault; the process ends. Look "
      "for an index or "
      "pointer far outside of its allocation; HIPLZ_MALLOC_CACHE=0 finds more of them where they happen.\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText, sizeof kText - 1);
  ::signal(signal, SIG_DFL);
}

FaultInfo infoOf(int signal, const siginfo_t &info, const ucontext_t &context) {
  static constexpr int kNumbered[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  constexpr greg_t kPageFault = 14;
  const greg_t *registers = context.uc_mcontext.gregs;
  FaultInfo result{signal, info.si_code, info.si_addr};
  for (size_t i = 0; i < std::size(kNumbered); ++i)
    result.registers[i] = static_cast<uint64_t>(registers[kNumbered[i]]);
  result.linePc = result.pc = static_cast<uint64_t>(registers[REG_RIP]);
  if (registers[REG_TRAPNO] == kPageFault)
    result.pageError = static_cast<uint64_t>(registers[REG_ERR]);
  return result;
}

void handler(int signal, siginfo_t *info, void *context) {
  if (isFromRelocation(signal, info))
    return;
  if (info->si_code <= 0) // sent by kill(), not caused by an instruction
    return callPrevious(signal, info, context);
  const auto thread = static_cast<pid_t>(::syscall(SYS_gettid));
  if (!Handling::begin(thread))
    return endProcess(signal);
  FaultScope *scope = currentFaultScope();
  if (!scope) {
    Handling::end(thread);
    return callPrevious(signal, info, context);
  }
  if (scope->mark != FaultScope::kMark)
    return endProcess(signal);
  setCurrentFaultScope(nullptr);
  scope->info = infoOf(signal, *info, *static_cast<const ucontext_t *>(context));
  Handling::end(thread);
  _longjmp(scope->returnPoint, 1); // SA_NODEFER: the signal is not blocked, so the mask needs no restoring
}

// The handler in front of the application's. It is another function, so that an application which takes its own handler
// away, and with it this one, by installing what it found, is not called any more.
void firstHandler(int signal, siginfo_t *info, void *context) {
  if (!isFromRelocation(signal, info) && !callInterposed(signal, info, context))
    handler(signal, info, context);
}

struct SignalStack {
  static constexpr size_t kBytes = 64 << 10;
  std::byte *memory = nullptr;

  void ensure() {
    stack_t current{};
    if (memory || ::sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE))
      return;
    std::byte *fresh = mapForKernels(kBytes, pageSize(), PROT_READ | PROT_WRITE); // out of their reach
    if (!fresh)
      return;
    stack_t wanted{};
    wanted.ss_sp = fresh;
    wanted.ss_size = kBytes;
    if (::sigaltstack(&wanted, nullptr) == 0)
      memory = fresh;
    else
      unmapForKernels(fresh, kBytes);
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
    unmapForKernels(memory, kBytes);
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
