// SPDX-License-Identifier: MIT
// Times of the nodes of a graph for the recorder of profiles. Their events are signalled and reset within a launch, so the graph
// itself writes their timestamps to memory, and each launch takes a copy of its own along.
#pragma once
#include "lz/core/ze_memory.h"
#include "lz/stream/command_profile.h"

#include <memory>
#include <vector>

namespace hiplz {

/// A node, and which of the graph's timestamps tell its time.
struct ProfiledNode {
  trace::Node note; ///< without times
  uint32_t begin;   ///< the node begins when this one ends; if it is `end`, that one has both times
  uint32_t end;
};

/// Of one launch.
struct NodeTimes {
  std::shared_ptr<const std::vector<ProfiledNode>> nodes;
  ZeMemory timestamps; ///< an array of ze_kernel_timestamp_result_t, complete when the launch is
};

/// Records the launch of a graph between two events with timestamps. `nodes` may be null. Thread-safe.
void recordGraphLaunch(const ProfilerHooks &hooks, LZDevice &device, uint64_t stream, LZEventRef begin, LZEventRef end,
                       std::shared_ptr<const NodeTimes> nodes);

} // namespace hiplz
