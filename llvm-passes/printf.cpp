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
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

using namespace llvm;

namespace hiplz::passes {

namespace {

using Record = PrintfRuntime::Record;
using Item = PrintfRuntime::Item;

/// The text of a format that is known here.
std::optional<StringRef> constantFormat(const Value *Format) {
  StringRef Text;
  if (getConstantStringInfo(Format, Text))
    return Text;
  return std::nullopt;
}

struct PrintfFunction {
  const char *Name;
  Record::State Finished;
  bool IsPart; ///< its first argument is a PrintfPart instead of a format, and each string's limit stands before it
  bool Counts; ///< its result is the number of characters, if anybody uses it; else 0
};

/// Casts whose own results nobody uses do not count.
bool isUsed(const CallInst &Call) {
  return any_of(Call.users(), [](const User *U) { return !isa<CastInst>(U) || !U->use_empty(); });
}

/// Rewrites one call.
class PrintfCall {
public:
  PrintfCall(CallInst &Call, PrintfRuntime &Runtime, const PrintfFunction &Function)
      : Call(Call), Runtime(Runtime), Finished(Function.Finished), IsPart(Function.IsPart), Counts(Function.Counts),
        B(&Call) {}

  void rewrite(Diagnostics &Errors) {
    if (!prepare(Errors))
      return;
    CallInst *Printed = callFunction();
    B.SetInsertPoint(&Printed->getCalledFunction()->getEntryBlock());
    B.SetCurrentDebugLocation(DebugLoc());
    writeFunction(*Printed->getCalledFunction());
    B.SetInsertPoint(&Call);
    Call.replaceAllUsesWith(B.CreateSExtOrTrunc(Printed, Call.getType()));
    Call.eraseFromParent();
    for (WeakTrackingVH &Promotion : Promotions)
      if (Promotion)
        RecursivelyDeleteTriviallyDeadInstructions(Promotion);
  }

private:
  struct Argument {
    Item::Kind Kind = Item::integer;
    Value *V = nullptr;     ///< i64, float, double, or for text a generic pointer
    uint64_t Width = 8;     ///< of the promoted argument
    Value *Limit = nullptr; ///< set for what is, or may be, a string
    Value *Length = nullptr;
    bool isText() const { return Limit; }
  };

  /// Calls a function of this call's own, empty yet, with what is not the same each time. Arguments are its parameters afterwards.
  CallInst *callFunction() {
    SmallVector<Value **, 8> Variable;
    for (Argument &A : Arguments)
      for (Value **V : {&A.V, &A.Limit})
        if (*V && !isa<Constant>(*V))
          Variable.push_back(V);
    SmallVector<Value *, 8> Passed;
    SmallVector<Type *, 8> Types;
    for (Value **V : Variable) {
      Passed.push_back(*V);
      Types.push_back((*V)->getType());
    }
    Function *F = Runtime.createAlone(Types);
    for (unsigned N = 0; N < Variable.size(); ++N)
      *Variable[N] = F->getArg(N);
    return createCall(B, F, Passed);
  }

  void writeFunction(Function &F) {
    Value *Bytes = B.getInt64(sizeof(Record));
    for (Argument &A : Arguments) {
      if (A.isText())
        A.Length = createCall(B, Runtime.measure(), {A.V, A.Limit});
      Bytes = B.CreateAdd(Bytes,
                          A.isText() ? Runtime.argumentSize(B, A.Length) : B.getInt64(PrintfRuntime::kArgumentBytes));
    }
    writeWhenThereIsRoom(F, Bytes);
  }

  // One loop for all waiting, which each lane goes through at its own pace. What it has come to is volatile, or optimisers would move the
  // writing behind the loop.
  void writeWhenThereIsRoom(Function &F, Value *Bytes) {
    enum : uint64_t { begun = 0, done = PrintfRuntime::kDone }; // else the record whose result the host is asked for
    // Waiting for the host is slow, and most callers ignore the result.
    const bool Asks = Counts && isUsed(Call);
    Type *RecordPtr = Runtime.recordPointer();
    AllocaInst *Stage = B.CreateAlloca(B.getInt64Ty(), nullptr, "stage"),
               *Result = B.CreateAlloca(F.getReturnType(), nullptr, "result");
    auto reach = [&](Value *New) { B.CreateStore(New, Stage, true); };
    auto stage = [&] { return B.CreateLoad(B.getInt64Ty(), Stage, true); };
    auto returns = [&](Value *V) { B.CreateStore(V, Result); };
    auto is = [&](Value *V, uint64_t Number) { return B.CreateICmpEQ(V, B.getInt64(Number)); };
    auto block = [&](const char *Name) { return BasicBlock::Create(F.getContext(), Name, &F); };
    BasicBlock *Again = block("again"), *Attempt = Asks ? block("attempt") : Again, *Tried = block("tried"),
               *Reserved = block("reserved"), *Dropped = block("dropped"), *Next = block("next"), *End = block("end");
    reach(B.getInt64(begun));
    B.CreateBr(Again);
    if (Asks) {
      BasicBlock *Asked = block("asked");
      B.SetInsertPoint(Again);
      Value *At = stage();
      B.CreateCondBr(is(At, begun), Attempt, Asked);
      B.SetInsertPoint(Asked);
      Value *Answer = createCall(B, Runtime.take(), {B.CreateIntToPtr(At, RecordPtr)});
      returns(Answer);
      reach(B.CreateSelect(B.CreateICmpEQ(Answer, B.getInt32(PrintfRuntime::kNoAnswer)), At, B.getInt64(done)));
      B.CreateBr(Next);
    }
    B.SetInsertPoint(Attempt);
    Value *Place = createCall(B, Runtime.reserve(), {Bytes});
    B.CreateCondBr(is(Place, PrintfRuntime::kLater), Next, Tried);
    B.SetInsertPoint(Tried);
    B.CreateCondBr(is(Place, PrintfRuntime::kDropped), Dropped, Reserved);
    B.SetInsertPoint(Dropped);
    returns(ConstantInt::getAllOnesValue(F.getReturnType()));
    reach(B.getInt64(done));
    B.CreateBr(Next);
    B.SetInsertPoint(Reserved);
    Value *Room = B.CreateIntToPtr(Place, RecordPtr);
    write(Room);
    returns(ConstantInt::get(F.getReturnType(), 0));
    if (Asks) {
      reach(createCall(B, Runtime.ask(), {Room}));
    } else {
      Runtime.storeState(B, Room, Finished);
      reach(B.getInt64(done));
    }
    B.CreateBr(Next);
    B.SetInsertPoint(Next);
    B.CreateCondBr(is(stage(), done), End, Again);
    B.SetInsertPoint(End);
    B.CreateRet(B.CreateLoad(F.getReturnType(), Result));
  }

