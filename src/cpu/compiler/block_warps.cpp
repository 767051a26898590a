// SPDX-License-Identifier: MIT
// See block_warps.h.
#include "cpu/compiler/block_warps.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/one_by_one.h"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Where 32-bit numbers change their sign or wrap.
constexpr uint32_t kPeriod = uint32_t(1) << 31;

} // namespace

Function *BlockWarpBuilder::build(Function &warp) {
  warp_ = &warp;
  warp.setLinkage(GlobalValue::InternalLinkage);
  allowReuseOfState(warp);
  warp.addFnAttr(Attribute::AlwaysInline);
  if (options_.globalIds && options_.layout == LaneLayout::blocks) // a single work-item's id is its group's
    oneByOneFunction_ = oneByOneFunction(kernel_);
  Function *function = createKernelFunction(Twine("blocks.") + kernel_.info.name, GlobalValue::InternalLinkage);
  function->addFnAttr(Attribute::NoInline);
  enterKernel(*function);
  enter();

  // Row after row of the grid, as far as the range reaches. Ranges are not empty, but who knows.
  Value *begin = function->getArg(2), *end = function->getArg(3);
  Value *rowOfGrid = b_.CreateUDiv(begin, wide(groupCount_[0]));
  auto narrow = [&](Value *value) { return b_.CreateTrunc(value, b_.getInt32Ty()); };
  Value *first[3] = {narrow(b_.CreateURem(begin, wide(groupCount_[0]))),
                     narrow(b_.CreateURem(rowOfGrid, wide(groupCount_[1]))),
                     narrow(b_.CreateUDiv(rowOfGrid, wide(groupCount_[1])))};
  BasicBlock *entry = b_.GetInsertBlock(), *row = block("row"), *exit = block("exit");
  b_.CreateCondBr(b_.CreateICmpULT(begin, end), row, exit);
  b_.SetInsertPoint(row);
  PHINode *index = b_.CreatePHI(b_.getInt64Ty(), 2, "index");
  PHINode *group[3];
  for (PHINode *&phi : group)
    phi = b_.CreatePHI(b_.getInt32Ty(), 2);
  Value *left = wide(b_.CreateSub(groupCount_[0], group[0]));
  Value *count = b_.CreateBinaryIntrinsic(Intrinsic::umin, left, b_.CreateSub(end, index));
  if (options_.layout == LaneLayout::singles) { // no warp has numbers below and above 2^31
    Value *toPeriod = b_.CreateSub(b_.getInt32(kPeriod), b_.CreateAnd(group[0], b_.getInt32(kPeriod - 1)));
    count = b_.CreateBinaryIntrinsic(Intrinsic::umin, count, wide(toPeriod));
  }
  Value *ids[3] = {group[0], group[1], group[2]};
  runRow(ids, narrow(count));
  Value *next = b_.CreateAdd(index, count);
  Value *x = b_.CreateAdd(group[0], narrow(count)), *ends = b_.CreateICmpEQ(x, groupCount_[0]);
  Value *y = b_.CreateAdd(group[1], b_.CreateZExt(ends, b_.getInt32Ty())), *wraps = b_.CreateICmpEQ(y, groupCount_[1]);
  index->addIncoming(begin, entry);
  index->addIncoming(next, b_.GetInsertBlock());
  Value *following[3] = {b_.CreateSelect(ends, b_.getInt32(0), x), b_.CreateSelect(wraps, b_.getInt32(0), y),
                         b_.CreateAdd(group[2], b_.CreateZExt(wraps, b_.getInt32Ty()))};
  for (unsigned d = 0; d < 3; ++d) {
    group[d]->addIncoming(first[d], entry);
    group[d]->addIncoming(following[d], b_.GetInsertBlock());
  }
  b_.CreateCondBr(b_.CreateICmpULT(next, end), row, exit);
  b_.SetInsertPoint(exit);
  b_.CreateRetVoid();
  return function;
}

