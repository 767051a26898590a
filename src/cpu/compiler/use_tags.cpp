// SPDX-License-Identifier: MIT
// See use_tags.h.
#include "cpu/compiler/use_tags.h"
#include "cpu/abi/check_functions.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/check_calls.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr uint64_t kTagBytes = 4, kPlaceBytes = 8; // of a word of 4 bytes
constexpr unsigned kItemAt = 53;                   // check/cells.h
constexpr uint64_t kBlockMask = 0x07ffffff;        // check/tags.h

MDNode *nothing(LLVMContext &context) { return MDNode::get(context, {}); }

} // namespace

UseTags::UseTags(Function &kernel, const LaunchUses &uses, size_t sites)
    : b_(kernel.getContext()), uses_(uses), item_(kernel.getArg(0)), parameters_(kernel.arg_size()) {
  kernel.addFnAttr(kLooksAtRows);
  Module &module = *kernel.getParent();
  const std::vector<int64_t> numbers = uses.table(sites);
  Constant *contents = ConstantDataArray::get(
      kernel.getContext(), ArrayRef<uint64_t>(reinterpret_cast<const uint64_t *>(numbers.data()), numbers.size()));
  auto *table =
      new GlobalVariable(module, contents->getType(), true, GlobalValue::InternalLinkage, contents, "hiplz.uses");
  table->setAlignment(Align(8));
  Instruction *first = behindVariables(kernel);
  b_.SetInsertPoint(first);
  Value *launch = loadField(b_, b_.getPtrTy(), item_, offsetof(WorkItem, launch), true);
  Value *checked = loadField(b_, b_.getPtrTy(), launch, offsetof(LaunchState, checked), true);
  Value *known = load(b_.getPtrTy(), checked, offsetof(CheckedLaunch, uses));
  Instruction *then = SplitBlockAndInsertIfThen(b_.CreateIsNull(known), first, false);
  markBranchTo(*then);
  b_.SetInsertPoint(then);
  FunctionCallee decide = declareRuntime(module, runtime::checkUses);
  cast<Function>(decide.getCallee())->addFnAttr(Attribute::NoUnwind);
  b_.CreateCall(decide, {item_, table});
  b_.SetInsertPoint(first);
  Value *all = load(b_.getPtrTy(), checked, offsetof(CheckedLaunch, uses));
  launch_ = load(b_.getInt32Ty(), all, offsetof(CheckUses, launch));
  ordered_ = load(b_.getInt32Ty(), all, offsetof(CheckUses, ordered));
  sites_ = load(b_.getPtrTy(), all, offsetof(CheckUses, sites));
  Value *parameters = load(b_.getPtrTy(), all, offsetof(CheckUses, parameters));
  for (uint32_t i = 1; i < parameters_.size(); ++i)
    if (uses.isSimple(i)) {
      const uint64_t at = (i - 1) * sizeof(CheckTags);
      Parameter &parameter = parameters_[i];
      parameter.begin = load(b_.getInt64Ty(), parameters, at + offsetof(CheckTags, begin));
      parameter.bytes = load(b_.getInt64Ty(), parameters, at + offsetof(CheckTags, bytes));
      for (unsigned kind = 0; kind < 2; ++kind) {
        parameter.launches[kind] = load(b_.getPtrTy(), parameters, at + offsetof(CheckTags, launches) + 8 * kind);
        parameter.places[kind] = load(b_.getPtrTy(), parameters, at + offsetof(CheckTags, places) + 8 * kind);
      }
    }
  const auto group = [&](unsigned d) {
    return loadField(b_, b_.getInt32Ty(), item_, offsetof(WorkItem, groupId) + 4 * d, true);
  };
  const auto count = [&](unsigned d) {
    return loadField(b_, b_.getInt32Ty(), launch, offsetof(LaunchState, groupCount) + 4 * d, true);
  };
  block_ = b_.CreateAdd(b_.CreateMul(b_.CreateAdd(b_.CreateMul(group(2), count(1)), group(1)), count(0)), group(0));
  block_ = b_.CreateAnd(b_.CreateZExt(block_, b_.getInt64Ty()), kBlockMask);
}

void UseTags::mark(Value *value) { cast<Instruction>(value)->setMetadata(kOfChecks, nothing(b_.getContext())); }

Value *UseTags::load(Type *type, Value *base, uint64_t offset) {
  Value *loaded = loadField(b_, type, base, offset, false);
  mark(loaded);
  return loaded;
}

// Those of one word, or of two together.
Value *UseTags::tagsAt(Value *tags, Value *offset, uint64_t bytes) {
  Value *loaded = b_.CreateAlignedLoad(b_.getIntNTy(static_cast<unsigned>(8 * bytes)),
                                       b_.CreateGEP(b_.getInt8Ty(), tags, offset), Align(kTagBytes));
  mark(loaded);
  return loaded;
}

