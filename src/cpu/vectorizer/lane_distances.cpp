// SPDX-License-Identifier: MIT
// See lane_distances.h. The distance is the coefficient of the lane's id in what LLVM's scalar evolution knows of the address.
#include "cpu/vectorizer/lane_distances.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

bool isLaneInX(const Value &value) {
  const auto read = itemReadBy(&value);
  return read && isLaneId(read->field) && (read->field != ItemField::localId || read->dimension == 0);
}

bool differsByItself(const Instruction &instruction) {
  return isLaneInX(instruction) || isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction);
}

} // namespace

LaneDistances::LaneDistances(Function &body) : varying_(body, differsByItself) {}

std::optional<int64_t> LaneDistances::distance(const SCEV *expression) const {
  if (auto *cast = dyn_cast<SCEVCastExpr>(expression))
    return distance(cast->getOperand());
  if (auto *rounds = dyn_cast<SCEVAddRecExpr>(expression)) // of a loop around this one
    return distance(rounds->getStart());
  if (auto *sum = dyn_cast<SCEVAddExpr>(expression)) {
    int64_t bytes = 0;
    for (const SCEV *operand : sum->operands()) {
      const std::optional<int64_t> part = distance(operand);
      if (!part)
        return std::nullopt;
      bytes += *part;
    }
    return bytes;
  }
  if (auto *product = dyn_cast<SCEVMulExpr>(expression);
      product && product->getNumOperands() == 2 && isa<SCEVConstant>(product->getOperand(0))) {
    const std::optional<int64_t> one = distance(product->getOperand(1));
    return one ? std::optional(*one * cast<SCEVConstant>(product->getOperand(0))->getAPInt().getSExtValue()) : one;
  }
  if (auto *unknown = dyn_cast<SCEVUnknown>(expression))
    if (isLaneInX(*unknown->getValue()))
      return 1;
  return differs(expression) ? std::nullopt : std::optional<int64_t>(0);
}

bool LaneDistances::differs(const SCEV *expression) const {
  return SCEVExprContains(expression, [this](const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && varying_.contains(unknown->getValue());
  });
}

} // namespace hiplz::cpu
