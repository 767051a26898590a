// SPDX-License-Identifier: MIT
// Brings a clone of a body into the form that the rest of the vectoriser works on. Structured control flow is made by LLVM's own
// passes; this file puts them in order.
#include "cpu/abi/compiled_code.h"
#include "cpu/abi/group_count.h"
#include "cpu/vectorizer/control_structure.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/StructurizeCFG.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// `function` has been changed since its analyses were made.
template <typename Add> void runPasses(Function &function, FunctionAnalysisManager &analyses, Add add) {
  analyses.invalidate(function, PreservedAnalyses::none());
  FunctionPassManager passes;
  add(passes);
  passes.run(function, analyses);
}

// Statements about single places of the program, which no longer hold when a whole warp comes by.
void dropHints(Function &body) {
  for (Instruction &instruction : make_early_inc_range(instructions(body)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      switch (call->getIntrinsicID()) {
      case Intrinsic::lifetime_start:
      case Intrinsic::lifetime_end:
      case Intrinsic::assume:
      case Intrinsic::experimental_noalias_scope_decl:
      case Intrinsic::dbg_value:
      case Intrinsic::dbg_declare:
      case Intrinsic::dbg_label:
      case Intrinsic::sideeffect: call->eraseFromParent(); break;
      // Their first operand, and something about it.
      case Intrinsic::expect:
      case Intrinsic::expect_with_probability:
      case Intrinsic::annotation:
      case Intrinsic::ptr_annotation:
      case Intrinsic::ssa_copy:
      case Intrinsic::launder_invariant_group:
      case Intrinsic::strip_invariant_group:
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
        break;
      default: break;
      }
}

// Unreachable code follows a trap or a function that does not return. The lanes that are there end.
void endUnreachableBlocks(Function &body) {
  for (BasicBlock &block : body)
    if (isa<UnreachableInst>(block.getTerminator())) {
      block.getTerminator()->eraseFromParent();
      ReturnInst::Create(body.getContext(), &block);
    }
}

void annotateIds(Function &body) {
  MDBuilder metadata(body.getContext());
  for (Instruction &instruction : instructions(body))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (auto read = itemReadBy(*load); read && !load->getType()->isPointerTy()) {
        const auto limit = static_cast<uint32_t>(read->field == ItemField::groupId ? kMaxGroups : kMaxGroupItems);
        load->setMetadata(LLVMContext::MD_range, metadata.createRange(APInt(32, 0), APInt(32, limit)));
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(body.getContext(), {}));
      }
}

// An index beyond the last element reads the last, as in scalar code: get_global_id of a fourth dimension is such a read.
void limitElementIndices(Function &body) {
  for (Instruction &instruction : instructions(body)) {
    auto *element = dyn_cast<ExtractElementInst>(&instruction);
    auto *type = element ? dyn_cast<FixedVectorType>(element->getVectorOperandType()) : nullptr;
    if (!type || isa<ConstantInt>(element->getIndexOperand()))
      continue;
    Value *index = element->getIndexOperand();
    IRBuilder<> builder(element);
    Value *last = ConstantInt::get(index->getType(), type->getNumElements() - 1);
    element->setOperand(1, builder.CreateSelect(builder.CreateICmpULT(index, last), index, last));
  }
}

void separateJoins(Function &body) {
  while (ControlStructure(body).separateJoins())
    ;
}

} // namespace

PreservedAnalyses CanonicalizePass::run(Function &body, FunctionAnalysisManager &analyses) {
  dropHints(body);
  annotateIds(body);
  limitElementIndices(body);
  endUnreachableBlocks(body);
  runPasses(body, analyses, [](FunctionPassManager &passes) {
    passes.addPass(InstCombinePass());
    passes.addPass(EarlyCSEPass());
    passes.addPass(ScalarizerPass());
    passes.addPass(InstSimplifyPass());
    passes.addPass(LowerSwitchPass());
  });
  endUnreachableBlocks(body); // switches without default have made new ones
  runPasses(body, analyses, [](FunctionPassManager &passes) {
    passes.addPass(UnifyFunctionExitNodesPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    passes.addPass(DCEPass());
  });
  separateJoins(body);
  return PreservedAnalyses::none();
}

PreservedAnalyses StructurizePass::run(Function &body, FunctionAnalysisManager &analyses) {
  if (!analyses.getResult<ShapeAnalysis>(body).unstructured())
    return PreservedAnalyses::all();
  runPasses(body, analyses, [](FunctionPassManager &passes) {
    passes.addPass(FixIrreduciblePass());
    passes.addPass(LowerSwitchPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(UnifyLoopExitsPass());
    passes.addPass(StructurizeCFGPass());
    passes.addPass(InstSimplifyPass());
    passes.addPass(DCEPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
  });
  separateJoins(body);
  return PreservedAnalyses::none();
}

} // namespace hiplz::cpu
