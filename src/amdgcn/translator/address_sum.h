// SPDX-License-Identifier: MIT
// The addresses of an access taken apart, by which passes see that accesses lie beside each other.
#pragma once
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

namespace hiplz::amdgcn {

/// Addresses of 64 bits as a sum: a number that all lanes have, or none, what differs by lane, and a constant.
struct AddressSum {
  llvm::Value *scalar = nullptr, *lanes = nullptr;
  int64_t constant = 0;

  explicit AddressSum(llvm::Value *addresses) : lanes(addresses) {
    using namespace llvm::PatternMatch;
    for (llvm::Value *left, *right; match(lanes, m_Add(m_Value(left), m_Value(right)));) {
      llvm::Value *same = llvm::getSplatValue(right);
      if (!same) {
        same = llvm::getSplatValue(left);
        std::swap(left, right);
      }
      if (!same)
        return;
      if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(same)) {
        constant += number->getSExtValue();
      } else if (!scalar) {
        scalar = same;
        llvm::ConstantInt *added = nullptr;
        for (llvm::Value *rest; match(scalar, m_Add(m_Value(rest), m_ConstantInt(added))); scalar = rest)
          constant += added->getSExtValue();
      } else {
        return;
      }
      lanes = left;
    }
  }
};

} // namespace hiplz::amdgcn
