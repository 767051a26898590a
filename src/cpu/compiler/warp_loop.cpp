// SPDX-License-Identifier: MIT
// See warp_loop.h.
#include "cpu/compiler/warp_loop.h"
#include "base/log.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/one_by_one.h"
#include "cpu/vectorizer/barrier_crossings.h"
#include "cpu/vectorizer/reachable.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// WarpState::next: the round above, the region below.
constexpr unsigned kRegionBits = 6;
static_assert(kEndedRegion == (1u << kRegionBits) - 1);

constexpr uint32_t kReciprocalBits = 20;
static_assert(kMaxGroupItems <= 1u << (kReciprocalBits / 2));

bool calleesHaveBarriers(Function &warp) {
  for (Function *reached : reachableFunctions(warp))
    if (reached != &warp)
      for (Instruction &instruction : instructions(*reached))
        if (endsRegion(instruction))
          return true;
  return false;
}

} // namespace

Function *WarpLoopBuilder::build(Function &warp, bool hasBarrier, bool yields) {
  warp_ = &warp;
  warp.setLinkage(GlobalValue::InternalLinkage);
  allowReuseOfState(warp);
  if (needsOwnStack(warp) || yields)
    fiber_ = buildFiberFunction();
  else if (hasBarrier)
    chooseBarriers();
  if (globalIds_)
    oneByOneFunction_ = oneByOneFunction(kernel_);
  SmallVector<Function *, 8> pieces(regions_.functions.begin(), regions_.functions.end());
  if (warp_)
    pieces.push_back(warp_);
  for (Function *piece : pieces) {
    fixSizeIn(*piece);
    piece->addFnAttr(Attribute::AlwaysInline);
  }
  Function *function =
      createKernelFunction(Twine("warps.") + nameOf(layout_) + "." + kernel_.info.name, GlobalValue::InternalLinkage);
  function->addFnAttr(Attribute::NoInline); // the stack of one layout is enough
  buildLoop(*function);
  return function;
}

void WarpLoopBuilder::chooseBarriers() {
  std::string reason = "a function that is not inlined has a barrier";
  if (!calleesHaveBarriers(*warp_))
    if (auto regions = splitAtBarriers(*warp_, width_, reason)) {
      regions_ = std::move(*regions);
      warp_ = nullptr;
      return;
    }
  HIPLZ_LOG_INFO("kernel %s needs a stack for each warp: %s", kernel_.info.name.c_str(), reason.c_str());
  fiber_ = buildFiberFunction();
}

// void fiber(WarpState *): what the fiber of a warp runs.
Function *WarpLoopBuilder::buildFiberFunction() {
  Type *pointer = b_.getPtrTy();
  Function *function = createFunction(Twine("fiber.") + nameOf(layout_) + "." + kernel_.info.name, b_.getVoidTy(),
                                      {pointer}, GlobalValue::InternalLinkage);
  startBlock(*function, "entry");
  Value *state = function->getArg(0);
  Value *launch = loadField(b_, pointer, state, offsetof(WarpState, launch), true);
  Value *worker = loadField(b_, pointer, state, offsetof(WarpState, worker), true);
  call(warp_, {state}, loadArguments(launch, worker));
  b_.CreateRetVoid();
  return function;
}

CallInst *WarpLoopBuilder::call(FunctionCallee callee, ArrayRef<Value *> first, ArrayRef<Value *> rest) {
  SmallVector<Value *, 16> all(first.begin(), first.end());
  all.append(rest.begin(), rest.end());
  return b_.CreateCall(callee, all);
}

// The table of ids is the last field and exists in one layout only.
uint64_t WarpLoopBuilder::stateBytes() const { return hasTable() ? sizeof(WarpState) : offsetof(WarpState, localId); }

uint64_t WarpLoopBuilder::stride() const { return stateBytes() + regions_.frameBytes; }

Value *WarpLoopBuilder::stateOf(Value *index) {
  return b_.CreateInBoundsGEP(
      b_.getInt8Ty(), states_,
      b_.CreateMul(b_.CreateZExt(index, b_.getInt64Ty()), b_.getInt64(stride()), "", true, true));
}

