// SPDX-License-Identifier: MIT
// Findings as text, XML and JSON.
#pragma once
#include "base/check_report.h"

#include <ostream>
#include <vector>

namespace hiplz::checking {

void writeText(std::ostream &out, const std::vector<CheckReport> &reports, uint64_t limit);
void writeXml(std::ostream &out, const std::vector<CheckReport> &reports);
void writeJson(std::ostream &out, const std::vector<CheckReport> &reports);

} // namespace hiplz::checking
