// SPDX-License-Identifier: MIT
// See wave_turns.h. A block begins with what the blocks before it have read; what jumps through registers reach, with the worst.
#include "amdgcn/translator/wave_turns.h"

#include <vector>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

bool readsLocal(StringRef name) {
  return startsWith(name, "ds_read") || startsWith(name, "ds_load") ||
         (startsWith(name, "ds_") && name.contains("_rtn_"));
}
bool writesLocal(StringRef name) { return startsWith(name, "ds_write") || startsWith(name, "ds_store"); }

} // namespace

std::set<uint64_t> findTurns(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                             const std::set<uint64_t> &entries) {
  std::set<uint64_t> turns, hasRead(entries); // the second one: blocks before which local memory may have been read
  std::vector<uint64_t> work(starts.begin(), starts.end());
  while (!work.empty()) {
    const uint64_t start = work.back();
    work.pop_back();
    bool read = hasRead.contains(start);
    auto reach = [&](uint64_t block) {
      if (read && hasRead.insert(block).second)
        work.push_back(block);
    };
    for (auto at = code.find(start); at != code.end(); at = code.find(at->second.next())) {
      const Instruction &i = at->second;
      if (i.name == "s_barrier") {
        read = false;
      } else if (readsLocal(i.name)) {
        read = true;
      } else if (read && writesLocal(i.name)) {
        turns.insert(i.address);
        read = false;
      }
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
