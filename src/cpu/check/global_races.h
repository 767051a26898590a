// SPDX-License-Identifier: MIT
// Races in global memory: between the work-items of a block, the blocks of a launch, and commands of different streams. Within a block the
// barriers are the order, as in shared_history.h. Blocks are ordered by atomic and volatile accesses to one address (block_order.h), commands by
// streams and events (order.h). An order that exists is never missed, so a race that is reported is one.
#pragma once
#include "cpu/check/lane_access.h"
#include "cpu/check/order.h"
#include "cpu/check/stream_checks.h"

#include <cstddef>
#include <cstdint>

namespace hiplz::cpu::check {

/// A copy or a fill begins, in the order of its stream.
void checkCopy(const Region &to, const Region *from, uint32_t submission, StreamOrder &order);

/// Memory of a pool begins or ceases to exist, in the order of the stream.
void checkLifetime(const Region &memory, bool begins, uint32_t submission, StreamOrder &order);

struct Group;

/// Accesses of the group to memory that other blocks see; callable on any stack.
void accessGlobal(const LaneAccess &access, Group &group);

/// An allocation is gone.
void releaseAccesses(const void *begin, size_t bytes);

/// The memory is new: who accessed it before does not matter.
void forgetAccesses(const void *begin, uint64_t bytes);

} // namespace hiplz::cpu::check
