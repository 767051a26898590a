// SPDX-License-Identifier: MIT
// See user_event.h.
#include "opencl/user_event.h"
#include "base/lockable.h"

#include <atomic>
#include <cstdlib>
#include <unistd.h>
#include <unordered_map>

namespace hiplz::opencl {
namespace {

struct Pending {
  std::unordered_map<cl_event, ClEvent> events;
  bool ended = false; // the process exits
};

Lockable<Pending> &pending() {
  static auto *all = new Lockable<Pending>(LockRank::openclUserEvents); // used until the process ends
  return *all;
}

// Counts an event until it has been signalled, which is longer than it stands in the table.
std::atomic<size_t> count{0};

void signal(const ClEvent &event, cl_int status) {
  cl().clSetUserEventStatus(event.get(), status);
  count.fetch_sub(1, std::memory_order_release);
}

void endAll() {
  std::unordered_map<cl_event, ClEvent> events;
  {
    const auto all = pending().lock();
    all->ended = true;
    std::swap(events, all->events);
  }
  for (const auto &[handle, event] : events)
    signal(event, CL_DEVICE_NOT_AVAILABLE);
}

} // namespace

ClEvent makeUserEvent(cl_context context) {
  cl_int code = CL_SUCCESS;
  ClEvent event(cl().clCreateUserEvent(context, &code));
  checkCl(code, "clCreateUserEvent");
  const auto all = pending().lock();
  if (all->ended)
    throw Error{ZE_RESULT_ERROR_DEVICE_LOST, "the process exits"};
  all->events.emplace(event.get(), retained(event));
  count.fetch_add(1, std::memory_order_relaxed);
  return event;
}

void signalUserEvent(const ClEvent &event, cl_int status) {
  ClEvent taken;
  {
    const auto all = pending().lock();
    const auto entry = all->events.find(event.get());
    if (entry == all->events.end())
      return; // the exit of the process has ended it
    taken = std::move(entry->second);
    all->events.erase(entry);
  }
  signal(taken, status);
}

bool anyUserEventPending() { return count.load(std::memory_order_acquire) != 0; }

void endUserEventsAtExit() {
  static const pid_t process = getpid();
  std::atexit([] {
    if (getpid() == process) // a forked child has none of the threads that would take note
      endAll();
  });
}

} // namespace hiplz::opencl
