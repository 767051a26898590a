// SPDX-License-Identifier: MIT
// See simulation.h. Costs are those of a server with two sockets, rounded: they say what is expensive, not how long a launch takes.
#include "simulation.h"
#include "cpu/exec/switch_stack.h"

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hiplz::simulation {
namespace {

constexpr unsigned kMostProcessors = 256;
constexpr uint64_t kHit = 1, kOwnedWrite = 6, kTransfer = 70, kFarTransfer = 150;
constexpr uint64_t kServeRead = 15; // a line that many want to read serves one after the other
constexpr uint64_t kSystemCall = 300, kWakeOne = 1500, kWakeLatency = 5000;
constexpr size_t kStackBytes = 64 << 10;

using Set = std::bitset<kMostProcessors>;

struct Line {
  Set holders, writers;
  int owner = -1; // has the only copy
  unsigned lastWriter = 0;
  uint64_t freeAt = 0;
  uint64_t writes = 0; // counted
};

struct Thread {
  unsigned processor = 0;
  uint64_t clock = 0;
  void *context = nullptr;
  void *(*main)(void *) = nullptr;
  void *argument = nullptr;
  std::unique_ptr<char[]> stack;
  unsigned depth = 0, wakes = 0; // counted
};

struct Later {
  bool operator()(const Thread *a, const Thread *b) const {
    return a->clock != b->clock ? a->clock > b->clock : a->processor > b->processor;
  }
};

struct State {
  Machine machine;
  std::vector<std::unique_ptr<Thread>> threads;
  std::priority_queue<Thread *, std::vector<Thread *>, Later> ready;
  std::unordered_map<const void *, std::deque<Thread *>> sleepers;
  std::unordered_map<uintptr_t, Line> lines;
  Thread *current = nullptr;
  Counts counts;
  uint64_t random = 0;
};
State &state() {
  static State *const only = new State;
  return *only;
}

uint64_t varied(uint64_t cost) {
  State &all = state();
  if (all.machine.seed == 0)
    return cost;
  all.random = all.random * 6364136223846793005 + 1442695040888963407;
  return cost / 2 + (all.random >> 33) % (cost + 1);
}

void switchTo(Thread &next) {
  State &all = state();
  Thread &before = *std::exchange(all.current, &next);
  cpu::switchStack(&before.context, next.context);
}

Thread &takeNext() {
  State &all = state();
  if (all.ready.empty()) {
    std::fprintf(stderr, "simulation: every thread sleeps, and nobody is left to wake one\n");
    std::_Exit(2);
  }
  Thread &next = *all.ready.top();
  all.ready.pop();
  return next;
}

// Threads that are behind go first.
void keepOrder() {
  State &all = state();
  if (all.ready.empty() || !Later()(all.current, all.ready.top()))
    return;
  Thread &next = takeNext();
  all.ready.push(all.current);
  switchTo(next);
}

uint64_t transferFrom(unsigned other) {
  ++state().counts.transfers;
  return varied(node(other) == node(processor()) ? kTransfer : kFarTransfer);
}

void beginThread(void *given) {
  auto &thread = *static_cast<Thread *>(given);
  thread.main(thread.argument);
  switchTo(takeNext());
}

} // namespace

void run(const Machine &machine, const std::function<void()> &host) {
  State &all = state();
  all.machine = machine;
  all.random = machine.seed;
  all.threads.push_back(std::make_unique<Thread>());
  all.current = all.threads.front().get();
  host();
  all.current = nullptr;
}

void start(void *(*main)(void *), void *argument) {
  State &all = state();
  static unsigned started = 0;
  if (const unsigned place = started++; place != 0) {
    auto thread = std::make_unique<Thread>();
    thread->processor = place;
    thread->clock = clock() + kWakeLatency;
    thread->main = main;
    thread->argument = argument;
    thread->stack = std::make_unique<char[]>(kStackBytes);
    char *const top = thread->stack.get() + kStackBytes - reinterpret_cast<uintptr_t>(thread->stack.get()) % 16;
    thread->context = cpu::freshStack(top, beginThread, thread.get());
    all.ready.push(thread.get());
    all.threads.push_back(std::move(thread));
  }
  spend(kWakeOne);
}

Processors processors() {
  Processors result;
  for (unsigned number = 0; number < state().machine.processors; ++number)
    result.allowed.push_back({number, node(number)});
  result.limit = state().machine.processors;
  return result;
}

unsigned processor() { return state().current->processor; }
unsigned node(unsigned processor) { return processor * state().machine.nodes / state().machine.processors; }
uint64_t clock() { return state().current ? state().current->clock : 0; }

void spend(uint64_t nanoseconds) {
  if (Thread *thread = state().current)
    thread->clock += nanoseconds;
}

void read(const void *word) {
  if (!state().current)
    return;
  keepOrder();
  Thread &thread = *state().current;
  Line &line = state().lines[reinterpret_cast<uintptr_t>(word) / 64];
  if (line.holders[thread.processor]) {
    thread.clock += kHit;
    return;
  }
  const uint64_t begin = std::max(thread.clock, line.freeAt);
  thread.clock = begin + (line.holders.any() ? transferFrom(line.lastWriter) : kHit);
  line.freeAt = begin + kServeRead;
  line.holders.set(thread.processor);
  line.owner = -1;
}

void write(const void *word) {
  if (!state().current)
    return;
  keepOrder();
  Thread &thread = *state().current;
  Line &line = state().lines[reinterpret_cast<uintptr_t>(word) / 64];
  ++line.writes;
  line.writers.set(thread.processor);
  if (line.owner == static_cast<int>(thread.processor)) {
    thread.clock += kOwnedWrite;
    return;
  }
  thread.clock =
      std::max(thread.clock, line.freeAt) + (line.holders.any() ? transferFrom(line.lastWriter) : kOwnedWrite);
  line.freeAt = thread.clock;
  line.holders.reset();
  line.holders.set(thread.processor);
  line.owner = static_cast<int>(thread.processor);
  line.lastWriter = thread.processor;
}

void sleep(uint32_t *word, uint32_t expected) {
  spend(kSystemCall);
  read(word);
  State &all = state();
  if (*word != expected)
    return;
  all.sleepers[word].push_back(all.current);
  switchTo(takeNext());
}

void wake(uint32_t *word, int count) {
  spend(kSystemCall);
  keepOrder();
  State &all = state();
  std::deque<Thread *> &sleepers = all.sleepers[word];
  for (; count > 0 && !sleepers.empty(); --count) {
    Thread &woken = *sleepers.front();
    sleepers.pop_front();
    spend(kWakeOne);
    woken.clock = all.current->clock + varied(kWakeLatency);
    woken.depth = all.current->depth + 1;
    all.ready.push(&woken);
    ++all.counts.wakes;
    all.counts.mostWakesByOne = std::max(all.counts.mostWakesByOne, ++all.current->wakes);
    all.counts.depth = std::max(all.counts.depth, woken.depth);
    all.counts.lastWake = std::max(all.counts.lastWake, woken.clock);
  }
}

void resetCounts() {
  State &all = state();
  all.counts = {};
  for (auto &[address, line] : all.lines) {
    line.writes = 0;
    line.writers.reset();
  }
  for (auto &thread : all.threads)
    thread->depth = thread->wakes = 0;
}

Counts counts() {
  const State &all = state();
  Counts result = all.counts;
  for (const auto &[address, line] : all.lines)
    if (line.writers.count() > std::max(2u, all.machine.processors / 4))
      result.commonWrites += line.writes;
  return result;
}

} // namespace hiplz::simulation
