// SPDX-License-Identifier: MIT
// See memory_watcher.h.
#include "cpu/exec/memory_watcher.h"
#include "base/log.h"
#include "cpu/exec/driver_thread.h"
#include "cpu/exec/stream.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace hiplz::cpu {
namespace {

constexpr uint64_t kFirstPause = 5'000, kLongestPause = 1'000'000; // nanoseconds

bool compares(MemoryComparison comparison, uint64_t found, uint64_t wanted) {
  switch (comparison) {
  case MemoryComparison::equal: return found == wanted;
  case MemoryComparison::notEqual: return found != wanted;
  case MemoryComparison::greater: return found > wanted;
  case MemoryComparison::greaterEqual: return found >= wanted;
  case MemoryComparison::less: return found < wanted;
  case MemoryComparison::lessEqual: return found <= wanted;
  }
  return true;
}

} // namespace

std::atomic<bool> MemoryWatcher::wantsChanges{false};

MemoryWatcher &MemoryWatcher::get() {
  static MemoryWatcher *watcher = new MemoryWatcher;
  return *watcher;
}

MemoryWait MemoryWatcher::look(const WaitMemoryRecord &record, FaultScope &scope) {
  uint64_t found = 0;
  auto read = [&] {
    if (record.bytes == sizeof(uint32_t))
      found = __atomic_load_n(static_cast<const uint32_t *>(record.address), __ATOMIC_ACQUIRE);
    else
      found = __atomic_load_n(static_cast<const uint64_t *>(record.address), __ATOMIC_ACQUIRE);
  };
  if (!runGuarded(scope, read))
    return MemoryWait::faulted;
  return compares(record.comparison, found, record.value) ? MemoryWait::met : MemoryWait::pending;
}

bool MemoryWatcher::watch(Stream &stream) {
  if (!ensureThread())
    return false;
  {
    const auto fresh = fresh_.lock();
    stream.nextWaiter = *fresh;
    *fresh = &stream;
  }
  wake();
  return true;
}

bool MemoryWatcher::ensureThread() {
  const auto running = running_.lock();
  if (*running)
    return true;
  if (int error = startDetachedThread("hiplz-cpu-watch", threadMain, this); error != 0) {
    HIPLZ_LOG_ERROR("the thread that watches awaited memory cannot be created: %s", std::strerror(error));
    return false;
  }
  *running = true;
  return true;
}

void MemoryWatcher::wake() {
  changes_.fetch_add(1);
  futexWake(&changes_, 1);
}

void *MemoryWatcher::threadMain(void *watcher) {
  prepareForFaults();
  installFaultHandlers();
  static_cast<MemoryWatcher *>(watcher)->run();
}

void MemoryWatcher::run() {
  FaultScope scope{};
  uint64_t pause = kFirstPause;
  for (;;) {
    uint32_t seen = changes_.load();
    {
      const auto fresh = fresh_.lock();
      while (Stream *stream = *fresh) {
        *fresh = stream->nextWaiter;
        stream->nextWaiter = watched_;
        watched_ = stream;
        pause = kFirstPause;
      }
    }
    wantsChanges.store(watched_ != nullptr);
    if (lookAtAll(scope))
      pause = kFirstPause;
    futexWait(&changes_, seen, watched_ ? now() + pause : kForever);
    pause = std::min(2 * pause, kLongestPause);
    // Commands that end in quick succession should not each wake this thread: that costs them more than it is worth.
    wantsChanges.store(false);
    lookAtAll(scope);
    if (watched_)
      std::this_thread::sleep_for(std::chrono::nanoseconds(kFirstPause));
  }
}

// True if a wait has ended.
bool MemoryWatcher::lookAtAll(FaultScope &scope) {
  bool some = false;
  for (Stream **link = &watched_; *link;) {
    Stream *stream = *link;
    MemoryWait outcome = look(stream->awaited(), scope);
    if (outcome == MemoryWait::pending && !stream->isLost()) {
      link = &stream->nextWaiter;
      continue;
    }
    *link = stream->nextWaiter;
    stream->endMemoryWait(outcome); // from here on the stream may run and wait elsewhere
    some = true;
  }
  return some;
}

} // namespace hiplz::cpu