  /// Brings all arguments, the format first, into the types that a record holds.
  bool prepare(Diagnostics &Errors) {
    Value *Format = nullptr;
    std::optional<StringRef> Known;
    SmallVector<int64_t, 8> Limits;
    if (IsPart) {
      Arguments.push_back({Item::part, Call.getArgOperand(0)});
      Limits.assign(Call.arg_size(), kLimitIsArgument);
      Known = "";
    } else {
      Format = castPointer(B, Call.getArgOperand(0), Runtime.characterPointer());
      Known = constantFormat(Call.getArgOperand(0));
      if (Known)
        Limits = formatLimits(*Known);
      Argument First{Item::string, Format};
      First.Limit = B.getInt64(kNoLimit);
      Arguments.push_back(First);
    }
    for (unsigned N = 1; N < Call.arg_size(); ++N) {
      Argument A;
      if (!convert(Call.getArgOperand(N), A)) {
        Errors.error(Call, "argument " + Twine(N + 1) + " of printf has a type that printf cannot print");
        return false;
      }
      if (A.Kind == Item::pointer)
        A.Limit = limitOf(N - 1, Format, Known ? &Limits : nullptr);
      if (!A.isText() && A.Kind == Item::pointer)
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
      A.Kind = Item::real;
      convertReal(V, A);
      return true;
    }
    if (T->isPointerTy()) {
      A.Kind = Item::pointer;
      A.V = castPointer(B, V, Runtime.characterPointer());
      return true;
    }
    return false;
  }

  /// C makes a double of every real argument. It is undone, because there are devices without double precision; a
  /// constant is a number of bits.
  void convertReal(Value *V, Argument &A) {
    if (auto *Constant = dyn_cast<ConstantFP>(V); Constant && Constant->getType()->isDoubleTy()) {
      A.V = B.getInt64(Constant->getValueAPF().bitcastToAPInt().getZExtValue());
      return;
    }
    if (auto *Promotion = dyn_cast<FPExtInst>(V)) {
      Promotions.push_back(Promotion);
      V = Promotion->getOperand(0);
    }
    A.V = V->getType()->isHalfTy() ? B.CreateFPExt(V, B.getFloatTy()) : V;
    A.Width = A.V->getType()->isFloatTy() ? 4 : 8;
  }

  /// The limit for the pointer argument \p N (counted after the format); null if it is certainly no string.
  Value *limitOf(unsigned N, Value *Format, const SmallVectorImpl<int64_t> *Known) {
    Value *FromArgument = B.getInt64(kNoLimit);
    if (N > 0 && Arguments.back().Kind == Item::integer) {
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

  void write(Value *Room) {
    Value *To = Runtime.advance(B, Room, B.getInt64(sizeof(Record)));
    for (const Argument &A : Arguments) {
      if (A.isText()) {
        To = createCall(B, Runtime.put(), {To, A.V, A.Limit, A.Length});
        continue;
      }
      Runtime.storeArgumentHeader(B, To, A.Kind, B.getInt64(A.Width));
      Value *Payload = Runtime.advance(B, To, B.getInt64(sizeof(Item)));
      B.CreateAlignedStore(A.V, Runtime.as(B, Payload, A.V->getType()), Align(8));
      To = Runtime.advance(B, To, B.getInt64(PrintfRuntime::kArgumentBytes));
    }
  }

  CallInst &Call;
  PrintfRuntime &Runtime;
  Record::State Finished;
  bool IsPart, Counts;
  IRBuilder<> B;
  SmallVector<Argument, 8> Arguments;
  SmallVector<WeakTrackingVH, 4> Promotions; ///< of real arguments, which nobody may need any more
};

} // namespace

PreservedAnalyses PrintfPass::run(Module &M, ModuleAnalysisManager &) {
  // The second one is what the headers call for the error stream, the third one what AMD's compiler makes of printf, the
  // last one printf with -mprintf-kind=buffered.
  const PrintfFunction Functions[] = {{"printf", Record::ready, false, true},
                                      {"__hiplz_print_error", Record::readyError, false, false},
                                      {"__hiplz_print_part", Record::ready, true, true},
                                      {"__hiplz_print_buffered", Record::ready, false, false}};
  std::optional<PrintfRuntime> Runtime;
  Diagnostics Errors;
  for (const PrintfFunction &Known : Functions) {
    Function *Printf = M.getFunction(Known.Name);
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
      PrintfCall(*Call, *Runtime, Known).rewrite(Errors);
    if (Printf->use_empty())
      Printf->eraseFromParent();
  }
  return Runtime ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hiplz::passes
