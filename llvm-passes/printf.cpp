// SPDX-License-Identifier: MIT
// Device printf. Every call writes one record with the format and its arguments into the ring that the runtime reads
// (docs/design/kernel-services.md); the conversions themselves happen on the host. Formats may be computed at run time,
// and strings may lie in any memory: their characters travel in the record.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"
#include "printf_format.h"
#include "printf_runtime.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

/// The text of a format that is known here.
std::optional<StringRef> constantFormat(const Value *Format) {
  StringRef Text;
  if (getConstantStringInfo(Format, Text))
    return Text;
  return std::nullopt;
}

/// Rewrites one call.
class PrintfCall {
public:
  PrintfCall(CallInst &Call, PrintfRuntime &Runtime, uint32_t Finished)
      : Call(Call), Runtime(Runtime), Finished(Finished), B(&Call) {}

  void rewrite(Diagnostics &Errors) {
    if (!prepare(Errors))
      return;
    Value *Bytes = B.getInt64(PrintfRuntime::kHeaderBytes);
    for (Argument &A : Arguments) {
      if (A.isText())
        A.Length = createCall(B, Runtime.measure(), {A.V, A.Limit});
      Bytes = B.CreateAdd(Bytes,
                          A.isText() ? Runtime.argumentSize(B, A.Length) : B.getInt64(PrintfRuntime::kArgumentBytes));
    }
    Value *Record = createCall(B, Runtime.reserve(), {Bytes});
    Value *Reserved = B.CreateIsNotNull(Record);
    BasicBlock *Before = Call.getParent();
    Instruction *Then = SplitBlockAndInsertIfThen(Reserved, &Call, false);
    B.SetInsertPoint(Then);
    write(Record);
    // To wait for the host is slow, and most callers do not want to know.
    Value *Printed = ConstantInt::get(Call.getType(), 0);
    if (Finished == PrintfRuntime::kReady && !Call.use_empty())
      Printed = B.CreateSExtOrTrunc(createCall(B, Runtime.ask(), {Record}), Call.getType());
    else
      Runtime.storeState(B, Record, Finished);
    B.SetInsertPoint(&Call);
    PHINode *Result = PHINode::Create(Call.getType(), 2, "", &Call.getParent()->front());
    Result->addIncoming(Printed, Then->getParent());
    Result->addIncoming(ConstantInt::getAllOnesValue(Call.getType()), Before);
    Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
  }

private:
  struct Argument {
    PrintfRuntime::Kind Kind = PrintfRuntime::kInteger;
    Value *V = nullptr;     ///< i64, double, or for text a generic pointer
    uint64_t Width = 8;     ///< of the promoted argument
    Value *Limit = nullptr; ///< set for what is, or may be, a string
    Value *Length = nullptr;
    bool isText() const { return Limit; }
  };

  /// Brings all arguments, the format first, into the types that a record holds.
  bool prepare(Diagnostics &Errors) {
    Value *Format = castPointer(B, Call.getArgOperand(0), Runtime.characterPointer());
    std::optional<StringRef> Known = constantFormat(Call.getArgOperand(0));
    SmallVector<int64_t, 8> Limits;
    if (Known)
      Limits = formatLimits(*Known);
    Argument First{PrintfRuntime::kString, Format};
    First.Limit = B.getInt64(kNoLimit);
    Arguments.push_back(First);
    for (unsigned N = 1; N < Call.arg_size(); ++N) {
      Argument A;
      if (!convert(Call.getArgOperand(N), A)) {
        Errors.error(Call, "argument " + Twine(N + 1) + " of printf has a type that printf cannot print");
        return false;
      }
      if (A.Kind == PrintfRuntime::kPointer)
        A.Limit = limitOf(N - 1, Format, Known ? &Limits : nullptr);
      if (!A.isText() && A.Kind == PrintfRuntime::kPointer)
        A.V = B.CreatePtrToInt(A.V, B.getInt64Ty());
      Arguments.push_back(A);
    }
    return true;
  }

