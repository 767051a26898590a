// SPDX-License-Identifier: MIT
// The per-thread state, and the return of default streams when a thread ends.
#include "lz/core/thread_state.h"
#include "lz/context/context.h"
#include "lz/device/device.h"

#include <utility>
#include <vector>

namespace hiplz {
namespace {

// A plain pointer: destructors that run after the guard's below may still use default streams.
constinit thread_local std::vector<LZQueue *> *queuesByDevice = nullptr;

struct ThreadEnd {
  ~ThreadEnd() {
    // In a forked child, and when the process ends, the queues are dead; there is no context any more.
    if (LZContext::existing())
      for (LZQueue *queue : *queuesByDevice)
        if (queue)
          queue->device().recyclePerThreadQueue(*queue);
    delete std::exchange(queuesByDevice, nullptr);
  }
};

} // namespace

constinit thread_local ThreadState threadState{};

LZQueue *&perThreadQueueOf(int device) {
  if (!queuesByDevice) {
    queuesByDevice = new std::vector<LZQueue *>(LZContext::instance().devices().size());
    thread_local ThreadEnd end;
  }
  return (*queuesByDevice)[device];
}

} // namespace hiplz
