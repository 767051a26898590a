// SPDX-License-Identifier: MIT
#include "cpu/compiler/copies.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr uint64_t kMostBytes = 256;
constexpr uint64_t kLargestPiece = 8;
constexpr uint64_t kMostPieces = 64;

// True for memory that has this one name. The parameters of a kernel are taken for different memory; those of other functions may be the
// same.
bool isDistinct(const Value *object) {
  auto *argument = dyn_cast<Argument>(object);
  return isa<GlobalVariable>(object) || (argument && argument->getParent()->getMetadata("kernel_arg_addr_space"));
}

bool mayExchange(const Value *to, const Value *from) {
  const Value *target = getUnderlyingObject(to, 0), *source = getUnderlyingObject(from, 0);
  auto isPrivate = [](const Value *object) { return isa<AllocaInst>(object) || isPrivateParameter(*object); };
  if (to == from || isPrivate(target) || isPrivate(source))
    return false;
  if (target == source)
    return true;
  const bool targetIsLocal = isWorkGroupLocal(to), sourceIsLocal = isWorkGroupLocal(from);
  return !((isDistinct(target) || targetIsLocal) && (isDistinct(source) || sourceIsLocal)) ||
         (targetIsLocal && sourceIsLocal);
}

bool isToSeparate(const MemTransferInst &copy) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  return length && !copy.isVolatile() && length->getZExtValue() > 0 && length->getZExtValue() <= kMostBytes &&
         mayExchange(copy.getRawDest(), copy.getRawSource());
}

void separate(MemTransferInst &copy) {
  const uint64_t bytes = cast<ConstantInt>(copy.getLength())->getZExtValue();
  const Align to = copy.getDestAlign().valueOrOne(), from = copy.getSourceAlign().valueOrOne();
  const uint64_t aligned = std::min({to.value(), from.value(), kLargestPiece});
  if (divideCeil(bytes, aligned) > kMostPieces)
    return;
  IRBuilder<> b(&copy);
  struct Piece {
    uint64_t offset;
    Value *value;
  };
  SmallVector<Piece, 16> pieces;
  for (uint64_t offset = 0; offset < bytes;) {
    const uint64_t size = std::min(aligned, std::bit_floor(bytes - offset));
    Value *address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy.getRawSource(), offset);
    pieces.push_back({offset, b.CreateAlignedLoad(b.getIntNTy(static_cast<unsigned>(8 * size)), address,
                                                  commonAlignment(from, offset))});
    offset += size;
  }
  for (const Piece &piece : pieces)
    b.CreateAlignedStore(piece.value, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy.getRawDest(), piece.offset),
                         commonAlignment(to, piece.offset));
  copy.eraseFromParent();
}

} // namespace

void separateCopies(Module &module) {
  for (Function &function : module) {
    if (function.hasFnAttribute(Attribute::OptimizeNone) || function.hasFnAttribute(kOfBuiltinLibrary))
      continue;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *copy = dyn_cast<MemTransferInst>(&instruction); copy && isToSeparate(*copy))
        separate(*copy);
  }
}

} // namespace hiplz::cpu
