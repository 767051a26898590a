// SPDX-License-Identifier: MIT
// Which processors this process may use, and how many of them at the same time: what affinity masks and the control groups
// of batch systems and containers leave of the machine.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hiplz {

struct Processor {
  unsigned number = 0;
  unsigned node = 0; ///< of memory (NUMA)
};

struct Processors {
  std::vector<Processor> allowed; ///< by node, then by number; never empty
  unsigned limit = 1;             ///< how many threads may be busy without being throttled: at least one
};

/// Reads /proc, /sys and the control groups (versions 1 and 2). A processor is allowed if any thread of the process may run on
/// it: an application that has pinned the calling thread has not given up its other processors. Processor time that is limited
/// by a quota counts as whole processors, the fraction dropped. What cannot be read does not limit. `root` is put before all
/// paths. Thread-safe.
Processors readProcessors(const std::string &root = {});

/// Bytes of the last-level caches of these processors, all together; zero if the system does not say. Thread-safe.
uint64_t lastLevelCacheBytes(const std::vector<Processor> &processors, const std::string &root = {});

} // namespace hiplz
