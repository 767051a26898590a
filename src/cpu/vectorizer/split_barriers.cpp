// SPDX-License-Identifier: MIT
// Values that are kept become stack slots first. Then each region is a copy of the function that begins elsewhere, loads
// from the frame into the slots when it begins and stores them when it ends; making the slots values again leaves what the
// region needs.
#include "cpu/vectorizer/split_barriers.h"
#include "cpu/vectorizer/barrier_crossings.h"
#include "cpu/vectorizer/group_uniformity.h"
#include "cpu/vectorizer/idle_warps.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr uint64_t kFrameAlign = 64;
constexpr unsigned kOwnParameters = 2; // of regions, behind the warp's state

/// Something that is kept, and its place in the frame or among what is shared.
struct Kept {
  AllocaInst *memory; // private memory, or the slot of a value
  uint64_t offset;
  BitVector liveAt;           // regions; values only
  BasicBlock *home = nullptr; // where the value is made; null for memory
  bool shared = false;
};

class Splitter {
public:
  Splitter(Function &warp, const BarrierCrossings &crossings, const WarpsOfGroup &uniformity, const IdleWarps &idle)
      : warp_(warp), crossings_(crossings), uniformity_(uniformity), idle_(idle),
        layout_(warp.getParent()->getDataLayout()) {}

  WarpRegions split() {
    WarpRegions result;
    result.inStep = uniformity_.inStep();
    result.turns = !result.inStep && any_of(instructions(warp_), isWarpTurn);
    for (AllocaInst *memory : crossings_.keptMemory())
      place({memory, 0, {}, nullptr, false});
    for (const auto &[value, liveAt] : crossings_.kept()) {
      BasicBlock *home = value->getParent();
      bool shared = result.inStep && uniformity_.isUniform(value);
      place({makeSlot(*value), 0, liveAt, home, shared});
    }
    for (const Kept &kept : kept_)
      if (kept.shared)
        result.shared.push_back({kept.memory->getAllocatedType(), kept.offset});
    result.frameBytes = alignTo(frameBytes_, kFrameAlign);
    result.sharedBytes = sharedBytes_ = alignTo(sharedBytes_, kFrameAlign);
    for (unsigned region = 0; region < crossings_.entries().size(); ++region) {
      result.following.push_back(followers(region));
      result.functions.push_back(copyRegion(region));
    }
    warp_.eraseFromParent();
    return result;
  }

private:
  void place(Kept kept) {
    uint64_t &bytes = kept.shared ? sharedBytes_ : frameBytes_;
    Type *type = kept.memory->getAllocatedType();
    uint64_t align =
        std::min<uint64_t>(std::max(kept.memory->getAlign(), layout_.getPrefTypeAlign(type)).value(), kFrameAlign);
    kept.offset = alignTo(bytes, align);
    bytes = kept.offset + layout_.getTypeAllocSize(type).getFixedValue();
    kept_.push_back(std::move(kept));
  }

