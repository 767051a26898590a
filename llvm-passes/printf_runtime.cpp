// SPDX-License-Identifier: MIT
#include "printf_runtime.h"

#include "base/llvm_compat.h"
#include "printf_format.h"

#include <hip/spirv/runtime_variables.h>

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace hiplz::passes {

PrintfRuntime::PrintfRuntime(Module &M)
    : M(M), C(M.getContext()), I8(Type::getInt8Ty(C)), I32(Type::getInt32Ty(C)), I64(Type::getInt64Ty(C)),
      CharPtr(pointerTo(I8, kGeneric)), RecordPtr(pointerTo(I8, kGlobal)) {}

Function *PrintfRuntime::create(StringRef Name, Type *Result, ArrayRef<Type *> Parameters) {
  auto *F = Function::Create(FunctionType::get(Result, Parameters, false), GlobalValue::InternalLinkage, Name, M);
  F->setCallingConv(CallingConv::SPIR_FUNC);
  F->addFnAttr(Attribute::NoUnwind);
  BasicBlock::Create(C, "entry", F);
  return F;
}

// Drivers' compilers know the text of most strings, and where they inline the loops over it, they unroll them for as long as they like:
// 24 calls of printf took Intel's compiler 19 seconds. A hint not to unroll the loops made it crash on the
// kernels of tests/device/assert.
static void keepApart(Function &F) { F.addFnAttr(Attribute::NoInline); }

Function *PrintfRuntime::createAlone(ArrayRef<Type *> Parameters) {
  return create("hiplz.alone.printf", I32, Parameters);
}

Value *PrintfRuntime::advance(IRBuilderBase &B, Value *Base, Value *Bytes) const {
  return B.CreateInBoundsGEP(I8, Base, Bytes);
}

Value *PrintfRuntime::as(IRBuilderBase &B, Value *Base, Type *Pointee) const {
  return castPointer(B, Base, pointerTo(Pointee, Base->getType()->getPointerAddressSpace()));
}

void PrintfRuntime::storeArgumentHeader(IRBuilderBase &B, Value *To, Item::Kind K, Value *Bytes) const {
  static_assert(offsetof(Item, kind) == 0 && offsetof(Item, bytes) == 4); // one store for both
  Value *Words = B.CreateOr(B.CreateShl(Bytes, 32), B.getInt64(K));
  B.CreateAlignedStore(Words, as(B, To, I64), Align(8));
}

void PrintfRuntime::storeState(IRBuilderBase &B, Value *To, Record::State State) const {
  Value *Place = as(B, advance(B, To, B.getInt64(offsetof(Record, state))), I32);
  B.CreateAlignedStore(B.getInt32(State), Place, Align(4))->setAtomic(AtomicOrdering::Release);
}

Value *PrintfRuntime::argumentSize(IRBuilderBase &B, Value *Length) const {
  return B.CreateAnd(B.CreateAdd(Length, B.getInt64(sizeof(Item) + 7)), B.getInt64(~uint64_t(7)));
}

Value *PrintfRuntime::table(IRBuilderBase &B, StringRef Name, ArrayRef<uint8_t> Bytes, Value *Index) {
  Constant *Init = ConstantDataArray::get(C, Bytes);
  auto *Table = new GlobalVariable(M, Init->getType(), true, GlobalValue::InternalLinkage, Init, Name, nullptr,
                                   GlobalValue::NotThreadLocal, kGlobal);
  return B.CreateLoad(I8, B.CreateInBoundsGEP(Init->getType(), Table, {B.getInt64(0), Index}));
}

Value *PrintfRuntime::orNullText(IRBuilderBase &B, Value *Pointer) {
  if (!NullText) {
    Constant *Init = ConstantDataArray::getString(C, "");
    NullText = new GlobalVariable(M, Init->getType(), true, GlobalValue::InternalLinkage, Init, "hiplz.printf.null",
                                  nullptr, GlobalValue::NotThreadLocal, kGlobal);
  }
  return B.CreateSelect(B.CreateIsNull(Pointer), castPointer(B, NullText, CharPtr), Pointer);
}

Value *PrintfRuntime::longestToWait(IRBuilderBase &B, Value *Dropped) const {
  LoadInst *Word = B.CreateAlignedLoad(I64, Dropped, Align(8));
  Word->setAtomic(AtomicOrdering::Monotonic);
  return B.CreateShl(B.CreateLShr(Word, Ring::droppedBits), 3);
}

Function *PrintfRuntime::ask() {
  if (Ask)
    return Ask;
  Ask = create("hiplz.printf.ask", I64, {RecordPtr});
  Value *Written = Ask->getArg(0);
  auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, Ask); };
  BasicBlock *Alone = block("alone"), *Question = block("question");
  IRBuilder<> B(&Ask->getEntryBlock());
  Value *Base = B.CreateIntToPtr(B.CreateLoad(I64, runtimeVariable(M, __hiplz::printfVariable)), RecordPtr);
  Value *Longest = longestToWait(B, as(B, advance(B, Base, B.getInt64(offsetof(Ring, dropped))), I64));
  B.CreateCondBr(B.CreateIsNotNull(Longest), Question, Alone);
  B.SetInsertPoint(Alone);
  storeState(B, Written, Record::ready);
  B.CreateRet(B.getInt64(kDone));
  B.SetInsertPoint(Question);
  storeState(B, Written, Record::asking);
  B.CreateRet(B.CreatePtrToInt(Written, I64));
  return Ask;
}

