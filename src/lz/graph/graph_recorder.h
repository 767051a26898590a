// SPDX-License-Identifier: MIT
// Writes the commands of a graph's nodes into lists. Only for graph/graph_recording.cpp and graph/graph_record_nodes.cpp.
#pragma once
#include "lz/graph/graph_recording.h"

#include <functional>
#include <span>

namespace hiplz {

struct CopyRegion;
struct FillRegion;

/// Lives as long as the constructor of a recording. All methods throw HipError.
class LZGraphRecorder {
public:
  LZGraphRecorder(LZGraphRecording &recording, LZGraphLanes &lanes, const std::unordered_set<uint64_t> &disabled)
      : recording_(recording), lanes_(lanes), disabled_(disabled) {}

  /// culprit is the node that is being recorded, when an exception leaves this.
  void record(const LZGraph &graph, const LZGraphNode *&culprit);

private:
  void prepareKernels();
  void writeItem(uint32_t index);
  bool writeEvent(const LZGraphNode &node, std::vector<ze_event_handle_t> &before, ze_event_handle_t done);
  bool switchedOff(const LZGraphNode &node) const;
  LZEventRef newEvent();
  ze_event_handle_t newTimedEvent();
  bool hasTimes(const LZGraphNode &node) const;
  trace::Node noteOf(const LZGraphNode &node) const;
  void writeTimed(const LZGraphNode &node, ze_event_handle_t done);
  void writeTimestamps();
  void sync(std::vector<ze_event_handle_t> waits, std::vector<ze_event_handle_t> resets,
            std::vector<ze_event_handle_t> signals);
  void open(uint32_t lane);
  /// True if launches in the open list can be changed.
  bool changesLaunches() const;
  void close();

  // One command into the open list, after all that precede it.
  template <class Append> void command(Append append) {
    if (any_ && !orders_)
      LZ_CALL(zeCommandListAppendBarrier, (list_.get(), nullptr, 0, nullptr));
    any_ = true;
    zeCheck(append(), "recording a command of a graph");
  }
  void barrier(std::span<const ze_event_handle_t> waits, ze_event_handle_t signal);
  void notePrinting(LZDevice &device);
  void hostStep(std::function<hipError_t()> poll, std::function<void(hipError_t)> function);

  // The commands of a node; true if `done` (null allowed) is signalled by one of them.
  bool writeNode(const LZGraphNode &node, ze_event_handle_t done);
  bool write(const LZGraphNode &node, const KernelNode &kernel, ze_event_handle_t done);
  void write(const CopyRegion &region);
  void write(const FillRegion &region);
  void write(const BatchNode &node);
  void write(const HostNode &node);
  void write(const ConditionalNode &node);
  void write(std::shared_ptr<LZGraphMemory> memory, bool allocates);
  void appendRegion(const CopyRegion &region);
  bool appendWaitOnMemory(const MemoryOperation &operation);
  std::byte *pinned(size_t bytes);
  LZDevice &device() const { return *lanes_.lane(lane_).device; }

  LZGraphRecording &recording_;
  LZGraphLanes &lanes_;
  const std::unordered_set<uint64_t> &disabled_;
  GraphPlan plan_;
  bool streamTakesLists_ = false;
  std::vector<LZEventRef> done_;     // of the items that are awaited
  std::vector<LZEventRef> released_; // of the lanes that are used
  std::vector<bool> started_;        // lanes whose first list is there
  LZEventRef go_;
  std::vector<ze_event_handle_t> resets_;
  const ProfilerHooks *hooks_ = nullptr;    // null: nodes have no times
  std::vector<ze_event_handle_t> timed_;    // of nodes
  std::vector<ProfiledNode> profiledNodes_; // their indices are those of timed_

  uint32_t lane_ = 0;
  ZeCommandList list_;  // null: none is open
  bool orders_ = false; // the driver's lists keep the order of their commands
  bool any_ = false;    // the open list has a command
};

} // namespace hiplz
