// The scalar half. Without barriers, the work-items of a work-group are a loop nest over their ids with the kernel inlined
// into it; the innermost loop runs over x and is marked parallel, which is what the programming model says, so that LLVM's
// loop vectoriser need not prove it. With barriers or sub-group operations, every work-item is a fiber.
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/one_by_one.h"
#include "cpu/compiler/work_group.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

uint64_t allocatedBytes(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (Instruction &instruction : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      bytes += layout.getTypeAllocSize(alloca->getAllocatedType()).getFixedValue();
  return bytes;
}

class KernelBuilder {
public:
  KernelBuilder(Kernel &kernel, const CompileOptions &options)
      : kernel_(kernel), body_(*kernel.function), module_(*body_.getParent()), context_(module_.getContext()),
        b_(context_), optimize_(options.optimize) {}

  void build() {
    auto reached = reachableFunctions(body_);
    uint64_t bytes = 0;
    for (Function *function : reached)
      bytes += allocatedBytes(*function);
    constexpr uint64_t kOutOfLineBytes = 256 * 1024; // recursion and calls through pointers
    if (reached.size() > 1)
      bytes += kOutOfLineBytes;
    kernel_.info.privateBytes = static_cast<uint32_t>(std::min<uint64_t>(bytes, 1u << 30));
    kernel_.info.usesFibers = usesCollectives(body_);
    kernel_.info.yields = yields(body_);
    // Memory that the iterations share would make them depend on each other.
    oneByOne_ = canRunOneByOne(body_);
    parallel_ = optimize_ && reached.size() == 1 && allocatedBytes(body_) == 0;

    body_.setCallingConv(CallingConv::C);
    body_.setLinkage(GlobalValue::InternalLinkage);
    body_.setName("body." + kernel_.info.name);
    if (optimize_)
      body_.addFnAttr(Attribute::AlwaysInline);
    if (kernel_.info.usesFibers)
      item_ = buildItemFunction();
    buildGroups();
  }

private:
  Function *createFunction(const Twine &name, Type *result, ArrayRef<Type *> parameters, GlobalValue::LinkageTypes linkage) {
    Function *function = Function::Create(FunctionType::get(result, parameters, false), linkage, name, module_);
    function->addFnAttr(Attribute::NoUnwind);
    if (body_.hasFnAttribute(Attribute::OptimizeNone)) {
      function->addFnAttr(Attribute::OptimizeNone);
      function->addFnAttr(Attribute::NoInline);
    }
    if (DISubprogram *original = body_.getSubprogram())
      attachSubprogram(*function, *original);
    return function;
  }

  // Code that is inlined from the body needs a function with debug information around it.
  void attachSubprogram(Function &function, DISubprogram &original) {
    DIBuilder builder(module_, false, original.getUnit());
    auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
    auto *program = builder.createFunction(original.getFile(), kernel_.info.name, function.getName(), original.getFile(),
                                           original.getLine(), type, original.getLine(),
                                           DINode::FlagArtificial, DISubprogram::SPFlagDefinition);
    function.setSubprogram(program);
    builder.finalizeSubprogram(program);
  }

  void setLocation(Function &function) {
    if (DISubprogram *program = function.getSubprogram())
      b_.SetCurrentDebugLocation(DILocation::get(context_, program->getLine(), 0, program));
    else
      b_.SetCurrentDebugLocation(DebugLoc());
  }

  // The arguments of the body behind the WorkItem, read from the argument block.
  SmallVector<Value *, 16> loadArguments(Value *launch, Value *worker) {
    Value *block = loadField(b_, b_.getPtrTy(), launch, offsetof(LaunchState, args), true);
    SmallVector<Value *, 16> values;
    for (size_t i = 0; i < kernel_.info.args.size(); ++i) {
      const ArgInfo &arg = kernel_.info.args[i];
      Type *type = body_.getArg(static_cast<unsigned>(i) + 1)->getType();
      switch (arg.kind) {
      case ArgKind::byValue:
        values.push_back(b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block, arg.offset));
        break;
      case ArgKind::localPointer: {
        Value *local = loadField(b_, b_.getPtrTy(), worker, offsetof(WorkerState, local), true);
        Value *offset = loadField(b_, b_.getInt64Ty(), block, arg.offset, true);
        values.push_back(b_.CreateGEP(b_.getInt8Ty(), local, offset));
        break;
      }
      default: {
        uint64_t bits = module_.getDataLayout().getTypeSizeInBits(type).getFixedValue();
        if (type->isIntegerTy() && bits % 8 != 0) {
          Value *whole = loadField(b_, b_.getIntNTy(alignTo(bits, 8)), block, arg.offset, true);
          values.push_back(b_.CreateTrunc(whole, type));
        } else {
          values.push_back(loadField(b_, type, block, arg.offset, true));
        }
      }
      }
    }
    return values;
  }

  // Into the worker's state, for messages about faults: the store stays where it is.
  void tell(Value *value, uint64_t offset) {
    b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), worker_, offset), true);
  }

  CallInst *callBody(Value *item, ArrayRef<Value *> arguments) {
    SmallVector<Value *, 16> all{item};
    all.append(arguments.begin(), arguments.end());
    return b_.CreateCall(&body_, all);
  }

  // void item(WorkItem *): what a fiber runs.
  Function *buildItemFunction() {
    Type *pointer = b_.getPtrTy();
    Function *function = createFunction("item." + kernel_.info.name, b_.getVoidTy(), {pointer}, GlobalValue::InternalLinkage);
    b_.SetInsertPoint(BasicBlock::Create(context_, "entry", function));
    setLocation(*function);
    Value *item = function->getArg(0);
    Value *launch = loadField(b_, pointer, item, offsetof(WorkItem, launch), true);
    Value *worker = loadField(b_, pointer, item, offsetof(WorkItem, worker), true);
    callBody(item, loadArguments(launch, worker));
    b_.CreateRetVoid();
    return function;
  }

  // void kernel(const LaunchState *, WorkerState *, uint64_t begin, uint64_t end)
  void buildGroups() {
    Type *pointer = b_.getPtrTy();
    function_ = createFunction(kernelSymbol(kernel_.info.name), b_.getVoidTy(),
                               {pointer, pointer, b_.getInt64Ty(), b_.getInt64Ty()}, GlobalValue::ExternalLinkage);
    launch_ = function_->getArg(0);
    worker_ = function_->getArg(1);
    function_->addParamAttr(0, Attribute::NoAlias);
    function_->addParamAttr(0, Attribute::ReadOnly);
    function_->addParamAttr(0, Attribute::NonNull);
    function_->addDereferenceableParamAttr(0, sizeof(LaunchState));
    function_->addParamAttr(1, Attribute::NonNull);
    function_->addDereferenceableParamAttr(1, sizeof(WorkerState));
    Value *begin = function_->getArg(2), *end = function_->getArg(3);

    auto *entry = BasicBlock::Create(context_, "entry", function_);
    auto *loop = BasicBlock::Create(context_, "group", function_);
    auto *exit = BasicBlock::Create(context_, "exit", function_);
    b_.SetInsertPoint(entry);
    setLocation(*function_);
    if (!kernel_.info.usesFibers)
      item_ = b_.CreateAlloca(ArrayType::get(b_.getInt64Ty(), sizeof(WorkItem) / 8));
    storeField(b_, b_.CreateGlobalStringPtr(kernel_.info.name, "name"), worker_, offsetof(WorkerState, kernelName));
    for (unsigned d = 0; d < 3; ++d) {
      groupSize_[d] = loadRanged(b_, launch_, offsetof(LaunchState, groupSize) + 4 * d, 1, kMaxGroupItems + 1);
      groupCount_[d] = loadRanged(b_, launch_, offsetof(LaunchState, groupCount) + 4 * d, 1, uint64_t(1) << 31);
    }
    if (!kernel_.info.usesFibers)
      arguments_ = loadArguments(launch_, worker_);
    if (!kernel_.info.usesFibers && !oneByOne_)
      tell(b_.getInt32(1), offsetof(WorkerState, itemCount));
    Value *countX = b_.CreateZExt(groupCount_[0], b_.getInt64Ty()), *countY = b_.CreateZExt(groupCount_[1], b_.getInt64Ty());
    Value *row = b_.CreateUDiv(begin, countX);
    Value *first[3] = {b_.CreateURem(begin, countX), b_.CreateURem(row, countY), b_.CreateUDiv(row, countY)};
    for (Value *&value : first)
      value = b_.CreateTrunc(value, b_.getInt32Ty());
    b_.CreateCondBr(b_.CreateICmpULT(begin, end), loop, exit);

    b_.SetInsertPoint(loop);
    PHINode *index = b_.CreatePHI(b_.getInt64Ty(), 2);
    PHINode *group[3];
    for (PHINode *&phi : group)
      phi = b_.CreatePHI(b_.getInt32Ty(), 2);
    for (unsigned d = 0; d < 3; ++d)
      tell(group[d], offsetof(WorkerState, groupId) + 4 * d);
    runGroup(group);
    Value *next = b_.CreateAdd(index, b_.getInt64(1), "", true, true);
    Value *nextGroup[3];
    advance(group, nextGroup);
    index->addIncoming(begin, entry);
    index->addIncoming(next, b_.GetInsertBlock());
    for (unsigned d = 0; d < 3; ++d) {
      group[d]->addIncoming(first[d], entry);
      group[d]->addIncoming(nextGroup[d], b_.GetInsertBlock());
    }
    b_.CreateCondBr(b_.CreateICmpULT(next, end), loop, exit);
    b_.SetInsertPoint(exit);
    b_.CreateRetVoid();
  }

  // The ids of the next work-group, x first.
  void advance(PHINode *const group[3], Value *next[3]) {
    Value *zero = b_.getInt32(0);
    Value *carry = b_.getTrue();
    for (unsigned d = 0; d < 3; ++d) {
      Value *more = b_.CreateAdd(group[d], b_.CreateZExt(carry, b_.getInt32Ty()), "", true, true);
      carry = d < 2 ? b_.CreateICmpEQ(more, groupCount_[d]) : b_.getFalse();
      next[d] = b_.CreateSelect(carry, zero, more);
    }
  }

  void runGroup(PHINode *const group[3]) {
    if (kernel_.info.usesFibers) {
      Type *pointer = b_.getPtrTy();
      Type *word = b_.getInt32Ty();
      FunctionCallee run = module_.getOrInsertFunction(
          "hiplz_cpu_run_group", FunctionType::get(b_.getVoidTy(), {pointer, pointer, pointer, word, word, word, word}, false));
      b_.CreateCall(run, {item_, launch_, worker_, group[0], group[1], group[2], b_.getInt32(kernel_.info.privateBytes)});
      return;
    }
    storeField(b_, launch_, item_, offsetof(WorkItem, launch));
    storeField(b_, worker_, item_, offsetof(WorkItem, worker));
    for (unsigned d = 0; d < 3; ++d)
      storeField(b_, group[d], item_, offsetof(WorkItem, groupId) + 4 * d);
    Value *local[3];
    openLoop(2, local);
  }

  // The loop over dimension d, counting from 0 to the size, with the loops of lower dimensions inside.
  void openLoop(unsigned d, Value *local[3]) {
    BasicBlock *before = b_.GetInsertBlock();
    auto *loop = BasicBlock::Create(context_, d == 2 ? "z" : d == 1 ? "y" : "x", function_);
    auto *after = BasicBlock::Create(context_, "done", function_);
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    PHINode *counter = b_.CreatePHI(b_.getInt64Ty(), 2);
    local[d] = counter;
    if (d > 0)
      openLoop(d - 1, local);
    else
      runItem(local);
    Value *next = b_.CreateAdd(counter, b_.getInt64(1), "", true, true);
    counter->addIncoming(b_.getInt64(0), before);
    counter->addIncoming(next, b_.GetInsertBlock());
    Value *size = b_.CreateZExt(groupSize_[d], b_.getInt64Ty());
    auto *branch = b_.CreateCondBr(b_.CreateICmpULT(next, size), loop, after);
    if (d == 0 && parallel_)
      branch->setMetadata(LLVMContext::MD_loop, parallelLoop());
    b_.SetInsertPoint(after);
  }

  void runItem(Value *const local[3]) {
    Value *ids[3];
    for (unsigned d = 0; d < 3; ++d) {
      ids[d] = b_.CreateTrunc(local[d], b_.getInt32Ty());
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
    MDNode *parallel = MDNode::get(context_, {MDString::get(context_, "llvm.loop.parallel_accesses"), accesses_});
    auto self = MDNode::getTemporary(context_, {});
    MDNode *loop = MDNode::getDistinct(context_, {self.get(), parallel});
    loop->replaceOperandWith(0, loop);
    return loop;
  }

  Kernel &kernel_;
  Function &body_;
  Module &module_;
  LLVMContext &context_;
  IRBuilder<> b_;
  bool optimize_;
  bool parallel_ = false;
  bool oneByOne_ = false; // faults are found by executing the work-group again
  Function *function_ = nullptr;
  Value *item_ = nullptr; // the function of a fiber, or the WorkItem
  Value *launch_ = nullptr;
  Value *worker_ = nullptr;
  Value *groupSize_[3] = {};
  Value *groupCount_[3] = {};
  SmallVector<Value *, 16> arguments_;
  MDNode *accesses_ = nullptr;
};

} // namespace

bool ScalarLowering::lower(Kernel &kernel, const CompileOptions &options) {
  KernelBuilder(kernel, options).build();
  return true;
}

} // namespace hiplz::cpu
