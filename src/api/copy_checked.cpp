// SPDX-License-Identifier: MIT
// When the host waits for a copy or a fill that HIP calls synchronous, and for which devices.
#include "api/copy_checked.h"

#include <array>

namespace hiplz {
namespace {

// The device whose own memory the pointer is in; null for memory that the host reaches.
LZDevice *homeOf(const void *pointer) {
  const std::optional<Allocation> memory = LZContext::instance().allocations().find(pointer);
  return memory && memory->kind == MemoryKind::device ? memory->device : nullptr;
}

/// A call of the null stream is in order with the blocking streams of the current device. If it names memory of other
/// devices, it is in order with their blocking streams as well.
class OtherDevices {
public:
  OtherDevices(LZQueue &queue, LZDevice *first, LZDevice *second = nullptr) : queue_(queue) {
    if (queue.kind() != LZQueue::Kind::null || queue.captured())
      return;
    for (LZDevice *device : {first, second})
      if (device && device != &queue.device() && device != others_[0])
        others_[count_++] = device;
  }

  hipError_t joinBefore() {
    for (size_t index = 0; index < count_; ++index)
      if (hipError_t error = queue_.wait(LZDeviceQueues::of(*others_[index]).nullQueue().record(false)))
        return error;
    return hipSuccess;
  }

  hipError_t joinAfter() {
    if (count_ == 0)
      return hipSuccess;
    const LZEventRef done = queue_.record(false);
    for (size_t index = 0; index < count_; ++index)
      if (hipError_t error = LZDeviceQueues::of(*others_[index]).nullQueue().wait(done))
        return error;
    return hipSuccess;
  }

private:
  LZQueue &queue_;
  std::array<LZDevice *, 2> others_{};
  size_t count_ = 0;
};

} // namespace

hipError_t copyInOrder(const CopyRegion &region, LZQueue &queue, Wait wait) {
  if (wait == Wait::no || region.empty() || queue.captured())
    return queue.copyRegion(region, wait != Wait::no);
  LZDevice *const to = homeOf(region.to.first()), *const from = homeOf(region.from.first());
  OtherDevices others(queue, to, from);
  if (hipError_t error = others.joinBefore())
    return error;
  if (wait == Wait::always || !to || !from)
    return queue.copyRegion(region, true);
  if (hipError_t error = queue.copyRegion(region, false))
    return error;
  return others.joinAfter();
}

hipError_t fillInOrder(const FillRegion &region, LZQueue &queue, Wait wait) {
  if (wait == Wait::no || region.empty())
    return queue.fillRegion(region);
  LZDevice *const home = homeOf(region.to);
  OtherDevices others(queue, home);
  if (hipError_t error = others.joinBefore())
    return error;
  if (hipError_t error = queue.fillRegion(region))
    return error;
  return home ? others.joinAfter() : queue.synchronize();
}

} // namespace hiplz