Function *PrintfRuntime::take() {
  if (Take)
    return Take;
  Take = create("hiplz.printf.take", I32, {RecordPtr});
  Value *Written = Take->getArg(0);
  auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, Take); };
  BasicBlock *Waits = block("waits"), *Answered = block("answered");
  IRBuilder<> B(&Take->getEntryBlock());
  LoadInst *State =
      B.CreateAlignedLoad(I32, as(B, advance(B, Written, B.getInt64(offsetof(Record, state))), I32), Align(4));
  State->setAtomic(AtomicOrdering::Acquire);
  B.CreateCondBr(B.CreateICmpEQ(State, B.getInt32(Record::answered)), Answered, Waits);
  B.SetInsertPoint(Waits);
  B.CreateRet(B.getInt32(kNoAnswer));
  B.SetInsertPoint(Answered);
  Value *Answer = B.CreateAlignedLoad(I32, as(B, advance(B, Written, B.getInt64(sizeof(Record))), I32), Align(8));
  storeState(B, Written, Record::padding);
  B.CreateRet(Answer);
  return Take;
}

Function *PrintfRuntime::reserve() {
  if (Reserve)
    return Reserve;
  Reserve = create("hiplz.printf.reserve", I64, {I64});
  Value *Bytes = Reserve->getArg(0);
  BasicBlock *Entry = &Reserve->getEntryBlock();
  auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, Reserve); };
  BasicBlock *Absent = block("absent"), *Open = block("open"), *Claim = block("claim"), *Full = block("full"),
             *Later = block("later"), *Drop = block("drop"), *Claimed = block("claimed"), *Pad = block("pad"),
             *Write = block("write");

  IRBuilder<> B(Entry);
  Value *Address = B.CreateLoad(I64, runtimeVariable(M, __hiplz::printfVariable), "ring");
  B.CreateCondBr(B.CreateIsNull(Address), Absent, Open);
  B.SetInsertPoint(Absent);
  B.CreateRet(B.getInt64(kDropped));

  B.SetInsertPoint(Open);
  Value *Base = B.CreateIntToPtr(Address, RecordPtr);
  auto word = [&](uint64_t Offset) { return as(B, advance(B, Base, B.getInt64(Offset)), I64); };
  Value *Tail = word(offsetof(Ring, tail)), *Head = word(offsetof(Ring, head)),
        *CapacityPlace = word(offsetof(Ring, capacity)), *Dropped = word(offsetof(Ring, dropped));
  Value *Data = advance(B, Base, B.getInt64(sizeof(Ring)));
  Value *Capacity = B.CreateAlignedLoad(I64, CapacityPlace, Align(8), "capacity");
  Value *Mask = B.CreateSub(Capacity, B.getInt64(1));
  auto atomicLoad = [&](Value *From, AtomicOrdering Order) {
    LoadInst *Load = B.CreateAlignedLoad(I64, From, Align(8));
    Load->setAtomic(Order);
    return Load;
  };
  // Head after tail: an older head only makes the ring look fuller.
  Value *Start = atomicLoad(Tail, AtomicOrdering::Monotonic);
  Value *Consumed = atomicLoad(Head, AtomicOrdering::Acquire);
  Value *Offset = B.CreateAnd(Start, Mask);
  Value *Room = B.CreateSub(Capacity, Offset);
  Value *Padding = B.CreateSelect(B.CreateICmpUGT(Bytes, Room), Room, B.getInt64(0), "padding");
  Value *End = B.CreateAdd(B.CreateAdd(Start, Padding), Bytes);
  Value *Fits = B.CreateAnd(B.CreateICmpULE(B.CreateSub(End, Consumed), Capacity), B.CreateICmpULE(Bytes, Capacity));
  B.CreateCondBr(Fits, Claim, Full);

  B.SetInsertPoint(Full);
  B.CreateCondBr(B.CreateICmpULE(Bytes, longestToWait(B, Dropped)), Later, Drop);
  B.SetInsertPoint(Later);
  B.CreateRet(B.getInt64(kLater));
  B.SetInsertPoint(Drop);
  B.CreateAtomicRMW(AtomicRMWInst::Add, Dropped, B.getInt64(1), Align(8), AtomicOrdering::Monotonic);
  B.CreateRet(B.getInt64(kDropped));

  B.SetInsertPoint(Claim);
  Value *Exchange =
      B.CreateAtomicCmpXchg(Tail, Start, End, Align(8), AtomicOrdering::AcquireRelease, AtomicOrdering::Monotonic);
  B.CreateCondBr(B.CreateExtractValue(Exchange, 1), Claimed, Later);

  auto storeBytes = [&](Value *To, Value *Size) {
    static_assert(offsetof(Record, bytes) == 0);
    B.CreateAlignedStore(B.CreateTrunc(Size, I32), as(B, To, I32), Align(8));
  };
  B.SetInsertPoint(Claimed);
  B.CreateCondBr(B.CreateICmpNE(Padding, B.getInt64(0)), Pad, Write);
  B.SetInsertPoint(Pad);
  Value *Gap = advance(B, Data, Offset);
  storeBytes(Gap, Padding);
  storeState(B, Gap, Record::padding);
  B.CreateBr(Write);

  B.SetInsertPoint(Write);
  Value *Begun = advance(B, Data, B.CreateAnd(B.CreateAdd(Start, Padding), Mask));
  storeBytes(Begun, Bytes);
  B.CreateRet(B.CreatePtrToInt(Begun, I64));
  return Reserve;
}

