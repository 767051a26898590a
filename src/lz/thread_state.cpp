// The per-thread state, and the return of default streams when a thread ends.
#include "lz/thread_state.h"
#include "lz/lz_context.h"
#include "lz/lz_device.h"

#include <vector>

namespace hiplz {
namespace {

struct ThreadQueues {
  std::vector<LZQueue *> byDevice;
  ~ThreadQueues() {
    // In a forked child the queues are dead; there is no context any more.
    if (!LZContext::existing())
      return;
    for (LZQueue *queue : byDevice)
      if (queue)
        queue->device().recyclePerThreadQueue(*queue);
  }
};
thread_local ThreadQueues threadQueues;

} // namespace

constinit thread_local ThreadState threadState{};

LZQueue *&perThreadQueueOf(int device) {
  if (threadQueues.byDevice.size() <= static_cast<size_t>(device))
    threadQueues.byDevice.resize(device + 1);
  return threadQueues.byDevice[device];
}

} // namespace hiplz
