// SPDX-License-Identifier: MIT
// The frame of a recording: lists, lanes, and the events between them. What nodes do is in graph/graph_record_nodes.cpp.
#include "lz/graph/graph_recording.h"
#include "lz/core/ze_extensions.h"
#include "lz/device/device.h"
#include "lz/graph/graph_recorder.h"
#include "lz/memory/memory.h"
#include "lz/module/kernel.h"
#include "lz/stream/event.h"

#include <algorithm>

namespace hiplz {

LZGraphRecording::LZGraphRecording(const LZGraph &graph, const std::unordered_set<uint64_t> &disabled,
                                   LZGraphLanes &lanes, bool changeable, const LZGraphNode *&culprit)
    : changeable_(changeable && lanes.mutableLists()), frees_(AllocationTable::ofProcess().frees()) {
  LZGraphRecorder(*this, lanes, disabled).record(graph, culprit);
}

LZGraphRecording::~LZGraphRecording() = default;

// The profile has the shapes of the launches as they were recorded, and after a hipFree an address may mean other memory.
bool LZGraphRecording::update(const LZGraphLanes &lanes) {
  return changeable_ && !profiledNodes_ && frees_ == AllocationTable::ofProcess().frees() &&
         launches_.update(lanes.mutableLists());
}

void LZGraphRecording::signalAll() const noexcept {
  for (const LZEventRef &event : events_)
    event.signal();
}

bool LZGraphRecording::launches(const LZModule &module) const { return modules_.contains(&module); }

void LZGraphRecorder::record(const LZGraph &graph, const LZGraphNode *&culprit) {
  streamTakesLists_ = static_cast<bool>(lanes_.appendLists());
  if (streamTakesLists_) // elsewhere the ends of launches are not in lists
    hooks_ = profilerOf(trace::kCommands);
  plan_ = GraphPlan::make(graph, {streamTakesLists_, &lanes_.main(), LZGraphLanes::kMostOfDevice});
  // Lanes stay with the executable; a plan uses them in its own order.
  lanes_.provide(plan_.lanes);
  done_.resize(plan_.items.size());
  started_.resize(plan_.lanes.size());
  released_.resize(plan_.lanes.size());
  const bool others = std::any_of(plan_.items.begin(), plan_.items.end(),
                                  [](const auto &item) { return item.lane != GraphPlan::kStream; });
  if (others) {
    go_ = newEvent();
    sync({}, {}, {go_.ze()});
    resets_.push_back(go_.ze());
  }
  prepareKernels();
  for (const GraphPlan::Segment &segment : plan_.segments)
    for (uint32_t index : segment.items) {
      culprit = plan_.items[index].node;
      writeItem(index);
    }
  culprit = nullptr;
  std::vector<ze_event_handle_t> ends, releases;
  for (size_t index = 0; index < plan_.items.size(); ++index)
    if (plan_.items[index].end)
      ends.push_back(done_[index].ze());
  for (const LZEventRef &released : released_)
    if (released)
      releases.push_back(released.ze());
  if (!timed_.empty()) {
    sync(std::move(ends), {}, {});
    ends.clear();
    writeTimestamps();
  }
  sync(std::move(ends), std::move(resets_), std::move(releases));
  close();
}

// In the order in which they are recorded.
void LZGraphRecorder::prepareKernels() {
  std::vector<LZGraphLanes::Launch> launches;
  for (const GraphPlan::Segment &segment : plan_.segments)
    for (uint32_t index : segment.items) {
      const GraphPlan::Item &item = plan_.items[index];
      const KernelNode *kernel = item.node && !switchedOff(*item.node) ? item.node->as<KernelNode>() : nullptr;
      LZDevice *device = lanes_.lane(item.lane).device;
      if (kernel && !kernel->lost() && device == &item.node->device())
        launches.push_back({&kernel->kernel(), device, kernel->shape().block});
    }
  lanes_.prepareKernels(launches);
}

void LZGraphRecorder::writeItem(uint32_t index) {
  const GraphPlan::Item &item = plan_.items[index];
  if (item.awaited) {
    done_[index] = newEvent();
    resets_.push_back(done_[index].ze());
  }
  const ze_event_handle_t done = item.awaited ? done_[index].ze() : nullptr;
  std::vector<ze_event_handle_t> before;
  for (uint32_t other : item.before)
    if (plan_.mustWait(item, plan_.items[other]))
      before.push_back(done_[other].ze());
  if (item.lane == GraphPlan::kStream && item.node && !switchedOff(*item.node) && writeEvent(*item.node, before, done))
    return;
  if (item.lane == GraphPlan::kStream && !streamTakesLists_) {
    sync(std::move(before), {}, done ? std::vector{done} : std::vector<ze_event_handle_t>{});
    return;
  }
  open(item.lane);
  if (item.lane != GraphPlan::kStream && item.before.empty())
    before.push_back(go_.ze());
  if (!before.empty())
    barrier(before, nullptr);
  if (item.node && !switchedOff(*item.node)) {
    if (hooks_ && hasTimes(*item.node)) {
      writeTimed(*item.node, done);
      return;
    }
    if (writeNode(*item.node, done))
      return;
  }
  if (done)
    barrier({}, done);
}

// The events of the application differ from launch to launch, so they are not part of a list.
bool LZGraphRecorder::writeEvent(const LZGraphNode &node, std::vector<ze_event_handle_t> &before,
                                 ze_event_handle_t done) {
  const auto *recorded = node.as<EventRecordNode>();
  const auto *awaited = node.as<EventWaitNode>();
  if (!recorded && !awaited)
    return false;
  if (recorded && recorded->event->native())
    throw HipError(hipErrorNotSupported, "a graph cannot record an event that was made from a native one");
  sync(std::move(before), {}, {});
  close();
  GraphStep &step = recording_.steps_.emplace_back();
  step.kind = recorded ? GraphStep::Kind::record : GraphStep::Kind::wait;
  step.event = recorded ? recorded->event : awaited->event;
  const LZDevice &device = step.event->device();
  if (&device.driver() != &lanes_.main().driver())
    throw HipError(hipErrorNotSupported, "a graph records or waits for an event of another driver");
  if (done)
    sync({}, {}, {done});
  return true;
}

bool LZGraphRecorder::switchedOff(const LZGraphNode &node) const { return disabled_.contains(node.id()); }

LZEventRef LZGraphRecorder::newEvent() {
  recording_.events_.push_back(lanes_.main().driver().unorderedEvents().acquire());
  return recording_.events_.back();
}

void LZGraphRecorder::sync(std::vector<ze_event_handle_t> waits, std::vector<ze_event_handle_t> resets,
                           std::vector<ze_event_handle_t> signals) {
  if (waits.empty() && resets.empty() && signals.empty())
    return;
  if (!streamTakesLists_) {
    close();
    GraphStep &step = recording_.steps_.emplace_back();
    step.kind = GraphStep::Kind::sync;
    step.waits = std::move(waits);
    step.resets = std::move(resets);
    step.signals = std::move(signals);
    return;
  }
  open(GraphPlan::kStream);
  if (!waits.empty())
    barrier(waits, nullptr);
  for (ze_event_handle_t event : resets)
    command([&] { return zeCommandListAppendEventReset(list_.get(), event); });
  for (ze_event_handle_t event : signals)
    barrier({}, event);
}

void LZGraphRecorder::open(uint32_t lane) {
  if (list_ && lane_ == lane)
    return;
  close();
  lane_ = lane;
  any_ = false;
  orders_ = device().driver().hasExtension(kZeInOrderListsExtension);
  ze_command_list_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  description.commandQueueGroupOrdinal = lanes_.lane(lane).ordinal;
  const ZeMutableListDesc changeable;
  if (changesLaunches())
    description.pNext = &changeable;
  zeCheck(list_.create(zeCommandListCreate, device().zeContext(), device().ze(), &description), "zeCommandListCreate");
  if (lane == GraphPlan::kStream || started_[lane])
    return;
  started_[lane] = true;
  released_[lane] = newEvent();
  zeCheck(released_[lane].signal(), "zeEventHostSignal");
  const ze_event_handle_t released = released_[lane].ze();
  barrier({&released, 1}, nullptr);
  command([&] { return zeCommandListAppendEventReset(list_.get(), released); });
}

bool LZGraphRecorder::changesLaunches() const { return recording_.changeable_ && device().changesLaunchesInLists(); }

void LZGraphRecorder::close() {
  if (!list_)
    return;
  LZ_CALL(zeCommandListClose, (list_.get()));
  GraphStep &step = recording_.steps_.emplace_back();
  step.kind = GraphStep::Kind::lists;
  step.lane = lane_;
  step.lists.push_back(lane_ == GraphPlan::kStream ? lanes_.appendLists().as(list_.get()) : list_.get());
  recording_.lists_.push_back(std::move(list_));
}

void LZGraphRecorder::barrier(std::span<const ze_event_handle_t> waits, ze_event_handle_t signal) {
  command([&] {
    return zeCommandListAppendBarrier(list_.get(), signal, static_cast<uint32_t>(waits.size()),
                                      const_cast<ze_event_handle_t *>(waits.data()));
  });
}

void LZGraphRecorder::hostStep(std::function<hipError_t()> poll, std::function<void(hipError_t)> function) {
  const LZEventRef arrived = lanes_.main().driver().unorderedEvents().acquire(), done = newEvent();
  resets_.push_back(done.ze());
  barrier({}, arrived.ze());
  const ze_event_handle_t awaited = done.ze();
  barrier({&awaited, 1}, nullptr);
  recording_.hostTasks_.push_back({lane_, arrived, done, std::move(poll), std::move(function)});
}

} // namespace hiplz
