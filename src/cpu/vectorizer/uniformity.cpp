// SPDX-License-Identifier: MIT
// See uniformity.h.
#include "cpu/vectorizer/uniformity.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace hiplz::cpu {

void Uniformity::settle(const Value *source) {
  if (source)
    differing_.insert(source);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction &instruction : instructions(function_)) {
      if (!instruction.isTerminator()) {
        if (isUniform(&instruction) && differs(instruction)) {
          differing_.insert(&instruction);
          changed = true;
        }
      } else if (instruction.getNumSuccessors() > 1 && parts(instruction.getOperand(0))) {
        changed = notePart(*instruction.getParent()) || changed;
      }
    }
  }
}

bool Uniformity::differs(const Instruction &instruction) const {
  if (divergence_.decidesAbout(instruction))
    return true;
  const Rule rule = ruleOf(instruction);
  return rule == Rule::differs || (rule == Rule::asOperands && anyOperandDiffers(instruction));
}

bool Uniformity::anyOperandDiffers(const Instruction &instruction) const {
  return any_of(instruction.operands(), [this](const Use &operand) { return !isUniform(operand); });
}

const BasicBlock *Uniformity::joinOf(const BasicBlock &branch) const { return cpu::joinOf(branch, *postDominators_); }

bool Uniformity::notePart(const BasicBlock &block) {
  if (!postDominators_)
    postDominators_.emplace(function_);
  return divergence_.part(block, *postDominators_);
}

} // namespace hiplz::cpu
