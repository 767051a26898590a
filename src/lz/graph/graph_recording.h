// SPDX-License-Identifier: MIT
// A graph as command lists: closed once, submitted as often as the graph is launched. Events order the lists of different
// lanes; what is signalled in a launch is reset at its end, so that the next one finds everything as the first did.
//
//   lane 0, the stream      signal go ... nodes ... wait for the ends of the others, reset all, signal release[i]
//   lane i, a queue         wait for release[i], reset it; wait for go ... nodes ...
//
// release[i] is signalled from the beginning. It keeps the lane from running ahead into the next launch, where it would
// find events that the former one has not reset yet.
#pragma once
#include "lz/core/ze_handle.h"
#include "lz/core/ze_memory.h"
#include "lz/graph/graph_lanes.h"
#include "lz/graph/graph_plan.h"
#include "lz/graph/mutable_launches.h"
#include "lz/module/grid.h"
#include "lz/stream/callback.h"
#include "lz/stream/node_profile.h"
#include "lz/sync/event_pool.h"

#include <deque>
#include <functional>
#include <memory>
#include <unordered_set>
#include <vector>

namespace hiplz {

/// One of the things that a launch does, one after the other and all of them without waiting.
struct GraphStep {
  enum class Kind {
    lists,  ///< submit lists to the lane
    sync,   ///< in the stream: wait for events, reset events, signal events
    record, ///< in the stream: record the event of the application
    wait    ///< in the stream: wait for the last recording of the event of the application
  };
  Kind kind;
  uint32_t lane = 0;
  std::vector<ze_command_list_handle_t> lists; ///< of lane 0: as LZGraphLanes::appendLists() takes them
  std::vector<ze_event_handle_t> waits, resets, signals;
  LZEvent *event = nullptr;
};

/// Immutable after construction, apart from update(). May not be destroyed before its last launch has completed.
class LZGraphRecording {
public:
  /// Functions that a thread of the host calls during a launch (LZCallbackThread::Task).
  struct HostTask {
    uint32_t lane;
    LZEventRef arrived, done;
    std::function<hipError_t()> poll;
    std::function<void(hipError_t)> function;
  };

  /// Memory that the graph allocates or frees, in the order of the nodes.
  struct MemoryUse {
    std::shared_ptr<LZGraphMemory> memory;
    bool allocates;
  };

  /// Records the graph without the nodes that are switched off. The lanes belong to the caller and must outlive the
  /// recording. `changeable`: update() may be wanted; ignored where the driver cannot change lists. Throws HipError; `culprit` then
  /// is the node that it happened at, or null.
  LZGraphRecording(const LZGraph &graph, const std::unordered_set<uint64_t> &disabled, LZGraphLanes &lanes,
                   bool changeable, const LZGraphNode *&culprit);
  LZGraphRecording(const LZGraphRecording &) = delete;
  LZGraphRecording &operator=(const LZGraphRecording &) = delete;
  ~LZGraphRecording();

  /// True if update() can do anything.
  bool changeable() const { return changeable_; }
  /// Takes over the parameters of the kernel nodes of the graph, which otherwise must be as it was recorded. No launch may be under
  /// way. False if that cannot be done; then the recording must not be launched again.
  bool update(const LZGraphLanes &lanes);

  const std::vector<GraphStep> &steps() const { return steps_; }
  /// Their addresses are stable.
  const std::deque<HostTask> &hostTasks() const { return hostTasks_; }
  const std::vector<MemoryUse> &memory() const { return memory_; }
  /// Devices on which kernels may print.
  const std::vector<LZDevice *> &printing() const { return printing_; }
  bool launches(const LZModule &module) const;
  /// True if a copy writes memory that HIP does not know.
  bool writesPageable() const { return writesPageable_; }

  /// The nodes whose times each launch writes to nodeTimestamps(), because a profile was recorded when the graph was; null if
  /// there are none.
  const std::shared_ptr<const std::vector<ProfiledNode>> &profiledNodes() const { return profiledNodes_; }
  const std::byte *nodeTimestamps() const { return nodeTimestamps_.get(); }
  size_t nodeTimestampBytes() const { return timestampEvents_ * sizeof(ze_kernel_timestamp_result_t); }

  /// Signals every event that a lane waits for: for a launch that cannot be submitted to its end. The recording must not
  /// be launched again.
  void signalAll() const noexcept;

private:
  friend class LZGraphRecorder;
  std::vector<GraphStep> steps_;
  const bool changeable_;
  bool writesPageable_ = false;
  const uint64_t frees_;       // AllocationTable::frees() when it was recorded
  LZMutableLaunches launches_; // of a changeable recording
  std::vector<ZeCommandList> lists_;
  std::vector<LZEventRef> events_; // that lanes wait for
  std::deque<HostTask> hostTasks_;
  std::vector<MemoryUse> memory_;
  std::vector<ZeMemory> pinned_;
  std::vector<LZDevice *> printing_;
  std::vector<std::unique_ptr<LZGrid>> grids_; // one for each cooperative launch, because they may overlap
  std::unordered_set<const LZModule *> modules_;
  std::shared_ptr<const std::vector<ProfiledNode>> profiledNodes_;
  size_t timestampEvents_ = 0;
  ZeMemory nodeTimestamps_;
};

} // namespace hiplz
