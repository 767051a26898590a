// SPDX-License-Identifier: MIT
// Accesses of a launch that leave their marks in the tags of an allocation (tags.h), by which later launches find them.
#pragma once
#include "cpu/check/global_access.h"
#include "cpu/check/tags.h"

namespace hiplz::cpu::check {

class TagAccesses : WarpAccesses {
public:
  TagAccesses(Group &group, const LaneAccess &lanes) : WarpAccesses(group, lanes) {}

  /// All lanes access this memory, and accesses of the launch to it cannot race with each other.
  void leaveAll(const CheckTags &tags);

  /// False if the memory has none.
  static bool mayBeAny(const LaneAccess &lanes);

  /// The history of words, which shows races by itself, has been told of the access: marks it for those that only look at tags.
  void leaveBesideHistory();

private:
  void leave(const CheckTags &tags, uint32_t lane, uint64_t isKnown);
  bool leaveTogether(const CheckTags &tags, uintptr_t word);
  bool leaveRow(const CheckTags &tags);
  bool leaveWord(const CheckTags &tags, uintptr_t word, uint64_t bytes, uint64_t isKnown, bool found);
  bool compare(uint32_t launch, const CheckTags &tags, uintptr_t word, bool isWrite, uint64_t bytes, uint64_t isKnown);
};

} // namespace hiplz::cpu::check
