// SPDX-License-Identifier: MIT
// Prints what docs/performance.md has of launches with many workers: means of simulations whose costs vary.
#include "launches.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>

using namespace hiplz::simulation;

namespace {

constexpr unsigned kRuns = 12;

struct Figures {
  double mean = 0, most = 0; // time over the least possible time
  double sameProcessor = 1;  // the smallest share
};

Figures measure(unsigned workers, const Launches &launches) {
  Figures figures;
  for (unsigned seed = 1; seed <= kRuns; ++seed) {
    const Outcome outcome = simulate({workers, workers >= 64 ? 2u : 1u, seed}, launches);
    const double ratio = static_cast<double>(outcome.time) / static_cast<double>(outcome.least);
    figures.mean += ratio / kRuns;
    figures.most = std::max(figures.most, ratio);
    figures.sameProcessor = std::min(figures.sameProcessor, outcome.sameProcessor);
  }
  return figures;
}

} // namespace

int main() {
  std::printf("| workers | work-groups | one after the other | at most | same processor | after a pause | at most |\n");
  for (unsigned workers : {2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u})
    for (unsigned each : {16u, 64u}) {
      const Figures warm = measure(workers, {.groups = workers * each, .count = 6});
      const Figures cold = measure(workers, {.groups = workers * each, .count = 3, .pause = 1'000'000});
      std::printf("| %u | %u | %.2f | %.2f | %.2f | %.2f | %.2f |\n", workers, workers * each, warm.mean, warm.most,
                  warm.sameProcessor, cold.mean, cold.most);
    }
}
