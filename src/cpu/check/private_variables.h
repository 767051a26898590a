// SPDX-License-Identifier: MIT
// Variables of work-items whose addresses may be known elsewhere: stored in memory, returned, or one of several that a pointer may be. Their
// shadow (shadow.h) is that of forbidden memory, so that an access through such a pointer asks here: the variable must still exist, and be
// the work-item's own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>

namespace hiplz::cpu::check {

/// Those of the block that a worker executes.
class PrivateVariables {
public:
  struct Variable {
    uint64_t bytes = 0;
    uint32_t item = 0; ///< in the block
    bool exists = false;
  };

  /// Another block begins.
  void begin() { all_.clear(); }

  void add(const void *address, uint64_t bytes, uint32_t item);
  void end(const void *address);

  /// The variable that the byte is or was in; null: none of this block.
  const Variable *find(const void *address) const;

private:
  std::map<uintptr_t, Variable> all_; ///< by their addresses; without overlaps
};

} // namespace hiplz::cpu::check
