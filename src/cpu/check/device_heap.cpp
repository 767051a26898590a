// SPDX-License-Identifier: MIT
// See device_heap.h. Blocks lie side by side in pages, so instrumented code asks for more than the program wants, and the shadow allows only
// what the program has asked for.
#include "cpu/check/device_heap.h"
#include "base/kernel_name.h"
#include "base/lockable.h"
#include "cpu/abi/check_functions.h"
#include "cpu/check/findings.h"
#include "cpu/check/global_races.h"
#include "cpu/check/memory.h"
#include "cpu/check/shadow.h"
#include "cpu/check/tools.h"

#include <bit>
#include <cstdio>
#include <deque>
#include <map>

namespace hiplz::cpu::check {
namespace {

constexpr size_t kGap = 16;            // behind each block, at least
constexpr size_t kLargestSmall = 2048; // blocks up to here lie at multiples of a power of two, if they have such a size
constexpr size_t kKeptBlocks = 256, kKeptBytes = 64 << 10; // of freed blocks
constexpr size_t kNear = 4096;

struct Block {
  size_t bytes = 0;
  std::string place;                // of the call that allocated it: "kernel at file.hip:12"
  std::string allocatedBy, freedBy; // with the work-item
};

struct Heap {
  std::map<const void *, size_t> heaps; // their memory
  std::map<const std::byte *, Block> present,
      gone; // by their addresses; blocks that are gone until the memory is used again
  std::deque<std::pair<const std::byte *, size_t>> kept;
  size_t keptBytes = 0;
};

Lockable<Heap> &heap() {
  static auto *all = new Lockable<Heap>(LockRank::cpuCheckHeap); // kernels may run when the process ends
  return *all;
}

std::string callOf(const WorkItem &item, const CheckSite &site) {
  return readableKernel(item.worker->kernelName) + " at " + site.text;
}

std::string whoAt(const WorkItem &item, const CheckSite &site) {
  return callOf(item, site) + " by " + textOf(check::placeOf(item));
}

using Blocks = std::map<const std::byte *, Block>;

Blocks::const_iterator blockOf(const Blocks &blocks, const std::byte *byte) {
  const auto behind = blocks.upper_bound(byte);
  if (behind == blocks.begin())
    return blocks.end();
  const auto block = std::prev(behind);
  return byte < block->first + std::max<size_t>(block->second.bytes, 1) ? block : blocks.end();
}

void eraseWithin(Blocks &blocks, const std::byte *begin, size_t bytes) {
  auto from = blocks.upper_bound(begin);
  if (from != blocks.begin() && std::prev(from)->first + std::prev(from)->second.bytes > begin)
    --from;
  blocks.erase(from, blocks.lower_bound(begin + bytes));
}

std::string sentence(size_t distance, const char *where, const Blocks::value_type &block) {
  char text[160];
  std::snprintf(text, sizeof text, " is %zu bytes %s %zu bytes of the device's heap at %p", distance, where,
                block.second.bytes, static_cast<const void *>(block.first));
  return text;
}

} // namespace

bool wasFreedOnHeap(const void *address) {
  const auto all = heap().lock();
  return blockOf(all->gone, static_cast<const std::byte *>(address)) != all->gone.end();
}

bool describeHeapAddress(const void *address, CheckReport &report) {
  const auto *byte = static_cast<const std::byte *>(address);
  const auto all = heap().lock();
  auto say = [&](const Blocks::value_type &block, size_t distance, const char *where) {
    report.address +=
        sentence(distance, where, block) + (block.second.freedBy.empty() ? "" : ", which have been freed");
    report.allocated = {block.second.allocatedBy};
    if (!block.second.freedBy.empty())
      report.freed = {block.second.freedBy};
    return true;
  };
  if (const auto block = blockOf(all->present, byte); block != all->present.end())
    return say(*block, byte - block->first, "into");
  if (const auto block = blockOf(all->gone, byte); block != all->gone.end())
    return say(*block, byte - block->first, "into");
  const auto after = all->present.upper_bound(byte);
  if (after != all->present.begin())
    if (const auto before = std::prev(after);
        byte - (before->first + before->second.bytes) < static_cast<ptrdiff_t>(kNear))
      return say(*before, byte - (before->first + before->second.bytes), "behind the end of");
  if (after != all->present.end() && after->first - byte < static_cast<ptrdiff_t>(kNear))
    return say(*after, after->first - byte, "before");
  return false;
}

void addHeap(const void *begin, size_t bytes) { heap().lock()->heaps.emplace(begin, bytes); }

void forgetHeap(const void *begin) {
  const auto all = heap().lock();
  const auto gone = all->heaps.extract(begin);
  if (!gone)
    return;
  const auto *byte = static_cast<const std::byte *>(begin);
  eraseWithin(all->present, byte, gone.mapped());
  eraseWithin(all->gone, byte, gone.mapped());
  std::erase_if(all->kept, [&](const auto &kept) { return kept.first >= byte && kept.first < byte + gone.mapped(); });
}

void forEachHeapLeak(const std::function<void(CheckReport)> &report) {
  struct Total {
    size_t blocks = 0, bytes = 0;
    std::string by;
  };
  std::map<std::string, Total> places;
  for (const auto all = heap().lock(); const auto &[begin, block] : all->present) {
    Total &total = places[block.place];
    ++total.blocks;
    total.bytes += block.bytes;
    if (total.by.empty())
      total.by = block.allocatedBy;
  }
  for (const auto &[place, total] : places) {
    CheckReport leak;
    leak.tool = "memcheck";
    leak.severity = "error";
    leak.what = "leak of " + std::to_string(total.bytes) + " bytes of the device's heap in " +
                std::to_string(total.blocks) + " blocks";
    leak.place = place;
    leak.allocated = {total.by};
    report(std::move(leak));
  }
}

} // namespace hiplz::cpu::check

