// SPDX-License-Identifier: MIT
// See wave_turns.h. A block begins with what the blocks before it have read; what jumps through registers reach, with the worst.
#include "amdgcn/translator/wave_turns.h"

#include <vector>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

bool readsGlobal(StringRef name) { return startsWith(name, "global_load") || startsWith(name, "buffer_load"); }
bool writesGlobal(StringRef name) { return startsWith(name, "global_store") || startsWith(name, "buffer_store"); }

// Things that the wave may have done since the last barrier or turn.
constexpr unsigned kReadLocal = 1, kWroteLocal = 2, kReadGlobal = 4, kAll = 7;

/// A thing that an instruction does, and those that call for a turn if they came before. Nobody reads in time what another wave stores in global memory.
struct Effect {
  unsigned does = 0, conflicts = 0;
};
Effect effectOf(const Instruction &i) {
  const StringRef name = i.name;
  if (i.readsLocal() || startsWith(name, "flat_load")) // flat accesses may be of local memory
    return {kReadLocal, kWroteLocal};
  if (i.storesLocal() || startsWith(name, "flat_store"))
    return {kWroteLocal, kReadLocal};
  if (readsGlobal(name))
    return {kReadGlobal, 0};
  if (writesGlobal(name))
    return {0, kReadGlobal};
  return {};
}

} // namespace

std::set<uint64_t> findTurns(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                             const std::set<uint64_t> &entries) {
  std::map<uint64_t, unsigned> before; // the beginning of a block
  for (const uint64_t entry : entries)
    before[entry] = kAll;
  std::set<uint64_t> turns;
  std::vector<uint64_t> work(starts.begin(), starts.end());
  while (!work.empty()) {
    const uint64_t start = work.back();
    work.pop_back();
    unsigned done = before[start];
    auto reach = [&](uint64_t block) {
      unsigned &there = before[block];
      if ((there | done) == there)
        return;
      there |= done;
      work.push_back(block);
    };
    for (auto at = code.find(start); at != code.end(); at = code.find(at->second.next())) {
      const Instruction &i = at->second;
      const Effect effect = effectOf(i);
      if (i.name == "s_barrier") {
        done = 0;
      } else if (done & effect.conflicts) {
        turns.insert(i.address);
        done = 0;
      }
      done |= effect.does;
      const Flow flow = flowOf(i);
      if (flow == Flow::branch || flow == Flow::jump || flow == Flow::call)
        reach(targetOf(i));
      const bool goesOn = flow == Flow::next || flow == Flow::branch;
      if (goesOn && starts.contains(i.next()))
        reach(i.next());
      if (flow != Flow::next || starts.contains(i.next()))
        break;
    }
  }
  return turns;
}

} // namespace hiplz::amdgcn
