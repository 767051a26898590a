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
  thread_ = std::thread(run, state_);
}

LZCallbackThread::~LZCallbackThread() {
  {
    auto state = state_->lock();
    state->ending = true;
    state.unlock();
    state->changed.notify_all();
  }
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
}

void LZCallbackThread::add(Task task) {
  auto state = state_->lock();
  state->put(std::move(task));
  state.unlock();
  state->changed.notify_all();
}

void LZCallbackThread::State::put(Task task) {
  if (next > tasks.size() / 2) {
    tasks.erase(tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(next));
    next = 0;
  }
  tasks.push_back(std::move(task));
}

LZCallbackThread::Task LZCallbackThread::State::take() { return std::exchange(tasks[next++], {}); }

void LZCallbackThread::run(Shared shared) {
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
  for (;;) {
    state.wait(state->changed, [&] { return state->stopped || state->ending || state->hasTask(); });
    if (state->stopped || !state->hasTask())
      return;
    Task task = state->take();
    state->awaited = task.arrived.ze();
    const hipError_t status = callDriver([&] {
      hipError_t error = zeOutcome(task.arrived.wait(), "zeEventHostSynchronize");
      return error || !task.rearm ? error : LZ_TRY(zeEventHostReset, (task.arrived.ze()));
    });
    state->awaited = nullptr;
    if (state->stopped)
      return;
    const uint64_t begin = task.profiled ? profiler()->now() : 0;
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
      runFunction(task.function, status);
      state.lock();
      if (state->stopped)
        return;
    }
    if (task.profiled)
      LZCommandProfile::executedByHost(*profiler(), task.profiled, begin, profiler()->now());
    callDriver([&] { return zeOutcome(zeEventHostSignal(task.done.ze()), "zeEventHostSignal"); });
    state.unlock();
    task = {};
    state.lock();
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
