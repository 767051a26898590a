// SPDX-License-Identifier: MIT
// See waiting_waves.h. Large kernels have hundreds of loops, which are nested, so each instruction is looked at once and its facts are kept.
#include "amdgcn/translator/waiting_waves.h"

#include <llvm/ADT/ArrayRef.h>

#include <algorithm>
#include <bitset>
#include <vector>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kVectorRegisters = 256;

/// The facts of an instruction that loops are judged by.
struct Facts {
  uint64_t address = 0;
  bool mayWait = false;
  int place = -1;                   ///< the vector register with the address of a read of local memory
  unsigned written = 0, writes = 0; ///< the first vector register that it changes, and their number
};

Facts factsOf(const Instruction &i) {
  const StringRef name = i.name;
  Facts facts;
  facts.address = i.address;
  facts.mayWait = i.has("glc") || startsWith(name, "buffer_gl") || name.contains("_cmpst_rtn_");
  if (i.readsLocal() && i.operands.size() >= 2 && i.operands[1].isVector() && i.operands[1].index < kVectorRegisters)
    facts.place = static_cast<int>(i.operands[1].index);
  const bool isStore = name.contains("_store") || i.storesLocal();
  if (!isStore && !i.operands.empty() && i.operands[0].isVector()) {
    facts.written = i.operands[0].index;
    facts.writes = i.operands[0].count;
  }
  return facts;
}

/// True if a loop of these instructions may wait for another wave.
bool mayWait(ArrayRef<Facts> loop) {
  std::bitset<kVectorRegisters> written;
  for (const Facts &facts : loop) {
    if (facts.mayWait)
      return true;
    for (unsigned i = facts.written; i < std::min(facts.written + facts.writes, kVectorRegisters); ++i)
      written.set(i);
  }
  return any_of(
      loop, [&](const Facts &facts) { return facts.place >= 0 && !written.test(static_cast<unsigned>(facts.place)); });
}

} // namespace

std::set<uint64_t> findWaitingLoops(const std::map<uint64_t, Instruction> &code) {
  std::vector<Facts> all;
  all.reserve(code.size());
  for (const auto &[address, i] : code)
    all.push_back(factsOf(i));
  auto from = [&](uint64_t address) {
    return lower_bound(all, address, [](const Facts &facts, uint64_t wanted) { return facts.address < wanted; });
  };
  std::set<uint64_t> waits;
  for (const auto &[address, i] : code) {
    const Flow flow = flowOf(i);
    if ((flow != Flow::jump && flow != Flow::branch) || targetOf(i) > address)
      continue;
    if (mayWait(ArrayRef<Facts>(&*from(targetOf(i)), &*from(address))))
      waits.insert(address);
  }
  return waits;
}

} // namespace hiplz::amdgcn
