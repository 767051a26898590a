// SPDX-License-Identifier: MIT
// See block_order.h.
#include "cpu/check/block_order.h"

#include <algorithm>
#include <set>

namespace hiplz::cpu::check {
namespace {

// Launches with more accesses than this, and searches that take longer, are taken to have an order.
constexpr uint64_t kMostAccesses = 1 << 21, kMostSteps = 1 << 14;

} // namespace

Lockable<BlockOrder::Launches> &BlockOrder::launches() {
  static auto *all = new Lockable<Launches>(LockRank::cpuCheckLaunch); // kernels may run when the process ends
  return *all;
}

BlockOrder::BlockOrder(uint32_t launch, Moment moment, Clock clock) : launch_(launch) {
  Launch &made = launches().lock()->all[launch];
  made.moment = moment;
  made.clock = std::move(clock);
}

BlockOrder::~BlockOrder() { launches().lock()->all.erase(launch_); }

BlockOrder::Block &BlockOrder::block(uint64_t number) { return launches().lock()->all[launch_].blocks[number]; }

// True for the rounds of a loop that waits by reading, or by an atomic operation that may write, such as an exchange. It could go round
// for as long as another thread of the host does not run, and fill the list. Nothing else has been accessed meanwhile, which a write
// would hand on, so the first one is enough.
bool BlockOrder::repeats(const Block &block, uint32_t address, bool writes, bool releases) {
  const auto &events = block.events;
  const auto is = [&](size_t back, bool isWrite) {
    if (events.size() < back)
      return false;
    const Block::Event &event = events[events.size() - back];
    return event.address == address && event.writes == isWrite && (!isWrite || event.releases == releases);
  };
  return is(1, false) && (!writes || (!block.hasOthers && is(2, true)));
}

// Of a block's reads in such a loop the last one counts. Those of other blocks that wait for the same may lie between them.
void BlockOrder::addRead(std::vector<Read> &reads, const Read &read, bool repeats) {
  constexpr size_t kFurthest = 256;
  if (repeats) {
    const auto end = reads.rbegin() + static_cast<std::ptrdiff_t>(std::min(reads.size(), kFurthest));
    const auto before = std::find_if(
        reads.rbegin(), end, [&](const Read &other) { return other.block == read.block && other.event == read.event; });
    if (before != end)
      reads.erase(std::next(before).base());
  }
  reads.push_back(read);
}

void BlockOrder::add(Block &block, uint64_t number, const Address &address, bool writes, bool releases) {
  const auto all = launches().lock();
  Launch &launch = all->all[launch_];
  launch.isFull = launch.isFull || block.events.size() >= kLimit || launch.total >= kMostAccesses;
  launch.hasReads = launch.hasReads || !writes;
  if (launch.isFull)
    return;
  const uint64_t time = launch.lastTime = ++all->time;
  const auto [found, isNew] = launch.numbers.try_emplace(address, static_cast<uint32_t>(launch.reads.size()));
  if (isNew)
    launch.reads.push_back({address, {}});
  const bool isRepeated = repeats(block, found->second, writes, releases);
  if (!isRepeated) {
    block.events.push_back({time, found->second, writes, releases});
    block.hasOthers = false;
  }
  if (!writes)
    addRead(launch.reads[found->second].second, {time, number, static_cast<uint32_t>(block.events.size() - 1)},
            isRepeated);
  if (!isRepeated)
    ++launch.total;
}

void BlockOrder::writes(Block &block, uint64_t number, const void *address, bool inBlock, bool releases) {
  add(block, number, addressOf(address, number, inBlock), true, releases);
}

void BlockOrder::hasRead(Block &block, uint64_t number, const void *address, bool inBlock) {
  add(block, number, addressOf(address, number, inBlock), false, false);
}

void BlockOrder::fences(Block &block) {
  if (!block.hasAccesses) // another lane's
    return;
  block.hasAccesses = false;
  const auto all = launches().lock();
  Launch &launch = all->all[launch_];
  launch.isFull = launch.isFull || block.events.size() >= kLimit;
  if (!launch.isFull)
    block.events.push_back({0, kFence, false, false});
}

/// A path from a block of a launch to a block of another one, or of the same.
class BlockOrder::Search {
public:
  Search(std::map<uint32_t, Launch> &all, const Launch &target, uint64_t block)
      : all_(all), target_(target), block_(block) {}

