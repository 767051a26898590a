// SPDX-License-Identifier: MIT
// Casts of pointers that stand behind what they cast because they cannot stand where they are needed. AMD's translator puts some between a
// block's label and its phis, where nothing may stand: at -O0 before the loops that fill arrays, with clang 22 also elsewhere. And
// phis take pointers of other types than their own.
#pragma once
#include "fatbin/amd_opcodes.h"
#include "spirv/instructions.h"

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace hiplz::spirv {

struct Cast {
  uint32_t type, result, value;
};

class EarlyCasts {
public:
  /// To be called for each instruction of the module, in order.
  void note(const Instruction &in) {
    if (in.op() == spv::OpTypePointer || in.op() == static_cast<spv::Op>(kOpTypeUntypedPointer))
      pointerTypes_.insert(operand(in, 0));
    else if (const uint32_t result = resultOf(in); result && !isType(in.op()) && pointerTypes_.contains(in[0]))
      pointers_[result] = in[0];
    if (in.op() == spv::OpLabel) {
      leading_.clear();
      onlyCasts_ = true;
    } else if (in.op() == spv::OpBitcast && onlyCasts_) {
      leading_.push_back({operand(in, 0), operand(in, 1), operand(in, 2)});
    } else if (in.op() == spv::OpPhi) {
      for (const Cast &cast : leading_) {
        results_.insert(cast.result);
        byValue_[cast.value].push_back(cast);
      }
      leading_.clear();
      for (size_t i = 2; i < in.operands() && pointerTypes_.contains(in[0]); i += 2)
        incoming_.emplace_back(in[i], in[0]);
    } else {
      onlyCasts_ = false;
    }
  }

  /// Behind the last instruction; `fresh` makes ids.
  template <class Fresh> void join(Fresh fresh) {
    for (const auto &[value, type] : incoming_) {
      const auto pointer = pointers_.find(value);
      if (pointer == pointers_.end() || pointer->second == type || joined_.contains({value, type}))
        continue;
      const Cast cast{type, fresh(), value};
      joined_[{value, type}] = cast.result;
      byValue_[value].push_back(cast);
    }
  }

  /// The value as a phi of that type takes it.
  uint32_t joined(uint32_t value, uint32_t type) const {
    const auto found = joined_.find({value, type});
    return found == joined_.end() ? value : found->second;
  }

  bool contains(const Instruction &in) const { return in.op() == spv::OpBitcast && results_.contains(operand(in, 1)); }

  const std::vector<Cast> &of(uint32_t value) const {
    static const std::vector<Cast> none;
    const auto found = byValue_.find(value);
    return found == byValue_.end() ? none : found->second;
  }

private:
  std::vector<Cast> leading_; // since the last label
  std::unordered_map<uint32_t, std::vector<Cast>> byValue_;
  std::set<uint32_t> results_;
  bool onlyCasts_ = false;
  std::set<uint32_t> pointerTypes_;
  std::unordered_map<uint32_t, uint32_t> pointers_;          // values and their types
  std::vector<std::pair<uint32_t, uint32_t>> incoming_;      // of phis: value and type
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> joined_; // the same, and the cast
};

/// The instructions that begin a function or a block, with no cast before them.
inline bool precedesCasts(uint32_t op) {
  return op == kOpUntypedVariable || op == spv::OpVariable || op == spv::OpPhi || op == spv::OpFunctionParameter ||
         op == spv::OpLabel;
}

} // namespace hiplz::spirv
