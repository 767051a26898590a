// SPDX-License-Identifier: MIT
// See shared_events.h. A sleeper counts itself, reads the counter of changes, looks at the events and then sleeps unless the
// counter has changed; a signaller sets the event, increments the counter and then looks for sleepers. All of it is
// sequentially consistent, so that one of them sees the other.
#include "cpu/exec/shared_events.h"
#include "cpu/exec/driver_thread.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/record.h"
#include "cpu/exec/stream.h"

#include <algorithm>
#include <climits>

namespace hiplz::cpu {

SharedEvents::~SharedEvents() {
  auto waits = waits_.lock();
  waits->stop = true;
  const pthread_t thread = waits->thread;
  const bool join = waits->running;
  if (join)
    noteChange();
  waits.unlock();
  if (join)
    ::pthread_join(thread, nullptr);
}

void SharedEvents::noteChange() {
  header_.changes.fetch_add(1);
  if (header_.sleepers.load())
    futexWake(&header_.changes, INT_MAX, FutexScope::processes);
}

void SharedEvents::signal(SharedEvent &event, bool failed, uint64_t start, uint64_t end) {
  event.start.store(start);
  event.end.store(end);
  constexpr uint32_t kFlags = SharedEvent::kOneSignal - 1;
  uint32_t flags = SharedEvent::kSignalled | (failed ? SharedEvent::kFailed : 0), old = event.state.load();
  while (!event.state.compare_exchange_weak(old, ((old & ~kFlags) + SharedEvent::kOneSignal) | flags))
    ;
  noteChange();
}

void SharedEvents::sleep(const SharedEvent &event, uint32_t before, uint64_t deadline) {
  header_.sleepers.fetch_add(1);
  uint32_t seen = header_.changes.load();
  if (!event.hasPassed(before))
    futexWait(&header_.changes, seen, deadline, FutexScope::processes);
  header_.sleepers.fetch_sub(1);
}

bool SharedEvents::hasThread(Waits &waits) {
  if (!waits.running)
    waits.running = startDriverThread(waits.thread, "hiplz-cpu-ipc", threadMain, this) == 0;
  return waits.running;
}

bool SharedEvents::block(EventState &event, Stream &stream) {
  uint32_t before = event.shared->signals();
  auto waits = waits_.lock();
  if (event.shared->hasPassed(before))
    return false;
  if (!hasThread(*waits)) {
    // The calling thread has to do it.
    waits.unlock();
    while (!event.shared->hasPassed(before))
      sleep(*event.shared, before, kForever);
    return false;
  }
  std::vector<Awaited> &all = waits->awaited;
  auto entry = std::find_if(all.begin(), all.end(), [&](auto &awaited) { return awaited.event == &event; });
  if (entry == all.end())
    all.push_back({&event, before});
  else if (entry->resumeIfPassed()) // for earlier waits, but not for this one
    entry->before = before;
  stream.block();
  event.signal.addWaiter(stream); // of shared events the signal is only a list of streams, and never stays signalled
  noteChange();
  return true;
}

bool SharedEvents::Awaited::resumeIfPassed() {
  if (!event->shared->hasPassed(before))
    return false;
  event->signal.resumeWaiters();
  return true;
}

void *SharedEvents::threadMain(void *events) {
  static_cast<SharedEvents *>(events)->watch();
  return nullptr;
}

void SharedEvents::watch() {
  for (;;) {
    header_.sleepers.fetch_add(1);
    uint32_t seen = header_.changes.load();
    {
      const auto waits = waits_.lock();
      std::erase_if(waits->awaited, [](Awaited &awaited) { return awaited.resumeIfPassed(); });
      if (waits->stop) {
        header_.sleepers.fetch_sub(1);
        return;
      }
    }
    futexWait(&header_.changes, seen, kForever, FutexScope::processes);
    header_.sleepers.fetch_sub(1);
  }
}

} // namespace hiplz::cpu
