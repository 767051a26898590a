// SPDX-License-Identifier: MIT
// Host functions in a stream, by the scheme of three events: the stream signals the first when it arrives, this thread
// sleeps in the driver until then, runs the function and signals the second, for which the stream waits. The third,
// which says that the two may be recycled, is the marker of the stream (sync/stream_order.h).
#pragma once
#include "base/lockable.h"
#include "lz/core/error.h"
#include "lz/sync/event_pool.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace hiplz {

/// The thread that runs the host functions of one queue, in their order. Started with the first function. No lock is
/// held while a function runs or the thread sleeps in the driver. A function may end the thread (pthread_exit): another one goes on.
class LZCallbackThread {
public:
  struct Task {
    LZEventRef arrived; // what the thread waits for first: signalled by the stream, or an event of another driver
    LZEventRef done;    // signalled by this thread
    std::function<hipError_t()> poll; // may be empty; called until it returns something other than hipErrorNotReady
    std::function<void(hipError_t)> function; // may be empty; may not call HIP
    bool rearm =
        false; // reset `arrived` once it has been signalled: the next execution of a recorded list signals it again
    uint64_t profiled = 0; // the command in the profile, or 0
  };

  LZCallbackThread();
  LZCallbackThread(const LZCallbackThread &) = delete;
  LZCallbackThread &operator=(const LZCallbackThread &) = delete;
  /// Waits until all functions have run. If called by a function itself, the thread ends after it.
  ~LZCallbackThread();

  void add(Task task);
  /// Memory for so many more tasks, so that the next add() cannot fail: a stream that waits for a task must not be left without
  /// it. Throws std::bad_alloc.
  void reserve(size_t count);

  /// For the end of the process: wakes all threads of this kind that sleep in a driver, lets none call a driver again,
  /// and waits up to two seconds until those that are inside a call have left it. What they have not run yet is never
  /// run. Throws nothing.
  static void stopAll() noexcept;

private:
  struct State {
    std::condition_variable changed;
    std::vector<Task> tasks; // those before `next` have been taken; its memory is used again
    size_t next = 0;
    bool hasTask() const { return next < tasks.size(); }
    void reserve(size_t count);
    void put(Task task);
    Task take();
    bool ending = false;                 // nothing more is added
    bool stopped = false;                // the process ends: the drivers must no longer be called
    bool inDriver = false;               // a call into a driver is under way
    ze_event_handle_t awaited = nullptr; // the event that this call waits for, if it waits
    std::thread successor;               // goes on after a function has ended its thread
    bool detached = false;               // nobody joins the thread, nor its successor
  };
  class Succession;
  struct Live;
  using Shared = std::shared_ptr<Lockable<State>>;
  static Lockable<Live> &live();
  /// `returned`: the first task, whose function has run already; null: none.
  static void run(Shared shared, std::unique_ptr<Task> returned);

  Shared state_;
  std::thread thread_;
};

} // namespace hiplz
