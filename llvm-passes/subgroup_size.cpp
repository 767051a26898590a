// SPDX-License-Identifier: MIT
// A warp has 32 threads on every device, so a kernel whose results may depend on that asks for sub-groups of 32. The driver's
// compiler chooses the size for all others: with 32, kernels that need many registers spill on most of Intel's GPUs.
//
// A kernel depends on it if something that it may execute
// - is an operation of the warp, or asks for the number of the thread in it;
// - is a volatile access to memory that other threads see;
// - may exchange values between threads of a warp without a barrier (lanes/lanes_in_step.h, which the CPU device asks as well);
// - is not known here: a call through a pointer, assembly.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "lanes/lanes_in_step.h"
#include "passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstring>
#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

constexpr unsigned kWarpSize = 32;

struct Reason {
  const Instruction *At;
  std::string Text;
};

/// True if the parameter \p Index of a SPIR-V function names a scope that may be the sub-group's.
bool mayBeSubgroup(const CallBase &Call, unsigned Index) {
  constexpr uint64_t kSubgroup = 3;
  if (Index >= Call.arg_size())
    return false;
  auto *Scope = dyn_cast<ConstantInt>(Call.getArgOperand(Index));
  return !Scope || Scope->getZExtValue() == kSubgroup;
}

/// The same for orders of LLVM's own instructions.
bool isWarpScope(const LLVMContext &Context, SyncScope::ID Scope) {
  SmallVector<StringRef, 8> Names;
  Context.getSyncScopeNames(Names);
  const StringRef Name = Scope < Names.size() ? Names[Scope] : StringRef();
  return Name.contains("wavefront") || Name.contains("warp") || Name.contains("sub");
}

const char *reasonOfCall(const CallBase &Call) {
  if (Call.isInlineAsm())
    return "contains assembly";
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "calls through a pointer";
  if (!Callee->isDeclaration())
    return nullptr;
  const StringRef Name = Callee->getName();
  if (mentionsSubgroup(Name))
    return "uses an operation of the warp";
  if (!Name.contains("__spirv_"))
    return nullptr;
  const bool OfGroup = Name.contains("ControlBarrier") || Name.contains("__spirv_Group");
  if ((OfGroup && mayBeSubgroup(Call, 0)) || (Name.contains("__spirv_Atomic") && mayBeSubgroup(Call, 1)))
    return "uses an operation of the warp";
  return nullptr;
}

/// True if other threads may see what is at the address. Calls of no function use address 0 (FunctionPointersPass).
bool isShared(const Value *Pointer) {
  return !isa<ConstantPointerNull>(Pointer->stripPointerCasts()) &&
         Pointer->getType()->getPointerAddressSpace() != kPrivate && !isa<AllocaInst>(getUnderlyingObject(Pointer));
}

const char *reasonOfAccess(const Instruction &I) {
  constexpr const char *kVolatile = "has volatile memory, which threads in step may count on";
  std::optional<SyncScope::ID> Scope;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (Load->isVolatile() && isShared(Load->getPointerOperand()))
      return kVolatile;
    if (Load->isAtomic())
      Scope = Load->getSyncScopeID();
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (Store->isVolatile() && isShared(Store->getPointerOperand()))
      return kVolatile;
    if (Store->isAtomic())
      Scope = Store->getSyncScopeID();
  } else if (auto *Memory = dyn_cast<MemIntrinsic>(&I)) {
    auto *Transfer = dyn_cast<MemTransferInst>(Memory);
    if (Memory->isVolatile() && (isShared(Memory->getDest()) || (Transfer && isShared(Transfer->getSource()))))
      return kVolatile;
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    Scope = Update->getSyncScopeID();
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Scope = Exchange->getSyncScopeID();
  }
  return Scope && isWarpScope(I.getContext(), *Scope) ? "uses an operation of the warp" : nullptr;
}

/// True if the instruction, or a function that it calls, may touch memory that other threads see.
bool mayTouchShared(const Instruction &I, SmallPtrSetImpl<const Function *> &Seen) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return I.mayReadOrWriteMemory() && (!getLoadStorePointerOperand(&I) || isShared(getLoadStorePointerOperand(&I)));
  const Function *Callee = Call->getCalledFunction();
  if (!Call->mayReadOrWriteMemory())
    return false;
  if (Callee && !Callee->isDeclaration())
    return Seen.insert(Callee).second &&
           any_of(instructions(*Callee), [&](const Instruction &Inner) { return mayTouchShared(Inner, Seen); });
  return !Callee || any_of(Call->args(), [](const Use &Argument) {
    return Argument->getType()->isPointerTy() && isShared(Argument);
  });
}
bool mayTouchShared(const Instruction &I) {
  SmallPtrSet<const Function *, 8> Seen;
  return mayTouchShared(I, Seen);
}

/// How modules for GPUs answer about lanes: ids are results of SPIR-V's built-in functions.
class SpirvFacts final : public LaneFacts {
public:
  SpirvFacts(bool IsKernel, unsigned IdsElsewhere) : IsKernel(IsKernel), IdsElsewhere(IdsElsewhere) {}

