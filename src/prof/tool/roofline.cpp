// SPDX-License-Identifier: MIT
// See roofline.h.
#include "prof/tool/roofline.h"
#include "roofline/roofs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hiplz::prof {
namespace {

// Both the roofs and the times of kernels have a spread.
constexpr double kAtRoof = 1.05;

void addRates(PlacedKernel &kernel) {
  const KernelCounts &counts = kernel.counts;
  const std::pair<const char *, uint64_t> floating[] = {{"half", counts[counts::halfOperations]},
                                                        {"float", counts[counts::floatOperations]},
                                                        {"double", counts[counts::doubleOperations]}};
  uint64_t most = 0, operations = 0;
  for (const auto &[type, count] : floating) {
    operations += count;
    if (count > most) {
      most = count;
      kernel.type = type;
    }
  }
  if (operations == 0 && (operations = counts[counts::integerOperations]) > 0)
    kernel.type = "int";
  const double seconds = static_cast<double>(kernel.time.total) / 1e9;
  kernel.operations = static_cast<double>(operations) * kernel.perLaunch;
  kernel.bytes = static_cast<double>(counts.bytes()) * kernel.perLaunch;
  kernel.memoryBytes = static_cast<double>(counts[counts::linesLoaded] + counts[counts::linesStored]) *
                       counts::kLineBytes * kernel.perLaunch;
  if (seconds > 0) {
    kernel.gigaOps = kernel.operations / seconds / 1e9;
    kernel.gigaBytes = kernel.bytes / seconds / 1e9;
  }
  if (kernel.bytes > 0)
    kernel.intensity = kernel.operations / kernel.bytes;
}

// The roofs over the kernel's intensity, from the lowest on, are those of the levels of memory, slowest first, each as high as the
// peak of compute at most. The first one that the kernel has not passed bounds it: what it needs comes from there or from further
// away.
void addRoof(PlacedKernel &kernel, const roofline::Result &roofs) {
  double peak = std::numeric_limits<double>::infinity();
  for (const roofline::Peak &each : roofs.peaks)
    if (each.operation == "mad" && each.type == kernel.type)
      peak = each.value;
  const bool computes = kernel.operations > 0;
  const double reached = computes ? kernel.gigaOps : kernel.gigaBytes;
  if (reached <= 0)
    return;
  double height = 0;
  if (kernel.bytes > 0)
    for (const roofline::Level &level : roofline::bandwidthRoofs(roofs, true)) {
      const double slope = level.bandwidth * (computes ? kernel.intensity : 1);
      if (computes && slope >= peak)
        break;
      height = slope;
      kernel.roof = level.name;
      if (reached <= height * kAtRoof)
        break;
    }
  if (computes && std::isfinite(peak) && reached > height * kAtRoof) {
    height = peak;
    kernel.roof = kernel.type + " mad";
  }
  kernel.share = height > 0 ? reached / height : 0;
}

} // namespace

ProgramRoofline placeKernels(const std::vector<KernelSummary> &kernels, const std::vector<KernelCounts> &counts,
                             const roofline::Result *roofs) {
  ProgramRoofline program;
  for (const KernelSummary &summary : kernels) {
    const auto found = std::find_if(counts.begin(), counts.end(),
                                    [&](const KernelCounts &each) { return each.kernel == summary.mangled; });
    if (found == counts.end()) {
      program.notes.push_back("There are no counts of " + summary.name +
                              ": it was not launched while operations were counted.");
      continue;
    }
    PlacedKernel kernel{};
    kernel.name = summary.name;
    kernel.time = summary.time;
    kernel.counts = *found;
    const uint64_t counted = kernel.counts[counts::launches];
    if (counted != summary.time.count) {
      kernel.perLaunch = static_cast<double>(summary.time.count) / static_cast<double>(counted);
      program.notes.push_back(summary.name + " was launched " + std::to_string(summary.time.count) +
                              " times when it was timed and " + std::to_string(counted) +
                              " times when it was counted: its counts are scaled by that.");
    }
    addRates(kernel);
    if (roofs)
      addRoof(kernel, *roofs);
    program.kernels.push_back(std::move(kernel));
  }
  if (roofs)
    program.roofs = "Roofs of " + roofs->device.name + ", " + roofs->mode + " run of " + roofs->date;
  return program;
}

std::string drawRoofline(const ProgramRoofline &program, const roofline::Result &roofs, bool cacheAware) {
  std::vector<roofline::RoofDot> dots;
  for (const PlacedKernel &kernel : program.kernels) {
    const double bytes = cacheAware ? kernel.bytes : kernel.memoryBytes;
    if (bytes > 0 && kernel.operations > 0 && kernel.gigaOps > 0)
      dots.push_back({kernel.name + (kernel.type == "float" ? "" : ", " + kernel.type), kernel.operations / bytes,
                      kernel.gigaOps});
  }
  if (dots.empty())
    return {};
  return roofline::rooflineChart(
      roofs,
      {cacheAware ? "Cache-aware roofline of the program" : "Original roofline of the program", program.roofs,
       cacheAware ? "operations for each byte that the kernel accesses"
                  : "operations for each byte that the memory has to move at least",
       cacheAware, true},
      dots);
}

} // namespace hiplz::prof