void WarpLoopBuilder::enter() {
  oneByOne_ = canRunOneByOne(body_);
  if (!oneByOne_)
    tell(b_.getInt32(width_), offsetof(WorkerState, itemCount));
  if (sideBySide_ && (oneByOne_ || body_.hasFnAttribute(kSideBySide))) { // waves of machine code have it themselves
    // A row of them must not be longer than what the cache keeps for the next row.
    constexpr uint32_t kMost = 16, kMostItems = 1024;
    most_ = b_.CreateUDiv(b_.getInt32(kMostItems), groupSize_[0]);
    most_ = b_.CreateBinaryIntrinsic(Intrinsic::umin, most_, b_.getInt32(kMost));
  }
  itemCount_ = b_.CreateMul(b_.CreateMul(groupSize_[0], groupSize_[1], "", true, true), groupSize_[2], "", true, true);
  if (hasTable())
    for (unsigned d = 0; d < 2; ++d)
      reciprocal_[d] = reciprocalOf(groupSize_[d]);
  if (!fiber_)
    arguments_ = loadArguments(launch_, worker_);
  warpCount_ = b_.CreateUDiv(b_.CreateAdd(itemCount_, b_.getInt32(width_ - 1), "", true, true), b_.getInt32(width_));
  auto memory = [&](uint64_t bytesOfWarp) -> Value * {
    Value *bytes = b_.CreateMul(b_.CreateZExt(warpCount_, b_.getInt64Ty()), b_.getInt64(bytesOfWarp));
    return b_.CreateCall(declareRuntime(module_, runtime::warpMemory), {worker_, bytes});
  };
  if (ownStates()) {
    states_ = memory(stride());
    upcoming_ = b_.CreateAlloca(b_.getInt64Ty());
    if (regions_.turns)
      turning_ = b_.CreateAlloca(b_.getInt64Ty());
    return;
  }
  auto allocate = [&](uint64_t bytes) {
    AllocaInst *memory = b_.CreateAlloca(ArrayType::get(b_.getInt8Ty(), bytes));
    memory->setAlignment(Align(alignof(WarpState)));
    return memory;
  };
  states_ = allocate(stateBytes());
  shared_ = allocate(2 * regions_.sharedBytes);
  frames_ = regions_.frameBytes > 0 ? memory(regions_.frameBytes) : ConstantPointerNull::get(b_.getPtrTy());
}

// Warps that go from barrier to barrier each on its own way have states that last.
bool WarpLoopBuilder::ownStates() const { return fiber_ || (!regions_.functions.empty() && !regions_.inStep); }

void WarpLoopBuilder::runGroups(Value *const group[3], Value *many) {
  group_ = {group[0], group[1], group[2]};
  many_ = many;
  if (!ownStates() && !regions_.functions.empty())
    return runInStep();
  if (!ownStates())
    return globalIds_ ? runUnlessWrapping([&] { runWarps(); }) : runWarps();
  forEachWarp(false, [&](const Warp &warp) -> Value * {
    fillState(stateOf(b_.CreateUDiv(warp.linear, b_.getInt32(width_))), warp);
    return nullptr;
  });
  if (fiber_)
    runFibers();
  else
    runRounds();
}

// Of a kernel without barriers.
void WarpLoopBuilder::runWarps() {
  auto run = [&](const Warp &warp) -> Value * {
    fillState(states_, warp);
    call(warp_, {states_}, arguments_);
    return nullptr;
  };
  if (layout_ == LaneLayout::rows || !paysTwice(*warp_))
    forEachWarp(!oneByOne_, run);
  else
    forWholeAndPartial(!oneByOne_, run);
}

