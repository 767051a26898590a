// SPDX-License-Identifier: MIT
// See control_flow.h.
#include "amdgcn/translator/control_flow.h"
#include "amdgcn/translator/code_addresses.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace hiplz::amdgcn {
namespace {

/// True if the word looks like s_getpc_b64 of gfx10 or gfx11, which begins each computation of an address.
bool mayReadCounter(const CodeObject &object, uint64_t at) {
  constexpr uint32_t kRegisters = 0x7f00ff, kOfGfx10 = 0xbe801f00, kOfGfx11 = 0xbe804700;
  uint32_t word = 0;
  if (at < object.image.size())
    std::memcpy(&word, object.image.data() + at, std::min<uint64_t>(sizeof word, object.image.size() - at));
  return (word & ~kRegisters) == kOfGfx10 || (word & ~kRegisters) == kOfGfx11;
}

/// Notes all addresses that code computes. Files of rocBLAS have 100 MB of code, of which nothing else is decoded.
void noteAll(const CodeObject &object, const Decoder &decoder, CodeAddresses &addresses) {
  for (uint64_t at = object.codeBegin & ~uint64_t{3}; at < object.codeEnd;) {
    Instruction i;
    if ((!addresses.isFollowing() && !mayReadCounter(object, at)) || !decoder.decode(object.image, at, i)) {
      addresses.end();
      at += 4;
      continue;
    }
    const Flow flow = flowOf(i);
    if (flow == Flow::indirect || flow == Flow::indirectCall)
      addresses.noteJump(i.operands.back());
    if (flow == Flow::next)
      addresses.note(i);
    else
      addresses.end();
    at = i.next();
  }
  addresses.end();
}

} // namespace

std::set<uint64_t> escapedFunctions(const CodeObject &object, const Decoder &decoder) {
  CodeAddresses addresses;
  noteAll(object, decoder, addresses);
  std::set<uint64_t> all = addresses.escaped();
  for (const Relocation &relocation : object.relocations)
    all.insert(relocation.addend);
  for (const Symbol &symbol : object.symbols)
    if (symbol.isFunction && addresses.isUncertain())
      all.insert(symbol.offset);
  for (const MachineKernel &kernel : object.kernels) // only the runtime jumps there
    all.erase(kernel.entry);
  return all;
}

void followDeeds(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                 const std::set<uint64_t> &entries, unsigned worst,
                 llvm::function_ref<unsigned(const Instruction &, unsigned before)> behind) {
  std::map<uint64_t, unsigned> before; // the beginning of a block
  for (const uint64_t entry : entries)
    before[entry] = worst;
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
      done = behind(i, done);
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
}

} // namespace hiplz::amdgcn
