// SPDX-License-Identifier: MIT
// A warp has 32 threads on every device, so a kernel whose results may depend on that asks for sub-groups of 32. The driver's
// compiler chooses the size for all others: with 32, kernels that need many registers spill on most of Intel's GPUs.
//
// A kernel depends on it if something that it may execute
// - is an operation of the warp, or asks for the number of the thread in it;
// - has a fence, or a volatile access to memory that other threads see: programs that rely on the threads of a warp being
//   in step use these to exchange values without a barrier;
// - is not known here: a call through a pointer, assembly;
// or if it writes and reads shared memory and has no barrier at all. Then the threads of a warp exchange values in plain memory, as AMD's
// users do where a block is a warp, or each thread has a place of its own, which looks no different.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

constexpr unsigned kWarpSize = 32;

struct Reason {
  const Instruction *At;
  std::string Text;
};

bool mentionsSubgroup(StringRef Name) {
  return Name.contains("Subgroup") || Name.contains("sub_group") || Name.contains("GroupNonUniform");
}

/// Whether the parameter \p Index of a SPIR-V function names a scope that may be the sub-group's.
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
  if (Name.contains("MemoryBarrier"))
    return "has a fence, which threads in step may count on";
  const bool OfGroup = Name.contains("ControlBarrier") || Name.contains("__spirv_Group");
  if ((OfGroup && mayBeSubgroup(Call, 0)) || (Name.contains("__spirv_Atomic") && mayBeSubgroup(Call, 1)))
    return "uses an operation of the warp";
  return nullptr;
}

/// Whether other threads may see what is at the address. Calls of no function use address 0 (FunctionPointersPass).
bool isShared(const Value *Pointer) {
  return !isa<ConstantPointerNull>(Pointer->stripPointerCasts()) &&
         Pointer->getType()->getPointerAddressSpace() != kPrivate && !isa<AllocaInst>(getUnderlyingObject(Pointer));
}

const char *reasonOfAccess(const Instruction &I) {
  constexpr const char *kVolatile = "has volatile memory, which threads in step may count on";
  if (isa<FenceInst>(I))
    return "has a fence, which threads in step may count on";
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

/// What a kernel does with shared memory.
struct SharedUse {
  const Instruction *Load = nullptr;
  bool Stores = false, HasBarrier = false;

  void add(const Instruction &I) {
    const auto inShared = [](const Value *Pointer) {
      return getUnderlyingObject(Pointer)->getType()->getPointerAddressSpace() == kLocal;
    };
    if (const auto *L = dyn_cast<LoadInst>(&I); L && !L->isAtomic() && inShared(L->getPointerOperand()))
      Load = Load ? Load : L;
    else if (const auto *S = dyn_cast<StoreInst>(&I); S && !S->isAtomic() && inShared(S->getPointerOperand()))
      Stores = true;
    else if (const auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction())
        HasBarrier |= Callee->getName().contains("__spirv_ControlBarrier");
  }
  bool exchangesInStep() const { return Load && Stores && !HasBarrier; }
};

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
  /// Why the kernel depends on the size of warps.
  std::optional<Reason> reasonFor(const Function &Kernel) {
    SmallPtrSet<const Function *, 16> Seen{&Kernel};
    SmallVector<const Function *, 16> Work{&Kernel};
    SharedUse Shared;
    while (!Work.empty()) {
      const Function *F = Work.pop_back_val();
      auto [Known, New] = Reasons.try_emplace(F);
      if (New)
        Known->second = reasonIn(*F);
      if (Known->second)
        return Known->second;
      for (const Instruction &I : instructions(*F)) {
        Shared.add(I);
        if (const auto *Call = dyn_cast<CallBase>(&I))
          if (const Function *Callee = Call->getCalledFunction())
            if (!Callee->isDeclaration() && Seen.insert(Callee).second)
              Work.push_back(Callee);
      }
    }
    if (Shared.exchangesInStep())
      return Reason{Shared.Load, "exchanges values in shared memory without a barrier"};
    return std::nullopt;
  }

private:
  DenseMap<const Function *, std::optional<Reason>> Reasons;
};

} // namespace

PreservedAnalyses SubgroupSizePass::run(Module &M, ModuleAnalysisManager &) {
  auto *Size = MDNode::get(M.getContext(),
                           ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(M.getContext()), kWarpSize)));
  WarpUsers Users;
  for (Function &F : M) {
    if (!isKernel(F) || F.isDeclaration())
      continue;
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