// Where the global ids of a work-group go beyond 31 or 32 bits, the work-group is executed one work-item after the
// other: there is one such work-group in two billion work-items.
void WarpLoopBuilder::runUnlessWrapping(function_ref<void()> run) {
  Function *function = b_.GetInsertBlock()->getParent();
  auto block = [&](const char *name) { return BasicBlock::Create(context_, name, function); };
  BasicBlock *wrapping = block("wrapping"), *plain = block("plain"), *done = block("ran");
  constexpr uint32_t kPeriod = uint32_t(1) << 31;
  Value *begin = b_.CreateAnd(b_.CreateMul(group_[0], groupSize_[0]), b_.getInt32(kPeriod - 1));
  Value *wraps = b_.CreateICmpUGT(b_.CreateAdd(begin, groupSize_[0]), b_.getInt32(kPeriod));
  b_.CreateCondBr(wraps, wrapping, plain, MDBuilder(context_).createBranchWeights(1, 1u << 20));

  b_.SetInsertPoint(wrapping);
  auto wide = [&](Value *value) { return b_.CreateZExt(value, b_.getInt64Ty()); };
  Value *row = b_.CreateAdd(b_.CreateMul(wide(group_[2]), wide(groupCount_[1])), wide(group_[1]));
  Value *index = b_.CreateAdd(b_.CreateMul(row, wide(groupCount_[0])), wide(group_[0]));
  b_.CreateCall(oneByOneFunction_, {launch_, worker_, index, b_.CreateAdd(index, b_.getInt64(1))});
  tell(b_.getInt32(oneByOne_ ? 0 : width_), offsetof(WorkerState, itemCount));
  b_.CreateBr(done);

  b_.SetInsertPoint(plain);
  run();
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

WarpLoopBuilder::Warp WarpLoopBuilder::warpAt(Value *linear, Value *live) {
  if (layout_ == LaneLayout::line)
    return {{linear, b_.getInt32(0), b_.getInt32(0)}, linear, live};
  Value *row = quotient(linear, 0), *slice = quotient(row, 1);
  return {{remainder(linear, row, 0), remainder(row, slice, 1), slice}, linear, live};
}

// A loop over the whole warps, and behind it the last warp if it is partial. Not for bodies that end the loop.
void WarpLoopBuilder::forWholeAndPartial(bool tells, WarpBody body) {
  auto run = [&](Value *linear, Value *live) {
    const Warp warp = warpAt(linear, live);
    for (unsigned d = 0; tells && d < 3; ++d)
      tell(warp.first[d], offsetof(WorkerState, localId) + 4 * d);
    forEachGroup([&] { body(warp); });
    return nullptr;
  };
  Function *function = b_.GetInsertBlock()->getParent();
  auto block = [&](const char *name) { return BasicBlock::Create(context_, name, function); };
  BasicBlock *whole = block("whole"), *rest = block("rest"), *partial = block("partial"), *done = block("done");
  Value *end = b_.CreateAnd(itemCount_, b_.getInt32(~(width_ - 1)));
  b_.CreateCondBr(b_.CreateICmpNE(end, b_.getInt32(0)), whole, rest);
  b_.SetInsertPoint(whole);
  emitLoop(end, width_, "warp", [&](Value *linear) { return run(linear, allLanes()); });
  b_.CreateBr(rest);
  b_.SetInsertPoint(rest);
  b_.CreateCondBr(b_.CreateICmpNE(end, itemCount_), partial, done);
  b_.SetInsertPoint(partial);
  Value *count = b_.CreateSub(itemCount_, end, "", true, true);
  run(end, b_.CreateNot(b_.CreateShl(b_.getInt32(~0u), count)));
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

// A loop over the work-groups side by side, if there are any, which tells where it is.
void WarpLoopBuilder::forEachGroup(function_ref<void()> body) {
  if (!most_)
    return body();
  Value *first = group_[0];
  keepRolled(*emitLoop(many_, 1, "side", [&](Value *index) {
    group_[0] = b_.CreateAdd(first, index, "", true);
    tell(group_[0], offsetof(WorkerState, groupId));
    body();
    return nullptr;
  }));
  group_[0] = first;
}

// A loop over the warps. It tells which warp it is at if it is to. The body may return a condition that ends the loop
// over x, unless work-groups are executed side by side: then a row of all of them comes before the next row.
void WarpLoopBuilder::forEachWarp(bool tells, WarpBody body) {
  auto tellId = [&](unsigned d, Value *id) {
    if (tells)
      tell(id, offsetof(WorkerState, localId) + 4 * d);
  };
  if (layout_ != LaneLayout::rows) {
    emitLoop(itemCount_, width_, "warp", [&](Value *linear) {
      const Warp warp = warpAt(linear, liveLanes(linear));
      for (unsigned d = 0; d < 3; ++d)
        tellId(d, warp.first[d]);
      Value *ends = nullptr;
      forEachGroup([&] { ends = body(warp); });
      return layout_ == LaneLayout::line ? ends : nullptr;
    });
    return;
  }
  // Most work-groups have one row.
  keepRolled(*emitLoop(groupSize_[2], 1, "z", [&](Value *z) {
    tellId(2, z);
    keepRolled(*emitLoop(groupSize_[1], 1, "y", [&](Value *y) {
      tellId(1, y);
      forEachGroup([&] {
        emitLoop(groupSize_[0], width_, "x", [&](Value *x) {
          tellId(0, x);
          Value *row = b_.CreateAdd(b_.CreateMul(z, groupSize_[1], "", true, true), y, "", true, true);
          Value *linear = b_.CreateAdd(b_.CreateMul(row, groupSize_[0], "", true, true), x, "", true, true);
          return body({{x, y, z}, linear, allLanes()});
        });
      });
      return nullptr;
    }));
    return nullptr;
  }));
}

void WarpLoopBuilder::fillState(Value *state, const Warp &warp) {
  storeField(b_, launch_, state, offsetof(WarpState, launch));
  storeField(b_, worker_, state, offsetof(WarpState, worker));
  for (unsigned d = 0; d < 3; ++d) {
    storeField(b_, group_[d], state, offsetof(WarpState, groupId) + 4 * d);
    storeField(b_, warp.first[d], state, offsetof(WarpState, firstId) + 4 * d);
  }
  storeField(b_, warp.linear, state, offsetof(WarpState, firstLinear));
  storeField(b_, warp.live, state, offsetof(WarpState, live));
  storeField(b_, ConstantPointerNull::get(b_.getPtrTy()), state, offsetof(WarpState, fiber));
  storeField(b_, b_.getInt32(0), state, offsetof(WarpState, next));
  if (globalIds_)
    storeField(b_, b_.CreateAdd(b_.CreateMul(group_[0], groupSize_[0]), warp.first[0]), state,
               offsetof(WarpState, firstGlobalX));
  if (hasTable())
    storeIds(state, warp.linear);
}

Value *WarpLoopBuilder::allLanes() { return b_.getInt32(static_cast<uint32_t>((uint64_t(1) << width_) - 1)); }

Value *WarpLoopBuilder::liveLanes(Value *linear) {
  Value *rest = b_.CreateSub(itemCount_, linear, "", true, true); // at least 1
  Value *partial = b_.CreateNot(b_.CreateShl(b_.getInt32(~0u), rest));
  return b_.CreateSelect(b_.CreateICmpULT(rest, b_.getInt32(width_)), partial, allLanes());
}

void WarpLoopBuilder::storeIds(Value *state, Value *linear) {
  SmallVector<Constant *, 32> lanes;
  for (unsigned lane = 0; lane < width_; ++lane)
    lanes.push_back(b_.getInt32(lane));
  Value *each = b_.CreateAdd(b_.CreateVectorSplat(width_, linear), ConstantVector::get(lanes), "", true, true);
  Value *row = quotient(each, 0), *slice = quotient(row, 1);
  Value *ids[3] = {remainder(each, row, 0), remainder(row, slice, 1), slice};
  for (unsigned d = 0; d < 3; ++d)
    storeField(b_, ids[d], state, offsetof(WarpState, localId) + sizeof(uint32_t) * kSubgroupSize * d);
}

void WarpLoopBuilder::runFibers() {
  b_.CreateCall(declareRuntime(module_, runtime::runWarps),
                {fiber_, states_, b_.getInt32(static_cast<uint32_t>(stride())), warpCount_,
                 b_.getInt32(static_cast<uint32_t>(stackBytes(*warp_)))});
}

// A region is a loop over the warps; the last of them says where all of them go next.
void WarpLoopBuilder::runInStep() {
  Function *function = b_.GetInsertBlock()->getParent();
  SmallVector<BasicBlock *, 8> starts;
  for (unsigned region = 0; region < regions_.functions.size(); ++region)
    starts.push_back(BasicBlock::Create(context_, "region", function));
  auto *done = BasicBlock::Create(context_, "done", function);
  auto target = [&](unsigned next) { return next == kEndedRegion ? done : starts[next]; };
  b_.CreateBr(starts[0]);
  for (unsigned region = 0; region < regions_.functions.size(); ++region) {
    b_.SetInsertPoint(starts[region]);
    Value *next = runRegionInStep(region);
    const std::vector<unsigned> &following = regions_.following[region];
    if (following.empty()) {
      b_.CreateUnreachable();
      continue;
    }
    SwitchInst *branch = b_.CreateSwitch(next, target(following.back()));
    for (unsigned other : ArrayRef<unsigned>(following).drop_back())
      branch->addCase(b_.getInt32(other), target(other));
  }
  b_.SetInsertPoint(done);
}

Value *WarpLoopBuilder::runRegionInStep(unsigned region) {
  Value *next = nullptr;
  forEachWarp(true, [&](const Warp &warp) {
    fillState(states_, warp);
    Value *index = b_.CreateZExt(b_.CreateUDiv(warp.linear, b_.getInt32(width_)), b_.getInt64Ty());
    Value *frame = regions_.frameBytes == 0
                       ? frames_
                       : b_.CreateInBoundsGEP(b_.getInt8Ty(), frames_,
                                              b_.CreateMul(index, b_.getInt64(regions_.frameBytes), "", true, true));
    Value *result = call(regions_.functions[region], {states_, frame, shared_}, arguments_);
    next = b_.CreateAnd(result, b_.getInt32(kNoWarpFollows - 1));
    return b_.CreateICmpUGE(result, b_.getInt32(kNoWarpFollows));
  });
  for (const WarpRegions::SharedValue &value : regions_.shared) {
    auto place = [&](uint64_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), shared_, offset); };
    b_.CreateStore(b_.CreateLoad(value.type, place(value.offset + regions_.sharedBytes)), place(value.offset));
  }
  return next;
}

