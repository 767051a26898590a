// SPDX-License-Identifier: MIT
// Tables for spreadsheets and scripts, with the names of columns that rocprofv3 uses where a column means the same.
#pragma once
#include "prof/tool/summary.h"

#include <span>
#include <string>

namespace hiplz::prof {

/// With `traces` writes PREFIX_hip_api_trace.csv, PREFIX_kernel_trace.csv, PREFIX_memory_copy_trace.csv and
/// PREFIX_marker_api_trace.csv, with `statistics` PREFIX_kernel_stats.csv, PREFIX_hip_api_stats.csv and PREFIX_memory_copy_stats.csv; those without a
/// row are left out. Throws std::runtime_error for a file that cannot be written.
void writeCsv(const std::string &prefix, std::span<const Process> processes, const Summary &summary, bool traces,
              bool statistics);

} // namespace hiplz::prof
