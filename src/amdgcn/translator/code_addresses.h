// SPDX-License-Identifier: MIT
// Addresses that straight code computes. Compilers call a function by s_getpc_b64, to which they add a constant, and s_swappc_b64. The kernels of
// rocBLAS (Tensile) jump far in the same way, with the distance in a register: the sum of two constants, or its amount, which they subtract.
// An address that is found here makes a call one of a known function, so that a kernel consists of the functions that it calls. Other calls may reach
// each function whose address the code does something else with than to call it.
#pragma once
#include "amdgcn/translator/instruction.h"

#include <map>
#include <optional>
#include <set>

namespace hiplz::amdgcn {

class CodeAddresses {
public:
  struct Known {
    uint64_t value; ///< in the image
    uint64_t from;  ///< where it begins to be computed
  };

  /// Follows an instruction, the next one of straight code.
  void note(const Instruction &instruction);

  /// The address in a pair of registers.
  std::optional<Known> of(const Operand &operand) const;

  /// A jump to the address in a pair of registers, which is no use of another kind.
  void noteJump(const Operand &operand);

  /// The end of straight code: nothing is known any longer.
  void end();

  /// All addresses that have been computed, and those that have been used in another way than by jumps in the same straight code.
  const std::set<uint64_t> &computed() const { return computed_; }
  const std::set<uint64_t> &escaped() const { return escaped_; }

  /// True if code computes an address in a way that is not followed, so it may be that of any function.
  bool isUncertain() const { return isUncertain_; }

  /// True if an address is being computed. Otherwise only s_getpc_b64 changes anything.
  bool isFollowing() const { return !pairs_.empty(); }

private:
  struct Pair {
    Known known;
    enum class Stage { counter, low, whole } stage = Stage::counter;
    bool carry = false, isCalled = false;
    uint64_t next = 0; ///< where the second addition must be
    bool subtracts = false;
  };
  std::optional<uint32_t> constantOf(const Operand &operand) const;
  std::optional<uint32_t> computedConstant(const Instruction &instruction) const;
  void drop(const Operand &operand);
  bool add(const Instruction &instruction);
  void noteUses(const Instruction &instruction);

  std::map<unsigned, Pair> pairs_;         // by the lower register
  std::map<unsigned, uint32_t> constants_; // by their registers, since the oldest pair
  std::set<uint64_t> computed_, escaped_;
  bool isUncertain_ = false;
};

} // namespace hiplz::amdgcn
