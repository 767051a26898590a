// SPDX-License-Identifier: MIT
// How much memory this process may have: what the machine has, less what others use, within the limits of the job. Batch
// systems and containers limit memory by control groups, of which any on the way to the root may be the one that counts.
#pragma once
#include <cstdint>
#include <string>

namespace hiplz {

struct SystemMemory {
  uint64_t total = 0;     ///< of the machine, or the smallest limit; in bytes
  uint64_t available = 0; ///< what can be had without anything being killed or swapped; in bytes
};

/// Reads /proc and the control groups (versions 1 and 2). What cannot be read does not limit; without /proc/meminfo all
/// memory of the machine is available. `root` is put before all paths. Thread-safe.
SystemMemory readSystemMemory(const std::string &root = {});

} // namespace hiplz
