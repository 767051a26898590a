// SPDX-License-Identifier: MIT
// See event.h. Callbacks of OpenCL run on threads of the implementation and may run at once, so none is set under a lock.
#include "opencl/event.h"
#include "opencl/user_event.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace hiplz::opencl {
namespace {

// Most commands that somebody waits for end soon. Longer waits sleep.
constexpr std::chrono::microseconds kSpin(20);

cl_int statusOf(cl_event event) {
  cl_int status = CL_QUEUED;
  const cl_int code = cl().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return code == CL_SUCCESS ? status : code;
}

} // namespace

bool waitFor(cl_event command) { return cl().clWaitForEvents(1, &command) == CL_SUCCESS; }

template <class Function> void EventState::whenDone(const ClEvent &command, Function function) {
  auto held = std::make_unique<Function>(std::move(function));
  const auto call = [](cl_event, cl_int status, void *data) {
    const std::unique_ptr<Function> mine(static_cast<Function *>(data));
    (*mine)(status);
  };
  checkCl(cl().clSetEventCallback(command.get(), CL_COMPLETE, call, held.get()), "clSetEventCallback");
  static_cast<void>(held.release());
}

EventState::Epoch &EventState::now() {
  while (epochs_.front()->end && statusOf(epochs_.front()->end.get()) <= CL_COMPLETE)
    epochs_.pop_front();
  return *epochs_.front();
}

template <class IsOld> void EventState::drop(Epoch &epoch, IsOld isOld) {
  for (auto command = epoch.commands.begin(); command != epoch.commands.end();) {
    if (!isOld(*command)) {
      ++command;
      continue;
    }
    if (epoch.waiting != 0)
      epoch.dropped.push_back(std::move(*command));
    command = epoch.commands.erase(command);
  }
}

void EventState::forgetEarlier(Epoch &epoch) {
  while (epoch.commands.size() > 1 && statusOf(epoch.commands[1].get()) <= CL_COMPLETE) {
    drop(epoch, [first = epoch.commands.front().get()](const ClEvent &command) { return command.get() == first; });
    epoch.isOver = false;
  }
}

void EventState::noteOver(Epoch &epoch) {
  epoch.isOver = true;
  if (!isTimed_)
    drop(epoch, [first = epoch.commands.front().get()](const ClEvent &command) { return command.get() == first; });
}

ze_result_t EventState::outcomeOf(Epoch &epoch) {
  if (epoch.byHost)
    return ZE_RESULT_SUCCESS;
  forgetEarlier(epoch);
  if (epoch.isOver)
    return ZE_RESULT_SUCCESS;
  if (epoch.commands.empty())
    return ZE_RESULT_NOT_READY;
  const cl_int status = statusOf(epoch.commands.front().get());
  if (status == CL_COMPLETE)
    noteOver(epoch);
  return status == CL_COMPLETE ? ZE_RESULT_SUCCESS : status < 0 ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_NOT_READY;
}

ClEvent EventState::toAwait() {
  const Lock lock(mutex_);
  Epoch &epoch = *epochs_.back();
  if (epoch.byHost)
    return {};
  if (!epoch.commands.empty())
    return retained(epoch.commands.back());
  if (epoch.isOver)
    return {};
  if (!epoch.user)
    epoch.user = makeUserEvent(context_.handleOfCl());
  return retained(epoch.user);
}

void EventState::signalledBy(ClEvent command) {
  ClEvent user, cause;
  {
    const Lock lock(mutex_);
    Epoch &epoch = *epochs_.back();
    epoch.commands.push_back(std::move(command));
    forgetEarlier(epoch);
    if (epoch.user && !epoch.byHost) {
      user = std::move(epoch.user);
      cause = retained(epoch.commands.back());
    }
  }
  changed_.notify_all();
  if (user)
    whenDone(cause,
             [user = std::move(user)](cl_int status) { signalUserEvent(user, std::min<cl_int>(status, CL_COMPLETE)); });
}

void EventState::resetBy(const ClEvent &command) {
  {
    const Lock lock(mutex_);
    epochs_.back()->end = retained(command);
    epochs_.push_back(std::make_shared<Epoch>());
  }
  whenDone(command, [self = shared_from_this()](cl_int) {
    {
      const Lock lock(self->mutex_);
      self->now();
    }
    self->changed_.notify_all();
  });
}

void EventState::signal(uint64_t time) {
  ClEvent user;
  {
    const Lock lock(mutex_);
    Epoch &epoch = now();
    epoch.byHost = true;
    epoch.hostTime = time;
    user = std::move(epoch.user);
  }
  changed_.notify_all();
  if (user)
    signalUserEvent(user, CL_COMPLETE);
}