  std::vector<unsigned> followers(unsigned region) const {
    std::vector<unsigned> result;
    for (BasicBlock &block : warp_)
      if (crossings_.contains(region, &block)) {
        if (unsigned next = crossings_.regionBehind(&block))
          result.push_back(next);
        else if (isa<ReturnInst>(block.getTerminator()))
          result.push_back(kEndedRegion);
      }
    sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  // The value is stored when it is made and loaded before each use outside of its block.
  AllocaInst *makeSlot(Instruction &value) {
    IRBuilder<> builder(&*warp_.getEntryBlock().begin());
    AllocaInst *slot = builder.CreateAlloca(value.getType(), nullptr, value.getName() + ".slot");
    BasicBlock *home = value.getParent();
    DenseMap<BasicBlock *, Value *> atEnd; // a phi must get one value from a block that comes in twice
    for (Use &use : make_early_inc_range(value.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *from = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (from == home)
        continue;
      builder.SetInsertPoint(phi ? from->getTerminator() : user);
      if (!phi) {
        use.set(builder.CreateLoad(value.getType(), slot));
        continue;
      }
      Value *&loaded = atEnd[from];
      if (!loaded)
        loaded = builder.CreateLoad(value.getType(), slot);
      use.set(loaded);
    }
    builder.SetInsertPoint(isa<PHINode>(value) ? &*home->getFirstInsertionPt() : value.getNextNode());
    builder.CreateStore(&value, slot);
    return slot;
  }

  Function *copyRegion(unsigned region) {
    SmallVector<Type *, 16> types(warp_.getFunctionType()->params().begin(), warp_.getFunctionType()->params().end());
    LLVMContext &context = warp_.getContext();
    types.insert(types.begin() + 1, kOwnParameters, PointerType::get(context, 0));
    Function *copy =
        Function::Create(FunctionType::get(Type::getInt32Ty(context), types, false), GlobalValue::InternalLinkage,
                         warp_.getName() + ".region" + Twine(region), warp_.getParent());
    frame_ = copy->getArg(1);
    frame_->setName("frame");
    shared_ = copy->getArg(2);
    shared_->setName("shared");
    ValueToValueMapTy map;
    for (Argument &argument : warp_.args()) {
      Argument *other = copy->getArg(argument.getArgNo() + (argument.getArgNo() > 0 ? kOwnParameters : 0));
      other->setName(argument.getName());
      map[&argument] = other;
    }
    SmallVector<ReturnInst *, 4> returns;
    CloneFunctionInto(copy, &warp_, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    copy->setLinkage(GlobalValue::InternalLinkage); // with the visibility that goes with it, which was copied too

    auto *entry = BasicBlock::Create(context, "region", copy, &copy->getEntryBlock());
    IRBuilder<> builder(BranchInst::Create(cast<BasicBlock>(map[crossings_.entries()[region]]), entry));
    auto copyOf = [&](Value *value) { return cast<Instruction>(map[value]); };
    SmallVector<AllocaInst *, 16> slots;
    for (AllocaInst *memory : crossings_.otherMemory())
      copyOf(memory)->moveBefore(entry->getTerminator());
    for (const Kept &kept : kept_)
      if (kept.home) {
        copyOf(kept.memory)->moveBefore(entry->getTerminator());
        slots.push_back(cast<AllocaInst>(copyOf(kept.memory)));
      } else {
        replaceByFrame(*cast<AllocaInst>(copyOf(kept.memory)), addressOf(builder, kept));
      }
    for (Instruction *value : crossings_.recomputed())
      copyOf(value)->moveBefore(entry->getTerminator());
    for (const Kept &kept : kept_)
      if (kept.home && region > 0 && kept.liveAt.test(region))
        builder.CreateStore(
            builder.CreateAlignedLoad(kept.memory->getAllocatedType(), addressOf(builder, kept), alignOf(kept)),
            copyOf(kept.memory));

    for (BasicBlock &block : warp_)
      if (crossings_.contains(region, &block))
        endBlock(block, *cast<BasicBlock>(map[&block]), region, map);
    for (ReturnInst *end : returns) {
      builder.SetInsertPoint(end);
      builder.CreateRet(builder.getInt32(kEndedRegion));
      end->eraseFromParent();
    }
    if (idle_.possible())
      slots.push_back(tellWhoFollows(*copy, region, map));
    removeUnreachableBlocks(*copy);
    DominatorTree dominators(*copy);
    PromoteMemToReg(slots, dominators);
    return copy;
  }

  // Notes in a slot, which is returned, whether warps with larger x work, and adds kNoWarpFollows to what is returned if not.
  AllocaInst *tellWhoFollows(Function &copy, unsigned region, ValueToValueMapTy &map) {
    IRBuilder<> builder(copy.getEntryBlock().getTerminator());
    AllocaInst *mark = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "follows");
    builder.CreateStore(builder.getInt32(kNoWarpFollows), mark);
    auto startOf = [&](const BasicBlock *block) {
      auto *copied = cast<BasicBlock>(map[block]);
      builder.SetInsertPoint(copied, copied->getFirstInsertionPt());
    };
    for (BasicBlock &block : warp_) {
      if (!crossings_.contains(region, &block))
        continue;
      if (const IdleWarps::Guard *guard = idle_.guardOf(&block)) {
        startOf(guard->block);
        Value *before = builder.CreateLoad(builder.getInt32Ty(), mark);
        Value *others = isa<Constant>(guard->othersComeIn) ? guard->othersComeIn : &*map[guard->othersComeIn];
        if (auto *made = dyn_cast<Instruction>(others))
          builder.SetInsertPoint(made->getNextNode());
        builder.CreateStore(builder.CreateSelect(others, builder.getInt32(0), before), mark);
      }
      if (idle_.works(&block) || (crossings_.regionBehind(&block) && keepsOwnValues(region, block))) {
        startOf(&block);
        builder.CreateStore(builder.getInt32(0), mark);
      }
    }
    for (BasicBlock &block : copy)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(end);
        end->setOperand(0, builder.CreateOr(builder.CreateLoad(builder.getInt32Ty(), mark), end->getReturnValue()));
      }
    return mark;
  }

  bool isStoredAt(const Kept &kept, unsigned region, unsigned next) const {
    return kept.home && kept.liveAt.test(next) && (kept.shared || crossings_.contains(region, kept.home));
  }

  bool keepsOwnValues(unsigned region, const BasicBlock &end) const {
    return any_of(kept_, [&](const Kept &kept) {
      return !kept.shared && isStoredAt(kept, region, crossings_.regionBehind(&end));
    });
  }

  Value *addressOf(IRBuilder<> &builder, const Kept &kept, bool forNext = false) const {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), kept.shared ? shared_ : frame_,
                                              kept.offset + (kept.shared && forNext ? sharedBytes_ : 0));
  }

  static Align alignOf(const Kept &kept) { return commonAlignment(Align(kFrameAlign), kept.offset); }

  static void replaceByFrame(AllocaInst &memory, Value *place) {
    for (User *user : make_early_inc_range(memory.users()))
      if (auto *lifetime = dyn_cast<IntrinsicInst>(user); lifetime && lifetime->isLifetimeStartOrEnd())
        lifetime->eraseFromParent();
    memory.replaceAllUsesWith(place);
    memory.eraseFromParent();
  }

  // A block that ends with a barrier ends the region: what it has made and the next one needs goes to the frame.
  void endBlock(BasicBlock &original, BasicBlock &block, unsigned region, ValueToValueMapTy &map) {
    unsigned next = crossings_.regionBehind(&original);
    if (next == 0)
      return;
    Instruction *branch = block.getTerminator();
    Instruction *barrier = branch->getPrevNode();
    IRBuilder<> builder(barrier);
    for (const Kept &kept : kept_)
      if (isStoredAt(kept, region, next))
        builder.CreateAlignedStore(builder.CreateLoad(kept.memory->getAllocatedType(), map[kept.memory]),
                                   addressOf(builder, kept, true), alignOf(kept));
    for (BasicBlock *successor : successors(&block))
      successor->removePredecessor(&block);
    const bool turns = !uniformity_.inStep() && isWarpTurn(*barrier);
    builder.CreateRet(builder.getInt32(turns ? next | kTurns : next));
    branch->eraseFromParent();
    barrier->eraseFromParent();
  }

  Function &warp_;
  const BarrierCrossings &crossings_;
  const WarpsOfGroup &uniformity_;
  const IdleWarps &idle_;
  const DataLayout &layout_;
  std::vector<Kept> kept_;
  uint64_t frameBytes_ = 0, sharedBytes_ = 0;
  Argument *frame_ = nullptr, *shared_ = nullptr; // of the region that is being made
};

} // namespace

std::optional<WarpRegions> splitAtBarriers(Function &warp, unsigned width, std::string &reason) {
  unsigned barriers = 0;
  size_t blocks = warp.size();
  for (Instruction &instruction : instructions(warp)) {
    barriers += endsRegion(instruction);
    auto *memory = dyn_cast<AllocaInst>(&instruction);
    if (memory && !memory->isStaticAlloca()) {
      reason = "private memory whose size is not known";
      return std::nullopt;
    }
  }
  if (barriers >= kEndedRegion) {
    reason = "more than " + std::to_string(kEndedRegion - 1) + " barriers";
    return std::nullopt;
  }
  separateBarriers(warp);
  const WarpsOfGroup uniformity(warp);
  const IdleWarps idle(warp, uniformity, width);
  const BarrierCrossings crossings(warp); // last: it finds what the code of the others needs, too
  constexpr size_t kMaxGrowth = 4;
  if (crossings.blockCount() > kMaxGrowth * (blocks + barriers) + 16) {
    reason = "too much code belongs to several regions between barriers";
    return std::nullopt;
  }
  return Splitter(warp, crossings, uniformity, idle).split();
}

} // namespace hiplz::cpu
