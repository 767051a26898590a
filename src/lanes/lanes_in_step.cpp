// SPDX-License-Identifier: MIT
// See lanes_in_step.h. Every access to memory that others see is compared with every one that control comes to behind it before a barrier.
#include "lanes/lanes_in_step.h"
#include "base/llvm_compat.h"
#include "lanes/lane_addresses.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <vector>

using namespace llvm;

namespace hiplz {
namespace {

// The pointer that an address is computed from as an integer, such as that of the word around a byte; null if there is none.
const Value *pointerIn(const Value *number, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 6;
  auto *computed = dyn_cast<Operator>(number);
  if (!computed || depth == kMaxDepth)
    return nullptr;
  if (computed->getOpcode() == Instruction::PtrToInt)
    return computed->getOperand(0);
  if (!Instruction::isBinaryOp(computed->getOpcode()))
    return nullptr;
  const Value *left = pointerIn(computed->getOperand(0), depth + 1);
  return left ? left : pointerIn(computed->getOperand(1), depth + 1);
}

void addOrigins(const Value *pointer, const DataLayout &layout, const LaneFacts &facts,
                SmallVectorImpl<Origin> &origins) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  for (const Value *object : objects) {
    if (isa<AllocaInst>(object) || isa<ConstantPointerNull>(object) || isa<UndefValue>(object) ||
        facts.isPrivate(*object)) // nobody else's
      continue;
    if (isa<Argument>(object) || isa<GlobalVariable>(object)) {
      origins.push_back(isa<Argument>(object) && !facts.hasCommonArguments() ? kAnywhere : Origin{object, 0});
      continue;
    }
    if (Operator::getOpcode(object) == Instruction::IntToPtr)
      if (const Value *base = pointerIn(cast<Operator>(object)->getOperand(0))) {
        addOrigins(base, layout, facts, origins);
        continue;
      }
    auto *load = dyn_cast<LoadInst>(object);
    if (load && facts.isLocalObject(*load)) {
      constexpr uint64_t kStaticMemory = uint64_t(1) << 63; // the compiler's own pointer to it
      origins.push_back({load->getFunction()->getArg(0), kStaticMemory});
      continue;
    }
    APInt offset(64, 0);
    const Value *from =
        load ? load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true) : nullptr;
    if (from && (isa<GlobalVariable>(from) || (isa<Argument>(from) && facts.hasCommonArguments())))
      origins.push_back({from, offset.getZExtValue() + 1});
    else
      origins.push_back({nullptr, 0});
  }
}

} // namespace

SmallVector<Origin, 4> originsOf(const Value *pointer, const DataLayout &layout, const LaneFacts &facts) {
  SmallVector<Origin, 4> origins;
  addOrigins(pointer, layout, facts, origins);
  return origins;
}

bool isLocalMemory(const Value *pointer, const LaneFacts &facts) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  return any_of(objects, [&](const Value *object) { return facts.isLocalObject(*object); });
}

namespace {

struct Access {
  Instruction *at;
  LaneAddresses::Range range;
  bool reads, writes, isAtomic;
  SmallVector<Origin, 4> origins;
};

/// The accesses of a body to memory that other work-items see. A call is an access to anything.
class Accesses {
public:
  Accesses(Function &body, const LaneFacts &facts) : facts_(facts), layout_(body.getParent()->getDataLayout()) {
    for (Instruction &instruction : instructions(body)) {
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        add(instruction, load->getPointerOperand(), bytesOf(load->getType()), true, false);
      else if (auto *store = dyn_cast<StoreInst>(&instruction))
        add(instruction, store->getPointerOperand(), bytesOf(store->getValueOperand()->getType()), false, true);
      else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        add(instruction, update->getPointerOperand(), bytesOf(update->getType()), true, true);
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        add(instruction, exchange->getPointerOperand(), bytesOf(exchange->getNewValOperand()->getType()), true, true);
      else if (auto *memory = dyn_cast<AnyMemIntrinsic>(&instruction)) {
        auto *length = dyn_cast<ConstantInt>(memory->getLength());
        const uint64_t bytes = length ? length->getLimitedValue() : 0;
        add(instruction, memory->getRawDest(), bytes, false, true);
        if (auto *transfer = dyn_cast<AnyMemTransferInst>(memory))
          add(instruction, transfer->getRawSource(), bytes, true, false);
      } else if (auto *call = dyn_cast<CallBase>(&instruction)) {
        if (const Effects effects = facts.effectsOf(*call); effects.any())
          all_.push_back({&instruction, {&instruction, nullptr, 0}, effects.reads, effects.writes, false, {kAnywhere}});
      }
    }
  }

