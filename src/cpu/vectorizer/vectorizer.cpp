// SPDX-License-Identifier: MIT
// The stages in order, on a clone of the body that is thrown away afterwards.
#include "cpu/vectorizer/vectorizer.h"
#include "cpu/vectorizer/atomic_loops.h"
#include "cpu/vectorizer/extensions.h"
#include "cpu/vectorizer/global_ids.h"
#include "cpu/vectorizer/loops_in_step.h"
#include "cpu/vectorizer/neighbours.h"
#include "cpu/vectorizer/next_group.h"
#include "cpu/vectorizer/polling.h"
#include "cpu/vectorizer/prefetch.h"
#include "cpu/vectorizer/private_memory.h"
#include "cpu/vectorizer/reachable.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/structure.h"
#include "cpu/vectorizer/warp_builder.h"
#include "cpu/vectorizer/wide_warps.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// A warp's private variables may have to fit on the stack of one of the program's threads.
constexpr uint64_t kMaxPrivateBytes = 1 << 20;

std::string place(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc().get();
  return location ? " (" + location->getFilename().str() + ":" + std::to_string(location->getLine()) + ")" : "";
}

/// Owns the clone of the body and the warp function until that is complete.
class Vectorization {
public:
  Vectorization(Function &body, const WarpOptions &options) : options_(options), body_(body) {}
  ~Vectorization() {
    if (clone_)
      clone_->eraseFromParent();
    if (warp_)
      warp_->eraseFromParent();
  }

  Function *run(std::string &reason) {
    ValueToValueMapTy map;
    clone_ = CloneFunction(&body_, map);
    clone_->setLinkage(GlobalValue::InternalLinkage);
    recognizeAtomicAdditions(*clone_);
    const bool waits = hasPolls(*clone_);
    if (waits)
      makePollsAtomic(*clone_);
    canonicalize(*clone_);
    if (waits)
      if (const Instruction *write = mayWaitForOwnWarp(*clone_, options_, reason)) {
        reason += place(*write);
        return nullptr;
      }
    if (options_.globalIds)
      readGlobalIds(*clone_);
    interleavePrivateMemory(*clone_, options_.width);
    if (uint64_t bytes = privateBytes(*clone_, options_.width); bytes > kMaxPrivateBytes) {
      reason = "private arrays that take " + std::to_string(bytes) + " bytes for " + std::to_string(options_.width) +
               " lanes";
      return nullptr;
    }
    if (options_.layout == LaneLayout::rows && !waits) // a warp may wait for one that could not leave such a loop
      stepThroughLoops(*clone_);
    if (ShapeAnalysis(*clone_, options_).unstructured())
      structurize(*clone_);
    widenIndices(*clone_, ShapeAnalysis(*clone_, options_));
    joinNeighbours(*clone_, ShapeAnalysis(*clone_, options_));
    prefetchLeaps(ShapeAnalysis(*clone_, options_));
    prefetchForNextGroup(*clone_, ShapeAnalysis(*clone_, options_), options_);
    ShapeAnalysis shapes(*clone_, options_);
    if (const BasicBlock *block = shapes.unstructured()) {
      reason = "control flow that could not be structured" + place(*block->getTerminator());
      return nullptr;
    }
    createWarp();
    if (!WarpBuilder(*clone_, *warp_, shapes, options_).build(reason))
      return nullptr;
    std::string broken;
    raw_string_ostream stream(broken);
    if (verifyFunction(*warp_, &stream)) {
      reason = "internal error, the warp function is not valid: " + stream.str();
      return nullptr;
    }
    Function *result = warp_;
    warp_ = nullptr;
    return result;
  }

private:
  void createWarp() {
    warp_ = Function::Create(clone_->getFunctionType(), GlobalValue::InternalLinkage,
                             "warp" + Twine(options_.width) + "." + body_.getName(), body_.getParent());
    AttributeList attributes = clone_->getAttributes();
    for (unsigned i = 1; i < clone_->arg_size(); ++i)
      for (Attribute attribute : attributes.getParamAttrs(i))
        warp_->addParamAttr(i, attribute);
    for (Attribute attribute : attributes.getFnAttrs())
      if (attribute.isStringAttribute())
        warp_->addFnAttr(attribute);
    warp_->addFnAttr(Attribute::NoUnwind);
    warp_->addFnAttr("min-legal-vector-width", "512");
    warp_->addFnAttr("prefer-vector-width", "512");
    if (clone_->hasUWTable())
      warp_->setUWTableKind(clone_->getUWTableKind());
    if (DISubprogram *program = clone_->getSubprogram()) {
      clone_->setSubprogram(nullptr);
      warp_->setSubprogram(program);
    }
  }

  WarpOptions options_;
  Function &body_;
  Function *clone_ = nullptr;
  Function *warp_ = nullptr;
};

} // namespace

KernelTraits inspectKernel(Function &body) {
  KernelTraits traits;
  auto refuse = [&](const Twine &why) {
    if (traits.refusal.empty())
      traits.refusal = why.str();
  };
  if (body.hasFnAttribute(Attribute::OptimizeNone))
    refuse("compiled without optimisation");
  for (Function *function : reachableFunctions(body))
    for (Instruction &instruction : instructions(*function)) {
      if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        traits.needsWholeWarp = traits.needsWholeWarp || load->isVolatile();
        traits.usesLocalMemory = traits.usesLocalMemory || readsLocalMemory(*load);
      } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
        traits.needsWholeWarp = traits.needsWholeWarp || store->isVolatile();
      }
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call)
        continue;
      bool waits = isBarrier(*call) || isCollective(*call) || isYield(*call);
      if (function != &body && waits)
        refuse("a function that is not inlined waits for other work-items" + place(*call));
      traits.hasBarrier = traits.hasBarrier || isBarrier(*call);
      if (isYield(*call))
        traits.yields = traits.needsWholeWarp = true;
      if (isCollective(*call)) {
        traits.needsWholeWarp = true;
        if (collectiveScope(collectiveCodeOf(*call)) == CollectiveScope::workgroup)
          refuse("an operation of the whole work-group" + place(*call));
      }
    }
  traits.gainsFromWideWarps = gainsFromWideWarps(body);
  return traits;
}

Function *vectorize(Function &body, const WarpOptions &options, std::string &reason) {
  return Vectorization(body, options).run(reason);
}

} // namespace hiplz::cpu
