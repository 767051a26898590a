// SPDX-License-Identifier: MIT
// See shared_intervals.h.
#include "cpu/compiler/shared_intervals.h"
#include "cpu/abi/check_site.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/compiler/bypasses.h"
#include "cpu/compiler/checks.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr size_t kMostSteps = 1 << 22; // of the search from all barriers; larger kernels are checked in full

/// A sum of the work-item's ids, each times a number. Small enough for no arithmetic of 32 bits to wrap.
struct Sum {
  std::array<int64_t, 3> strides{};
  int64_t offset = 0;

  static constexpr int64_t kLargestStride = 1 << 17, kLargestOffset = 1 << 20;
  bool isSmall() const {
    return std::abs(offset) <= kLargestOffset &&
           all_of(strides, [](int64_t stride) { return std::abs(stride) <= kLargestStride; });
  }
  bool isNeverNegative() const {
    return offset >= 0 && all_of(strides, [](int64_t stride) { return stride >= 0; });
  }
  std::optional<Sum> ifSmall() const { return isSmall() ? std::optional(*this) : std::nullopt; }
};

std::optional<Sum> add(const std::optional<Sum> &one, const std::optional<Sum> &other, int64_t factor = 1) {
  if (!one || !other || std::abs(factor) > Sum::kLargestOffset)
    return std::nullopt;
  Sum sum = *one;
  sum.offset += factor * other->offset;
  for (unsigned d = 0; d < 3; ++d)
    sum.strides[d] += factor * other->strides[d];
  return sum.ifSmall();
}

std::optional<Sum> sumOf(Value *value, unsigned depth = 0) {
  constexpr unsigned kDeepest = 16;
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return constant->getBitWidth() <= 64 ? Sum{{}, constant->getSExtValue()}.ifSmall() : std::nullopt;
  if (const auto read = itemReadBy(static_cast<const Value *>(value))) {
    Sum sum;
    sum.strides[read->dimension] = 1;
    return read->field == ItemField::localId ? std::optional(sum) : std::nullopt;
  }
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > kDeepest || !value->getType()->isIntegerTy())
    return std::nullopt;
  const auto operand = [&](unsigned number) { return sumOf(instruction->getOperand(number), depth + 1); };
  const auto *factor = instruction->getNumOperands() == 2 ? dyn_cast<ConstantInt>(instruction->getOperand(1)) : nullptr;
  const bool hasFactor = factor && factor->getBitWidth() <= 64;
  const bool isWide = value->getType()->getIntegerBitWidth() >= 32;
  switch (instruction->getOpcode()) {
  case Instruction::And: // LLVM's way to write the extension of what has been cut
    if (!hasFactor || factor->getZExtValue() != UINT32_MAX)
      return std::nullopt;
    [[fallthrough]];
  case Instruction::ZExt:
    if (auto sum = operand(0); sum && sum->isNeverNegative() && isWide)
      return sum;
    return std::nullopt;
  case Instruction::SExt:
  case Instruction::Trunc: return isWide ? operand(0) : std::nullopt;
  case Instruction::Add: return isWide ? add(operand(0), operand(1)) : std::nullopt;
  case Instruction::Sub: return isWide ? add(operand(0), operand(1), -1) : std::nullopt;
  case Instruction::Mul: return isWide && hasFactor ? add(Sum{}, operand(0), factor->getSExtValue()) : std::nullopt;
  case Instruction::Shl:
    return isWide && hasFactor && factor->getZExtValue() < 20
               ? add(Sum{}, operand(0), int64_t{1} << factor->getZExtValue())
               : std::nullopt;
  case Instruction::ExtractElement: // modules have vectors of ids
    if (auto *index = dyn_cast<ConstantInt>(instruction->getOperand(1)))
      if (Value *element = findScalarElement(instruction->getOperand(0), static_cast<unsigned>(index->getZExtValue())))
        return sumOf(element, depth + 1);
    return std::nullopt;
  default: return std::nullopt;
  }
}

