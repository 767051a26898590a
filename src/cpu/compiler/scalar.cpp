// SPDX-License-Identifier: MIT
// The scalar path. Without barriers, the work-items of a work-group are a loop nest over their ids with the kernel
// inlined into it; the innermost loop runs over x and is marked parallel, which is what the programming model says, so
// that LLVM's loop vectoriser need not prove it. With barriers or sub-group operations, every work-item is a fiber.
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/group_loop.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/one_by_one.h"
#include "cpu/compiler/scalar_steps.h"
#include "cpu/vectorizer/reachable.h"
#include "cpu/vectorizer/row_loops.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <array>
#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

class ScalarBuilder final : public GroupLoopBuilder {
public:
  ScalarBuilder(Kernel &kernel, bool optimize) : GroupLoopBuilder(kernel), optimize_(optimize) {}

  void build() {
    kernel_.code.privateBytes = static_cast<uint32_t>(stackBytes(body_));
    keepLanesInStep(body_);
    usesFibers_ = usesCollectives(body_);
    kernel_.code.yields = yields(body_);
    kernel_.code.shapes = kAllGroupShapes;
    // Memory that the iterations share would make them depend on each other.
    oneByOne_ = canRunOneByOne(body_);
    inTurn_ = body_.hasFnAttribute(kWalksRows);
    parallel_ = optimize_ && !inTurn_ && reachableFunctions(body_).size() == 1 && allocatedBytes(body_) == 0;

    body_.setCallingConv(CallingConv::C);
    body_.setLinkage(GlobalValue::InternalLinkage);
    body_.setName("body." + kernel_.info.name);
    fixSizeIn(body_);
    if (optimize_)
      body_.addFnAttr(Attribute::AlwaysInline);
    if (usesFibers_)
      item_ = buildItemFunction();
    buildLoop(*createKernelFunction(kernelSymbol(kernel_.info.name), GlobalValue::ExternalLinkage));
  }

private:
  CallInst *callBody(Value *item, ArrayRef<Value *> arguments) {
    SmallVector<Value *, 16> all{item};
    all.append(arguments.begin(), arguments.end());
    return b_.CreateCall(&body_, all);
  }

  // void item(WorkItem *): what a fiber runs.
  Function *buildItemFunction() {
    Type *pointer = b_.getPtrTy();
    Function *function =
        createFunction("item." + kernel_.info.name, b_.getVoidTy(), {pointer}, GlobalValue::InternalLinkage);
    startBlock(*function, "entry");
    Value *item = function->getArg(0);
    Value *launch = loadField(b_, pointer, item, offsetof(WorkItem, launch), true);
    Value *worker = loadField(b_, pointer, item, offsetof(WorkItem, worker), true);
    callBody(item, loadArguments(launch, worker));
    b_.CreateRetVoid();
    return function;
  }

  void enter() override {
    if (usesFibers_)
      return;
    item_ = b_.CreateAlloca(ArrayType::get(b_.getInt64Ty(), sizeof(WorkItem) / 8));
    storeField(b_, launch_, item_, offsetof(WorkItem, launch)); // bodies read them as if they had always been there
    storeField(b_, worker_, item_, offsetof(WorkItem, worker));
    arguments_ = loadArguments(launch_, worker_);
    if (!oneByOne_)
      tell(b_.getInt32(1), offsetof(WorkerState, itemCount));
  }

  void runGroups(Value *const group[3], Value *) override {
    if (usesFibers_) {
      b_.CreateCall(declareRuntime(module_, runtime::runGroup),
                    {item_, launch_, worker_, group[0], group[1], group[2], b_.getInt32(kernel_.code.privateBytes)});
      return;
    }
    for (unsigned d = 0; d < 3; ++d)
      storeField(b_, group[d], item_, offsetof(WorkItem, groupId) + 4 * d);
    emitLoop(groupSize_[2], 1, "z", [&](Value *z) {
      emitLoop(groupSize_[1], 1, "y", [&](Value *y) {
        BranchInst *back = emitLoop(groupSize_[0], 1, "x", [&](Value *x) {
          runItem({x, y, z});
          return nullptr;
        });
        if (parallel_ || inTurn_)
          back->setMetadata(LLVMContext::MD_loop, parallel_ ? parallelLoop() : loopInTurn());
        return nullptr;
      });
      return nullptr;
    });
  }

  void runItem(std::array<Value *, 3> ids) {
    for (unsigned d = 0; d < 3; ++d) {
      storeField(b_, ids[d], item_, offsetof(WorkItem, localId) + 4 * d);
      if (!oneByOne_)
        tell(ids[d], offsetof(WorkerState, localId) + 4 * d);
    }
    Value *linear = b_.CreateAdd(b_.CreateMul(ids[2], groupSize_[1], "", true, true), ids[1], "", true, true);
    linear = b_.CreateAdd(b_.CreateMul(linear, groupSize_[0], "", true, true), ids[0], "", true, true);
    storeField(b_, linear, item_, offsetof(WorkItem, linearId));
    CallInst *call = callBody(item_, arguments_);
    if (parallel_) {
      accesses_ = MDNode::getDistinct(context_, {});
      call->setMetadata(LLVMContext::MD_access_group, accesses_);
    }
  }

  MDNode *parallelLoop() {
    return loopWith(MDNode::get(context_, {MDString::get(context_, "llvm.loop.parallel_accesses"), accesses_}));
  }

  // LLVM would make a vector of the work-items' rows again.
  MDNode *loopInTurn() {
    return loopWith(MDNode::get(
        context_, {MDString::get(context_, "llvm.loop.vectorize.enable"), ConstantAsMetadata::get(b_.getFalse())}));
  }

  MDNode *loopWith(MDNode *property) {
    auto self = MDNode::getTemporary(context_, {});
    MDNode *loop = MDNode::getDistinct(context_, {self.get(), property});
    loop->replaceOperandWith(0, loop);
    return loop;
  }

  bool optimize_;
  bool usesFibers_ = false;
  bool parallel_ = false;
  bool inTurn_ = false;   // kWalksRows
  bool oneByOne_ = false; // faults are found by executing the work-group again
  Value *item_ = nullptr; // the function of a fiber, or the WorkItem
  SmallVector<Value *, 16> arguments_;
  MDNode *accesses_ = nullptr;
};

} // namespace

bool ScalarLowering::lower(Kernel &kernel, const CompileOptions &options) {
  ScalarBuilder(kernel, options.optimize).build();
  return true;
}

} // namespace hiplz::cpu
