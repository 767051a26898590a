// SPDX-License-Identifier: MIT
// Operations of kernels as the CPU device has counted them (base/operation_counts.h), and the table that keeps it for runs on other
// devices.
#pragma once
#include "base/operation_counts.h"

#include <array>
#include <ostream>
#include <string>
#include <vector>

namespace hiplz::prof {

/// All launches of a kernel.
struct KernelCounts {
  std::string kernel; ///< as the module calls it
  std::array<uint64_t, counts::counterCount> counters{};

  uint64_t operator[](counts::Counter counter) const { return counters[counter]; }
  uint64_t bytes() const {
    return counters[counts::globalLoaded] + counters[counts::globalStored] + counters[counts::localLoaded] +
           counters[counts::localStored];
  }
};

/// The sums over all processes that have counted in the folder, by name. Damaged files are told on standard error.
std::vector<KernelCounts> readCounts(const std::string &folder);

/// Adds them up by name.
void mergeCounts(std::vector<KernelCounts> &into, const std::vector<KernelCounts> &more);

/// A table as CSV, and back. readCountsTable throws std::runtime_error for what writeCountsTable has not written.
void writeCountsTable(std::ostream &out, const std::vector<KernelCounts> &counts);
std::vector<KernelCounts> readCountsTable(const std::string &path);

} // namespace hiplz::prof
