// SPDX-License-Identifier: MIT
// Findings as text, XML, JSON and SARIF.
#pragma once
#include "base/check_report.h"

#include <ostream>
#include <string>
#include <vector>

namespace hiplz::checking {

struct TextStyle {
  uint64_t limit = 0; ///< of findings; 0: none
  std::string prefix = "=========";
  bool colours = false;
  bool quiet = false; ///< no summary of nothing
};

void writeText(std::ostream &out, const std::vector<CheckReport> &reports, const TextStyle &style);
void writeXml(std::ostream &out, const std::vector<CheckReport> &reports);
void writeJson(std::ostream &out, const std::vector<CheckReport> &reports);
void writeSarif(std::ostream &out, const std::vector<CheckReport> &reports);

} // namespace hiplz::checking
