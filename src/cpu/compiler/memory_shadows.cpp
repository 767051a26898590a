// SPDX-License-Identifier: MIT
// See memory_shadows.h.
#include "cpu/compiler/memory_shadows.h"
#include "cpu/abi/bit_shadow.h"
#include "cpu/abi/check_site.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace hiplz::cpu {

Value *MemoryShadows::addressOf(Value *pointer) {
  if (const auto found = addresses_.find(pointer); found != addresses_.end())
    return found->second;
  const IRBuilderBase::InsertPointGuard comeBack(s_.b);
  if (TrackedVariable *variable = variables_.find(dyn_cast<AllocaInst>(pointer)))
    return variable->shadow;
  auto *instruction = dyn_cast<Instruction>(pointer);
  if (instruction && !instruction->isTerminator())
    s_.b.SetInsertPoint(behind(*instruction));
  else
    s_.b.SetInsertPoint(s_.prologue);
  s_.b.SetCurrentDebugLocation(instruction ? instruction->getDebugLoc() : DebugLoc());
  if (auto *address = dyn_cast<GetElementPtrInst>(pointer); address && !address->getType()->isVectorTy()) {
    Value *base = addressOf(address->getPointerOperand());
    auto *twin = cast<GetElementPtrInst>(address->clone());
    twin->setOperand(0, base);
    s_.b.SetInsertPoint(behind(*instruction));
    s_.b.Insert(twin);
    return addresses_[pointer] = twin;
  }
  if (isa<BitCastInst>(pointer))
    return addresses_[pointer] = addressOf(instruction->getOperand(0));
  if (auto *phi = dyn_cast<PHINode>(pointer)) {
    s_.b.SetInsertPoint(phi);
    PHINode *twin = s_.twinOf(*phi, s_.b.getPtrTy());
    addresses_[pointer] = twin;
    phis_.push_back({phi, twin});
    return twin;
  }
  if (auto *select = dyn_cast<SelectInst>(pointer); select && select->getCondition()->getType()->isIntegerTy(1)) {
    Value *yes = addressOf(select->getTrueValue()), *no = addressOf(select->getFalseValue());
    s_.b.SetInsertPoint(behind(*instruction));
    return addresses_[pointer] = s_.b.CreateSelect(select->getCondition(), yes, no);
  }
  Value *low = s_.b.CreateAnd(s_.b.CreatePtrToInt(pointer, s_.b.getInt64Ty()), s_.b.getInt64(kBitShadowMask));
  return addresses_[pointer] = s_.b.CreateIntToPtr(s_.b.CreateOr(low, s_.b.getInt64(kBitShadowBase)), s_.b.getPtrTy());
}

void MemoryShadows::fillPhis() {
  while (!phis_.empty())
    for (auto [phi, twin] : std::exchange(phis_, {}))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        twin->setIncomingValue(i, addressOf(phi->getIncomingValue(i)));
}

Value *MemoryShadows::loadShadow(Instruction &behindIt, Value *pointer, Type *type, Align align) {
  Value *address = addressOf(pointer);
  s_.b.SetInsertPoint(behind(behindIt));
  return s_.b.CreateAlignedLoad(shadowType(type), address, align);
}

void MemoryShadows::visitLoad(LoadInst &load) {
  if (load.hasMetadata(LLVMContext::MD_invariant_load))
    return;
  uses_.check(load.getPointerOperand(), load, checkAddresses);
  if (s_.isSuspect(&load))
    s_.setShadow(load, loadShadow(load, load.getPointerOperand(), load.getType(), load.getAlign()));
}

void MemoryShadows::visitStore(StoreInst &store) {
  Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
  uses_.check(pointer, store, checkAddresses);
  const PointerTarget memory = variables_.targetOf(pointer);
  if (memory == PointerTarget::initialized || !shadowType(value->getType()))
    return;
  stores_.push_back(&store);
  if (!store.isSimple())
    settleStores(*behind(store));
}

