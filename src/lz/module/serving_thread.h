// SPDX-License-Identifier: MIT
// A thread that serves the kernels of a device while they run: prints what they have printed, answers what they ask.
#pragma once
#include "base/lockable.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <string>
#include <thread>

namespace hiplz {

class LZDevice;

/// Sleeps while the device is idle. Thread-safe.
class LZServingThread {
public:
  /// `serve` does what there is to do now and returns true if there was anything. It may not throw.
  LZServingThread(LZDevice &device, LockRank rank, std::function<bool()> serve)
      : device_(device), serve_(std::move(serve)), state_(rank) {}

  enum class Expected { running, begun, impossible };
  /// Call before a kernel is submitted that may want something. Creates the thread the first time; `reason` says why it
  /// cannot.
  Expected expect(std::string &reason);

  /// Ends the thread for good. Returns whether there was one.
  bool stop();

private:
  struct State {
    std::condition_variable wake;
    std::thread thread;
    std::chrono::steady_clock::time_point expected; // the last expect()
    bool sleeping = false, stop = false;
  };
  void run();

  LZDevice &device_;
  const std::function<bool()> serve_;
  Lockable<State> state_;
};

} // namespace hiplz