BasicBlock *BlockWarpBuilder::block(const char *name) {
  return BasicBlock::Create(context_, name, b_.GetInsertBlock()->getParent());
}

// The facts that are the same in all warps: the place of a lane's work-item within its group, and which of the warp's groups that is.
void BlockWarpBuilder::enter() {
  const unsigned width = options_.width;
  arguments_ = loadArguments(launch_, worker_);
  AllocaInst *state = b_.CreateAlloca(ArrayType::get(b_.getInt8Ty(), sizeof(WarpState)));
  state->setAlignment(Align(alignof(WarpState)));
  state_ = state;
  storeField(b_, launch_, state_, offsetof(WarpState, launch));
  storeField(b_, worker_, state_, offsetof(WarpState, worker));
  if (options_.layout == LaneLayout::singles) {
    itemCount_ = b_.getInt32(1);
    groupsPerWarp_ = b_.getInt32(width);
  } else {
    itemCount_ =
        b_.CreateMul(b_.CreateMul(groupSize_[0], groupSize_[1], "", true, true), groupSize_[2], "", true, true);
    groupsPerWarp_ = b_.CreateUDiv(b_.getInt32(width), itemCount_);
    SmallVector<Constant *, 32> numbers;
    for (unsigned lane = 0; lane < width; ++lane)
      numbers.push_back(b_.getInt32(lane));
    auto spread = [&](Value *value) { return b_.CreateVectorSplat(width, value); };
    auto divide = [&](Value *value, Value *size, Value *&rest) { // once a call of the function
      Value *quotient = b_.CreateUDiv(value, spread(size));
      rest = b_.CreateSub(value, b_.CreateMul(quotient, spread(size)));
      return quotient;
    };
    Value *linear = nullptr, *x = nullptr, *y = nullptr;
    groupOfLane_ = divide(ConstantVector::get(numbers), itemCount_, linear);
    Value *row = divide(linear, groupSize_[0], x), *z = divide(row, groupSize_[1], y);
    Value *ids[3] = {x, y, z};
    for (unsigned d = 0; d < 3; ++d)
      storeField(b_, ids[d], state_, offsetof(WarpState, localId) + sizeof(uint32_t) * kSubgroupSize * d);
    storeField(b_, linear, state_, offsetof(WarpState, linearId));
  }
  for (unsigned d = 0; d < 3; ++d)
    tell(b_.getInt32(0), offsetof(WorkerState, localId) + 4 * d);
  tell(groupsPerWarp_, offsetof(WorkerState, groupSpan));
}

