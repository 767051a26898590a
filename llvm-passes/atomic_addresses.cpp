// SPDX-License-Identifier: MIT
// Atomic operations name the memory that they are on, where that is known. The headers' functions take generic pointers, as
// HIP's do. Of those on 64 bits Intel's compiler makes two ways, one for memory of the device and one for shared memory, with a
// lock in shared memory that each work-group sets up, even if only the first way is left in the end. A kernel with 64 KiB of shared
// memory of its own is refused by GPUs that have no more.
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

/// The name of that operation on a generic pointer, its first parameter, with a pointer to \p Space:
/// _Z18__spirv_AtomicIAddPjiij becomes _Z18__spirv_AtomicIAddPU3AS1jiij. Nothing if it is none.
std::optional<std::string> nameFor(StringRef Name, unsigned Space) {
  StringRef Parameters = Name;
  unsigned Length = 0;
  if (!Parameters.consume_front("_Z") || Parameters.consumeInteger(10, Length) ||
      !Parameters.take_front(Length).contains("__spirv_Atomic"))
    return std::nullopt;
  Parameters = Parameters.drop_front(Length);
  if (!Parameters.consume_front("P"))
    return std::nullopt;
  const StringRef Start = Name.drop_back(Parameters.size());
  Parameters.consume_front("U3AS4"); // as OpenCL C has it
  return (Start + "U3AS" + Twine(Space) + Parameters).str();
}

/// The pointer in the memory that it was cast from; null if that is not known.
Value *knownPlace(Value *Generic) {
  auto *Pointer = dyn_cast<Operator>(Generic);
  while (Pointer && Pointer->getOpcode() == Instruction::BitCast)
    Pointer = dyn_cast<Operator>(Pointer->getOperand(0));
  auto *Cast = dyn_cast_or_null<AddrSpaceCastOperator>(Pointer);
  if (!Cast || (Cast->getSrcAddressSpace() != kGlobal && Cast->getSrcAddressSpace() != kLocal))
    return nullptr;
  return Cast->getPointerOperand();
}

bool nameMemory(CallInst &Call) {
  const Function &Callee = *Call.getCalledFunction();
  Value *Place = knownPlace(Call.getArgOperand(0));
  if (!Place)
    return false;
  const unsigned Space = Place->getType()->getPointerAddressSpace();
  SmallVector<Type *, 6> Types(Callee.getFunctionType()->params().begin(), Callee.getFunctionType()->params().end());
  Types[0] = inAddressSpace(cast<PointerType>(Types[0]), Space);
  FunctionCallee Named = Call.getModule()->getOrInsertFunction(*nameFor(Callee.getName(), Space),
                                                               FunctionType::get(Callee.getReturnType(), Types, false),
                                                               Callee.getAttributes());
  cast<Function>(Named.getCallee())->setCallingConv(Callee.getCallingConv());
  IRBuilder<> B(&Call);
  Call.setCalledFunction(Named.getFunctionType(), Named.getCallee());
  Call.setArgOperand(0, castPointer(B, Place, Types[0]));
  return true;
}

} // namespace

PreservedAnalyses AtomicAddressesPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.arg_empty() || !F.getArg(0)->getType()->isPointerTy() ||
        F.getArg(0)->getType()->getPointerAddressSpace() != kGeneric || !nameFor(F.getName(), kGlobal))
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledOperand() == &F)
        Changed |= nameMemory(*Call);
    if (F.use_empty())
      F.eraseFromParent();
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