// The regions of this round are a set of bits, and so are those of the next round, which the warps of this one name. Warps that turn name
// further ones of this round. The first in the code is the next, so that those that are behind come up.
void WarpLoopBuilder::runRounds() {
  Function *function = b_.GetInsertBlock()->getParent();
  Type *wide = b_.getInt64Ty();
  auto block = [&](const char *name) { return BasicBlock::Create(context_, name, function); };
  BasicBlock *before = b_.GetInsertBlock();
  BasicBlock *step = block("step"), *join = block("join"), *round = block("round"), *never = block("never"),
             *done = block("done");
  b_.CreateStore(b_.getInt64(0), upcoming_);
  if (turning_)
    b_.CreateStore(b_.getInt64(0), turning_);
  b_.CreateBr(step);

  b_.SetInsertPoint(step);
  PHINode *pending = b_.CreatePHI(wide, 3, "pending");
  PHINode *number = b_.CreatePHI(b_.getInt32Ty(), 3, "round");
  Value *rest = b_.CreateAnd(pending, b_.CreateSub(pending, b_.getInt64(1)));
  SwitchInst *next = b_.CreateSwitch(b_.CreateIntrinsic(Intrinsic::cttz, {wide}, {pending, b_.getTrue()}), never);
  pending->addIncoming(b_.getInt64(1), before);
  number->addIncoming(b_.getInt32(0), before);
  for (unsigned region = 0; region < regions_.functions.size(); ++region) {
    BasicBlock *start = block("region");
    next->addCase(b_.getInt64(region), start);
    b_.SetInsertPoint(start);
    runRegion(region, number);
    b_.CreateBr(join);
  }
  b_.SetInsertPoint(never);
  b_.CreateUnreachable();

  b_.SetInsertPoint(join);
  if (turning_) {
    rest = b_.CreateOr(rest, b_.CreateLoad(wide, turning_));
    b_.CreateStore(b_.getInt64(0), turning_);
  }
  pending->addIncoming(rest, join);
  number->addIncoming(number, join);
  b_.CreateCondBr(b_.CreateICmpNE(rest, b_.getInt64(0)), step, round);

  b_.SetInsertPoint(round);
  Value *more = b_.CreateAnd(b_.CreateLoad(wide, upcoming_), b_.getInt64(~(uint64_t(1) << kEndedRegion)));
  b_.CreateStore(b_.getInt64(0), upcoming_);
  pending->addIncoming(more, round);
  number->addIncoming(b_.CreateAdd(number, b_.getInt32(1)), round);
  b_.CreateCondBr(b_.CreateICmpNE(more, b_.getInt64(0)), step, done);
  b_.SetInsertPoint(done);
}