  std::optional<LaneId> idOf(const Value &V) const override {
    if (const auto Dimension = builtin(V, "LocalInvocationId"))
      return LaneId{*Dimension, false};
    if (const auto Dimension = builtin(V, "GlobalInvocationId"))
      return LaneId{*Dimension, true};
    return std::nullopt;
  }
  bool isOfBlock(const Value &V) const override {
    return any_of(
        std::initializer_list<StringRef>{"WorkgroupId", "WorkgroupSize", "NumWorkgroups", "GlobalSize", "GlobalOffset"},
        [&](StringRef Name) { return builtin(V, Name).has_value(); });
  }
  bool isBlockSizeX(const Value &V) const override { return builtin(V, "WorkgroupSize") == 0u; }
  bool isBarrier(const CallBase &Call) const override {
    const Function *Callee = Call.getCalledFunction();
    return Callee && Callee->getName().contains("__spirv_ControlBarrier");
  }
  bool isLocalObject(const Value &Object) const override {
    return Object.getType()->isPointerTy() && Object.getType()->getPointerAddressSpace() == kLocal;
  }
  bool isPrivate(const Value &Pointer) const override {
    const unsigned Space = Pointer.getType()->getPointerAddressSpace();
    return Space == kPrivate || Space == kConstant;
  }
  Effects effectsOf(const CallBase &Call) const override {
    const bool Touches = !isa<IntrinsicInst>(Call) && mayTouchShared(Call);
    return {Touches && Call.mayReadFromMemory(), Touches && Call.mayWriteToMemory()};
  }
  bool hasCommonArguments() const override { return IsKernel; }
  unsigned idsElsewhere() const override { return IdsElsewhere; }

private:
  /// The dimension that a call of SPIR-V's function \p Name asks for.
  static std::optional<unsigned> builtin(const Value &V, StringRef Name) {
    const auto *Call = dyn_cast<CallBase>(&V);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Call->arg_size() != 1)
      return std::nullopt;
    const StringRef Called = Callee->getName();
    const size_t At = Called.find("__spirv_BuiltIn");
    const auto *Dimension = dyn_cast<ConstantInt>(Call->getArgOperand(0));
    if (At == StringRef::npos || !Dimension || Dimension->getZExtValue() > 2 ||
        !hiplz::startsWith(Called.substr(At + strlen("__spirv_BuiltIn")), std::string_view(Name.data(), Name.size())))
      return std::nullopt;
    return static_cast<unsigned>(Dimension->getZExtValue());
  }

  bool IsKernel;
  unsigned IdsElsewhere;
};

/// The operation of LLVM that the SPIR-V function \p Name stands for: nothing for loads, stores and exchanges by comparison.
std::optional<AtomicRMWInst::BinOp> updateOf(StringRef Name) {
  static const std::pair<StringRef, AtomicRMWInst::BinOp> Names[] = {
      {"IAdd", AtomicRMWInst::Add},       {"IIncrement", AtomicRMWInst::Add}, {"ISub", AtomicRMWInst::Sub},
      {"IDecrement", AtomicRMWInst::Sub}, {"And", AtomicRMWInst::And},        {"Or", AtomicRMWInst::Or},
      {"Xor", AtomicRMWInst::Xor},        {"SMin", AtomicRMWInst::Min},       {"SMax", AtomicRMWInst::Max},
      {"UMin", AtomicRMWInst::UMin},      {"UMax", AtomicRMWInst::UMax},      {"Exchange", AtomicRMWInst::Xchg},
      {"FAddEXT", AtomicRMWInst::FAdd}};
  for (auto [Known, Operation] : Names)
    if (Name.contains(("__spirv_Atomic" + Known).str()))
      return Operation;
  return std::nullopt;
}

/// SPIR-V's atomic functions become LLVM's instructions, which is what the analysis knows. The others stay calls of something unknown.
void replaceAtomicCalls(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->isDeclaration() || !Callee->getName().contains("__spirv_Atomic"))
      continue;
    const StringRef Name = Callee->getName();
    constexpr unsigned kValue = 3, kDesired = 4, kComparator = 5;
    constexpr AtomicOrdering kOrder = AtomicOrdering::Monotonic;
    IRBuilder<> B(Call);
    Value *Place = Call->getArgOperand(0), *Result = nullptr;
    Type *Word = Name.contains("AtomicStore") ? Call->getArgOperand(kValue)->getType() : Call->getType();
    const Align Natural(Word->isVoidTy() ? 1 : B.GetInsertBlock()->getModule()->getDataLayout().getTypeStoreSize(Word));
    if (Name.contains("AtomicCompareExchange") && Call->arg_size() > kComparator) {
      Result = B.CreateExtractValue(B.CreateAtomicCmpXchg(Place, Call->getArgOperand(kComparator),
                                                          Call->getArgOperand(kDesired), Natural, kOrder, kOrder),
                                    0);
    } else if (Name.contains("AtomicLoad")) {
      LoadInst *Load = B.CreateAlignedLoad(Word, Place, Natural);
      Load->setAtomic(kOrder);
      Result = Load;
    } else if (Name.contains("AtomicStore")) {
      B.CreateAlignedStore(Call->getArgOperand(kValue), Place, Natural)->setAtomic(kOrder);
    } else if (const auto Operation = updateOf(Name)) {
      Value *By = Call->arg_size() > kValue ? Call->getArgOperand(kValue) : ConstantInt::get(Word, 1);
      Result = B.CreateAtomicRMW(*Operation, Place, By, Natural, kOrder);
    } else {
      continue;
    }
    if (Result)
      Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

