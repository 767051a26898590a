// SPDX-License-Identifier: MIT
// Calls for captured streams become nodes, or are refused.
#include "lz/device/device.h"
#include "lz/graph/capture.h"
#include "lz/memory/graph_memory.h"
#include "lz/memory/memory_pool.h"
#include "lz/module/registry.h"
#include "lz/stream/queue.h"

namespace hiplz {
namespace {

class CaptureCommands final : public CaptureSink {
public:
  hipError_t launch(LZQueue &queue, const LZKernel &kernel, const LaunchShape &shape,
                    const LaunchArguments &arguments) override {
    // The state of a grid that spans devices lives no longer than its launch.
    if (shape.gridState != 0)
      return refuse(queue);
    return LZCapture::add(queue, KernelNode(kernel, LZRegistry::instance().nameOf(kernel), shape, arguments));
  }

  hipError_t copy(LZQueue &queue, const CopyRegion &region) override { return LZCapture::add(queue, CopyNode{region}); }

  hipError_t fill(LZQueue &queue, const FillRegion &region) override { return LZCapture::add(queue, FillNode{region}); }

  hipError_t batch(LZQueue &queue, std::span<const MemoryOperation> operations) override {
    return LZCapture::add(queue, BatchNode{{operations.begin(), operations.end()}});
  }

  void *allocate(LZQueue &queue, LZMemoryPool &pool, size_t bytes) override {
    AllocNode node;
    node.memory = LZGraphMemory::create(pool.device(), bytes);
    node.properties.allocType = hipMemAllocationTypePinned;
    node.properties.location = {hipMemLocationTypeDevice, pool.device().ordinal()};
    node.bytes = bytes;
    void *address = node.memory->address();
    if (hipError_t error = LZCapture::add(queue, std::move(node)))
      throw HipError(error);
    return address;
  }

  void free(LZQueue &queue, void *pointer) override {
    if (!LZGraphMemory::find(pointer))
      throw HipError(hipErrorInvalidValue, "a captured stream can free only memory that a graph allocates");
    if (hipError_t error = LZCapture::add(queue, FreeNode{pointer}))
      throw HipError(error);
  }

  hipError_t record(LZQueue &queue, CaptureMark &mark) override { return LZCapture::record(queue, mark); }
  hipError_t wait(LZQueue &queue, const CaptureMark &mark) override { return LZCapture::wait(queue, mark); }
  hipError_t recordExternal(LZQueue &queue, LZEvent &event) override {
    return LZCapture::add(queue, EventRecordNode{&event});
  }
  hipError_t waitExternal(LZQueue &queue, LZEvent &event) override {
    return LZCapture::add(queue, EventWaitNode{&event});
  }

  hipError_t refuse(LZQueue &queue) override { return LZCapture::refuse(queue); }

  hipError_t refuseOutside(LZQueue &queue) override {
    const hipError_t error = refuse(queue);
    if (error != hipErrorStreamCaptureUnsupported)
      return error;
    return hiplz::refuse(hipErrorStreamCaptureIsolation,
                         "a captured stream cannot wait for an event that was recorded outside of the capture");
  }

  hipError_t refuseHost(const CaptureMark &mark) override {
    mark.capture->invalidate();
    return hiplz::refuse(hipErrorCapturedEvent,
                         "the event was recorded in a captured stream, so it stands for a place in a graph");
  }

  void abandon(LZQueue &queue) noexcept override { LZCapture::abandon(queue); }
};

} // namespace

CaptureSink &LZCapture::commands() {
  static auto *commands = new CaptureCommands; // used until the process ends
  return *commands;
}

} // namespace hiplz
