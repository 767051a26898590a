// SPDX-License-Identifier: MIT
// See bounds_tests.h.
#include "cpu/compiler/bounds_tests.h"
#include "cpu/abi/check_functions.h"
#include "cpu/abi/check_shadow.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/ir_tools.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr uint64_t kSmallestGap = 4096; // between allocations, in bytes
static_assert(AccessGroups::kMostBytes <= kSmallestGap);

} // namespace

Value *BoundsTests::add(Value *address, int64_t distance) {
  return distance ? b_.CreateAdd(address, b_.getInt64(static_cast<uint64_t>(distance))) : address;
}

Value *BoundsTests::isMisaligned(Value *address, Align align) {
  return b_.CreateICmpNE(b_.CreateAnd(address, b_.getInt64(align.value() - 1)), b_.getInt64(0));
}

// Where the member with the largest alignment is aligned, the others mostly are.
Value *BoundsTests::orMisaligned(Value *condition, Value *address, const AccessGroup &group) {
  const AccessGroup::Member &most =
      *std::max_element(group.members.begin(), group.members.end(),
                        [](const AccessGroup::Member &a, const AccessGroup::Member &b) { return a.align < b.align; });
  for (const AccessGroup::Member &member : group.members) {
    const auto distance = static_cast<uint64_t>(member.offset - most.offset);
    if (member.align > Align(1) && (&member == &most || distance % member.align.value()))
      condition = b_.CreateOr(condition, isMisaligned(add(address, member.offset), member.align));
  }
  return condition;
}

Instruction *BoundsTests::splitIf(Value *condition, Instruction &before) {
  LLVMContext &context = before.getContext();
  Instruction *then =
      SplitBlockAndInsertIfThen(condition, &before, false, MDBuilder(context).createBranchWeights(1, 1u << 20));
  then->getParent()->getSinglePredecessor()->getTerminator()->setMetadata(kOfChecks, MDNode::get(context, {}));
  return then;
}

Instruction *BoundsTests::outsideObject(const AccessGroup &group, Value *base, Value *size, Instruction &before) {
  const int64_t begin = group.begin();
  Value *offset =
      b_.CreateSub(b_.CreatePtrToInt(group.pointer, b_.getInt64Ty()), b_.CreatePtrToInt(base, b_.getInt64Ty()));
  Value *room =
      b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, size, b_.getInt64(static_cast<uint64_t>(group.end() - begin - 1)));
  return splitIf(orMisaligned(b_.CreateICmpUGE(add(offset, begin), room), offset, group), before);
}

// The allocation that a parameter points into is known when the kernel is launched. Where an address is not in it, or where only a part of
// it may be used, the shadow decides; but an address in another allocation is suspicious anyway.
Instruction *BoundsTests::outsideParameter(const AccessGroup &group, uint32_t parameter, Instruction &before) {
  Value *address = b_.CreatePtrToInt(group.pointer, b_.getInt64Ty());
  Value *launch = loadField(b_, b_.getPtrTy(), before.getFunction()->getArg(0), offsetof(WorkItem, launch), true);
  Value *all = loadField(b_, b_.getPtrTy(), launch, offsetof(LaunchState, checked), true);
  all = loadField(b_, b_.getPtrTy(), all, offsetof(CheckedLaunch, bounds), true);
  const uint64_t at = (parameter - 1) * sizeof(CheckBounds);
  Value *first = loadField(b_, b_.getInt64Ty(), all, at + offsetof(CheckBounds, begin), true);
  Value *size = loadField(b_, b_.getInt64Ty(), all, at + offsetof(CheckBounds, bytes), true);
  const int64_t begin = group.begin();
  Value *room =
      b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, size, b_.getInt64(static_cast<uint64_t>(group.end() - begin - 1)));
  Value *outside = b_.CreateICmpUGE(add(b_.CreateSub(address, first), begin), room);
  Instruction *then = splitIf(orMisaligned(outside, address, group), before);
  b_.SetInsertPoint(then);
  return splitIf(b_.CreateOr(b_.CreateICmpNE(size, b_.getInt64(0)), isSuspicious(address, group)), *then);
}

Instruction *BoundsTests::inForbidden(const AccessGroup &group, Instruction &before) {
  return splitIf(isSuspicious(b_.CreatePtrToInt(group.pointer, b_.getInt64Ty()), group), before);
}

// By the shadow. Allocations lie far apart, so that what begins and ends in allowed memory is in one of them. Blocks of the device's heap
// do not, so each access of a group is looked at.
Value *BoundsTests::isSuspicious(Value *address, const AccessGroup &group) {
  Value *elsewhere = b_.CreateICmpUGE(b_.CreateSub(add(address, group.begin()), b_.getInt64(kRegionBegin)),
                                      b_.getInt64(kRegionEnd - kRegionBegin - kSmallestGap));
  elsewhere = orMisaligned(elsewhere, address, group);
  Value *suspect = elsewhere;
  for (const AccessGroup::Member &member : group.members) {
    const auto bytes = static_cast<int64_t>(member.bytes);
    suspect = b_.CreateOr(suspect, isForbidden(elsewhere, add(address, member.offset + bytes - 1)));
    if (member.bytes > 8 || member.align.value() < member.bytes)
      suspect = b_.CreateOr(suspect, isForbidden(elsewhere, add(address, member.offset)));
  }
  return suspect;
}

// The shadow is one of words to be loaded, because processors can gather no bytes. Elsewhere it is that of the region's beginning.
Value *BoundsTests::isForbidden(Value *elsewhere, Value *address) {
  Value *safe = b_.CreateSelect(elsewhere, b_.getInt64(kRegionBegin), address);
  Value *place = b_.CreateAdd(b_.CreateLShr(safe, kShadowShift), b_.getInt64(kShadowOffset));
  LoadInst *shadow = b_.CreateAlignedLoad(b_.getInt32Ty(), b_.CreateIntToPtr(place, b_.getPtrTy()), Align(1));
  shadow->setMetadata(kOfChecks, MDNode::get(b_.getContext(), {}));
  Value *allowed = b_.CreateAnd(shadow, b_.getInt32(0xff));
  Value *offset = b_.CreateAnd(b_.CreateTrunc(address, b_.getInt32Ty()), b_.getInt32(7));
  return b_.CreateICmpUGE(offset, allowed);
}

} // namespace hiplz::cpu
