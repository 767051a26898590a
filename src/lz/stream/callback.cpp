// SPDX-License-Identifier: MIT
// The loop of the callback thread, and its end with the process. A driver destroys itself when the process exits, so a
// thread that is inside one, or enters it later, would crash. No call of Level Zero ends a wait, but the event that is
// waited for can be signalled by the host.
#include "lz/stream/callback.h"
#include "base/log.h"
#include "lz/core/thread_state.h"
#include "lz/stream/command_profile.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace hiplz {
namespace {

// Signals are the application's business and must not interrupt a thread that it does not know. Those that an instruction
// raises stay: a driver may execute kernels on the thread that signals an event, and handle their faults.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
      sigdelset(&all, signal);
    pthread_sigmask(SIG_BLOCK, &all, &previous_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

private:
  sigset_t previous_;
};

void runFunction(const std::function<void(hipError_t)> &function, hipError_t status) {
  threadState.inHostFunction = true;
  try {
    function(status);
  } catch (const std::exception &exception) {
    HIPLZ_LOG_ERROR("a host function in a stream threw an exception: %s", exception.what());
  }
  threadState.inHostFunction = false;
}

hipError_t runPoll(const std::function<hipError_t()> &poll) {
  try {
    return poll();
  } catch (const HipError &error) {
    HIPLZ_LOG_ERROR("a stream stops waiting for a value in memory: %s", error.what());
    return error.code();
  } catch (const std::bad_alloc &) {
    return hipErrorOutOfMemory;
  }
}

// How long to pause before a value is looked at again: it comes soon or late, so the pause grows with the time waited.
constexpr std::chrono::microseconds kFirstPause(5), kLongestPause(1000);

} // namespace

/// Locked only when a thread starts and when the process ends.
struct LZCallbackThread::Live {
  std::vector<std::weak_ptr<Lockable<State>>> states;
  bool stopped = false;
};

Lockable<LZCallbackThread::Live> &LZCallbackThread::live() {
  static auto *all = new Lockable<Live>(LockRank::callbackThreadTable); // used until the process ends
  return *all;
}

LZCallbackThread::LZCallbackThread() : state_(std::make_shared<Lockable<State>>(LockRank::callbackThread)) {
  {
    const auto all = live().lock();
    state_->lock()->stopped = all->stopped;
    std::erase_if(all->states, [](const auto &state) { return state.expired(); });
    all->states.push_back(state_);
  }
  BlockedSignals blocked; // the new thread inherits the mask
  thread_ = std::thread(run, state_, nullptr);
}

/// Exists while a function runs. If that leaves the thread instead of returning, by pthread_exit() or an exception that nothing may
/// stop, the stream must not wait for ever: a new thread completes the task and goes on with the others.
class LZCallbackThread::Succession {
public:
  Succession(Shared &shared, Task &task) : shared_(shared), task_(task) {}
  Succession(const Succession &) = delete;
  Succession &operator=(const Succession &) = delete;
  void returned() { task_.function = nullptr; }
  ~Succession() {
    if (!task_.function)
      return;
    HIPLZ_LOG_ERROR(
        "a host function in a stream has ended its thread (pthread_exit?); the stream goes on in another one");
    try {
      BlockedSignals blocked;
      std::thread next(run, shared_, std::make_unique<Task>(std::move(task_)));
      const auto state = shared_->lock();
      if (state->successor.joinable()) // this thread, which ends now
        state->successor.detach();
      if (state->detached)
        next.detach();
      else
        state->successor = std::move(next);
    } catch (const std::exception &failure) {
      HIPLZ_LOG_ERROR("the stream cannot go on: %s", failure.what());
    }
  }

private:
  Shared &shared_;
  Task &task_;
};

LZCallbackThread::~LZCallbackThread() {
  {
    auto state = state_->lock();
    state->ending = true;
    state.unlock();
    state->changed.notify_all();
  }
  while (thread_.joinable()) {
    if (thread_.get_id() == std::this_thread::get_id()) {
      state_->lock()->detached = true;
      thread_.detach();
      return;
    }
    thread_.join();
    thread_ = std::move(state_->lock()->successor);
  }
}

void LZCallbackThread::add(Task task) {
  auto state = state_->lock();
  state->put(std::move(task));
  state.unlock();
  state->changed.notify_all();
}

void LZCallbackThread::reserve(size_t count) { state_->lock()->reserve(count); }

void LZCallbackThread::State::reserve(size_t count) {
  if (tasks.capacity() - tasks.size() < count)
    tasks.reserve(2 * tasks.size() + count + 8);
}

void LZCallbackThread::State::put(Task task) {
  if (next > tasks.size() / 2) {
    tasks.erase(tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(next));
    next = 0;
  }
  tasks.push_back(std::move(task));
}

LZCallbackThread::Task LZCallbackThread::State::take() { return std::exchange(tasks[next++], {}); }

void LZCallbackThread::run(Shared shared, std::unique_ptr<Task> returned) {
  auto state = shared->lock();
  auto callDriver = [&](auto call) {
    state->inDriver = true;
    state.unlock();
    const hipError_t result = call();
    state.lock();
    state->inDriver = false;
    state->changed.notify_all();
    return result;
  };
  uint64_t begin = 0;
  const auto complete = [&](Task &task) {
    if (task.profiled)
      LZCommandProfile::executedByHost(*profiler(), task.profiled, begin, profiler()->now());
    callDriver([&] { return zeOutcome(task.done.signal(), "zeEventHostSignal"); });
    state.unlock();
    task = {};
    state.lock();
  };
  if (returned && !state->stopped) {
    begin = returned->profiled ? profiler()->now() : 0;
    complete(*returned);
  }
  for (;;) {
    state.wait(state->changed, [&] { return state->stopped || state->ending || state->hasTask(); });
    if (state->stopped || !state->hasTask())
      return;
    Task task = state->take();
    state->awaited = task.arrived.ze();
    const hipError_t status = callDriver([&] {
      hipError_t error = zeOutcome(task.arrived.wait(), "zeEventHostSynchronize");
      return error || !task.rearm ? error : zeOutcome(task.arrived.reset(), "zeEventHostReset");
    });
    state->awaited = nullptr;
    if (state->stopped)
      return;
    begin = task.profiled ? profiler()->now() : 0;
    if (task.poll && status == hipSuccess) {
      auto pause = kFirstPause;
      while (callDriver([&] { return runPoll(task.poll); }) == hipErrorNotReady && !state->stopped) {
        state.waitFor(state->changed, pause, [&] { return state->stopped; });
        pause = std::min(2 * pause, kLongestPause);
      }
      if (state->stopped)
        return;
    }
    if (task.function) {
      state.unlock();
      {
        Succession succession(shared, task);
        runFunction(task.function, status);
        succession.returned();
      }
      state.lock();
      if (state->stopped)
        return;
    }
    complete(task);
  }
}

void LZCallbackThread::stopAll() noexcept {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  const auto all = live().lock();
  all->stopped = true;
  for (const auto &entry : all->states)
    if (const Shared shared = entry.lock()) {
      const auto state = shared->lock();
      state->stopped = true;
      state->changed.notify_all();
      if (state->awaited)
        zeEventHostSignal(state->awaited);
    }
  for (const auto &entry : all->states)
    if (const Shared shared = entry.lock()) {
      auto state = shared->lock();
      state.waitUntil(state->changed, deadline, [&] { return !state->inDriver; });
    }
}

} // namespace hiplz
