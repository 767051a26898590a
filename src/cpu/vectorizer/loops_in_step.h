// SPDX-License-Identifier: MIT
// Loops in which each thread starts at its x and leaps over what the other threads do:
//
//     for (i = base + threadIdx.x; i < n; i += step)          for (first = base; first < n; first += step) {
//       sum += a[i];                                  →         i = first + threadIdx.x;
//                                                               if (i < n)
//                                                                 sum += a[i];
//                                                               barrier
//                                                             }
//
// Warps that run such a loop one after the other go through memory with the step, which is many pages. Together they read what
// lies side by side, as a GPU does. The barrier orders nothing; it is where the code is taken apart (split_barriers.h).
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// For lanes with consecutive x. The loops are those that all threads of a work-group come to, with no more in them than is worth
/// it, two at most. Their original form stays for counters that wrap. Returns whether something changed.
bool stepThroughLoops(llvm::Function &body);

} // namespace hiplz::cpu
