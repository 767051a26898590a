// SPDX-License-Identifier: MIT
// Races in global memory within a launch. Work-items of one block are ordered by its barriers, as in group.h. Blocks are ordered by atomic
// and volatile accesses: whatever one did before such an access is taken to come before what another does behind a later one, whichever
// addresses they were to. So an order that exists is never missed and a race that is reported is one; races of blocks that also
// communicate may not be found.
#pragma once
#include "cpu/abi/check_site.h"
#include "cpu/abi/compiled_code.h"

#include <cstdint>

namespace hiplz::cpu::check {

/// A launch begins whose state this is.
void beginLaunch(const LaunchState &launch);

/// An access to memory that other blocks see; callable on any stack.
void accessGlobal(const WorkItem &item, const void *address, uint64_t bytes, const CheckSite &site);

/// An atomic or volatile access has been made. What it may have read is known only now: the call in front of it can come before the other
/// block's access that it waited for.
void orderedAccess(const WorkItem &item);

} // namespace hiplz::cpu::check
