// SPDX-License-Identifier: MIT
// The recordings of an executable graph: the one that launches submit, and those that former launches may still execute. When
// nothing but parameters of kernel nodes changes, one that has ended is changed and used again.
#pragma once
#include "lz/graph/graph_recording.h"

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

namespace hiplz {

/// Guarded by the lock of the executable.
class LZGraphRecordings {
public:
  /// The changes that make the current recording outdated.
  enum class Change {
    launches, ///< parameters of kernel nodes
    other,    ///< anything else
    failure   ///< nothing: but it must not be submitted again
  };

  /// Null: outdated.
  const LZGraphRecording *current() const { return current_.get(); }

  /// Makes one that does what the nodes say now, if it is outdated. The arguments as for LZGraphRecording. Throws HipError.
  const LZGraphRecording &provide(const LZGraph &graph, const std::unordered_set<uint64_t> &disabled,
                                  LZGraphLanes &lanes, const LZGraphNode *&culprit);
  /// `done` is signalled when the launches of the current one have ended.
  void outdate(Change change, const LZEventRef &done);

  bool launches(const LZModule &module) const;
  /// None of them may be executing.
  void clear();

private:
  struct Retired {
    std::unique_ptr<LZGraphRecording> recording;
    LZEventRef done;
    bool reusable; // once it has ended, unless anything but parameters of kernel nodes has changed
  };
  static bool hasEnded(const Retired &entry);
  /// True if it can be used again once it has ended.
  static bool isSpare(const Retired &entry);
  void reuse(const LZGraphLanes &lanes);

  // Lists that can be changed take four times as long to record, so the parameters must have changed as often as this before.
  static constexpr unsigned kChangesBefore = 2;
  // Behind more launches than this that have not ended, recordings cannot be changed, so that no more are kept.
  static constexpr size_t kMost = 8;

  std::unique_ptr<LZGraphRecording> current_;
  std::vector<Retired> retired_; // the oldest first
  unsigned changes_ = 0;         // in a row for which only parameters of kernel nodes have changed
};

} // namespace hiplz
