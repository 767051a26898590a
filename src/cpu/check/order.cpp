// SPDX-License-Identifier: MIT
// See order.h.
#include "cpu/check/order.h"
#include "base/lockable.h"
#include "cpu/check/stream_checks.h"
#include "cpu/check/tools.h"

#include <algorithm>
#include <unordered_map>

namespace hiplz::cpu::check {
namespace {

struct Orders {
  std::vector<Clock> streams{Clock(1)}; // place 0: the host
  uint64_t hostVersion = 1;             // changes with the host's clock
  std::unordered_map<const void *, Clock> events;

  void join(uint32_t stream, const Clock &with) {
    Clock &clock = streams[stream];
    clock.resize(std::max(clock.size(), with.size()));
    bool changes = false;
    for (size_t place = 0; place < with.size(); ++place)
      if (clock[place] < with[place]) {
        clock[place] = with[place];
        changes = true;
      }
    hostVersion += stream == 0 && changes;
  }
  void joinAll(uint32_t stream) {
    Clock everything(streams.size());
    for (uint32_t place = 0; place < streams.size(); ++place)
      everything[place] = place < streams[place].size() ? streams[place][place] : 0;
    join(stream, everything);
  }
};

Lockable<Orders> &orders() {
  static auto *all = new Lockable<Orders>(LockRank::cpuCheckOrder); // streams end after static objects
  return *all;
}

} // namespace

StreamOrder::StreamOrder() {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  index_ = static_cast<uint32_t>(all->streams.size());
  all->streams.emplace_back(index_ + 1);
}

void StreamOrder::submitted(uint64_t command) {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  if (hostVersion_ == all->hostVersion)
    return;
  hostVersion_ = all->hostVersion;
  submissions_.emplace_back(command, all->streams[0]);
}

void StreamOrder::begins(uint64_t command) {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  ++all->streams[index_][index_];
  for (; !submissions_.empty() && submissions_.front().first <= command; submissions_.pop_front())
    all->join(index_, submissions_.front().second);
}

void StreamOrder::follows(const void *event) {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  if (const auto found = all->events.find(event); found != all->events.end())
    all->join(index_, found->second);
}

void StreamOrder::followsEverything() {
  if (tools().races)
    orders().lock()->joinAll(index_);
}

void StreamOrder::signals(const void *event) {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  all->events[event] = all->streams[index_];
}

void StreamOrder::followsHost() {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  all->join(index_, Clock(all->streams[0]));
}

void StreamOrder::hostFollows() {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  all->join(0, Clock(all->streams[index_]));
}

Moment StreamOrder::next() {
  if (!tools().races)
    return {};
  const auto all = orders().lock();
  return {index_, ++all->streams[index_][index_]};
}

Clock StreamOrder::clock() const { return tools().races ? orders().lock()->streams[index_] : Clock(); }

void hostWaited(const void *event) {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  if (const auto found = all->events.find(event); found != all->events.end())
    all->join(0, found->second);
}

void hostWaitedForAnything() {
  if (tools().races)
    orders().lock()->joinAll(0);
}

void hostSignals(const void *event) {
  if (!tools().races)
    return;
  const auto all = orders().lock();
  all->events[event] = all->streams[0];
}

void forgetEvent(const void *event) {
  if (tools().races)
    orders().lock()->events.erase(event);
}

} // namespace hiplz::cpu::check
