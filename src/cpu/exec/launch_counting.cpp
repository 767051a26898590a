// SPDX-License-Identifier: MIT
// See launch_counting.h.
#include "cpu/exec/launch_counting.h"

#include "base/operation_counts.h"

#include <algorithm>
#include <atomic>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace hiplz::cpu {
namespace {

// Lines of 4 GiB have slots of their own. Where a launch touches more they share slots, so what is counted is never too much.
constexpr uint64_t kMask = (uint64_t{4} << 30) / counts::kLineBytes - 1;
constexpr uint64_t kSlots = lineSlot(kMask, kMask, true) + 1;

// Without memory for a table nothing is counted.
uint8_t noTable[lineSlot(0, 0, true) + 1];

void add(const LaunchState &launch, counts::Counter counter, uint64_t amount) {
  std::atomic_ref(launch.counters[counter]).fetch_add(amount, std::memory_order_relaxed);
}

} // namespace

void beginCounting(LaunchState &launch) {
  add(launch, counts::launches, 1);
  // Memory that nobody touches costs nothing.
  void *table = ::mmap(nullptr, kSlots, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const bool got = table != MAP_FAILED;
  launch.lines = got ? static_cast<uint8_t *>(table) : noTable;
  launch.lineMask = got ? kMask : 0;
}

void endCounting(LaunchState &launch) {
  if (launch.lines == noTable)
    return;
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> touched((kSlots + page - 1) / page);
  if (::mincore(launch.lines, kSlots, touched.data()) == 0) {
    uint64_t found[2] = {};
    for (uint64_t index = 0; index < touched.size(); ++index)
      if (touched[index] & 1)
        for (uint64_t slot = std::max<uint64_t>(index * page, 2); slot < std::min((index + 1) * page, kSlots); ++slot)
          found[slot & 1] += launch.lines[slot];
    add(launch, counts::linesLoaded, found[0]);
    add(launch, counts::linesStored, found[1]);
  }
  ::munmap(launch.lines, kSlots);
  launch.lines = noTable;
}

} // namespace hiplz::cpu