Value *UseTags::ofAllTags(Value *tags, function_ref<Value *(Value *)> test) {
  if (tags->getType()->isIntegerTy(32))
    return test(tags);
  Value *first = b_.CreateTrunc(tags, b_.getInt32Ty());
  Value *second = b_.CreateTrunc(b_.CreateLShr(tags, 32), b_.getInt32Ty());
  return b_.CreateAnd(test(first), test(second));
}

Value *UseTags::isThis(Value *tags) {
  return ofAllTags(tags, [&](Value *tag) { return b_.CreateICmpEQ(tag, launch_); });
}

// Of this launch, or of one that comes before.
Value *UseTags::isHarmless(Value *tags) {
  return ofAllTags(
      tags, [&](Value *tag) { return b_.CreateOr(b_.CreateICmpULT(tag, ordered_), b_.CreateICmpEQ(tag, launch_)); });
}

Value *UseTags::placeOf(Value *site) {
  Value *number = loadField(b_, b_.getInt32Ty(), item_, offsetof(WorkItem, linearId), true);
  Value *item = b_.CreateShl(b_.CreateZExt(number, b_.getInt64Ty()), kItemAt);
  return b_.CreateOr(b_.CreateOr(site, block_), item);
}

void UseTags::markBranchTo(Instruction &place) { mark(place.getParent()->getSinglePredecessor()->getTerminator()); }

// Branches, not choices of addresses: neighbouring lanes go on to look at neighbouring tags.
std::array<Instruction *, 2> UseTags::whereCalled(const Tagged &access, Instruction &instruction) {
  const Parameter &parameter = parameters_[access.parameter];
  const unsigned kind = access.writes;
  b_.SetInsertPoint(&instruction);
  b_.SetCurrentDebugLocation(instruction.getDebugLoc());
  Value *offset = b_.CreateSub(b_.CreatePtrToInt(access.address, b_.getInt64Ty()), parameter.begin);
  Value *room = b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, parameter.bytes, b_.getInt64(access.bytes - 1));
  Value *wrong = b_.CreateICmpUGE(offset, room);
  if (access.isWrong)
    wrong = b_.CreateOr(wrong, access.isWrong);
  Instruction *outside = nullptr, *inside = nullptr;
  SplitBlockAndInsertIfThenElse(wrong, &instruction, &outside, &inside);
  markBranchTo(*outside);
  b_.SetInsertPoint(inside);
  struct Part {
    Value *at, *tags;
    uint64_t bytes;
  };
  SmallVector<Part, 3> parts;
  Value *isNew = b_.getFalse();
  for (uint64_t done = 0; done < access.bytes;) {
    const uint64_t bytes = access.bytes - done >= 8 ? 8 : 4;
    Value *place = done ? b_.CreateAdd(offset, b_.getInt64(done)) : offset;
    Value *tags = tagsAt(parameter.launches[kind], place, bytes);
    isNew = b_.CreateOr(isNew, b_.CreateNot(isThis(tags)));
    parts.push_back({place, tags, bytes});
    done += bytes;
  }
  Instruction *then = SplitBlockAndInsertIfThen(isNew, inside, false);
  markBranchTo(*then);
  b_.SetInsertPoint(then);
  Value *site = load(b_.getInt64Ty(), sites_, uint64_t{access.number} * sizeof(uint64_t));
  wrong = b_.CreateICmpEQ(site, b_.getInt64(0));
  for (const Part &part : parts) {
    Value *others = tagsAt(parameter.launches[1 - kind], part.at, part.bytes);
    wrong = b_.CreateOr(wrong, b_.CreateNot(b_.CreateAnd(isHarmless(part.tags), isHarmless(others))));
  }
  Instruction *called = nullptr, *marked = nullptr;
  SplitBlockAndInsertIfThenElse(wrong, then, &called, &marked);
  markBranchTo(*called);
  b_.SetInsertPoint(marked);
  Value *place = placeOf(site);
  Value *both = b_.CreateMul(b_.CreateZExt(launch_, b_.getInt64Ty()), b_.getInt64(0x100000001));
  for (const Part &part : parts) {
    mark(b_.CreateAlignedStore(part.bytes == 8 ? both : launch_,
                               b_.CreateGEP(b_.getInt8Ty(), parameter.launches[kind], part.at), Align(kTagBytes)));
    for (uint64_t word = 0; word < part.bytes / kTagBytes; ++word) {
      Value *to = b_.CreateAdd(b_.CreateShl(part.at, 1), b_.getInt64(word * kPlaceBytes));
      mark(b_.CreateAlignedStore(place, b_.CreateGEP(b_.getInt8Ty(), parameter.places[kind], to), Align(kPlaceBytes)));
    }
  }
  return {outside, called};
}

} // namespace hiplz::cpu
