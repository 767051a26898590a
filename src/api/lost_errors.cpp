// SPDX-License-Identifier: MIT
// See lost_errors.h. Each thread that has had a failure owns an entry of a list, which grows and never shrinks: the exit handler
// reads it when other threads may still be running.
#include "api/lost_errors.h"
#include "base/env.h"
#include "base/kernel_name.h"
#include "lz/context/context.h"
#include "lz/device/device.h"
#include "lz/module/kernel.h"
#include "lz/module/registry.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <unistd.h>

namespace hiplz {

struct LostError {
  std::atomic<bool> pending{false};
  pid_t process = 0; // a forked child does not speak for its parent
  std::string text;  // of the thread; not changed while it is pending
  LostError *next = nullptr;
};

namespace {

std::atomic<LostError *> all{nullptr};

void sayAll() {
  std::string first;
  unsigned others = 0;
  for (LostError *each = all.load(std::memory_order_acquire); each; each = each->next)
    if (each->pending.load(std::memory_order_acquire) && each->process == ::getpid()) {
      others += !first.empty();
      first = each->text; // the list begins with the newest
    }
  if (first.empty())
    return;
  const std::string more = others ? " (and launches of " + std::to_string(others) + " other threads)" : "";
  logLine("%s%s; the program has not asked for the error (hipGetLastError). HIPLZ_LOG=info shows each failing call, "
          "HIPLZ_LOST_ERRORS=0 turns this line off",
          first.c_str(), more.c_str());
}

LostError &entryOfThread() {
  if (!threadState.lost) {
    auto *entry = new LostError;
    entry->next = all.load(std::memory_order_relaxed);
    while (!all.compare_exchange_weak(entry->next, entry, std::memory_order_release))
      ;
    threadState.lost = entry;
  }
  return *threadState.lost;
}

/// True if the device has been lost to a fault that was reported when it happened.
bool isReported() {
  const LZContext *context = LZContext::existing();
  const auto device = static_cast<size_t>(threadState.device);
  return context && device < context->devices().size() && context->devices()[device]->fault() != hipSuccess;
}

std::string nameOf(const void *function) {
  try {
    return "kernel " + readableKernel(LZRegistry::instance().kernelFor(function).name());
  } catch (const HipError &) {
    return "a kernel";
  }
}

} // namespace

void noteFailedLaunch(const void *function, hipError_t error, const char *sentence) noexcept {
  try {
    static const bool isWanted = envFlag(EnvVar::HIPLZ_LOST_ERRORS);
    if (!isWanted || isReported())
      return;
    LostError &entry = entryOfThread();
    if (entry.pending.load(std::memory_order_relaxed))
      return;
    std::string_view why = *sentence ? sentence : hipGetErrorString(error);
    const std::string name = nameOf(function);
    if (why.starts_with(name + ": "))
      why.remove_prefix(name.size() + 2);
    entry.process = ::getpid();
    entry.text = name + " was not launched: " + hipGetErrorName(error) + ", " + std::string(why);
    entry.pending.store(true, std::memory_order_release);
    static std::once_flag once;
    std::call_once(once, [] { std::atexit(sayAll); });
  } catch (const std::bad_alloc &) {
    return; // nothing is said
  }
}

void claimErrors() noexcept {
  if (LostError *entry = threadState.lost) [[unlikely]]
    entry->pending.store(false, std::memory_order_release);
}

} // namespace hiplz
