// SPDX-License-Identifier: MIT
// See uninitialized.h. One walk over a function; the rules are those of MemorySanitizer, without what it does for threads and libraries of the
// host.
#include "cpu/compiler/uninitialized.h"
#include "base/llvm_compat.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/call_shadows.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/choices.h"
#include "cpu/compiler/follow_pointers.h"
#include "cpu/compiler/inlining.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/meetings.h"
#include "cpu/compiler/shadow_rules.h"
#include "cpu/compiler/value_origins.h"
#include "cpu/vectorizer/body_facts.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Functions of the built-in library that read or write memory of the program.
bool touchesMemory(const Function &function) {
  return startsWith(function.getName(), "hz_image_") || startsWith(function.getName(), "hz_async_");
}

/// Inlines what is to be instrumented. What stays a function is taken to get and to return initialized values.
void inlineProgram(Module &module) {
  SmallPtrSet<const Function *, 16> accessors; // of the library, with what they call
  SmallVector<const Function *, 16> work;
  for (const Function &function : module)
    if (function.hasFnAttribute(kOfBuiltinLibrary) && touchesMemory(function))
      work.push_back(&function);
  while (!work.empty())
    if (const Function *function = work.pop_back_val(); accessors.insert(function).second)
      for (const Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction())
          work.push_back(call->getCalledFunction());
  inlineFunctions(module, [&](const Function &function) {
    return !isPrint(function) && (!function.hasFnAttribute(kOfBuiltinLibrary) || accessors.contains(&function));
  });
}

class Propagation {
public:
  explicit Propagation(Function &function) : s_(function) {}

  void run() {
    removeUnreachableBlocks(s_.function);
    promotePointers(s_.function); // else the variables that they point to would seem to be known elsewhere
    chooseWithoutBranches(s_.function);
    BasicBlock &entry = s_.function.getEntryBlock();
    Instruction *first = &*entry.begin();
    while (isa<AllocaInst>(first))
      first = first->getNextNode();
    SplitBlock(&entry, first);
    s_.prologue = entry.getTerminator();
    variables_.addShadows();
    findSuspects();
    SmallVector<Instruction *, 128> all;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&s_.function))
      for (Instruction &instruction : *block)
        if (!s_.isOurs(&instruction)) {
          all.push_back(&instruction);
          uses_.knowBlock(instruction, *block);
        }
    SmallVector<std::pair<PHINode *, PHINode *>, 16> phis; // with their shadows
    for (Instruction *instruction : all)
      if (auto *phi = dyn_cast<PHINode>(instruction); phi && s_.isSuspect(phi)) {
        s_.b.SetInsertPoint(phi);
        PHINode *shadow = s_.twinOf(*phi, shadowType(phi->getType()));
        s_.setShadow(*phi, shadow);
        phis.push_back({phi, shadow});
      }
    for (Instruction *instruction : all) {
      if (!isUnseen(*instruction))
        memory_.settleStores(*instruction);
      visit(*instruction);
    }
    for (auto &[phi, shadow] : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        shadow->setIncomingValue(i, s_.shadowOf(phi->getIncomingValue(i)));
    for (auto &[call, value] : uses_.pending())
      call->setArgOperand(call->arg_size() - 1, origins_.originAt(*value, *call));
    memory_.fillPhis();
    origins_.fillPhis();
    s_.endTwins();
  }

