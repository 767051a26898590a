// SPDX-License-Identifier: MIT
// Findings that are not reported, in a file of blocks like
//
//   [memcheck]
//   what = write of * bytes outside of every allocation
//   kernel = smooth*
//   place = smooth.hip:4
//
// * and ? are wildcards, what a block does not name may be anything, and lines that begin with # are comments.
#pragma once
#include "base/check_report.h"

#include <ostream>
#include <string>
#include <vector>

namespace hiplz::checking {

class Suppressions {
public:
  /// Throws std::runtime_error with the line that is wrong.
  void read(const std::string &path);
  bool matches(const CheckReport &report) const;

private:
  struct Block {
    std::string tool;
    std::vector<std::pair<std::string, std::string>> patterns; ///< name of a field of the report, pattern
  };
  std::vector<Block> blocks_;
};

/// Writes a block for each finding.
void writeSuppressions(std::ostream &out, const std::vector<CheckReport> &reports);

} // namespace hiplz::checking
