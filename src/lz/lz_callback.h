// Host functions in a stream, by the scheme of three events: the stream signals the first when it arrives, this thread
// sleeps in the driver until then, runs the function and signals the second, for which the stream waits. The third, which
// tells that the two may be recycled, is the queue's milestone (lz_queue.h).
#pragma once
#include "lz/error.h"
#include "lz/lz_event_pool.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace hiplz {

/// The thread that runs the host functions of one queue, in their order. Started with the first function. No lock is
/// held while a function runs.
class LZCallbackThread {
public:
  struct Task {
    LZEventRef arrived; // signalled by the stream
    LZEventRef done;    // signalled by this thread
    std::function<void(hipError_t)> function;
  };

  LZCallbackThread();
  LZCallbackThread(const LZCallbackThread &) = delete;
  LZCallbackThread &operator=(const LZCallbackThread &) = delete;
  /// Waits until all functions have run. If called by a function itself, the thread ends after it.
  ~LZCallbackThread();

  void add(Task task);

private:
  struct State {
    std::mutex mutex; // guards what follows
    std::condition_variable changed;
    std::deque<Task> tasks;
    bool ending = false;
  };
  static void run(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
  std::thread thread_;
};

} // namespace hiplz
