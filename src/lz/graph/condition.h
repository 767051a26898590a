// SPDX-License-Identifier: MIT
// Conditional nodes of graphs: the value that kernels set, and the loop that runs the bodies. Level Zero has no conditional
// commands, so the host decides each time the graph gets to such a node, by the scheme of host functions (stream/callback.h).
#pragma once
#include "lz/graph/graph_node.h"
#include "lz/memory/copy_region.h"
#include "lz/sync/event_pool.h"

#include <cstdint>
#include <memory>

namespace hiplz {

/// The value by which conditional nodes of one graph decide. Kernels write it through its handle, which is its address.
class LZCondition {
public:
  /// `assignsDefault`: each launch of the graph begins by setting the value. Throws HipError (hipErrorOutOfMemory).
  LZCondition(LZDevice &device, uint32_t defaultValue, bool assignsDefault);
  LZCondition(const LZCondition &) = delete;
  LZCondition &operator=(const LZCondition &) = delete;
  /// No launch that uses it may be pending.
  ~LZCondition();

  uint64_t handle() const { return reinterpret_cast<uintptr_t>(word_); }
  uint32_t value() const;
  bool assignsDefault() const { return assignsDefault_; }
  /// Sets the value to its default.
  FillRegion assignment() const;
  LZDevice &device() const { return device_; }

private:
  LZDevice &device_; // non-owning
  uint32_t *word_;   // host memory that the device reaches
  const uint32_t default_;
  const bool assignsDefault_;
};

/// One execution of a conditional node after the other. Used by one thread at a time.
class ConditionalRun {
public:
  explicit ConditionalRun(const ConditionalNode &node) : node_(node) {}

  /// Starts the body that the condition chooses, or waits a short while for the one that runs. hipErrorNotReady: call it again.
  hipError_t advance();

private:
  LZGraphExec *chosen() const;

  const ConditionalNode node_;
  LZEventRef running_; // the end of the body that was started; null: none was
};

} // namespace hiplz
