// SPDX-License-Identifier: MIT
// Queues, threads and kernel handles of an executable graph.
#include "lz/graph/graph_lanes.h"
#include "lz/device/device.h"
#include "lz/module/kernel.h"
#include "lz/stream/queue.h"

#include <tuple>

namespace hiplz {

LZGraphLanes::LZGraphLanes(LZDevice &main) : mutableLists_(main.driver()) {
  Lane &stream = lanes_.emplace_back();
  stream.device = &main;
  stream.ordinal = main.nextHardwareQueue().first;
  const LZDriver &driver = main.driver();
  if (driver.inOrderLists() && driver.hasExtension(kZeAppendCommandListsExtension))
    appendLists_ = driver.function<ZeAppendCommandLists>("zeCommandListImmediateAppendCommandListsExp",
                                                         kZeAppendCommandListsExtension);
}

LZGraphLanes::~LZGraphLanes() = default;

void LZGraphLanes::provide(const std::vector<LZDevice *> &devices) {
  for (size_t index = lanes_.size(); index < devices.size(); ++index) {
    Lane lane;
    lane.device = devices[index];
    ze_command_queue_desc_t description{};
    description.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    std::tie(description.ordinal, description.index) = lane.device->nextHardwareQueue();
    description.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    lane.ordinal = description.ordinal;
    LZ_CALL(zeCommandQueueCreate, (lane.device->zeContext(), lane.device->ze(), &description, lane.queue.receive()));
    lanes_.push_back(std::move(lane));
  }
}

LZCallbackThread &LZGraphLanes::callbacksOf(uint32_t lane) {
  std::unique_ptr<LZCallbackThread> &thread = lanes_[lane].callbacks;
  if (!thread)
    thread = std::make_unique<LZCallbackThread>();
  return *thread;
}

void LZGraphLanes::finishCallbacks() {
  for (Lane &lane : lanes_)
    lane.callbacks.reset();
}

KernelInstance &LZGraphLanes::kernel(const LZKernel &kernel, LZDevice &device) {
  KernelInstanceTable &cache = kernels_[&device];
  if (KernelInstance *known = cache.find(&kernel))
    return *known;
  ZeKernel handle = kernel.createHandle(device);
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  LZ_CALL(zeKernelGetProperties, (handle.get(), &properties));
  KernelInstance &instance = cache.add(kernel, std::move(handle));
  instance.fixedSharedBytes = properties.localMemSize;
  return instance;
}

void LZGraphLanes::forgetModule(const LZModule &module) {
  for (auto &[device, cache] : kernels_)
    cache.forgetModule(module);
}

LZQueue &LZGraphLanes::homeQueue() {
  if (!home_)
    home_ = std::make_unique<LZQueue>(main(), LZQueue::Kind::internal, hipStreamDefault, 0);
  return *home_;
}

} // namespace hiplz
