// SPDX-License-Identifier: MIT
// AMD's compiler makes a chain of calls of each printf: one that begins a message, then one for each string and for each few
// numbers, which take the message's handle and return it, the last one with a flag. Strings come with their length, everything
// else as 64 bits. Where the chain can be followed, the call of printf stands here again in the place of the last one. Where the
// calls lie in different blocks, they stay: the device library writes parts of a message, which the host puts together.
#include "amd_printf.h"
#include "base/llvm_compat.h"
#include "ir_utils.h"
#include "printf_format.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

#include <cstring>

using namespace llvm;

namespace hiplz::passes {

namespace {

constexpr unsigned kNumbersOfCall = 7;

/// One message: its calls in order.
using Chain = SmallVector<CallInst *, 8>;

bool isAppendix(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee &&
         (Callee->getName().contains("printf_append_args") || Callee->getName().contains("printf_append_string_n"));
}

bool isLast(const CallInst &Call) {
  auto *Flag = dyn_cast<ConstantInt>(Call.getArgOperand(Call.arg_size() - 1));
  return Flag && !Flag->isZero();
}

/// Follows the handle; false if it is used in another way.
bool follow(CallInst &Begin, Chain &Calls) {
  for (CallInst *At = &Begin; At == &Begin || !isLast(*At);) {
    if (!At->hasOneUse())
      return false;
    auto *Next = dyn_cast<CallInst>(At->user_back());
    if (!Next || !isAppendix(*Next) || Next->getArgOperand(0) != At)
      return false;
    Calls.push_back(At = Next);
  }
  return true;
}

bool isReal(char Conversion) { return Conversion != 0 && std::strchr("aAeEfFgG", Conversion); }

void restore(CallInst &Begin, const Chain &Calls, Function &Printf) {
  IRBuilder<> B(Calls.back());
  PointerType *Text = pointerTo(B.getInt8Ty(), kGeneric);
  SmallVector<Value *, 8> Arguments;
  SmallVector<char, 8> Conversions;
  for (CallInst *Call : Calls) {
    if (Call->getCalledFunction()->getName().contains("string")) {
      Arguments.push_back(castPointer(B, Call->getArgOperand(1), Text));
      StringRef Format;
      if (Arguments.size() == 1 && getConstantStringInfo(Arguments[0], Format))
        Conversions = formatConversions(Format);
      continue;
    }
    auto *Count = dyn_cast<ConstantInt>(Call->getArgOperand(1));
    for (unsigned N = 0; N < (Count ? std::min<uint64_t>(Count->getZExtValue(), kNumbersOfCall) : 0); ++N) {
      Value *Number = Call->getArgOperand(2 + N);
      const size_t Index = Arguments.size() - 1;
      auto *Cast = dyn_cast<BitCastInst>(Number);
      if (Cast && Cast->getSrcTy()->isDoubleTy())
        Number = Cast->getOperand(0);
      else if (Index < Conversions.size() && isReal(Conversions[Index]))
        Number = B.CreateBitCast(Number, B.getDoubleTy());
      Arguments.push_back(Number);
    }
  }
  Value *Result = createCall(B, &Printf, Arguments);
  Calls.back()->replaceAllUsesWith(B.CreateSExt(Result, Calls.back()->getType()));
  for (CallInst *Call : reverse(Calls))
    Call->eraseFromParent();
  Begin.eraseFromParent();
}

} // namespace

void restorePrintf(Module &M) {
  const std::pair<const char *, const char *> Functions[] = {{"__ockl_printf_begin", "printf"},
                                                             {"__ockl_fprintf_stderr_begin", "__hiplz_print_error"}};
  for (auto [Name, Ours] : Functions) {
    Function *Begins = M.getFunction(Name);
    if (!Begins)
      continue;
    LLVMContext &C = M.getContext();
    auto *Type = FunctionType::get(Type::getInt32Ty(C), {pointerTo(Type::getInt8Ty(C), kGeneric)}, true);
    auto *Printf = cast<Function>(M.getOrInsertFunction(Ours, Type).getCallee());
    Printf->setCallingConv(CallingConv::SPIR_FUNC);
    for (User *U : make_early_inc_range(Begins->users())) {
      auto *Begin = dyn_cast<CallInst>(U);
      Chain Calls;
      if (Begin && follow(*Begin, Calls))
        restore(*Begin, Calls, *Printf);
    }
  }
}

} // namespace hiplz::passes
