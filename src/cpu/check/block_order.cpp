// SPDX-License-Identifier: MIT
// See block_order.h.
#include "cpu/check/block_order.h"

#include <algorithm>
#include <map>

namespace hiplz::cpu::check {
namespace {

// Launches with more accesses than this, and searches that take longer, are taken to have an order.
constexpr uint64_t kMostAccesses = 1 << 21, kMostSteps = 1 << 14;

} // namespace

BlockOrder::Block &BlockOrder::block(uint64_t number) { return all_.lock()->blocks[number]; }

void BlockOrder::add(All &all, Block &block, uint64_t number, const void *address, bool inBlock, bool writes,
                     bool releases) {
  all.isFull = all.isFull || block.events.size() >= kLimit || all.total >= kMostAccesses;
  if (all.isFull)
    return;
  const auto [found, isNew] =
      all.addresses.try_emplace({address, inBlock ? number + 1 : 0}, static_cast<uint32_t>(all.lists.size()));
  if (isNew)
    all.lists.emplace_back();
  std::vector<Access> &list = all.lists[found->second];
  const bool repeats = !writes && !block.events.empty() && !block.events.back().writes &&
                       block.events.back().address == found->second; // a loop that waits
  if (!repeats)
    block.events.emplace_back();
  const auto event = static_cast<uint32_t>(block.events.size() - 1);
  if (repeats && list.back().block == number && list.back().event == event)
    return;
  block.events.back() = {found->second, static_cast<uint32_t>(list.size()), writes, releases};
  list.push_back({number, event, writes});
  ++all.total;
}

void BlockOrder::writes(Block &block, uint64_t number, const void *address, bool inBlock, bool releases) {
  hasWrites_.store(true, std::memory_order_relaxed);
  add(*all_.lock(), block, number, address, inBlock, true, releases);
}

void BlockOrder::hasRead(Block &block, uint64_t number, const void *address, bool inBlock) {
  hasReads_.store(true, std::memory_order_relaxed);
  add(*all_.lock(), block, number, address, inBlock, false, false);
}

void BlockOrder::fences(Block &block) {
  if (!block.hasAccesses) // another lane's
    return;
  block.hasAccesses = false;
  const auto all = all_.lock();
  all->isFull = all->isFull || block.events.size() >= kLimit;
  if (!all->isFull)
    block.events.push_back({kFence, 0, false, false});
}

BlocksOrder BlockOrder::find(uint64_t before, uint32_t since, uint64_t now) {
  const auto all = all_.lock();
  if (all->isFull || since >= kLimit || isReachable(*all, before, since, now, true))
    return BlocksOrder::ordered;
  return isReachable(*all, before, since, now, false) ? BlocksOrder::withoutFence : BlocksOrder::none;
}

// From the writes of `before` to the reads behind them in the lists of their addresses, and on from the blocks that read. Only what the
// first block does needs a fence in front of its write; the others hand on what they have seen.
bool BlockOrder::isReachable(All &all, uint64_t before, uint32_t since, uint64_t now, bool needsFence) {
  const auto first = all.blocks.find(before);
  if (first == all.blocks.end())
    return false;
  uint64_t steps = 0;
  std::map<uint64_t, uint32_t> reached; // blocks, from which event on
  std::vector<std::pair<uint64_t, uint32_t>> work;
  auto follow = [&](const Block &block, uint32_t from, bool fenced) {
    for (uint32_t number = from; number < block.events.size(); ++number) {
      const Block::Event &event = block.events[number];
      if (event.address == kFence) {
        fenced = true;
        continue;
      }
      if (!event.writes || !(fenced || event.releases))
        continue;
      const std::vector<Access> &list = all.lists[event.address];
      // The block that is asked about is mostly the last one.
      for (size_t at = list.size(); at-- > event.position + 1;) {
        if (list[at].writes)
          continue;
        if (list[at].block == now || ++steps > kMostSteps)
          return true;
        const auto known = reached.find(list[at].block);
        if (known != reached.end() && known->second <= list[at].event)
          continue;
        reached[list[at].block] = list[at].event;
        work.emplace_back(list[at].block, list[at].event);
      }
    }
    return false;
  };
  if (follow(first->second, since, !needsFence))
    return true;
  while (!work.empty()) {
    const auto [block, from] = work.back();
    work.pop_back();
    if (reached[block] == from && follow(all.blocks[block], from, true))
      return true;
  }
  return false;
}

} // namespace hiplz::cpu::check
