// SPDX-License-Identifier: MIT
// The pipeline runs on a clone of the body, from which the warp function is written and which is thrown away afterwards.
#include "cpu/vectorizer/vectorizer.h"
#include "cpu/vectorizer/body_facts.h"
#include "cpu/vectorizer/pass_analyses.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/reachable.h"
#include "cpu/vectorizer/row_loops.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/side_by_side.h"
#include "cpu/vectorizer/split_barriers.h"
#include "cpu/vectorizer/warp/warp_builder.h"
#include "cpu/vectorizer/wide_warps.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

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

  Function *run(std::string &reason, ModuleDump *dump) {
    ValueToValueMapTy map;
    clone_ = CloneFunction(&body_, map);
    clone_->setLinkage(GlobalValue::InternalLinkage);
    setWarpOptions(*clone_, options_);
    PassInstrumentationCallbacks callbacks;
    instrumentPasses(callbacks, dump);
    PassAnalyses analyses(nullptr, {}, nullptr, &callbacks);
    bodyPipeline().run(*clone_, analyses.functions);
    if (auto declined = declinedBecause(*clone_)) {
      reason = *declined;
      return nullptr;
    }
    const ShapeInfo &shapes = analyses.functions.getResult<ShapeAnalysis>(*clone_);
    if (const BasicBlock *block = shapes.unstructured()) {
      reason = "control flow that could not be structured" + sourcePlace(*block->getTerminator());
      return nullptr;
    }
    createWarp();
    if (accessesRows(*clone_, shapes))
      warp_->addFnAttr(kSideBySide);
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
        refuse("a function that is not inlined waits for other work-items" + sourcePlace(*call));
      traits.hasBarrier = traits.hasBarrier || isBarrier(*call);
      if (isYield(*call))
        traits.yields = traits.needsWholeWarp = true;
      if (isCollective(*call)) {
        traits.needsWholeWarp = true;
        if (collectiveScope(collectiveCodeOf(*call)) == CollectiveScope::workgroup)
          refuse("an operation of the whole work-group" + sourcePlace(*call));
      }
    }
  const CalledFunctions called(body);
  for (Function *function : called.all())
    if (const LaneExchanges exchanges = exchangesIn(*function, called); exchanges.any())
      refuse("lanes of a warp may exchange values in a function that is not inlined" +
             sourcePlace(*exchanges.accesses().front()));
  traits.gainsFromWideWarps = gainsFromWideWarps(body);
  traits.sharesColumns = !traits.hasBarrier && sharesColumns(body);
  traits.walksRows = traits.refusal.empty() && !traits.needsWholeWarp && !traits.hasBarrier &&
                     (body.hasFnAttribute(kWalksRowsUnchecked) || walksRows(body));
  return traits;
}

Function *vectorize(Function &body, const WarpOptions &options, std::string &reason, ModuleDump *dump) {
  return Vectorization(body, options).run(reason, dump);
}

PreservedAnalyses VectorizePass::run(Module &module, ModuleAnalysisManager &) {
  for (Function *body : bodiesIn(module)) {
    std::string reason;
    if (!vectorize(*body, warpOptionsOf(*body), reason))
      outs() << "; not vectorised: " << body->getName() << ": " << reason << '\n';
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses SplitBarriersPass::run(Module &module, ModuleAnalysisManager &) {
  for (Function *warp : bodiesIn(module)) {
    std::string reason;
    const std::string name = warp->getName().str();
    if (auto regions = splitAtBarriers(*warp, warpOptionsOf(*warp).width, reason))
      outs() << "; " << name << ": " << regions->functions.size() << " regions, frame of " << regions->frameBytes
             << " bytes" << (regions->inStep ? ", in step" : "") << '\n';
    else
      outs() << "; not split: " << name << ": " << reason << '\n';
  }
  return PreservedAnalyses::none();
}

} // namespace hiplz::cpu
