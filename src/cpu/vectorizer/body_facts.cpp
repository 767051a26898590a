// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/body_facts.h"
#include "cpu/abi/bit_shadow.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <tuple>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Dynamic shared memory is a parameter. Its address space is no longer in its type, but SPIR-V's translator has also noted it beside the
// function, for all parameters but the hidden first one.
bool isLocalParameter(const Value *value) {
  auto *parameter = dyn_cast<Argument>(value);
  const MDNode *spaces = parameter ? parameter->getParent()->getMetadata("kernel_arg_addr_space") : nullptr;
  if (!spaces || parameter->getArgNo() == 0 || parameter->getArgNo() > spaces->getNumOperands())
    return false;
  constexpr uint64_t kLocal = 3;
  auto *space = mdconst::dyn_extract<ConstantInt>(spaces->getOperand(parameter->getArgNo() - 1));
  return space && space->equalsInt(kLocal);
}

// The ids of a work-item do not change while its body runs, which LLVM does not know: it is read once.
void readIdsOnce(Function &body) {
  std::map<std::tuple<ItemField, unsigned, Type *>, LoadInst *> first;
  for (Instruction &instruction : make_early_inc_range(instructions(body))) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto read = load ? itemReadBy(*load) : std::nullopt;
    if (!read || load->isVolatile())
      continue;
    LoadInst *&known = first[{read->field, read->dimension, load->getType()}];
    if (known) {
      load->replaceAllUsesWith(known);
      load->eraseFromParent();
      continue;
    }
    APInt offset(64, 0);
    load->getPointerOperand()->stripAndAccumulateConstantOffsets(body.getParent()->getDataLayout(), offset, true);
    IRBuilder<> b(&*body.getEntryBlock().getFirstInsertionPt());
    known = b.CreateAlignedLoad(load->getType(),
                                b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), itemOf(body), offset.getZExtValue()),
                                load->getAlign(), load->getName());
    known->copyMetadata(*load);
    load->replaceAllUsesWith(known);
    load->eraseFromParent();
  }
}

// The result of `ask`; nothing for code without optimisation, which stays as it is.
template <class Ask> auto askOf(Function &body, Ask ask) {
  if (body.hasFnAttribute(Attribute::OptimizeNone))
    return decltype(ask())();
  readIdsOnce(body);
  return ask();
}

// The shadow of initcheck changes where the memory does; that of memcheck is only read.
bool isShadow(const Value &pointer) {
  const Value *object = getUnderlyingObject(&pointer, 0);
  if (auto *select = dyn_cast<SelectInst>(object))
    return isShadow(*select->getTrueValue()) && isShadow(*select->getFalseValue());
  auto *address = dyn_cast<Operator>(object);
  if (!address || address->getOpcode() != Instruction::IntToPtr)
    return false;
  if (auto *number = dyn_cast<ConstantInt>(address->getOperand(0)))
    return number->getValue().uge(kShadowOffset) && number->getValue().ult(kRegionBegin);
  auto *sum = dyn_cast<BinaryOperator>(address->getOperand(0));
  auto *base = sum ? dyn_cast<ConstantInt>(sum->getOperand(1)) : nullptr;
  return base && (base->equalsInt(kBitShadowBase) || base->equalsInt(kShadowOffset));
}

} // namespace

std::optional<LaneId> BodyFacts::idOf(const Value &value) const {
  const std::optional<ItemRead> read = itemReadBy(&value);
  if (!read)
    return std::nullopt;
  switch (read->field) {
  case ItemField::localId: return LaneId{read->dimension, false};
  case ItemField::linearId: return LaneId{kLinearId, false};
  case ItemField::globalX: return LaneId{0, true};
  default: return std::nullopt;
  }
}

bool BodyFacts::isOfBlock(const Value &value) const {
  return (itemReadBy(&value) && !idOf(value)) || isItemAddress(&value, body_);
}

bool BodyFacts::isBlockSizeX(const Value &value) const {
  auto *load = dyn_cast<LoadInst>(&value);
  return load && groupSizeReadBy(*load) == 0u;
}

bool BodyFacts::isBarrier(const CallBase &call) const { return cpu::isBarrier(call); }

bool BodyFacts::isLocalObject(const Value &object) const {
  auto *load = dyn_cast<LoadInst>(&object);
  return (load && readsLocalMemory(*load)) || isLocalParameter(&object);
}

bool BodyFacts::isPrivate(const Value &pointer) const {
  return isItemAddress(&pointer, body_) || isPrivateParameter(pointer) || isShadow(pointer);
}

// Functions get what was made of ids from their callers.
unsigned BodyFacts::idsElsewhere() const {
  constexpr unsigned kInThreeDimensions = 7;
  return called_.isKernel(body_) ? called_.idsRead() : kInThreeDimensions;
}

LaneExchanges exchangesIn(Function &body, const CalledFunctions &called, const WarpExtent &extent) {
  return askOf(body, [&] { return LaneExchanges(body, BodyFacts(body, called), extent); });
}

bool hasExchanges(Function &body, const CalledFunctions &called, const WarpExtent &extent) {
  return askOf(body, [&] { return lanesExchange(body, BodyFacts(body, called), extent, extent); });
}

} // namespace hiplz::cpu
