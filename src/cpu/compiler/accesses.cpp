// SPDX-License-Identifier: MIT
// See accesses.h.
#include "cpu/compiler/accesses.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/checks.h"
#include "cpu/compiler/special_reads.h"
#include "cpu/vectorizer/polling.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

using namespace llvm;

namespace hiplz::cpu {
namespace {

ConstantInt *sizeOf(const DataLayout &layout, Type *type) {
  return ConstantInt::get(Type::getInt64Ty(type->getContext()), layout.getTypeStoreSize(type).getFixedValue());
}

} // namespace

uint32_t constantBytes(const Access &access) {
  auto *bytes = dyn_cast<ConstantInt>(access.bytes);
  return bytes && bytes->getValue().isIntN(32) ? static_cast<uint32_t>(bytes->getZExtValue()) : 0;
}

void collectAccesses(Instruction &instruction, SmallVectorImpl<Access> &accesses) {
  const DataLayout &layout = instruction.getModule()->getDataLayout();
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->hasMetadata(LLVMContext::MD_invariant_load)) // of the launch's own state
      accesses.push_back({load, LoadInst::getPointerOperandIndex(), sizeOf(layout, load->getType()),
                          checkRead | (load->isAtomic() ? checkAtomic : 0u) | (load->isVolatile() ? checkVolatile : 0u),
                          load->getAlign()});
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    accesses.push_back({store, StoreInst::getPointerOperandIndex(), sizeOf(layout, store->getValueOperand()->getType()),
                        checkWrite | (store->isAtomic() ? checkAtomic : 0u) |
                            (store->isVolatile() ? checkVolatile : 0u) |
                            (isa<Constant>(store->getValueOperand()) ? checkConstant : 0u),
                        store->getAlign()});
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
    // atomicAdd(&flag, 0) is a read. A loop that waits with it would otherwise fill the list of writes.
    const bool writes = !changesNothing(*update) || isReleaseOrStronger(update->getOrdering());
    accesses.push_back({update, AtomicRMWInst::getPointerOperandIndex(), sizeOf(layout, update->getType()),
                        checkRead | checkAtomic | (writes ? checkWrite : 0u), update->getAlign()});
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    accesses.push_back({exchange, AtomicCmpXchgInst::getPointerOperandIndex(),
                        sizeOf(layout, exchange->getNewValOperand()->getType()), checkRead | checkWrite | checkAtomic,
                        exchange->getAlign()});
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
    if (auto *transfer = dyn_cast<MemTransferInst>(memory))
      accesses.push_back({memory, 1, memory->getLength(), checkRead, transfer->getSourceAlign().valueOrOne()});
    accesses.push_back({memory, 0, memory->getLength(), checkWrite, memory->getDestAlign().valueOrOne()});
  }
}

const Value *baseOf(const Value *pointer) {
  for (;;) {
    if (auto *instruction = dyn_cast<Instruction>(pointer); instruction && instruction->hasMetadata(kLocalObject))
      return pointer;
    if (auto *cast = dyn_cast<BitCastOperator>(pointer))
      pointer = cast->getOperand(0);
    else if (auto *element = dyn_cast<GEPOperator>(pointer))
      pointer = element->getPointerOperand();
    else
      return pointer;
  }
}

AtomicOrdering orderingOf(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return store->getOrdering();
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getOrdering();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getSuccessOrdering();
  return AtomicOrdering::NotAtomic;
}

bool mayOrder(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->isSimple();
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return !store->isSimple();
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return instruction.mayReadOrWriteMemory() && !(call && call->isAssumeLikeIntrinsic());
}

bool learns(const Access &access) {
  const Instruction &instruction = *access.instruction;
  return access.flags & (checkAtomic | checkVolatile) && instruction.mayReadFromMemory() &&
         !instruction.isTerminator() && !(isa<AtomicRMWInst>(instruction) && isResultUnused(instruction));
}

void relaxAlignment(Instruction &instruction) {
  const Align kHarmless(8);
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    load->setAlignment(std::min(load->getAlign(), kHarmless));
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    store->setAlignment(std::min(store->getAlign(), kHarmless));
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
    memory->setDestAlignment(std::min(memory->getDestAlign().valueOrOne(), kHarmless));
    if (auto *transfer = dyn_cast<MemTransferInst>(memory))
      transfer->setSourceAlignment(std::min(transfer->getSourceAlign().valueOrOne(), kHarmless));
  }
}

} // namespace hiplz::cpu
