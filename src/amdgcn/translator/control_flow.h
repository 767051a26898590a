// SPDX-License-Identifier: MIT
// The flow of control out of an instruction, and functions that calls may reach whose target only the running program knows.
#pragma once
#include "amdgcn/object/code_object.h"
#include "amdgcn/translator/decoder.h"
#include "base/llvm_compat.h"

#include <map>
#include <set>

namespace hiplz::amdgcn {

/// The next instruction, as far as an instruction alone tells.
enum class Flow { next, jump, branch, call, indirect, indirectCall, end };

/// A trap of AMD's ABI. Number 3 is for debuggers; without one it does nothing.
inline bool isTrap(const Instruction &i) { return i.name == "s_trap" && i.simm16() != 3; }

inline Flow flowOf(const Instruction &i) {
  const llvm::StringRef name = i.name;
  if (name == "s_endpgm" || name == "s_endpgm_saved" || isTrap(i))
    return Flow::end;
  if (name == "s_branch")
    return Flow::jump;
  if (startsWith(name, "s_cbranch_"))
    return Flow::branch;
  if (name == "s_call_b64")
    return Flow::call;
  if (name == "s_setpc_b64")
    return Flow::indirect;
  if (name == "s_swappc_b64")
    return Flow::indirectCall;
  return Flow::next;
}

inline uint64_t targetOf(const Instruction &i) { return i.next() + static_cast<uint64_t>(int64_t{i.simm16()} * 4); }

/// Functions that code anywhere in the object, or its data, may hand to a call that takes its target from a register or from memory.
std::set<uint64_t> escapedFunctions(const CodeObject &object, const Decoder &decoder);

/// Follows a set of bits through the code, the things that the wave may have done before each instruction, until no place gets another one.
/// `behind` returns the set behind an instruction. The kernel begins with none of them, `entries` (what jumps to addresses in registers may
/// reach) with those of `worst`.
void followDeeds(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                 const std::set<uint64_t> &entries, unsigned worst,
                 llvm::function_ref<unsigned(const Instruction &, unsigned before)> behind);

} // namespace hiplz::amdgcn
