// SPDX-License-Identifier: MIT
// See known_addresses.h. Registers hold the halves of an address, which a load joins.
#include "amdgcn/translator/known_addresses.h"
#include "amdgcn/translator/number_halves.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

struct Place {
  Value *pointer;
  uint64_t offset;
};

std::optional<Place> placeOf(Value &address, const DataLayout &layout) {
  if (auto *number = dyn_cast<PtrToIntInst>(&address))
    return Place{number->getPointerOperand(), 0};
  Value *inner, *low, *high;
  const APInt *constant;
  if (match(&address, m_Add(m_Value(inner), m_APInt(constant)))) {
    auto place = placeOf(*inner, layout);
    if (place)
      place->offset += constant->getZExtValue();
    return place;
  }
  if (match(&address, m_And(m_Value(inner), m_APInt(constant))) && constant->isNegatedPowerOf2()) {
    const auto place = placeOf(*inner, layout);
    const uint64_t unit = -constant->getZExtValue();
    const bool isWhole =
        place && place->pointer->getPointerAlignment(layout).value() >= unit && place->offset % unit == 0;
    return isWhole ? place : std::nullopt;
  }
  if (isJoined(address, low, high))
    if (Value *whole = wholeOf(low, high))
      return placeOf(*whole, layout);
  return std::nullopt;
}

// True unless the place is behind the end of a variable. Such addresses stay numbers.
bool isInside(const Place &place, uint64_t bytes, const DataLayout &layout) {
  auto *variable = dyn_cast<AllocaInst>(place.pointer);
  if (!variable)
    return true;
  const uint64_t size = layout.getTypeAllocSize(variable->getAllocatedType()).getFixedValue();
  return place.offset <= size && bytes <= size - place.offset;
}

} // namespace

void usePointers(Function &wave, const Value &arguments) {
  const DataLayout &layout = wave.getParent()->getDataLayout();
  SmallVector<LoadInst *, 32> loads;
  for (Instruction &instruction : instructions(wave))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && isa<IntToPtrInst>(load->getPointerOperand()))
      loads.push_back(load);
  for (LoadInst *load : loads) {
    auto *number = cast<IntToPtrInst>(load->getPointerOperand());
    const auto place = placeOf(*number->getOperand(0), layout);
    if (!place || !isInside(*place, layout.getTypeStoreSize(load->getType()).getFixedValue(), layout))
      continue;
    IRBuilder<> b(load);
    load->setOperand(0, b.CreateConstGEP1_64(b.getInt8Ty(), place->pointer, place->offset));
    if (place->pointer == &arguments)
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(wave.getContext(), {}));
    RecursivelyDeleteTriviallyDeadInstructions(number);
  }
}

} // namespace hiplz::amdgcn