private:
  static bool isOfChecks(const Instruction &instruction) { return instruction.getMetadata(kOfChecks); }

  static bool isInvariant(const Instruction &instruction) {
    return instruction.hasMetadata(LLVMContext::MD_invariant_load);
  }

  // True for what neither sees what is in memory nor leaves the block, and for stores whose shadows may wait.
  static bool isUnseen(const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    return (store && store->isSimple()) || isInvariant(instruction) ||
           !(instruction.mayReadOrWriteMemory() || instruction.isTerminator());
  }

  bool isSource(const Instruction &instruction) const {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return !isOfChecks(*load) && !isInvariant(*load) &&
             variables_.targetOf(load->getPointerOperand()) != PointerTarget::initialized;
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return variables_.targetOf(update->getPointerOperand()) != PointerTarget::initialized;
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return variables_.targetOf(exchange->getPointerOperand()) != PointerTarget::initialized;
    if (auto *call = dyn_cast<CallBase>(&instruction); call && isShuffle(*call))
      return true;
    return propagates(instruction) && any_of(instruction.operands(), isUndefinedScalar);
  }

  bool propagates(const Instruction &instruction) const {
    if (auto *call = dyn_cast<CallBase>(&instruction))
      return isCollective(*call) || isFunctionOfArguments(*call);
    return !isa<StoreInst, LoadInst, AtomicRMWInst, AtomicCmpXchgInst, AllocaInst, FreezeInst>(instruction) &&
           !instruction.isTerminator() && !isOfChecks(instruction);
  }

  // The values whose shadow may not be zero.
  void findSuspects() {
    SmallVector<const Instruction *, 64> work;
    auto add = [&](const Instruction &instruction) {
      if (shadowType(instruction.getType()) && s_.suspect(instruction))
        work.push_back(&instruction);
    };
    for (const Instruction &instruction : instructions(s_.function))
      if (!s_.isOurs(&instruction) && isSource(instruction))
        add(instruction);
    while (!work.empty())
      for (const User *user : work.pop_back_val()->users())
        if (auto *instruction = dyn_cast<Instruction>(user); instruction && propagates(*instruction))
          add(*instruction);
  }

  void visit(Instruction &instruction) {
    if (isOfChecks(instruction) && !instruction.isTerminator())
      return;
    s_.b.SetInsertPoint(isa<PHINode>(instruction) ? instruction.getParent()->getFirstNonPHI() : &instruction);
    s_.b.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return memory_.visitLoad(*load);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return memory_.visitStore(*store);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return memory_.visitUpdate(*update);
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return memory_.visitExchange(*exchange);
    if (auto *memory = dyn_cast<MemIntrinsic>(&instruction))
      return memory_.visitMemory(*memory);
    if (auto *call = dyn_cast<CallInst>(&instruction))
      return calls_.visitCall(*call);
    if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
      if (branch->isConditional() && !isOfChecks(instruction))
        uses_.check(branch->getCondition(), instruction, checkDecides);
      return;
    }
    if (auto *choice = dyn_cast<SwitchInst>(&instruction))
      return uses_.check(choice->getCondition(), instruction, checkDecides);
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction); binary && binary->isIntDivRem())
      uses_.check(binary->getOperand(1), instruction, checkDivides);
    if (isa<ExtractElementInst>(instruction))
      uses_.check(instruction.getOperand(1), instruction, checkAddresses);
    if (isa<InsertElementInst>(instruction))
      uses_.check(instruction.getOperand(2), instruction, checkAddresses);
    if (!s_.isSuspect(&instruction) || isa<PHINode>(instruction))
      return;
    if (Value *shadow = rules_.compute(instruction))
      s_.setShadow(instruction, shadow);
  }

  BitShadows s_;
  TrackedVariables variables_{s_};
  UseReports uses_{s_};
  MemoryShadows memory_{s_, variables_, uses_};
  CallShadows calls_{s_, variables_, uses_, memory_};
  ShadowRules rules_{s_};
  ValueOrigins origins_{s_, variables_};
};

} // namespace

void checkInitialization(Module &module) {
  inlineProgram(module);
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(kOfBuiltinLibrary) && !function.arg_empty() &&
        function.getArg(0)->getType()->isPointerTy()) {
      forgetEffects(function);
      function.addFnAttr(kForgetsLocal);
      Propagation(function).run();
    }
  forgetShuffleMasks(module);
}

} // namespace hiplz::cpu