void MemoryShadows::settleStores(Instruction &next) {
  SmallVector<UseReports::Stored, 8> suspects;
  for (StoreInst *store : stores_) {
    Value *pointer = store->getPointerOperand(), *address = addressOf(pointer);
    Value *shadow = s_.shadowOf(store->getValueOperand());
    s_.b.SetInsertPoint(&next);
    s_.b.SetCurrentDebugLocation(store->getDebugLoc());
    clearPadding(*store, next);
    s_.b.CreateAlignedStore(shadow, address, store->getAlign());
    if (!isZero(shadow) && variables_.targetOf(pointer) == PointerTarget::any && !isWorkGroupLocal(pointer))
      suspects.push_back({store, shadow});
  }
  stores_.clear();
  s_.b.SetInsertPoint(&next);
  uses_.noteStores(suspects);
}

// Padding of a structure beside a member that is written is not missing later. On both sides, because the address of the first
// member does not show the structure.
void MemoryShadows::clearPadding(StoreInst &store, Instruction &next) {
  Value *pointer = store.getPointerOperand();
  const uint64_t bytes = s_.layout.getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue();
  auto *address = dyn_cast<GEPOperator>(pointer);
  if (!address)
    return;
  SmallVector<std::pair<StructType *, unsigned>, 4> path; // from the outermost structure around the member
  for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
    if (StructType *structure = index.getStructTypeOrNull())
      path.push_back({structure, static_cast<unsigned>(cast<ConstantInt>(index.getOperand())->getZExtValue())});
    else
      path.clear();
  }
  Type *member = address->getResultElementType();
  for (auto *inner = dyn_cast<StructType>(member); inner && inner->getNumElements();
       inner = dyn_cast<StructType>(member)) {
    path.push_back({inner, 0});
    member = inner->getElementType(0);
  }
  if (s_.layout.getTypeStoreSize(member).getFixedValue() != bytes)
    return;
  uint64_t before = 0, after = 0, size = bytes; // of the member at this level
  bool atBegin = true, atEnd = true;
  for (auto [structure, field] : reverse(path)) {
    const StructLayout &places = *s_.layout.getStructLayout(structure);
    const uint64_t begin = places.getElementOffset(field);
    const bool isLast = field + 1 == structure->getNumElements();
    if (atEnd)
      after +=
          (isLast ? uint64_t(places.getSizeInBytes()) : uint64_t(places.getElementOffset(field + 1))) - begin - size;
    if (atBegin && field > 0)
      before += begin - places.getElementOffset(field - 1) -
                s_.layout.getTypeAllocSize(structure->getElementType(field - 1)).getFixedValue();
    atEnd = atEnd && isLast;
    atBegin = atBegin && field == 0;
    size = places.getSizeInBytes();
  }
  Value *shadow = addressOf(pointer);
  s_.b.SetInsertPoint(&next);
  auto clear = [&](int64_t offset, uint64_t count) {
    constexpr uint64_t kMost = 16; // more is a structure that is aligned on purpose
    if (count && count <= kMost)
      s_.b.CreateAlignedStore(Constant::getNullValue(s_.b.getIntNTy(static_cast<unsigned>(8 * count))),
                              s_.b.CreateGEP(s_.b.getInt8Ty(), shadow, s_.b.getInt64(offset)), Align(1));
  };
  clear(static_cast<int64_t>(bytes), after);
  clear(-static_cast<int64_t>(before), before);
}

void MemoryShadows::visitUpdate(AtomicRMWInst &update) {
  Value *pointer = update.getPointerOperand(), *value = update.getValOperand();
  uses_.check(pointer, update, checkAddresses);
  if (variables_.targetOf(pointer) == PointerTarget::initialized)
    return;
  Value *before = loadShadow(update, pointer, update.getType(), update.getAlign());
  s_.setShadow(update, before);
  Value *shadow = s_.shadowOf(value);
  const bool isExchange = update.getOperation() == AtomicRMWInst::Xchg;
  if (isZero(shadow) && !isExchange)
    return; // others may be updating it, too
  if (!isExchange)
    shadow = s_.b.CreateOr(before, shadow);
  s_.b.CreateAlignedStore(shadow, addressOf(pointer), update.getAlign());
}