using namespace hiplz::cpu;

// A power of two stays one, because programs may count on such blocks being aligned to their size.
uint64_t hiplz_cpu_check_heap_bytes(WorkItem *, uint64_t bytes) {
  if (!check::tools().memory || bytes > SIZE_MAX - check::kGap)
    return bytes;
  return std::has_single_bit(bytes) && bytes > check::kGap && bytes <= check::kLargestSmall ? 2 * bytes
                                                                                            : bytes + check::kGap;
}

void hiplz_cpu_check_allocated(WorkItem *item, void *memory, uint64_t bytes, const CheckSite *site) {
  using namespace check;
  if (!memory)
    return;
  if (tools().races)
    forgetAccesses(memory, bytes);
  if (!tools().memory)
    return;
  if (const CheckBounds fresh = beginHeap(memory); fresh.bytes)
    addHeap(reinterpret_cast<const void *>(fresh.begin), fresh.bytes);
  const auto *byte = static_cast<const std::byte *>(memory);
  Block block;
  block.bytes = bytes;
  block.place = callOf(*item, *site);
  block.allocatedBy = whoAt(*item, *site);
  const auto all = heap().lock();
  eraseWithin(all->present, byte, std::max<uint64_t>(bytes, 1));
  eraseWithin(all->gone, byte, std::max<uint64_t>(bytes, 1));
  all->present.insert_or_assign(byte, std::move(block));
  allow(memory, bytes);
}

void *hiplz_cpu_check_release(WorkItem *item, void *memory, const CheckSite *site) {
  using namespace check;
  if (!memory || !tools().memory)
    return memory;
  const auto *byte = static_cast<const std::byte *>(memory);
  Kind problem;
  {
    const auto all = heap().lock();
    if (auto found = all->present.extract(byte)) {
      Block &block = found.mapped();
      forbid(memory, block.bytes);
      block.freedBy = whoAt(*item, *site);
      const size_t bytes = block.bytes;
      all->gone.insert(std::move(found));
      if (bytes > kKeptBytes / 2)
        return memory;
      all->kept.emplace_back(byte, bytes);
      all->keptBytes += bytes;
      if (all->kept.size() <= kKeptBlocks && all->keptBytes <= kKeptBytes)
        return nullptr;
      const auto oldest = all->kept.front();
      all->kept.pop_front();
      all->keptBytes -= oldest.second;
      return const_cast<std::byte *>(oldest.first);
    }
    problem = blockOf(all->gone, byte) != all->gone.end() ? Kind::freedTwice : Kind::freedNothing;
  }
  note(*item->launch, {problem, site, nullptr, check::placeOf(*item), {}, memory, 0, 0, item->worker->kernelName});
  return nullptr;
}
