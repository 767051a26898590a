// SPDX-License-Identifier: MIT
// Computes in 64 bits what is extended to 64 bits afterwards, if that shows that the lanes have neighbouring values. The extension of
// `i + 1` is strided only if it is known that no lane wraps, which the flags of the addition say of the lanes that are there. In 64 bits
// nothing needs to be known.
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/shape_analysis.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kMaxDepth = 8;

class Widener {
public:
  Widener(const ShapeInfo &shapes, bool isSigned) : shapes_(shapes), isSigned_(isSigned) {}

  // True if extending each operand by itself gives the same, and a shape better than varying.
  bool pays(Value *value, unsigned depth = 0) const {
    Shape shape = shapes_.shapeOf(value);
    if (shapes_.keepsDistance(*value, isSigned_))
      return true;
    auto *operation = dyn_cast<BinaryOperator>(value);
    return operation && (shape.isStrided() || shape.isInRows()) && depth < kMaxDepth && distributes(*operation) &&
           pays(operation->getOperand(0), depth + 1) && pays(operation->getOperand(1), depth + 1);
  }

  Value *widen(Value *value, Type *type, IRBuilder<> &b) const {
    auto *operation = dyn_cast<BinaryOperator>(value);
    if (shapes_.keepsDistance(*value, isSigned_) || !operation)
      return isSigned_ ? b.CreateSExt(value, type) : b.CreateZExt(value, type);
    Value *left = widen(operation->getOperand(0), type, b), *right = widen(operation->getOperand(1), type, b);
    return b.CreateBinOp(operation->getOpcode(), left, right);
  }

private:
  bool distributes(const BinaryOperator &operation) const {
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul: return isSigned_ ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
    case Instruction::Shl: // the distance stays what it is when it is extended
      return (isSigned_ ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap()) &&
             isa<ConstantInt>(operation.getOperand(1));
    default: return false;
    }
  }

  const ShapeInfo &shapes_;
  bool isSigned_;
};

} // namespace

PreservedAnalyses WidenIndicesPass::run(Function &body, FunctionAnalysisManager &analyses) {
  const ShapeInfo &shapes = analyses.getResult<ShapeAnalysis>(body);
  SmallVector<CastInst *, 16> extensions;
  for (Instruction &instruction : instructions(body)) {
    auto *extension = dyn_cast<CastInst>(&instruction);
    if (extension && (isa<SExtInst>(extension) || isa<ZExtInst>(extension)) && extension->getType()->isIntegerTy(64) &&
        shapes.shapeOf(extension) == Shape::varying() &&
        (shapes.shapeOf(extension->getOperand(0)).isStrided() || shapes.shapeOf(extension->getOperand(0)).isInRows()))
      extensions.push_back(extension);
  }
  bool changed = false;
  for (CastInst *extension : extensions) {
    Widener widener(shapes, isa<SExtInst>(extension));
    if (!widener.pays(extension->getOperand(0)))
      continue;
    IRBuilder<> b(extension);
    extension->replaceAllUsesWith(widener.widen(extension->getOperand(0), extension->getType(), b));
    extension->eraseFromParent();
    changed = true;
  }
  return preservedControlFlow(changed);
}

} // namespace hiplz::cpu
