// SPDX-License-Identifier: MIT
// Values that are kept become stack slots first. Then each region is a copy of the function that begins elsewhere, loads
// from the frame into the slots when it begins and stores them when it ends; making the slots values again leaves what the
// region needs.
#include "cpu/vectorizer/split_barriers.h"
#include "cpu/vectorizer/barrier_crossings.h"

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

/// Something that is kept, and its place in the frame.
struct Kept {
  AllocaInst *memory; // private memory, or the slot of a value
  uint64_t offset;
  BitVector liveAt;           // regions; values only
  BasicBlock *home = nullptr; // where the value is made; null for memory
};

class Splitter {
public:
  Splitter(Function &warp, const BarrierCrossings &crossings)
      : warp_(warp), crossings_(crossings), layout_(warp.getParent()->getDataLayout()) {}

  WarpRegions split() {
    WarpRegions result;
    for (AllocaInst *memory : crossings_.keptMemory())
      place(memory, {}, nullptr);
    for (const auto &[value, liveAt] : crossings_.kept()) {
      BasicBlock *home = value->getParent();
      place(makeSlot(*value), liveAt, home);
    }
    for (unsigned region = 0; region < crossings_.entries().size(); ++region)
      result.functions.push_back(copyRegion(region));
    result.frameBytes = alignTo(frameBytes_, kFrameAlign);
    warp_.eraseFromParent();
    return result;
  }

private:
  void place(AllocaInst *memory, const BitVector &liveAt, BasicBlock *home) {
    uint64_t align = std::min<uint64_t>(
        std::max(memory->getAlign(), layout_.getPrefTypeAlign(memory->getAllocatedType())).value(), kFrameAlign);
    uint64_t offset = alignTo(frameBytes_, align);
    frameBytes_ = offset + layout_.getTypeAllocSize(memory->getAllocatedType()).getFixedValue();
    kept_.push_back({memory, offset, liveAt, home});
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
    types.insert(types.begin() + 1, PointerType::get(context, 0));
    Function *copy =
        Function::Create(FunctionType::get(Type::getInt32Ty(context), types, false), GlobalValue::InternalLinkage,
                         warp_.getName() + ".region" + Twine(region), warp_.getParent());
    Argument *frame = copy->getArg(1);
    frame->setName("frame");
    ValueToValueMapTy map;
    for (Argument &argument : warp_.args()) {
      Argument *other = copy->getArg(argument.getArgNo() + (argument.getArgNo() > 0));
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
        replaceByFrame(*cast<AllocaInst>(copyOf(kept.memory)), *frame, kept.offset, builder);
      }
    for (Instruction *value : crossings_.recomputed())
      copyOf(value)->moveBefore(entry->getTerminator());
    for (const Kept &kept : kept_)
      if (kept.home && region > 0 && kept.liveAt.test(region))
        builder.CreateStore(builder.CreateAlignedLoad(kept.memory->getAllocatedType(),
                                                      address(builder, *frame, kept.offset), alignOf(kept)),
                            copyOf(kept.memory));

    for (BasicBlock &block : warp_)
      if (crossings_.contains(region, &block))
        endBlock(block, *cast<BasicBlock>(map[&block]), region, *frame, map);
    for (ReturnInst *end : returns) {
      builder.SetInsertPoint(end);
      builder.CreateRet(builder.getInt32(kEndedRegion));
      end->eraseFromParent();
    }
    removeUnreachableBlocks(*copy);
    DominatorTree dominators(*copy);
    PromoteMemToReg(slots, dominators);
    return copy;
  }

  static Value *address(IRBuilder<> &builder, Value &frame, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &frame, offset);
  }

  static Align alignOf(const Kept &kept) { return commonAlignment(Align(kFrameAlign), kept.offset); }

  static void replaceByFrame(AllocaInst &memory, Value &frame, uint64_t offset, IRBuilder<> &builder) {
    for (User *user : make_early_inc_range(memory.users()))
      if (auto *lifetime = dyn_cast<IntrinsicInst>(user); lifetime && lifetime->isLifetimeStartOrEnd())
        lifetime->eraseFromParent();
    memory.replaceAllUsesWith(address(builder, frame, offset));
    memory.eraseFromParent();
  }

  // A block that ends with a barrier ends the region: what it has made and the next one needs goes to the frame.
  void endBlock(BasicBlock &original, BasicBlock &block, unsigned region, Value &frame, ValueToValueMapTy &map) {
    unsigned next = crossings_.regionBehind(&original);
    if (next == 0)
      return;
    Instruction *branch = block.getTerminator();
    Instruction *barrier = branch->getPrevNode();
    IRBuilder<> builder(barrier);
    for (const Kept &kept : kept_)
      if (kept.home && kept.liveAt.test(next) && crossings_.contains(region, kept.home))
        builder.CreateAlignedStore(builder.CreateLoad(kept.memory->getAllocatedType(), map[kept.memory]),
                                   address(builder, frame, kept.offset), alignOf(kept));
    for (BasicBlock *successor : successors(&block))
      successor->removePredecessor(&block);
    builder.CreateRet(builder.getInt32(next));
    branch->eraseFromParent();
    barrier->eraseFromParent();
  }

  Function &warp_;
  const BarrierCrossings &crossings_;
  const DataLayout &layout_;
  std::vector<Kept> kept_;
  uint64_t frameBytes_ = 0;
};

} // namespace

std::optional<WarpRegions> splitAtBarriers(Function &warp, std::string &reason) {
  unsigned barriers = 0;
  size_t blocks = warp.size();
  for (Instruction &instruction : instructions(warp)) {
    barriers += isWarpBarrier(instruction);
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
  BarrierCrossings crossings(warp);
  constexpr size_t kMaxGrowth = 4;
  if (crossings.blockCount() > kMaxGrowth * (blocks + barriers) + 16) {
    reason = "too much code belongs to several regions between barriers";
    return std::nullopt;
  }
  return Splitter(warp, crossings).split();
}

} // namespace hiplz::cpu