// Bytes from the beginning of the object.
std::optional<Sum> offsetOf(const Value *pointer, const Value *base, const DataLayout &layout) {
  const std::optional<Distance> distance = distanceTo(pointer, base, layout);
  if (!distance)
    return std::nullopt;
  std::optional<Sum> sum = Sum{{}, distance->constant}.ifSmall();
  for (const auto &[number, bytes] : distance->factors)
    sum = add(sum, sumOf(number), bytes.getSExtValue());
  return sum;
}

} // namespace

SharedIntervals::SharedIntervals(Function &kernel, const KernelInfo &info, ArrayRef<Access> accesses,
                                 ArrayRef<CallInst *> barriers, const SmallPtrSetImpl<const MDNode *> &elsewhere) {
  findObjects(kernel, info, elsewhere);
  if (addresses_.empty() || (barriers.size() + 1) * accesses.size() > kMostSteps)
    return;
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  DenseMap<const Instruction *, SmallVector<Key, 2>> keys;
  for (const Access &access : accesses) {
    const Value *pointer = access.instruction->getOperand(access.operand);
    const auto found = addresses_.find(pointer);
    if (found == addresses_.end() || lost_.count(found->second))
      continue;
    Known known;
    known.object = found->second;
    known.isPlain = !(access.flags & (checkAtomic | checkVolatile));
    known.isPlainRead = known.isPlain && !(access.flags & checkWrite);
    known.isBlind = access.flags & checkAtomic && !(access.flags & checkVolatile) && !learns(access);
    auto *bytes = dyn_cast<ConstantInt>(access.bytes);
    if (const auto sum = offsetOf(pointer, baseOf(pointer), layout); sum && bytes)
      known.elements = OwnElements{sum->strides, sum->offset, bytes->getZExtValue()};
    access_.insert({keyOf(access), known});
    keys[access.instruction].push_back(keyOf(access));
  }
  // From each barrier to the next ones: work-items meet there that are between the same two.
  SmallVector<const Instruction *, 8> starts{&kernel.getEntryBlock().front()};
  for (const CallInst *barrier : barriers)
    starts.push_back(barrier->getNextNode());
  for (const Instruction *start : starts) {
    SmallVector<Key, 16> between;
    SmallPtrSet<const BasicBlock *, 16> seen;
    SmallVector<const Instruction *, 8> work{start};
    while (!work.empty()) {
      const Instruction *each = work.pop_back_val();
      for (; each; each = each->getNextNode()) {
        if (auto *call = dyn_cast<CallInst>(each); call && isGroupBarrier(*call))
          break;
        if (const auto found = keys.find(each); found != keys.end())
          between.append(found->second);
        if (each->isTerminator())
          for (const BasicBlock *next : successors(each->getParent()))
            if (seen.insert(next).second)
              work.push_back(&next->front());
      }
    }
    judge(between);
  }
}

void SharedIntervals::findObjects(Function &kernel, const KernelInfo &info,
                                  const SmallPtrSetImpl<const MDNode *> &elsewhere) {
  for (Instruction &instruction : instructions(kernel))
    if (const MDNode *object = instruction.getMetadata(kLocalObject)) {
      if (elsewhere.count(object))
        lost_.insert(object);
      follow(instruction, object);
    }
  Argument *dynamic = nullptr;
  for (size_t index = 0; index < info.args.size(); ++index)
    if (info.args[index].kind == ArgKind::localPointer) {
      if (dynamic) // with two of them, as in OpenCL, nobody knows which bytes they have in common
        lost_.insert(&kernel);
      dynamic = kernel.getArg(static_cast<unsigned>(index) + 1);
      follow(*dynamic, &kernel);
    }
}

// Everything that is made of the address by offsets. An object is lost if its address is used in another way.
void SharedIntervals::follow(Value &address, Object object) {
  SmallVector<Value *, 16> work{&address};
  addresses_[&address] = object;
  while (!work.empty())
    for (const Use &use : work.pop_back_val()->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      const bool isAddress =
          isa<LoadInst>(user) || (isa<StoreInst>(user) && use.getOperandNo() == StoreInst::getPointerOperandIndex()) ||
          (isa<AtomicRMWInst>(user) && use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex()) ||
          (isa<AtomicCmpXchgInst>(user) && use.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex()) ||
          isa<MemIntrinsic>(user);
      if (isAddress || isa<ICmpInst>(user) || user->isLifetimeStartOrEnd() || user->isDebugOrPseudoInst())
        continue;
      if (isa<GetElementPtrInst>(user) || (isa<BitCastInst>(user) && user->getType()->isPointerTy())) {
        addresses_[user] = object;
        work.push_back(user);
      } else {
        lost_.insert(object);
      }
    }
}

