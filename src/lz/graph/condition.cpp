// SPDX-License-Identifier: MIT
#include "lz/graph/condition.h"
#include "base/log.h"
#include "lz/device/device.h"
#include "lz/graph/graph_exec.h"
#include "lz/memory/memory.h"

namespace hiplz {

LZCondition::LZCondition(LZDevice &device, uint32_t defaultValue, bool assignsDefault)
    : device_(device), word_(static_cast<uint32_t *>(allocateMemory(device, MemoryKind::host, sizeof(uint32_t), 0))),
      default_(defaultValue), assignsDefault_(assignsDefault) {
  device.requireHostMemory("a conditional node");
  *word_ = defaultValue;
}

LZCondition::~LZCondition() {
  try {
    freeMemory(word_);
  } catch (const HipError &failure) {
    HIPLZ_LOG_ERROR("the value of a conditional node is not freed: %s", failure.what());
  }
}

uint32_t LZCondition::value() const { return __atomic_load_n(word_, __ATOMIC_ACQUIRE); }

FillRegion LZCondition::assignment() const {
  FillRegion fill;
  fill.to = word_;
  fill.value = default_;
  fill.elementBytes = sizeof(uint32_t);
  fill.width = 1;
  return fill;
}

// An `if` with two bodies has the second one for 0. A `switch` does nothing for a number that has no body.
LZGraphExec *ConditionalRun::chosen() const {
  const uint32_t value = node_.condition->value();
  size_t index = value;
  if (node_.kind != ConditionalNode::Kind::select)
    index = value != 0 ? 0 : node_.kind == ConditionalNode::Kind::once ? 1 : node_.executables.size();
  return index < node_.executables.size() ? node_.executables[index].get() : nullptr;
}

hipError_t ConditionalRun::advance() {
  constexpr uint64_t kShortWhile = 1000000; // ns: the end of the process waits for this thread
  if (running_) {
    const hipError_t error = zeOutcome(zeEventHostSynchronize(running_.ze(), kShortWhile), "zeEventHostSynchronize");
    if (error == hipErrorNotReady)
      return error;
    running_ = {};
    if (error || node_.kind != ConditionalNode::Kind::repeated)
      return error;
  }
  LZGraphExec *body = chosen();
  if (!body)
    return hipSuccess;
  const hipError_t error = body->launchAlone(running_);
  return error ? error : hipErrorNotReady;
}

} // namespace hiplz