// The loop over the warps that are at the region in this round.
void WarpLoopBuilder::runRegion(unsigned region, Value *round) {
  Function *function = b_.GetInsertBlock()->getParent();
  Value *current = b_.CreateShl(round, kRegionBits);
  Value *following = b_.CreateShl(b_.CreateAdd(round, b_.getInt32(1)), kRegionBits);
  emitLoop(warpCount_, 1, "warp", [&](Value *index) {
    auto *run = BasicBlock::Create(context_, "run", function), *skip = BasicBlock::Create(context_, "skip", function);
    Value *state = stateOf(index);
    Value *next = loadField(b_, b_.getInt32Ty(), state, offsetof(WarpState, next), false);
    b_.CreateCondBr(b_.CreateICmpEQ(next, b_.CreateOr(current, b_.getInt32(region))), run, skip);
    b_.SetInsertPoint(run);
    for (unsigned d = 0; d < 3; ++d)
      tell(loadField(b_, b_.getInt32Ty(), state, offsetof(WarpState, firstId) + 4 * d, false),
           offsetof(WorkerState, localId) + 4 * d);
    Value *frame = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), state, stateBytes());
    Value *then = call(regions_.functions[region], {state, frame, ConstantPointerNull::get(b_.getPtrTy())}, arguments_);
    if (turning_)
      noteTurn(state, then, current, following);
    else
      noteNext(state, then, following);
    b_.CreateBr(skip);
    b_.SetInsertPoint(skip);
    return nullptr;
  });
}