void SharedIntervals::judge(ArrayRef<Key> keys) {
  MapVector<Object, SmallVector<Known *, 16>> objects;
  for (const Key &key : keys)
    objects[access_[key].object].push_back(&access_[key]);
  for (auto &[object, all] : objects) {
    if (all_of(all, [](const Known *known) { return known->isPlainRead; }) ||
        all_of(all, [](const Known *known) { return known->isBlind; }))
      continue;
    const std::optional<OwnElements> &first = all.front()->elements;
    const bool areOwn = all_of(all, [&](const Known *known) {
      return known->isPlain && known->elements && known->elements->strides == first->strides;
    });
    OwnElements own = areOwn ? *first : OwnElements{};
    int64_t end = own.begin;
    if (areOwn)
      for (const Known *known : all) {
        own.begin = std::min(own.begin, known->elements->begin);
        end = std::max(end, known->elements->begin + static_cast<int64_t>(known->elements->bytes));
      }
    own.bytes = static_cast<uint64_t>(end - own.begin);
    for (Known *known : all) {
      if (!areOwn)
        known->verdict = Verdict::mayRace;
      else if (known->verdict != Verdict::mayRace)
        known->verdict = Verdict::ownElements;
      known->own.strides = own.strides;
      known->own.bytes = std::max(known->own.bytes, own.bytes);
    }
  }
}

SharedIntervals::Verdict SharedIntervals::verdict(const Access &access) const {
  const auto found = access_.find(keyOf(access));
  return found == access_.end() ? Verdict::mayRace : found->second.verdict;
}

// From one work-item to the next in a dimension there are at least as many bytes as those reach together that differ in smaller strides only.
Value *mayOverlap(IRBuilder<> &b, Value *item, const OwnElements &own) {
  std::array<unsigned, 3> dimensions{0, 1, 2};
  std::stable_sort(dimensions.begin(), dimensions.end(), [&](unsigned one, unsigned other) {
    return std::abs(own.strides[one]) < std::abs(own.strides[other]);
  });
  Value *launch = loadField(b, b.getPtrTy(), item, offsetof(WorkItem, launch), true);
  Value *reach = b.getInt64(own.bytes), *may = b.getFalse();
  for (const unsigned d : dimensions) {
    Value *size = loadField(b, b.getInt32Ty(), launch, offsetof(LaunchState, groupSize) + 4 * d, true);
    Value *others = b.CreateSub(b.CreateZExt(size, b.getInt64Ty()), b.getInt64(1));
    Value *stride = b.getInt64(static_cast<uint64_t>(std::abs(own.strides[d])));
    may = b.CreateOr(may, b.CreateAnd(b.CreateICmpNE(others, b.getInt64(0)), b.CreateICmpUGT(reach, stride)));
    reach = b.CreateAdd(reach, b.CreateMul(others, stride));
  }
  return may;
}

Value *dynamicBytes(IRBuilder<> &b, Value *item, Value *base) {
  Value *launch = loadField(b, b.getPtrTy(), item, offsetof(WorkItem, launch), true);
  Value *worker = loadField(b, b.getPtrTy(), item, offsetof(WorkItem, worker), true);
  Value *local = loadField(b, b.getPtrTy(), worker, offsetof(WorkerState, local), true);
  Value *bytes =
      b.CreateZExt(loadField(b, b.getInt32Ty(), launch, offsetof(LaunchState, localBytes), true), b.getInt64Ty());
  return b.CreateSub(bytes,
                     b.CreateSub(b.CreatePtrToInt(base, b.getInt64Ty()), b.CreatePtrToInt(local, b.getInt64Ty())));
}

void findSharedElsewhere(const Function &function, SmallPtrSetImpl<const MDNode *> &found) {
  for (const Instruction &instruction : instructions(function))
    if (const MDNode *object = instruction.getMetadata(kLocalObject))
      found.insert(object);
}

} // namespace hiplz::cpu