// Work-groups of one row of the grid.
void BlockWarpBuilder::runRow(Value *const group[3], Value *count) {
  for (unsigned d = 1; d < 3; ++d) {
    tell(group[d], offsetof(WorkerState, groupId) + 4 * d);
    storeField(b_, group[d], state_, offsetof(WarpState, groupId) + 4 * d);
  }
  if (!oneByOneFunction_)
    return runGroups(group, count);
  // Global ids that go beyond 31 or 32 bits within the row.
  Value *begin = b_.CreateAnd(b_.CreateMul(group[0], itemCount_), b_.getInt32(kPeriod - 1));
  Value *end = b_.CreateAdd(wide(begin), b_.CreateMul(wide(count), wide(itemCount_)));
  BasicBlock *wrapping = block("wrapping"), *plain = block("plain"), *done = block("ran");
  b_.CreateCondBr(b_.CreateICmpUGT(end, b_.getInt64(kPeriod)), wrapping, plain,
                  MDBuilder(context_).createBranchWeights(1, 1u << 20));
  b_.SetInsertPoint(wrapping);
  runOneByOne(group, count);
  b_.CreateBr(done);
  b_.SetInsertPoint(plain);
  runGroups(group, count);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void BlockWarpBuilder::runOneByOne(Value *const group[3], Value *count) {
  Value *row = b_.CreateAdd(b_.CreateMul(wide(group[2]), wide(groupCount_[1])), wide(group[1]));
  Value *first = b_.CreateAdd(b_.CreateMul(row, wide(groupCount_[0])), wide(group[0]));
  emitLoop(count, 1, "one", [&](Value *number) -> Value * {
    Value *index = b_.CreateAdd(first, wide(number));
    b_.CreateCall(oneByOneFunction_, {launch_, worker_, index, b_.CreateAdd(index, b_.getInt64(1))});
    return nullptr;
  });
  tell(b_.getInt32(0), offsetof(WorkerState, itemCount));
  for (unsigned d = 0; d < 3; ++d)
    tell(b_.getInt32(0), offsetof(WorkerState, localId) + 4 * d);
}

void BlockWarpBuilder::runIf(Value *condition, function_ref<void()> run) {
  BasicBlock *yes = block("run"), *after = block("after");
  b_.CreateCondBr(condition, yes, after);
  b_.SetInsertPoint(yes);
  run();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
}

// Warps with all lanes, if the groups fill them and a copy of the code for such warps is worth it, and the others.
void BlockWarpBuilder::runGroups(Value *const group[3], Value *count) {
  const unsigned width = options_.width;
  Value *warps = b_.getInt32(0);
  if (paysTwice(*warp_)) {
    Value *filled = b_.CreateICmpEQ(b_.CreateMul(groupsPerWarp_, itemCount_), b_.getInt32(width));
    warps = b_.CreateSelect(filled, b_.CreateUDiv(count, groupsPerWarp_), b_.getInt32(0));
    runIf(b_.CreateICmpNE(warps, b_.getInt32(0)), [&] {
      emitLoop(warps, 1, "warp", [&](Value *warp) -> Value * {
        Value *x = b_.CreateAdd(group[0], b_.CreateMul(warp, groupsPerWarp_));
        runWarp(x, b_.getInt32(static_cast<uint32_t>((uint64_t(1) << width) - 1)));
        return nullptr;
      });
    });
  }
  Value *done = b_.CreateMul(warps, groupsPerWarp_), *rest = b_.CreateSub(count, done);
  runIf(b_.CreateICmpNE(rest, b_.getInt32(0)), [&] {
    Value *partial = b_.CreateUDiv(b_.CreateAdd(wide(rest), wide(b_.CreateSub(groupsPerWarp_, b_.getInt32(1)))),
                                   wide(groupsPerWarp_));
    emitLoop(b_.CreateTrunc(partial, b_.getInt32Ty()), 1, "partial", [&](Value *warp) -> Value * {
      Value *before = b_.CreateMul(warp, groupsPerWarp_);
      Value *groups = b_.CreateBinaryIntrinsic(Intrinsic::umin, b_.CreateSub(rest, before), groupsPerWarp_);
      runWarp(b_.CreateAdd(b_.CreateAdd(group[0], done), before), lanesBelow(b_.CreateMul(groups, itemCount_)));
      return nullptr;
    });
  });
}

// The first lanes, 1 to 32 of them.
Value *BlockWarpBuilder::lanesBelow(Value *count) {
  return b_.CreateLShr(b_.getInt32(~0u), b_.CreateSub(b_.getInt32(32), count));
}

void BlockWarpBuilder::runWarp(Value *x, Value *live) {
  tell(x, offsetof(WorkerState, groupId));
  storeField(b_, x, state_, offsetof(WarpState, groupId));
  storeField(b_, live, state_, offsetof(WarpState, live));
  if (options_.globalIds)
    storeField(b_, b_.CreateMul(x, itemCount_), state_, offsetof(WarpState, firstGlobalX));
  if (groupOfLane_)
    storeField(b_, b_.CreateAdd(b_.CreateVectorSplat(options_.width, x), groupOfLane_), state_,
               offsetof(WarpState, groupX));
  SmallVector<Value *, 16> all{state_};
  all.append(arguments_.begin(), arguments_.end());
  b_.CreateCall(warp_, all);
}

} // namespace hiplz::cpu