Function *PrintfRuntime::limit() {
  if (Limit)
    return Limit;
  using Machine = FormatMachine;
  Limit = create("hiplz.printf.limit", I64, {CharPtr, I64});
  keepApart(*Limit);
  Value *Format = Limit->getArg(0), *Wanted = Limit->getArg(1);
  BasicBlock *Entry = &Limit->getEntryBlock();
  auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, Limit); };
  BasicBlock *Loop = block("loop"), *Step = block("step"), *Next = block("next"), *End = block("end"),
             *Found = block("found");
  IRBuilder<> B(Entry);
  B.CreateBr(Loop);

  B.SetInsertPoint(Loop);
  PHINode *Index = B.CreatePHI(I64, 2, "index"), *State = B.CreatePHI(I64, 2, "state"),
          *Argument = B.CreatePHI(I64, 2, "argument"), *Limit_ = B.CreatePHI(I64, 2, "limit");
  Value *Character = B.CreateZExt(B.CreateLoad(I8, advance(B, Format, Index)), I64);
  B.CreateCondBr(B.CreateIsNull(Character), End, Step);

  B.SetInsertPoint(Step);
  const Machine &Tables = Machine::get();
  Value *Class = B.CreateZExt(table(B, "hiplz.printf.classes", Tables.Classes, Character), I64);
  Value *Row = B.CreateMul(State, B.getInt64(Machine::kClasses));
  Value *Packed = B.CreateZExt(table(B, "hiplz.printf.steps", Tables.Steps, B.CreateAdd(Row, Class)), I64);
  Value *NewState = B.CreateAnd(Packed, B.getInt64(Machine::kStateMask));
  Value *Action = B.CreateLShr(Packed, B.getInt64(Machine::kActionShift));
  auto on = [&](Machine::Action A, Value *New, Value *Otherwise) {
    return B.CreateSelect(B.CreateICmpEQ(Action, B.getInt64(A)), New, Otherwise);
  };
  Value *Digit = B.CreateSub(Character, B.getInt64('0'));
  Value *WithDigit = B.CreateAdd(B.CreateMul(Limit_, B.getInt64(10)), Digit);
  WithDigit = B.CreateSelect(B.CreateICmpULT(WithDigit, B.getInt64(kNoLimit)), WithDigit, B.getInt64(kNoLimit));
  Value *NewLimit = on(Machine::kBegin, B.getInt64(kNoLimit), Limit_);
  NewLimit = on(Machine::kStartPrecision, B.getInt64(0), NewLimit);
  NewLimit = on(Machine::kPrecisionDigit, WithDigit, NewLimit);
  NewLimit = on(Machine::kStarPrecision, B.getInt64(kLimitIsArgument), NewLimit);
  Value *Takes = B.CreateICmpUGE(Action, B.getInt64(Machine::kStarPrecision));
  Value *Hit = B.CreateAnd(Takes, B.CreateICmpEQ(Argument, Wanted));
  B.CreateCondBr(Hit, Found, Next);

  B.SetInsertPoint(Next);
  Value *NewArgument = B.CreateAdd(Argument, B.CreateZExt(Takes, I64));
  Value *NewIndex = B.CreateAdd(Index, B.getInt64(1));
  B.CreateBr(Loop);

  B.SetInsertPoint(Found);
  B.CreateRet(on(Machine::kTakeString, Limit_, B.getInt64(kNotString)));
  B.SetInsertPoint(End);
  B.CreateRet(B.getInt64(kNotString));

  auto carry = [&](PHINode *Phi, uint64_t Initial, Value *New) {
    Phi->addIncoming(B.getInt64(Initial), Entry);
    Phi->addIncoming(New, Next);
  };
  carry(Index, 0, NewIndex);
  carry(State, Machine::kText, NewState);
  carry(Argument, 0, NewArgument);
  carry(Limit_, kNoLimit, NewLimit);
  return Limit;
}