  // Only what the first block does needs a fence in front of its write; the others hand on what they have seen.
  bool isReachable(Launch &first, uint64_t block, uint32_t since, bool needsFence) {
    const auto start = first.blocks.find(block);
    skipsTarget_ = &first == &target_ && block == block_; // whose own order is that of its warps (warp_order.h)
    if ((start != first.blocks.end() && follow(first, start->second, since, !needsFence)) || goesOn(first))
      return true;
    skipsTarget_ = false;
    while (!work_.empty()) {
      const auto [launch, number, from] = work_.back();
      work_.pop_back();
      if (reached_[{launch, number}] == from && follow(*launch, launch->blocks[number], from, true))
        return true;
    }
    return false;
  }

private:
  // From the writes of a block to the reads behind them in the lists of their addresses.
  bool follow(const Launch &launch, const Block &block, uint32_t from, bool fenced) {
    for (uint32_t number = from; number < block.events.size(); ++number) {
      const Block::Event &event = block.events[number];
      if (event.address == kFence)
        fenced = true;
      if (!event.writes || !(fenced || event.releases))
        continue;
      const Address &address = launch.reads[event.address].first;
      for (auto &[key, other] : all_) {
        if (other.lastTime < event.time || (&other != &launch && address.second))
          continue;
        uint32_t place = event.address;
        if (&other != &launch) {
          const auto found = other.numbers.find(address);
          if (found == other.numbers.end())
            continue;
          place = found->second;
        }
        if (comesTo(other, other.reads[place].second, event.time))
          return true;
      }
    }
    return false;
  }

  bool comesTo(Launch &launch, const std::vector<Read> &reads, uint64_t time) {
    // The block that is asked about is mostly the last one.
    for (auto read = reads.rbegin(); read != reads.rend() && read->time > time; ++read) {
      const bool hasCome = &launch == &target_ && read->block == block_;
      if (hasCome && skipsTarget_)
        continue;
      if (hasCome || launch.isFull || ++steps_ > kMostSteps || reaches(launch, read->block, read->event) ||
          goesOn(launch))
        return true;
    }
    return false;
  }

  bool reaches(Launch &launch, uint64_t block, uint32_t from) {
    const auto [known, isNew] = reached_.try_emplace({&launch, block}, from);
    if (!isNew && known->second <= from)
      return false;
    known->second = from;
    work_.push_back({&launch, block, from});
    return false;
  }

  // To launches that come after this one.
  bool goesOn(const Launch &launch) {
    if (!launches_.insert(&launch).second)
      return false;
    for (auto &[key, other] : all_) {
      if (&other == &launch || !isBefore(launch.moment, other.clock))
        continue;
      if (&other == &target_ || other.isFull || goesOn(other))
        return true;
      for (const auto &[number, block] : other.blocks)
        reaches(other, number, 0);
    }
    return false;
  }

  struct Step {
    Launch *launch;
    uint64_t block;
    uint32_t from;
  };

  std::map<uint32_t, Launch> &all_;
  const Launch &target_;
  const uint64_t block_;
  bool skipsTarget_ = false;
  uint64_t steps_ = 0;
  std::map<std::pair<Launch *, uint64_t>, uint32_t> reached_; // blocks, from which event on
  std::set<const Launch *> launches_;                         // whose successors are known
  std::vector<Step> work_;
};

BlocksOrder BlockOrder::find(uint32_t launch, uint64_t before, uint32_t since, uint64_t now) const {
  const auto all = launches().lock();
  const Launch &target = all->all[launch_];
  const auto first = all->all.find(launch);
  if (first == all->all.end()) // long ago: nobody knows
    return target.hasReads ? BlocksOrder::ordered : BlocksOrder::none;
  if (since >= kLimit || first->second.isFull || target.isFull)
    return BlocksOrder::ordered;
  auto isReachable = [&](bool needsFence) {
    return Search(all->all, target, now).isReachable(first->second, before, since, needsFence);
  };
  return isReachable(true) ? BlocksOrder::ordered : isReachable(false) ? BlocksOrder::withoutFence : BlocksOrder::none;
}

} // namespace hiplz::cpu::check
