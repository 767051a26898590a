// SPDX-License-Identifier: MIT
// Where code that counts what it does (HIPLZ_CPU_COUNTS) finds its counters: pages of a file that is mapped, one for each name of
// a kernel (base/operation_counts.h).
#pragma once
#include "base/operation_counts.h"

#include <string>

namespace hiplz::cpu {

/// The page of the kernels of this name, for as long as the process lives. Null if nothing is counted. Never fails otherwise: what
/// cannot be written goes to memory of the process, with a message. Thread-safe.
counts::Page *operationCounters(const std::string &kernel);

} // namespace hiplz::cpu