Function *PrintfRuntime::measure() {
  if (Measure)
    return Measure;
  Measure = create("hiplz.printf.measure", I64, {CharPtr, I64});
  keepApart(*Measure);
  Value *Max = Measure->getArg(1);
  BasicBlock *Entry = &Measure->getEntryBlock();
  auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, Measure); };
  BasicBlock *Pointer = block("pointer"), *Loop = block("loop"), *Look = block("look"), *Next = block("next"),
             *Done = block("done");
  IRBuilder<> B(Entry);
  Value *Text = orNullText(B, Measure->getArg(0));
  B.CreateCondBr(B.CreateICmpEQ(Max, B.getInt64(kNotString)), Pointer, Loop);
  B.SetInsertPoint(Pointer);
  B.CreateRet(B.getInt64(8));
  B.SetInsertPoint(Loop);
  PHINode *Length = B.CreatePHI(I64, 2, "length");
  Length->addIncoming(B.getInt64(0), Entry);
  B.CreateCondBr(B.CreateICmpULT(Length, Max), Look, Done);
  B.SetInsertPoint(Look);
  B.CreateCondBr(B.CreateIsNull(B.CreateLoad(I8, advance(B, Text, Length))), Done, Next);
  B.SetInsertPoint(Next);
  Length->addIncoming(B.CreateAdd(Length, B.getInt64(1)), Next);
  B.CreateBr(Loop);
  B.SetInsertPoint(Done);
  B.CreateRet(Length);
  return Measure;
}

Function *PrintfRuntime::put() {
  if (Put)
    return Put;
  Put = create("hiplz.printf.put", RecordPtr, {RecordPtr, CharPtr, I64, I64});
  keepApart(*Put);
  Value *To = Put->getArg(0), *Source = Put->getArg(1), *Max = Put->getArg(2), *Length = Put->getArg(3);
  BasicBlock *Entry = &Put->getEntryBlock();
  auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, Put); };
  BasicBlock *Pointer = block("pointer"), *Text = block("text"), *Loop = block("loop"), *Next = block("next"),
             *Done = block("done");
  IRBuilder<> B(Entry);
  Value *Payload = advance(B, To, B.getInt64(sizeof(Item)));
  Value *End = advance(B, To, argumentSize(B, Length));
  B.CreateCondBr(B.CreateICmpEQ(Max, B.getInt64(kNotString)), Pointer, Text);

  B.SetInsertPoint(Pointer);
  storeArgumentHeader(B, To, Item::pointer, B.getInt64(8));
  B.CreateAlignedStore(B.CreatePtrToInt(Source, I64), as(B, Payload, I64), Align(8));
  B.CreateRet(End);

  B.SetInsertPoint(Text);
  storeArgumentHeader(B, To, Item::string, Length);
  Value *From = orNullText(B, Source);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Index = B.CreatePHI(I64, 2, "index");
  Index->addIncoming(B.getInt64(0), Text);
  B.CreateCondBr(B.CreateICmpULT(Index, Length), Next, Done);
  B.SetInsertPoint(Next);
  B.CreateStore(B.CreateLoad(I8, advance(B, From, Index)), advance(B, Payload, Index));
  Index->addIncoming(B.CreateAdd(Index, B.getInt64(1)), Next);
  B.CreateBr(Loop);
  B.SetInsertPoint(Done);
  B.CreateRet(End);
  return Put;
}

} // namespace hiplz::passes
