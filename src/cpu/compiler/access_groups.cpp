// SPDX-License-Identifier: MIT
// See access_groups.h. Addresses are compared as sums of a base, of multiples of values, and of a number.
#include "cpu/compiler/access_groups.h"
#include "base/llvm_compat.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>

#include <optional>
#include <utility>

using namespace llvm;

namespace hiplz::cpu {
namespace {

enum class Extension { none, sign, zero };

/// One variable part of an address.
struct Term {
  const Value *value;
  Extension extension;
  int64_t factor;

  bool operator==(const Term &) const = default;
};

struct Address {
  const Value *base;
  SmallVector<Term, 4> terms; // sorted
  int64_t offset = 0;
};

/// The number that is added to a value, if no bit of the sum is lost on the way to the type that it is extended to. An "or" of bits that
/// are zero in the value is such a sum.
std::optional<APInt> numberAdded(const Value &sum, Extension extension, const DataLayout &layout) {
  auto *operation = dyn_cast<BinaryOperator>(&sum);
  auto *number = operation ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
  if (!number)
    return std::nullopt;
  const bool isAddition =
      operation->getOpcode() == Instruction::Add &&
      (extension == Extension::none ||
       (extension == Extension::sign ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap()));
  const bool isApart = operation->getOpcode() == Instruction::Or &&
                       number->getValue().isSubsetOf(computeKnownBits(operation->getOperand(0), layout).Zero);
  return isAddition || isApart ? std::optional(number->getValue()) : std::nullopt;
}

/// Takes numbers and constant factors out of an index.
void addTerm(Address &address, const Value *value, int64_t factor, const DataLayout &layout) {
  constexpr unsigned kIndexBits = 64;
  Extension extension = Extension::none;
  if (value->getType()->getScalarSizeInBits() < kIndexBits)
    extension = Extension::sign; // as indices of addresses are
  for (;;) {
    auto *operation = dyn_cast<Operator>(value);
    const unsigned opcode = operation ? operation->getOpcode() : 0;
    auto *right =
        operation && operation->getNumOperands() == 2 ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
    if (const auto number = numberAdded(*value, extension, layout)) {
      const APInt wide =
          extension == Extension::zero ? number->zextOrTrunc(kIndexBits) : number->sextOrTrunc(kIndexBits);
      address.offset += static_cast<int64_t>(wide.getZExtValue() * static_cast<uint64_t>(factor));
    } else if (extension == Extension::none && (opcode == Instruction::SExt || opcode == Instruction::ZExt)) {
      extension = opcode == Instruction::SExt ? Extension::sign : Extension::zero;
    } else if (extension == Extension::none && opcode == Instruction::Mul && right) {
      factor = static_cast<int64_t>(static_cast<uint64_t>(factor) * right->getZExtValue());
    } else if (extension == Extension::none && opcode == Instruction::Shl && right &&
               right->getValue().ult(kIndexBits)) {
      factor = static_cast<int64_t>(static_cast<uint64_t>(factor) << right->getZExtValue());
    } else {
      break;
    }
    value = operation->getOperand(0);
  }
  auto *same =
      find_if(address.terms, [&](const Term &term) { return term.value == value && term.extension == extension; });
  if (same != address.terms.end())
    same->factor += factor;
  else
    address.terms.push_back({value, extension, factor});
}

Address addressOf(const Value *pointer, const Value *upTo, const DataLayout &layout) {
  const unsigned bits = layout.getIndexTypeSizeInBits(pointer->getType());
  Address address{pointer, {}, 0};
  OffsetVariables variables;
  APInt offset(bits, 0);
  while (auto *element = address.base == upTo ? nullptr : dyn_cast<GEPOperator>(address.base)) {
    if (element->getType()->isVectorTy() || !element->collectOffset(layout, bits, variables, offset))
      break;
    address.base = element->getPointerOperand();
  }
  address.offset = offset.getSExtValue();
  for (const auto &[value, factor] : variables)
    addTerm(address, value, factor.getSExtValue(), layout);
  erase_if(address.terms, [](const Term &term) { return term.factor == 0; });
  sort(address.terms,
       [](const Term &a, const Term &b) { return std::pair(a.value, a.extension) < std::pair(b.value, b.extension); });
  return address;
}

bool isPlain(const Instruction &instruction) { return isa<LoadInst, StoreInst>(instruction); }

} // namespace

AccessGroups::AccessGroups(Function &function, ArrayRef<Access> accesses,
                           function_ref<Target(const Access &)> targetOf) {
  struct Open {
    Address address; // of the first access
    const Value *base;
    size_t first; // its number
    std::unique_ptr<AccessGroup> group;
  };
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<Open, 8> open;
  const auto close = [&] {
    for (Open &each : open)
      if (each.group->members.size() > 1) {
        groups_.push_back(std::move(each.group));
        places_[each.first] = {groups_.back().get(), 0};
      }
    open.clear();
  };
  size_t number = 0;
  for (BasicBlock &block : function) {
    for (Instruction &instruction : block) {
      if (mayOrder(instruction))
        close();
      for (; number < accesses.size() && accesses[number].instruction == &instruction; ++number) {
        const Access &access = accesses[number];
        const uint32_t bytes = constantBytes(access);
        if (!isPlain(instruction) || mayOrder(instruction) || !bytes || bytes > kMostBytes)
          continue;
        const Target target = targetOf(access);
        if (!target.mayJoin)
          continue;
        Value *pointer = instruction.getOperand(access.operand);
        Address address = addressOf(pointer, target.base, layout);
        auto *found = find_if(open, [&](Open &each) {
          const int64_t distance = address.offset - each.address.offset;
          return each.base == target.base && each.address.base == address.base && each.address.terms == address.terms &&
                 std::max(each.group->end(), distance + bytes) - std::min(each.group->begin(), distance) <= kMostBytes;
        });
        if (found == open.end()) {
          open.push_back({std::move(address), target.base, number, std::make_unique<AccessGroup>()});
          found = &open.back();
          found->group->pointer = pointer;
        } else {
          places_[number] = {found->group.get(), static_cast<unsigned>(found->group->members.size())};
        }
        found->group->members.push_back({address.offset - found->address.offset, bytes, target.align});
      }
    }
    close();
  }
}

} // namespace hiplz::cpu
