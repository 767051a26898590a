// SPDX-License-Identifier: MIT
// The kernels of a program under the roofs of its device: times from a profile, operations and bytes from a run that counts, roofs
// from hiplz-roofline.
#pragma once
#include "prof/tool/counts.h"
#include "prof/tool/summary.h"
#include "roofline/result.h"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace hiplz::prof {

/// Where a kernel lies. Rates are zero if it has run for no time.
struct PlacedKernel {
  std::string name;
  Statistics time;
  KernelCounts counts;   ///< as counted
  double perLaunch = 1;  ///< launches that were timed for each that was counted
  std::string type;      ///< of most operations: half, float, double, or int if there are no others; empty: none at all
  double operations = 0; ///< while it was timed
  double bytes = 0;      ///< of global and shared memory
  double memoryBytes =
      0; ///< of the lines that each launch touches: what the memory moves if caches are empty before it, and large
  double gigaOps = 0;   ///< a second
  double gigaBytes = 0; ///< a second
  double intensity = 0; ///< operations for each byte; 0 if there are none of one of them
  std::string roof;     ///< the lowest roof that it has not passed; empty: there is none to compare with
  double share = 0;     ///< of that roof
};

struct ProgramRoofline {
  std::string roofs;                 ///< where they come from, a sentence; empty if there are none
  std::vector<PlacedKernel> kernels; ///< by time
  std::vector<std::string> notes;    ///< whole sentences
};

/// Brings the three together. A kernel without counts is in the notes. `roofs` may be null.
ProgramRoofline placeKernels(const std::vector<KernelSummary> &kernels, const std::vector<KernelCounts> &counts,
                             const roofline::Result *roofs);

void printRoofline(std::ostream &out, const ProgramRoofline &program, const TableStyle &style);
void writeRooflineCsv(std::ostream &out, const ProgramRoofline &program);
void writeRooflineJson(std::ostream &out, const ProgramRoofline &program, const roofline::Result *roofs);
/// Both rooflines as SVG: with `cacheAware` over the bytes that kernels access, with a roof for each level; else over memoryBytes,
/// with the roof of the memory. Empty if there is nothing to draw.
std::string drawRoofline(const ProgramRoofline &program, const roofline::Result &roofs, bool cacheAware);

} // namespace hiplz::prof
