// The loop of the callback thread.
#include "lz/lz_callback.h"
#include "base/log.h"

#include <csignal>
#include <exception>

namespace hiplz {
namespace {

// Signals are the application's business and must not interrupt a thread that it does not know.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &previous_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

private:
  sigset_t previous_;
};

void runFunction(const std::function<void(hipError_t)> &function, hipError_t status) {
  try {
    function(status);
  } catch (const std::exception &exception) {
    HIPLZ_LOG_ERROR("a host function in a stream threw an exception: %s", exception.what());
  }
}

} // namespace

LZCallbackThread::LZCallbackThread() : state_(std::make_shared<State>()) {
  BlockedSignals blocked; // the new thread inherits the mask
  thread_ = std::thread(run, state_);
}

LZCallbackThread::~LZCallbackThread() {
  {
    std::lock_guard lock(state_->mutex);
    state_->ending = true;
  }
  state_->changed.notify_one();
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
}

void LZCallbackThread::add(Task task) {
  {
    std::lock_guard lock(state_->mutex);
    state_->tasks.push_back(std::move(task));
  }
  state_->changed.notify_one();
}

void LZCallbackThread::run(std::shared_ptr<State> state) {
  std::unique_lock lock(state->mutex);
  for (;;) {
    state->changed.wait(lock, [&] { return state->ending || !state->tasks.empty(); });
    if (state->tasks.empty())
      return;
    {
      Task task = std::move(state->tasks.front());
      state->tasks.pop_front();
      lock.unlock();
      hipError_t status = zeOutcome(task.arrived.wait(), "zeEventHostSynchronize");
      runFunction(task.function, status);
      zeOutcome(zeEventHostSignal(task.done.ze()), "zeEventHostSignal");
    }
    lock.lock();
  }
}

} // namespace hiplz