/// True if threads of a warp may exchange values without a barrier. The analysis wants a copy that is tidied up, also of functions that were
/// compiled without optimisation.
bool exchangesInStep(Function &F, unsigned IdsElsewhere, FunctionAnalysisManager &FAM) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  stripDebugInfo(*Copy);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  replaceAtomicCalls(*Copy);
  FunctionPassManager Passes;
  Passes.addPass(scalarReplacement());
  Passes.addPass(InferAddressSpacesPass(kGeneric));
  Passes.addPass(EarlyCSEPass(true));
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  Passes.run(*Copy, FAM);
  // The shape of blocks is not known. Tiles are filled by several writes each, and who has blocks of 16 x 16 would pay for what those of
  // 32 x 8 or 2 x 16 may do.
  const SpirvFacts Facts(isKernel(F), IdsElsewhere);
  WarpExtent Extent, OfWrites;
  if ((IdsElsewhere >> 1 & 1) || any_of(instructions(*Copy), [&](const Instruction &I) {
        const auto Id = Facts.idOf(I);
        return Id && Id->id == 1;
      }))
    OfWrites.apart = {15, 3, 31};
  const bool Any = lanesExchange(*Copy, Facts, Extent, OfWrites);
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  return Any;
}

/// Why the function by itself, without those that it calls, depends on the size of warps.
std::optional<Reason> reasonIn(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (const char *Text = Call && !isa<IntrinsicInst>(I) ? reasonOfCall(*Call) : reasonOfAccess(I))
      return Reason{&I, Text};
    for (const Use &U : I.operands())
      if (auto *Variable = dyn_cast<GlobalVariable>(U->stripPointerCasts()))
        if (mentionsSubgroup(Variable->getName()))
          return Reason{&I, "uses an operation of the warp"};
  }
  return std::nullopt;
}

class WarpUsers {
public:
  explicit WarpUsers(FunctionAnalysisManager &FAM) : FAM(FAM) {}

  /// Why the kernel depends on the size of warps.
  std::optional<Reason> reasonFor(Function &Kernel) {
    SmallSetVector<Function *, 16> Reached;
    Reached.insert(&Kernel);
    for (unsigned Next = 0; Next < Reached.size(); ++Next) {
      Function *F = Reached[Next];
      auto [Known, New] = Reasons.try_emplace(F);
      if (New)
        Known->second = reasonIn(*F);
      if (Known->second)
        return Known->second;
      for (Instruction &I : instructions(*F))
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Function *Callee = Call->getCalledFunction())
            if (!Callee->isDeclaration())
              Reached.insert(Callee);
    }
    constexpr unsigned InThreeDimensions = 7; // functions get what was made of ids from their callers
    unsigned IdsElsewhere = 0;
    for (Function *F : Reached)
      for (const Instruction &I : instructions(*F))
        if (const auto Id = F == &Kernel ? std::nullopt : SpirvFacts(false, 0).idOf(I))
          IdsElsewhere |= 1u << Id->id;
    for (Function *F : Reached) {
      auto [Known, New] = Exchanges.try_emplace(F);
      if (New)
        Known->second = exchangesInStep(*F, F == &Kernel ? IdsElsewhere : InThreeDimensions, FAM);
      if (Known->second)
        return Reason{&*F->getEntryBlock().getFirstInsertionPt(),
                      "may exchange values between threads without a barrier"};
    }
    return std::nullopt;
  }

private:
  FunctionAnalysisManager &FAM;
  DenseMap<const Function *, std::optional<Reason>> Reasons;
  DenseMap<const Function *, bool> Exchanges;
};

} // namespace

PreservedAnalyses SubgroupSizePass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto *Size = MDNode::get(M.getContext(),
                           ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(M.getContext()), kWarpSize)));
  WarpUsers Users(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
  SmallVector<Function *, 16> Kernels;
  for (Function &F : M)
    if (isKernel(F) && !F.isDeclaration())
      Kernels.push_back(&F);
  for (Function *Kernel : Kernels) {
    Function &F = *Kernel;
    const std::optional<Reason> Why = Users.reasonFor(F);
    F.setMetadata("intel_reqd_sub_group_size", Why ? Size : nullptr);
    if (!Why)
      continue;
    OptimizationRemarkEmitter(Why->At->getFunction()).emit([&] {
      return OptimizationRemarkAnalysis("hiplz-subgroup-size", "Warp", Why->At)
             << "kernel " << demangled(F.getName()) << " needs sub-groups of 32: it " << Why->Text;
    });
  }
  return PreservedAnalyses::all();
}

} // namespace hiplz::passes