void MemoryShadows::visitExchange(AtomicCmpXchgInst &exchange) {
  Value *pointer = exchange.getPointerOperand(), *compared = exchange.getCompareOperand();
  uses_.check(pointer, exchange, checkAddresses);
  if (variables_.targetOf(pointer) == PointerTarget::initialized)
    return;
  Type *type = shadowType(compared->getType());
  Value *before = loadShadow(exchange, pointer, compared->getType(), exchange.getAlign());
  s_.b.SetCurrentDebugLocation(exchange.getDebugLoc());
  Value *old = s_.b.CreateExtractValue(&exchange, 0), *success = s_.b.CreateExtractValue(&exchange, 1);
  Value *both = s_.b.CreateOr(before, s_.shadowOf(compared)), *zero = Constant::getNullValue(type);
  Value *outcome = s_.b.getFalse();
  if (compared->getType()->isIntegerTy()) {
    Value *different = s_.b.CreateAnd(s_.b.CreateXor(old, compared), s_.b.CreateNot(both));
    outcome = s_.b.CreateAnd(s_.b.CreateICmpNE(both, zero), s_.b.CreateICmpEQ(different, zero));
  }
  Value *pair = Constant::getNullValue(shadowType(exchange.getType()));
  pair = s_.b.CreateInsertValue(pair, before, 0);
  pair = s_.b.CreateInsertValue(pair, outcome, 1);
  s_.setShadow(exchange, pair);
  Value *after = s_.shadowOf(exchange.getNewValOperand());
  Value *changes = s_.b.CreateAnd(success, s_.b.CreateICmpNE(s_.b.CreateOr(before, after), zero));
  if (isZero(changes))
    return;
  Instruction *at = &*s_.b.GetInsertPoint();
  s_.b.SetInsertPoint(SplitBlockAndInsertIfThen(changes, at, false, s_.unlikely()));
  s_.b.CreateAlignedStore(after, addressOf(pointer), exchange.getAlign());
}

// The shadow's address, or that of zeros where memory is not tracked.
Value *MemoryShadows::sourceOf(Value *pointer, Value *target, PointerTarget memory) {
  Value *zeros = s_.b.CreateIntToPtr(s_.b.getInt64(kZeroShadow), s_.b.getPtrTy());
  if (variables_.targetOf(pointer) == PointerTarget::initialized)
    return zeros;
  Value *from = addressOf(pointer);
  return memory == PointerTarget::any ? s_.b.CreateSelect(isTracked(target), from, zeros) : from;
}

Value *MemoryShadows::isTracked(Value *pointer) {
  Value *distance = s_.b.CreateSub(s_.b.CreatePtrToInt(pointer, s_.b.getInt64Ty()), s_.b.getInt64(kTrackedBegin));
  return s_.b.CreateICmpULT(distance, s_.b.getInt64(kTrackedEnd - kTrackedBegin));
}

void MemoryShadows::visitMemory(MemIntrinsic &memory) {
  uses_.check(memory.getRawDest(), memory, checkAddresses);
  uses_.check(memory.getLength(), memory, checkAddresses);
  auto *transfer = dyn_cast<MemTransferInst>(&memory);
  if (transfer)
    uses_.check(transfer->getRawSource(), memory, checkAddresses);
  const PointerTarget target = variables_.targetOf(memory.getRawDest());
  if (target == PointerTarget::initialized)
    return;
  Value *to = addressOf(memory.getRawDest());
  s_.b.SetInsertPoint(behind(memory));
  s_.b.SetCurrentDebugLocation(memory.getDebugLoc());
  if (transfer) {
    Value *from = sourceOf(transfer->getRawSource(), memory.getRawDest(), target);
    if (isa<MemMoveInst>(memory))
      s_.b.CreateMemMove(to, memory.getDestAlign(), from, transfer->getSourceAlign(), memory.getLength());
    else
      s_.b.CreateMemCpy(to, memory.getDestAlign(), from, transfer->getSourceAlign(), memory.getLength());
    return;
  }
  Value *shadow = s_.shadowOf(cast<MemSetInst>(memory).getValue());
  if (!isZero(shadow) && target == PointerTarget::any)
    shadow = s_.b.CreateSelect(isTracked(memory.getRawDest()), shadow, s_.b.getInt8(0));
  s_.b.CreateMemSet(to, shadow, memory.getLength(), memory.getDestAlign());
}

} // namespace hiplz::cpu
