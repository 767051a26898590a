// SPDX-License-Identifier: MIT
// AMD's translator puts casts of pointers between a block's label and its phis, where nothing may stand: at -O0 before the loops
// that fill arrays, with clang 22 also elsewhere. This finds those casts, so that they can stand behind what they cast.
#pragma once
#include "fatbin/amd_opcodes.h"
#include "fatbin/module_walk.h"

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
    } else {
      onlyCasts_ = false;
    }
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
};

/// The instructions that begin a function or a block, with no cast before them.
inline bool precedesCasts(uint32_t op) {
  return op == kOpUntypedVariable || op == spv::OpVariable || op == spv::OpPhi || op == spv::OpFunctionParameter ||
         op == spv::OpLabel;
}

} // namespace hiplz::spirv