  bool convert(Value *V, Argument &A) {
    Type *T = V->getType();
    if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) {
      A.Width = T->getIntegerBitWidth() > 32 ? 8 : 4;
      A.V = B.CreateSExt(V, B.getInt64Ty());
      return true;
    }
    if (T->isHalfTy() || T->isFloatTy() || T->isDoubleTy()) {
      A.Kind = PrintfRuntime::kDouble;
      A.V = T->isDoubleTy() ? V : B.CreateFPExt(V, B.getDoubleTy());
      return true;
    }
    if (T->isPointerTy()) {
      A.Kind = PrintfRuntime::kPointer;
      A.V = castPointer(B, V, Runtime.characterPointer());
      return true;
    }
    return false;
  }

  /// The limit for the pointer argument \p N (counted after the format); null if it is certainly no string.
  Value *limitOf(unsigned N, Value *Format, const SmallVectorImpl<int64_t> *Known) {
    Value *FromArgument = B.getInt64(kNoLimit);
    if (N > 0 && Arguments.back().Kind == PrintfRuntime::kInteger) {
      Value *Previous = Arguments.back().V;
      FromArgument = B.CreateSelect(B.CreateICmpSLT(Previous, B.getInt64(0)), FromArgument, Previous);
    }
    if (Known) {
      int64_t Limit = N < Known->size() ? (*Known)[N] : kNotString;
      if (Limit == kNotString)
        return nullptr;
      return Limit == kLimitIsArgument ? FromArgument : B.getInt64(Limit);
    }
    Value *Limit = createCall(B, Runtime.limit(), {Format, B.getInt64(N)});
    return B.CreateSelect(B.CreateICmpEQ(Limit, B.getInt64(kLimitIsArgument)), FromArgument, Limit);
  }

  void write(Value *Record) {
    Value *To = Runtime.advance(B, Record, B.getInt64(PrintfRuntime::kHeaderBytes));
    for (const Argument &A : Arguments) {
      if (A.isText()) {
        To = createCall(B, Runtime.put(), {To, A.V, A.Limit, A.Length});
        continue;
      }
      Runtime.storeArgumentHeader(B, To, A.Kind, B.getInt64(A.Width));
      Value *Payload = Runtime.advance(B, To, B.getInt64(8));
      B.CreateAlignedStore(A.V, Runtime.as(B, Payload, A.V->getType()), Align(8));
      To = Runtime.advance(B, To, B.getInt64(PrintfRuntime::kArgumentBytes));
    }
  }

  CallInst &Call;
  PrintfRuntime &Runtime;
  uint32_t Finished;
  IRBuilder<> B;
  SmallVector<Argument, 8> Arguments;
};

} // namespace

PreservedAnalyses PrintfPass::run(Module &M, ModuleAnalysisManager &) {
  // The second one is what the headers call for the error stream.
  const std::pair<const char *, uint32_t> Functions[] = {{"printf", PrintfRuntime::kReady},
                                                         {"__hiplz_print_error", PrintfRuntime::kReadyError}};
  std::optional<PrintfRuntime> Runtime;
  Diagnostics Errors;
  for (auto [Name, Finished] : Functions) {
    Function *Printf = M.getFunction(Name);
    if (!Printf || !Printf->isDeclaration() || !Printf->isVarArg())
      continue;
    if (!Runtime)
      Runtime.emplace(M);
    SmallVector<CallInst *, 16> Calls;
    for (User *U : Printf->users()) {
      auto *Call = dyn_cast<CallInst>(U);
      if (Call && Call->getCalledOperand() == Printf && Call->arg_size() > 0 && Call->getType()->isIntegerTy())
        Calls.push_back(Call);
      else if (auto *I = dyn_cast<Instruction>(U))
        Errors.error(*I, "printf can only be called by its name on the device");
      else
        Errors.error("the address of printf cannot be taken on the device");
    }
    for (CallInst *Call : Calls)
      PrintfCall(*Call, *Runtime, Finished).rewrite(Errors);
    if (Printf->use_empty())
      Printf->eraseFromParent();
  }
  return Runtime ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
