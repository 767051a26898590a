// SPDX-License-Identifier: MIT
// Times of nodes for the profile. A kernel signals an event with timestamps, which has its beginning and its end; other nodes, which
// may be several commands, stand between two such events. At the end of a launch the graph writes all of them to memory.
#include "lz/graph/graph_recorder.h"
#include "lz/module/kernel.h"
#include "lz/stream/copy_place.h"

#include <algorithm>

namespace hiplz {

ze_event_handle_t LZGraphRecorder::newTimedEvent() {
  recording_.events_.push_back(lanes_.main().driver().timedEvents().acquire());
  const ze_event_handle_t event = recording_.events_.back().ze();
  timed_.push_back(event);
  resets_.push_back(event);
  return event;
}

bool LZGraphRecorder::hasTimes(const LZGraphNode &node) const {
  return node.as<KernelNode>() || node.as<CopyNode>() || node.as<FillNode>() || node.as<HostNode>();
}

trace::Node LZGraphRecorder::noteOf(const LZGraphNode &node) const {
  trace::Node note{};
  if (const auto *kernel = node.as<KernelNode>()) {
    note.type = trace::CommandType::kernel;
    note.name = kernel->kernel().nameInProfile(*hooks_);
    std::copy_n(kernel->shape().grid, 3, note.grid);
    std::copy_n(kernel->shape().block, 3, note.block);
  } else if (const auto *copy = node.as<CopyNode>()) {
    const CopyRegion &region = copy->region;
    const CopyMemory memory = memoryOf(region);
    note.type = trace::CommandType::copy;
    note.bytes = region.width * region.height * region.depth;
    note.from = placeInProfile(memory.from);
    note.to = placeInProfile(memory.to);
  } else if (const auto *fill = node.as<FillNode>()) {
    const FillRegion &region = fill->region;
    note.type = trace::CommandType::fill;
    note.bytes = uint64_t{region.elementBytes} * region.width * region.height * region.depth;
  } else {
    note.type = trace::CommandType::hostFunction;
  }
  return note;
}

void LZGraphRecorder::writeTimed(const LZGraphNode &node, ze_event_handle_t done) {
  const auto first = static_cast<uint32_t>(timed_.size());
  const bool kernel = node.as<KernelNode>() != nullptr;
  const ze_event_handle_t event = newTimedEvent();
  if (kernel) {
    writeNode(node, event);
    profiledNodes_.push_back({noteOf(node), first, first});
  } else {
    barrier({}, event);
    writeNode(node, nullptr);
    barrier({}, newTimedEvent());
    profiledNodes_.push_back({noteOf(node), first, first + 1});
  }
  if (done)
    barrier({}, done);
}

void LZGraphRecorder::writeTimestamps() {
  open(GraphPlan::kStream);
  recording_.timestampEvents_ = timed_.size();
  recording_.nodeTimestamps_ =
      ZeMemory::onHost(device().zeContext(), recording_.nodeTimestampBytes(), alignof(ze_kernel_timestamp_result_t));
  command([&] {
    return zeCommandListAppendQueryKernelTimestamps(list_.get(), static_cast<uint32_t>(timed_.size()), timed_.data(),
                                                    recording_.nodeTimestamps_.get(), nullptr, nullptr, 0, nullptr);
  });
  recording_.profiledNodes_ = std::make_shared<const std::vector<ProfiledNode>>(std::move(profiledNodes_));
}

} // namespace hiplz
