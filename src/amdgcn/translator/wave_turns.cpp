// SPDX-License-Identifier: MIT
// See wave_turns.h.
#include "amdgcn/translator/wave_turns.h"

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
  std::set<uint64_t> turns;
  followDeeds(code, starts, entries, kAll, [&](const Instruction &i, unsigned done) {
    const Effect effect = effectOf(i);
    if (i.name == "s_barrier")
      return effect.does;
    if (!(done & effect.conflicts))
      return done | effect.does;
    turns.insert(i.address);
    return effect.does;
  });
  return turns;
}

} // namespace hiplz::amdgcn