  const std::vector<Access> &all() const { return all_; }

private:
  uint64_t bytesOf(Type *type) const { return layout_.getTypeStoreSize(type).getFixedValue(); }

  void add(Instruction &at, const Value *pointer, uint64_t bytes, bool reads, bool writes) {
    if (facts_.isPrivate(*pointer))
      return;
    Access access{&at,
                  {&at, pointer, bytes},
                  reads,
                  writes,
                  isa<AtomicRMWInst, AtomicCmpXchgInst>(at),
                  originsOf(pointer, layout_, facts_)};
    if (!access.origins.empty())
      all_.push_back(std::move(access));
  }

  const LaneFacts &facts_;
  const DataLayout &layout_;
  std::vector<Access> all_;
};

// Different parameters are taken for different memory. What a pointer from memory leads to is written by nobody who does not write through
// such a pointer.
bool shareMemory(const Access &a, const Access &b) {
  constexpr unsigned kGeneric = 4; // address space of SPIR-V
  auto spaceOf = [](const Access &access) {
    return access.range.pointer ? access.range.pointer->getType()->getPointerAddressSpace() : kGeneric;
  };
  if (spaceOf(a) != spaceOf(b) && spaceOf(a) != kGeneric && spaceOf(b) != kGeneric)
    return false;
  if (is_contained(a.origins, kAnywhere) || is_contained(b.origins, kAnywhere))
    return true;
  constexpr Origin kUnknown{nullptr, 0};
  return any_of(a.origins,
                [&](const Origin &origin) {
                  return is_contained(b.origins, origin) || (origin == kUnknown && a.writes);
                }) ||
         (b.writes && is_contained(b.origins, kUnknown));
}

// Updates that leave the same in whatever order they come, if nobody looks between them.
AtomicRMWInst::BinOp kindOfUpdate(const Instruction &update) {
  const AtomicRMWInst::BinOp operation = cast<AtomicRMWInst>(update).getOperation();
  switch (operation) {
  case AtomicRMWInst::Sub: return AtomicRMWInst::Add;
  case AtomicRMWInst::FSub: return AtomicRMWInst::FAdd;
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Nand: return AtomicRMWInst::BAD_BINOP;
  default: return operation;
  }
}

bool commute(const Access &a, const Access &b) {
  if (!a.isAtomic || !b.isAtomic)
    return false;
  if (a.at == b.at)
    return true;
  return isa<AtomicRMWInst>(a.at) && isa<AtomicRMWInst>(b.at) && a.at->use_empty() && b.at->use_empty() &&
         kindOfUpdate(*a.at) == kindOfUpdate(*b.at) && kindOfUpdate(*a.at) != AtomicRMWInst::BAD_BINOP;
}

/// The places that control may reach behind an instruction before it comes to a barrier.
struct Behind {
  SmallPtrSet<const BasicBlock *, 32> begun; // from their beginning on
  SmallVector<Instruction *, 32> accesses;
};

Behind findBehind(Instruction &from, const LaneFacts &facts, function_ref<bool(const Instruction &)> isAccess) {
  Behind behind;
  SmallVector<BasicBlock::iterator, 16> work{std::next(from.getIterator())};
  while (!work.empty()) {
    BasicBlock::iterator at = work.pop_back_val();
    BasicBlock *block = at->getParent();
    bool met = false;
    for (; at != block->end() && !met; ++at) {
      if (isAccess(*at))
        behind.accesses.push_back(&*at);
      auto *call = dyn_cast<CallBase>(&*at);
      met = call && facts.isBarrier(*call);
    }
    if (!met)
      for (BasicBlock *next : successors(block))
        if (behind.begun.insert(next).second)
          work.push_back(next->begin());
  }
  return behind;
}

// Of two writes the later one stays, for all to see. A write that is done again and again, to places in global memory that come from
// elsewhere, is that of a lane that scatters its results.
bool exchange(const Access &first, const Access &second, Overlap overlap, const LaneFacts &facts) {
  if (first.reads || second.reads)
    return overlap != Overlap::never;
  if (first.at != second.at)
    return overlap == Overlap::some || overlap == Overlap::scattered;
  if (auto *store = dyn_cast<StoreInst>(first.at); store && isa<Constant>(store->getValueOperand()))
    return false; // the same again
  return overlap == Overlap::some || (overlap == Overlap::scattered && isLocalMemory(first.range.pointer, facts));
}

// Calls `found` with the pairs until it returns false.
void findExchanges(Function &body, const LaneFacts &facts, const WarpExtent &extent, const WarpExtent &extentOfWrites,
                   function_ref<bool(const Instruction *, const Instruction *)> found) {
  if (body.hasFnAttribute(Attribute::OptimizeNone))
    return;
  const Accesses accesses(body, facts);
  if (none_of(accesses.all(), [](const Access &access) { return access.writes; }))
    return;
  DenseMap<const Instruction *, SmallVector<const Access *, 2>> accessesAt;
  for (const Access &access : accesses.all())
    accessesAt[access.at].push_back(&access);
  DominatorTree tree(body);
  LoopInfo loops(tree);
  AssumptionCache assumptions(body);
  const TargetLibraryInfoImpl known{Triple()};
  TargetLibraryInfo libraries(known);
  ScalarEvolution evolution(body, libraries, assumptions, tree, loops);
  LaneAddresses addresses(body, facts, extent, evolution, loops, tree);
  LaneAddresses addressesOfWrites(body, facts, extentOfWrites, evolution, loops, tree);
  constexpr unsigned kMostComparisons = 1 << 14; // more take too long
  unsigned comparisons = 0;
  auto isAccess = [&](const Instruction &instruction) { return accessesAt.count(&instruction) != 0; };
  for (const Access &first : accesses.all()) {
    const Behind behind = findBehind(*first.at, facts, isAccess);
    auto isRound = [&](const BasicBlock *header) { return behind.begun.contains(header); };
    for (const Instruction *at : behind.accesses)
      for (const Access *second : accessesAt[at]) {
        if ((!first.writes && !second->writes) || !shareMemory(first, *second) || commute(first, *second))
          continue;
        LaneAddresses &compared = first.reads || second->reads ? addresses : addressesOfWrites;
        const Overlap overlap =
            ++comparisons > kMostComparisons ? Overlap::unknown : compared.overlap(first.range, second->range, isRound);
        if (exchange(first, *second, overlap, facts) && !found(first.at, second->at))
          return;
      }
  }
}

} // namespace

bool lanesExchange(Function &body, const LaneFacts &facts, const WarpExtent &extent, const WarpExtent &extentOfWrites) {
  bool any = false;
  findExchanges(body, facts, extent, extentOfWrites, [&](const Instruction *, const Instruction *) {
    any = true;
    return false;
  });
  return any;
}

LaneExchanges::LaneExchanges(Function &body, const LaneFacts &facts, const WarpExtent &extent) {
  SmallPtrSet<const Instruction *, 16> members;
  findExchanges(body, facts, extent, extent, [&](const Instruction *first, const Instruction *second) {
    pairs_.insert({first, second});
    members.insert(first);
    members.insert(second);
    return true;
  });
  for (Instruction &instruction : instructions(body))
    if (members.contains(&instruction))
      accesses_.push_back(&instruction);
}

} // namespace hiplz