void EventState::reset() {
  const Lock lock(mutex_);
  Epoch &epoch = now();
  // Commands may wait for the event already, and others will signal it when they have been executed.
  epoch.byHost = false;
  const cl_event known = std::exchange(epoch.isOver, false) && isTimed_ ? epoch.commands.front().get() : nullptr;
  drop(epoch, [&](const ClEvent &command) { return command.get() == known || statusOf(command.get()) <= CL_COMPLETE; });
}

ze_result_t EventState::query() {
  const Lock lock(mutex_);
  return outcomeOf(now());
}

ze_result_t EventState::synchronize(uint64_t timeout) {
  using Clock = std::chrono::steady_clock;
  const bool forever = isForever(timeout);
  auto begin = forever ? Clock::time_point() : Clock::now();
  const auto end = begin + std::chrono::nanoseconds(forever ? 0 : timeout);
  bool hasFailed = false;
  Lock lock(mutex_);
  for (;;) {
    now();
    const std::shared_ptr<Epoch> epoch = epochs_.front();
    // Implementations for processors have the waiting thread execute commands. But nothing ends such a wait, so the host must have
    // signalled what the command waits for: it may signal the awaited event itself, too.
    const bool helps = forever && !anyUserEventPending();
    // Most events have one command, and asking for its state costs as much as waiting for it.
    const bool asks = !helps || hasFailed || epoch->byHost || epoch->isOver || epoch->commands.size() != 1;
    if (const ze_result_t outcome = asks ? outcomeOf(*epoch) : ZE_RESULT_NOT_READY; outcome != ZE_RESULT_NOT_READY)
      return outcome;
    const auto time = helps ? begin : Clock::now();
    if (!forever && time >= end)
      return ZE_RESULT_NOT_READY;
    if (begin == Clock::time_point())
      begin = time;
    const cl_event next = epoch->commands.empty() ? nullptr : epoch->commands.front().get();
    if (next && helps) {
      ++epoch->waiting;
      lock.unlock();
      hasFailed = !waitFor(next);
      const bool isLost = hasFailed && statusOf(next) > CL_COMPLETE;
      lock.lock();
      if (!hasFailed && !epoch->commands.empty() && epoch->commands.front().get() == next)
        noteOver(*epoch);
      if (--epoch->waiting == 0)
        epoch->dropped.clear();
      if (isLost)
        return ZE_RESULT_ERROR_DEVICE_LOST;
    } else if (next && time - begin < kSpin) {
      lock.unlock();
      std::this_thread::yield();
      lock.lock();
    } else if (next && epoch->watched.get() != next) {
      epoch->watched = retained(epoch->commands.front());
      const ClEvent command = retained(epoch->commands.front());
      lock.unlock();
      whenDone(command, [self = shared_from_this()](cl_int) {
        { const Lock own(self->mutex_); } // nobody is between its look and its sleep
        self->changed_.notify_all();
      });
      lock.lock();
    } else if (forever) {
      waitLocked(mutex_, [&](auto &held) { changed_.wait(held); });
    } else {
      waitLocked(mutex_, [&](auto &held) { changed_.wait_until(held, end); });
    }
  }
}

ze_kernel_timestamp_result_t EventState::timestamps() {
  const Lock lock(mutex_);
  Epoch &epoch = now();
  if (outcomeOf(epoch) != ZE_RESULT_SUCCESS)
    throw Error{ZE_RESULT_NOT_READY};
  if (!epoch.byHost)
    return timesOf(epoch.commands.front().get());
  const ze_kernel_timestamp_data_t moment{epoch.hostTime, epoch.hostTime};
  return {moment, moment};
}

ClEvent EventState::lastCommand() {
  const Lock lock(mutex_);
  const Epoch &epoch = *epochs_.back();
  return epoch.commands.empty() ? ClEvent() : retained(epoch.commands.back());
}

ze_kernel_timestamp_result_t timesOf(cl_event command) {
  cl_ulong start = 0, end = 0;
  checkCl(cl().clGetEventProfilingInfo(command, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
          "clGetEventProfilingInfo");
  checkCl(cl().clGetEventProfilingInfo(command, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
  const ze_kernel_timestamp_data_t times{start, std::max(start, end)};
  return {times, times};
}

Event::Event(EventPool &pool, uint32_t index)
    : pool(pool), index(index),
      state(std::make_shared<EventState>(pool.context, pool.flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP)) {
  const Lock lock(pool.mutex);
  if (index >= pool.taken.size() || pool.taken[index])
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pool has no free event of this index"};
  pool.taken[index] = true;
}

Event::~Event() {
  const Lock lock(pool.mutex);
  pool.taken[index] = false;
}

} // namespace hiplz::opencl