// Which region is next for the warp, in the round.
void WarpLoopBuilder::noteNext(Value *state, Value *region, Value *round) {
  storeField(b_, b_.CreateOr(round, region), state, offsetof(WarpState, next));
  addTo(upcoming_, b_.CreateShl(b_.getInt64(1), b_.CreateZExt(region, b_.getInt64Ty())));
}

// The same where regions may end with turns, behind which a warp goes on in the current round.
void WarpLoopBuilder::noteTurn(Value *state, Value *then, Value *current, Value *following) {
  Value *turns = b_.CreateICmpUGE(then, b_.getInt32(kTurns)), *none = b_.getInt64(0);
  Value *region = b_.CreateAnd(then, b_.getInt32(kTurns - 1));
  storeField(b_, b_.CreateOr(b_.CreateSelect(turns, current, following), region), state, offsetof(WarpState, next));
  Value *bit = b_.CreateShl(b_.getInt64(1), b_.CreateZExt(region, b_.getInt64Ty()));
  addTo(turning_, b_.CreateSelect(turns, bit, none));
  addTo(upcoming_, b_.CreateSelect(turns, none, bit));
}

void WarpLoopBuilder::addTo(Value *set, Value *bits) {
  b_.CreateStore(b_.CreateOr(b_.CreateLoad(b_.getInt64Ty(), set), bits), set);
}

// Division of linear ids by the size of dimension d. They are below kMaxGroupItems, so the product with the reciprocal,
// scaled by 2^kReciprocalBits and rounded up, is too large by less than the distance to the next multiple.
Value *WarpLoopBuilder::reciprocalOf(Value *size) {
  return b_.CreateUDiv(b_.CreateAdd(size, b_.getInt32((1u << kReciprocalBits) - 1)), size);
}

// The scalar, or as many of it as the value has lanes.
Value *WarpLoopBuilder::like(Value *value, Value *scalar) {
  return value->getType()->isVectorTy() ? b_.CreateVectorSplat(width_, scalar) : scalar;
}

Value *WarpLoopBuilder::quotient(Value *value, unsigned d) {
  return b_.CreateLShr(b_.CreateMul(value, like(value, reciprocal_[d]), "", true, true), kReciprocalBits);
}

Value *WarpLoopBuilder::remainder(Value *value, Value *quotient, unsigned d) {
  return b_.CreateSub(value, b_.CreateMul(quotient, like(value, groupSize_[d]), "", true, true), "", true, true);
}

} // namespace hiplz::cpu
