// SPDX-License-Identifier: MIT
// Atomics become LLVM's atomic instructions. The scope is ignored: every processor sees them. Memory semantics become
// orderings; relaxed stays relaxed, which is what most programs ask for.
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/checks.h"

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Bits of SPIR-V's memory semantics.
constexpr uint64_t kAcquire = 0x2, kRelease = 0x4, kAcquireRelease = 0x8, kSequential = 0x10;
constexpr uint64_t kOrderMask = kAcquire | kRelease | kAcquireRelease | kSequential;

AtomicOrdering ordering(BuiltinCall &call, unsigned index) {
  uint64_t semantics = call.constantArg(index, kSequential) & kOrderMask;
  if (semantics & kSequential)
    return AtomicOrdering::SequentiallyConsistent;
  if ((semantics & kAcquireRelease) || semantics == (kAcquire | kRelease))
    return AtomicOrdering::AcquireRelease;
  if (semantics & kAcquire)
    return AtomicOrdering::Acquire;
  if (semantics & kRelease)
    return AtomicOrdering::Release;
  return AtomicOrdering::Monotonic;
}

// For the checks: SPIR-V's scopes of the work-group and of what is in it.
Instruction *withScope(Instruction *instruction, BuiltinCall &call, unsigned index) {
  constexpr uint64_t kDevice = 1, kWorkgroup = 2, kQueueFamily = 5;
  const uint64_t scope = call.constantArg(index, kDevice);
  if (scope >= kWorkgroup && scope < kQueueFamily)
    instruction->setMetadata(kOfBlock, MDNode::get(instruction->getContext(), {}));
  return instruction;
}

MaybeAlign naturalAlign(BuiltinCall &call, Type *type) {
  return Align(call.module().getDataLayout().getTypeStoreSize(type).getFixedValue());
}

// (pointer, scope, semantics, value)
BuiltinLowering update(AtomicRMWInst::BinOp operation) {
  return [=](BuiltinCall &call) -> Value * {
    Value *value = call.arg(3);
    return withScope(call.builder.CreateAtomicRMW(operation, call.arg(0), value, naturalAlign(call, value->getType()),
                                                  ordering(call, 2)),
                     call, 1);
  };
}

BuiltinLowering updateByOne(AtomicRMWInst::BinOp operation) {
  return [=](BuiltinCall &call) -> Value * {
    return withScope(call.builder.CreateAtomicRMW(operation, call.arg(0), ConstantInt::get(call.type(), 1),
                                                  naturalAlign(call, call.type()), ordering(call, 2)),
                     call, 1);
  };
}

Value *load(BuiltinCall &call) {
  AtomicOrdering order = ordering(call, 2);
  if (order == AtomicOrdering::Release || order == AtomicOrdering::AcquireRelease)
    order = AtomicOrdering::SequentiallyConsistent;
  LoadInst *result = call.builder.CreateAlignedLoad(call.type(), call.arg(0), naturalAlign(call, call.type()));
  result->setAtomic(order);
  return withScope(result, call, 1);
}

Value *store(BuiltinCall &call) {
  AtomicOrdering order = ordering(call, 2);
  if (order == AtomicOrdering::Acquire || order == AtomicOrdering::AcquireRelease)
    order = AtomicOrdering::SequentiallyConsistent;
  Value *value = call.arg(3);
  StoreInst *result = call.builder.CreateAlignedStore(value, call.arg(0), naturalAlign(call, value->getType()));
  result->setAtomic(order);
  return withScope(result, call, 1);
}

// (pointer, scope, semantics if equal, semantics if not, value, comparator): the old value.
Value *compareExchange(BuiltinCall &call) {
  Value *value = call.arg(4);
  AtomicOrdering success = ordering(call, 2), failure = ordering(call, 3);
  if (failure == AtomicOrdering::Release)
    failure = AtomicOrdering::Monotonic;
  if (failure == AtomicOrdering::AcquireRelease)
    failure = AtomicOrdering::Acquire;
  Value *pair = withScope(call.builder.CreateAtomicCmpXchg(call.arg(0), call.arg(5), value,
                                                           naturalAlign(call, value->getType()), success, failure),
                          call, 1);
  return call.builder.CreateExtractValue(pair, 0);
}

Value *flagTestAndSet(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *old = b.CreateAtomicRMW(AtomicRMWInst::Xchg, call.arg(0), b.getInt32(1), Align(4), ordering(call, 2));
  return b.CreateZExtOrTrunc(b.CreateICmpNE(old, b.getInt32(0)), call.type());
}

Value *flagClear(BuiltinCall &call) {
  StoreInst *result = call.builder.CreateAlignedStore(call.builder.getInt32(0), call.arg(0), Align(4));
  AtomicOrdering order = ordering(call, 2);
  result->setAtomic(order == AtomicOrdering::Monotonic || order == AtomicOrdering::Release
                        ? order
                        : AtomicOrdering::SequentiallyConsistent);
  return result;
}

// (scope, semantics)
Value *memoryBarrier(BuiltinCall &call) {
  AtomicOrdering order = ordering(call, 1);
  return withScope(
      call.builder.CreateFence(order == AtomicOrdering::Monotonic ? AtomicOrdering::AcquireRelease : order), call, 0);
}

} // namespace

void addAtomicBuiltins(BuiltinTable &table) {
  table.add("AtomicLoad", load);
  table.add("AtomicStore", store);
  table.add("AtomicExchange", update(AtomicRMWInst::Xchg));
  table.add("AtomicCompareExchange", compareExchange);
  table.add("AtomicCompareExchangeWeak", compareExchange);
  table.add("AtomicIIncrement", updateByOne(AtomicRMWInst::Add));
  table.add("AtomicIDecrement", updateByOne(AtomicRMWInst::Sub));
  table.add("AtomicIAdd", update(AtomicRMWInst::Add));
  table.add("AtomicISub", update(AtomicRMWInst::Sub));
  table.add("AtomicSMin", update(AtomicRMWInst::Min));
  table.add("AtomicUMin", update(AtomicRMWInst::UMin));
  table.add("AtomicSMax", update(AtomicRMWInst::Max));
  table.add("AtomicUMax", update(AtomicRMWInst::UMax));
  table.add("AtomicAnd", update(AtomicRMWInst::And));
  table.add("AtomicOr", update(AtomicRMWInst::Or));
  table.add("AtomicXor", update(AtomicRMWInst::Xor));
  table.add("AtomicFAddEXT", update(AtomicRMWInst::FAdd));
  table.add("AtomicFMinEXT", update(AtomicRMWInst::FMin));
  table.add("AtomicFMaxEXT", update(AtomicRMWInst::FMax));
  table.add("AtomicFlagTestAndSet", flagTestAndSet);
  table.add("AtomicFlagClear", flagClear);
  table.add("MemoryBarrier", memoryBarrier);
}

} // namespace hiplz::cpu
