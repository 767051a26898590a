// SPDX-License-Identifier: MIT
// Work that is cut short is not unwound, because LLVM keeps pointers to what is on its stack: its thread stops where it is, for
// good, and its stack stays as it is. Faults are caught by signal handlers that pass on what is not theirs. Exits are caught in the import tables of the
// libraries: they are resolved in the global scope, where a library that was loaded later cannot define the name anew.
#include "rtc/guard.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hiplz::rtc {
namespace {

constexpr size_t kStackBytes = 16 << 20;
constexpr size_t kSignalStackBytes = 64 << 10;
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

struct Guarded {
  const std::function<void()> &work;
  std::string why;
  int signal = 0;
  bool cutShort = false;
  sem_t ended{};
};
thread_local Guarded *current = nullptr;

struct sigaction previous[NSIG];

/// Makes runGuarded return. Safe in a signal handler.
[[noreturn]] void stopHere(Guarded &guarded) {
  guarded.cutShort = true;
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  ::sem_post(&guarded.ended);
  for (;;)
    ::pause();
}

void passOn(int signal, siginfo_t *info, void *context) {
  const struct sigaction &action = previous[signal];
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(signal, info, context);
  } else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    action.sa_handler(signal);
  } else if (action.sa_handler == SIG_DFL || info->si_code > 0) {
    // The instruction faults again on return, now with the default action.
    ::signal(signal, SIG_DFL);
    if (info->si_code <= 0)
      ::raise(signal);
  }
}

void onSignal(int signal, siginfo_t *info, void *context) {
  if (Guarded *guarded = current) {
    guarded->signal = signal;
    stopHere(*guarded);
  }
  passOn(signal, info, context);
}

void installHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (int signal : kSignals) {
      struct sigaction action {};
      action.sa_sigaction = onSignal;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      ::sigemptyset(&action.sa_mask);
      ::sigaction(signal, &action, &previous[signal]);
    }
  });
}

void *threadMain(void *argument) {
  auto &guarded = *static_cast<Guarded *>(argument);
  // A stack that has overflowed has no room for the handler.
  stack_t stack{};
  stack.ss_size = kSignalStackBytes;
  stack.ss_sp = std::malloc(stack.ss_size);
  ::sigaltstack(&stack, nullptr);
  // Signals for the application go to its own threads.
  sigset_t blocked;
  ::sigfillset(&blocked);
  for (int signal : kSignals)
    ::sigdelset(&blocked, signal);
  ::pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  current = &guarded;
  guarded.work();
  current = nullptr;
  stack.ss_flags = SS_DISABLE;
  ::sigaltstack(&stack, nullptr);
  std::free(stack.ss_sp);
  ::sem_post(&guarded.ended);
  return nullptr;
}

[[noreturn]] void onExit(int status) {
  if (current)
    leaveGuarded("the compiler gave up with status " + std::to_string(status));
  std::exit(status);
}

[[noreturn]] void onAbort() {
  if (current)
    leaveGuarded("the compiler gave up on an internal error");
  std::abort();
}

/// Where a library keeps the address of a function that it imports; nullptr if it does not.
void **importSlot(const link_map &library, const char *name) {
  const char *strings = nullptr;
  const ElfW(Sym) *symbols = nullptr;
  const ElfW(Rela) * relocations[2] = {};
  size_t bytes[2] = {};
  for (const ElfW(Dyn) *entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
    case DT_STRTAB: strings = reinterpret_cast<const char *>(entry->d_un.d_ptr); break;
    case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym) *>(entry->d_un.d_ptr); break;
    case DT_JMPREL: relocations[0] = reinterpret_cast<const ElfW(Rela) *>(entry->d_un.d_ptr); break;
    case DT_PLTRELSZ: bytes[0] = entry->d_un.d_val; break;
    case DT_RELA: relocations[1] = reinterpret_cast<const ElfW(Rela) *>(entry->d_un.d_ptr); break;
    case DT_RELASZ: bytes[1] = entry->d_un.d_val; break;
    default: break;
    }
  }
  for (int table = 0; table < 2; ++table)
    for (size_t i = 0; relocations[table] && i < bytes[table] / sizeof(ElfW(Rela)); ++i) {
      const ElfW(Rela) &relocation = relocations[table][i];
      const auto type = ELF64_R_TYPE(relocation.r_info);
      if ((type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) &&
          std::strcmp(strings + symbols[ELF64_R_SYM(relocation.r_info)].st_name, name) == 0)
        return reinterpret_cast<void **>(library.l_addr + relocation.r_offset);
    }
  return nullptr;
}

void replaceImport(const link_map &library, const char *name, void *function) {
  void **slot = importSlot(library, name);
  if (!slot)
    return;
  // The linker made the page read-only; it becomes that again.
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  void *start = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(slot) & ~(page - 1));
  if (::mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
    return;
  __atomic_store_n(slot, function, __ATOMIC_RELEASE);
  bool readOnly = false;
  for (const ElfW(Dyn) *entry = library.l_ld; entry->d_tag != DT_NULL; ++entry)
    readOnly |= (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_BIND_NOW)) ||
                (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NOW));
  if (readOnly)
    ::mprotect(start, page, PROT_READ);
}

} // namespace

std::string runGuarded(const std::function<void()> &work) {
  installHandlers();
  Guarded guarded{work, {}, 0, false, {}};
  ::sem_init(&guarded.ended, 0, 0);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int failed = ::pthread_create(&thread, &attributes, threadMain, &guarded);
  ::pthread_attr_destroy(&attributes);
  if (failed)
    return std::string("no thread for the compiler: ") + std::strerror(failed);
  while (::sem_wait(&guarded.ended) != 0) {
  }
  if (!guarded.cutShort)
    ::pthread_join(thread, nullptr);
  else
    ::pthread_detach(thread);
  ::sem_destroy(&guarded.ended);
  if (guarded.signal)
    guarded.why = std::string("the compiler stopped on a signal (") + ::strsignal(guarded.signal) + ")";
  return guarded.why;
}

void leaveGuarded(std::string why) {
  Guarded *guarded = current;
  if (!guarded)
    std::abort();
  guarded->why = std::move(why);
  stopHere(*guarded);
}

void catchExitsOf(const void *address) {
  Dl_info info;
  link_map *library = nullptr;
  if (::dladdr1(address, &info, reinterpret_cast<void **>(&library), RTLD_DL_LINKMAP) == 0 || !library)
    return;
  replaceImport(*library, "exit", reinterpret_cast<void *>(&onExit));
  replaceImport(*library, "abort", reinterpret_cast<void *>(&onAbort));
}

} // namespace hiplz::rtc
