// SPDX-License-Identifier: MIT
// When the host waits for a copy or a fill that HIP calls synchronous, and for which devices.
#include "api/copy_checked.h"
#include "lz/context/checked_calls.h"
#include "lz/graph/capture.h"

#include <array>

namespace hiplz {
namespace {

// The device whose own memory it is; null for memory that the host reaches.
LZDevice *homeOf(const std::optional<Allocation> &memory) {
  return memory && memory->kind == MemoryKind::device ? memory->device : nullptr;
}

// True for memory of the host, pinned or not.
bool isOfHost(const std::optional<Allocation> &memory) { return !memory || memory->kind == MemoryKind::host; }

// True if the application has asked that synchronous copies and fills of this memory wait in any case.
bool alwaysWaits(const std::optional<Allocation> &memory) { return memory && memory->syncOperations; }

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

hipError_t copyInOrder(const CopyRegion &region, const CopyMemory &memory, LZQueue &queue, Wait wait) {
  if (wait == Wait::yes && queue.captured())
    return LZCapture::refuse(queue, hipErrorStreamCaptureImplicit);
  if (areCallsChecked() && !region.empty() && !region.to.array && !region.from.array) [[unlikely]]
    reportDirection(region.kind, region.to.first(), memory.to, region.from.first(), memory.from);
  if (region.empty() || queue.captured())
    return queue.copyRegion(region, memory, wait != Wait::no);
  if (wait == Wait::no) // in CUDA's documentation and in AMD's library, no copy from host to host is asynchronous
    return queue.copyRegion(region, memory, isOfHost(memory.to) && isOfHost(memory.from));
  LZDevice *const to = homeOf(memory.to), *const from = homeOf(memory.from);
  OtherDevices others(queue, to, from);
  if (hipError_t error = others.joinBefore())
    return error;
  if (wait == Wait::always || !to || !from || alwaysWaits(memory.to) || alwaysWaits(memory.from))
    return queue.copyRegion(region, memory, true);
  if (hipError_t error = queue.copyRegion(region, memory, false))
    return error;
  return others.joinAfter();
}

hipError_t fillInOrder(const FillRegion &region, const std::optional<Allocation> &memory, LZQueue &queue, Wait wait) {
  if (wait == Wait::yes && queue.captured())
    return LZCapture::refuse(queue, hipErrorStreamCaptureImplicit);
  if (wait == Wait::no || region.empty())
    return queue.fillRegion(region, memory);
  LZDevice *const home = homeOf(memory);
  OtherDevices others(queue, home);
  if (hipError_t error = others.joinBefore())
    return error;
  if (hipError_t error = queue.fillRegion(region, memory))
    return error;
  return home && !alwaysWaits(memory) ? others.joinAfter() : queue.synchronize();
}

} // namespace hiplz
