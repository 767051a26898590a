// SPDX-License-Identifier: MIT
// The object behind hipGraphExec_t: a copy of a graph, recorded into closed command lists, which a launch submits as they
// are. Changing a node only marks the recording as outdated; the next launch or upload provides another.
#pragma once
#include "base/mutex.h"
#include "lz/graph/graph.h"
#include "lz/graph/graph_lanes.h"
#include "lz/graph/graph_recordings.h"
#include "lz/module/kernel_instance.h"
#include "lz/stream/callback.h"
#include "lz/sync/event_pool.h"

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hiplz {

class LZModule;
class LZQueue;

/// Thread-safe: one lock guards everything. The host waits under it only when a module is unloaded.
class LZGraphExec {
public:
  /// Copies and records the graph; the new object is a live handle. Throws HipError; `culprit` (null allowed) then
  /// receives the node of the graph that cannot be executed, if it is one.
  static LZGraphExec &create(const LZGraph &graph, unsigned long long flags, const LZGraphNode **culprit);
  LZGraphExec(const LZGraphExec &) = delete;
  LZGraphExec &operator=(const LZGraphExec &) = delete;

  /// The object behind a handle; null for one that was destroyed or never existed. Lock-free.
  static LZGraphExec *find(const void *handle);

  /// Withdraws the handle. What has been launched completes; then the object destroys itself, at the latest when the
  /// next executable graph is created, launched or destroyed. False if another thread was faster.
  static bool destroy(LZGraphExec &exec);

  unsigned long long flags() const { return flags_; }

  /// A copy of the graph as it will be launched now.
  std::unique_ptr<LZGraph> copyGraph(LZGraph::Purpose purpose);

  /// Submits one execution to the stream, after the former one has completed; afterwards it allocates nothing. A captured
  /// stream gets a child node. Like a copy in a stream, it returns when pageable memory has been written.
  hipError_t launch(LZQueue &queue);

  /// Submits one execution of the body of a conditional node in a queue of its own. `done` is signalled at its end.
  hipError_t launchAlone(LZEventRef &done);
  /// Devices on which kernels may print, those of bodies included.
  std::vector<LZDevice *> printing();

  /// Records what has changed, so that the next launch only has to submit.
  hipError_t upload();

  /// Gives the counterpart of a node of the original graph other parameters. hipErrorInvalidValue if there is none, or if
  /// it is of another kind or would run on another device. Throws HipError.
  hipError_t setContent(const LZGraphNode &original, GraphNodeContent content);
  /// The parameters that the counterpart has now; null if there is none.
  const LZGraphNode *counterpart(const LZGraphNode &original);

  /// A node that is switched off does nothing; kernels, copies and fills can be. hipErrorInvalidValue for others.
  hipError_t setEnabled(const LZGraphNode &original, bool enabled);
  hipError_t isEnabled(const LZGraphNode &original, bool &enabled);

  /// Takes over the parameters of a graph whose nodes and edges are the same. Returns what differs first, and in which
  /// node of the graph; then nothing is changed.
  hipGraphExecUpdateResult update(const LZGraph &graph, const LZGraphNode *&culprit);

  /// Waits for the executables that launch kernels of the module, and drops their handles of it. Call before the module's
  /// Level Zero objects are destroyed; where the module goes with them, after its life() has expired, so that none of the
  /// executables records its kernels again.
  static void forgetModule(const LZModule &module) noexcept;

private:
  enum class Use { whole, body };
  LZGraphExec(const LZGraph &graph, unsigned long long flags, Use use);
  static LZGraphExec &make(const LZGraph &graph, unsigned long long flags, Use use, const LZGraphNode **culprit);
  static void makeBodies(LZGraph &graph);
  ~LZGraphExec();
  friend struct std::default_delete<LZGraphExec>;
  struct All;
  struct Change {
    LZGraphNode *node;
    GraphNodeContent content;
  };
  static void abandon(LZGraphExec &exec);
  static void reap();
  static bool isFinished(const LZEventRef &done);
  static bool canBeDisabled(const LZGraphNode &node);
  static hipGraphExecUpdateResult whyNot(const LZGraphNode &node, const GraphNodeContent &content,
                                         const LZDevice &device);
  static hipGraphExecUpdateResult compare(const LZGraph &present, const LZGraph &wanted, std::vector<Change> &changes,
                                          const LZGraphNode *&culprit);
  void addCounterparts(const LZGraph &graph) HIPLZ_REQUIRES(mutex_);
  LZGraphNode *counterpartLocked(const LZGraphNode &original) HIPLZ_REQUIRES(mutex_);
  void applyLocked(std::vector<Change> &changes) HIPLZ_REQUIRES(mutex_);
  const LZGraphRecording &recordLocked() HIPLZ_REQUIRES(mutex_);
  hipError_t launchNow(LZQueue &queue);
  bool writesPageable();
  hipError_t launchIn(LZQueue &queue);
  hipError_t claimMemoryLocked() HIPLZ_REQUIRES(mutex_);
  hipError_t submitLocked(LZQueue &queue) HIPLZ_REQUIRES(mutex_);

  const unsigned long long flags_;
  const std::shared_ptr<std::atomic<int>> instances_; // of the graph that this one was made from

  // Nearly every method needs nearly all of this, so it is not a Lockable.
  Mutex mutex_{LockRank::graphExec};
  std::unique_ptr<LZGraph> graph_ HIPLZ_GUARDED_BY(mutex_);
  // Nodes of graph_ by the id of the original, and those that do nothing.
  std::unordered_map<uint64_t, LZGraphNode *> counterparts_ HIPLZ_GUARDED_BY(mutex_);
  std::unordered_set<uint64_t> disabled_ HIPLZ_GUARDED_BY(mutex_);
  LZGraphLanes lanes_ HIPLZ_GUARDED_BY(mutex_);
  LZGraphRecordings recordings_ HIPLZ_GUARDED_BY(mutex_);
  const LZGraphNode *culprit_ HIPLZ_GUARDED_BY(mutex_) = nullptr;          // of graph_: where recording failed
  LZEventRef done_ HIPLZ_GUARDED_BY(mutex_);                               // signalled at the end of the last launch
  std::vector<LZCallbackThread::Task> hostTasks_ HIPLZ_GUARDED_BY(mutex_); // of one launch
  uint64_t lastQueue_ HIPLZ_GUARDED_BY(mutex_) = 0;                        // LZQueue::id() of where that was
};

} // namespace hiplz
