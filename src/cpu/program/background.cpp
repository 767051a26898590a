// SPDX-License-Identifier: MIT
// See background.h. A process that ends without its exit handlers takes the compiler with it all the same: the system kills that when the
// thread that has started it ends.
#include "cpu/program/background.h"
#include "base/lockable.h"
#include "base/log.h"
#include "cpu/exec/driver_thread.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <sys/eventfd.h>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

using Job = std::function<void(const BackgroundEnd &)>;

class Background {
public:
  /// That of this process. A forked child has no thread of its parent's, whose locks may never be free again.
  static Background &get() {
    Background *known = current_.load(std::memory_order_acquire);
    while (!known || known->process_ != ::getpid()) {
      auto *fresh = new Background; // never destroyed: its thread may be busy when the process ends
      if (current_.compare_exchange_strong(known, fresh, std::memory_order_acq_rel))
        return *fresh;
      delete fresh;
    }
    return *known;
  }

  void add(Job job) {
    static std::once_flag once;
    std::call_once(once, [] { std::atexit(endCurrent); });
    const auto state = state_.lock();
    if (end_.isWanted)
      return;
    state->jobs.push_back(std::move(job));
    if (state->isRunning)
      return;
    if (end_.descriptor < 0)
      end_.descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    state->isRunning = startDetachedThread("hiplz-compile", run, this) == 0;
    if (!state->isRunning)
      state->jobs.clear();
  }

private:
  struct State {
    std::deque<Job> jobs;
    bool isRunning = false; // the thread
  };

  static void endCurrent() {
    Background *known = current_.load(std::memory_order_acquire);
    if (known && known->process_ == ::getpid())
      known->endAll();
  }

  void endAll() {
    constexpr std::chrono::seconds kPatience{2};
    auto state = state_.lock();
    end_.isWanted = true;
    if (end_.descriptor >= 0)
      (void)::eventfd_write(end_.descriptor, 1);
    state.waitFor(idle_, kPatience, [&] { return !state->isRunning; });
  }

  static void *run(void *self) {
    static_cast<Background *>(self)->work();
    return nullptr;
  }

  void work() {
    for (;;) {
      Job job;
      {
        const auto state = state_.lock();
        if (end_.isWanted || state->jobs.empty()) {
          state->isRunning = false;
          idle_.notify_all();
          return;
        }
        job = std::move(state->jobs.front());
        state->jobs.pop_front();
      }
      try {
        job(end_);
      } catch (const std::exception &exception) {
        HIPLZ_LOG_INFO("a compilation in the background has failed: %s", exception.what());
      }
    }
  }

  static std::atomic<Background *> current_;
  const pid_t process_ = ::getpid();
  BackgroundEnd end_; // the descriptor is written before there is a thread
  std::condition_variable idle_;
  Lockable<State> state_{LockRank::cpuBackground};
};

std::atomic<Background *> Background::current_{nullptr};

} // namespace

void inBackground(Job job) { Background::get().add(std::move(job)); }

} // namespace hiplz::cpu
