// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/abi/bit_shadow.h"
#include "cpu/abi/collective.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr unsigned kAlignOfZero = 32; // all powers of two divide it

// How many low bits of a value, which is not negative, may be set in any lane; only what follows from its parts for lanes without a
// work-item, too.
unsigned usedBits(const Value &value, unsigned depth = 6) {
  const unsigned width = value.getType()->getScalarSizeInBits();
  if (auto *constant = dyn_cast<ConstantInt>(&value))
    return constant->getValue().getActiveBits();
  if (auto *load = dyn_cast<LoadInst>(&value)) {
    const auto read = itemReadBy(*load);
    const bool isLocal = read && (read->field == ItemField::localId || read->field == ItemField::linearId);
    return isLocal ? std::bit_width(kMaxGroupItems - 1) : width;
  }
  auto *operation = dyn_cast<Operator>(&value);
  if (!operation || depth == 0)
    return width;
  auto used = [&](unsigned number) { return usedBits(*operation->getOperand(number), depth - 1); };
  switch (operation->getOpcode()) {
  case Instruction::ZExt: return used(0);
  case Instruction::SExt: return used(0) < operation->getOperand(0)->getType()->getScalarSizeInBits() ? used(0) : width;
  case Instruction::Trunc: return std::min(used(0), width);
  case Instruction::And: return std::min(used(0), used(1));
  case Instruction::Or:
  case Instruction::Xor: return std::max(used(0), used(1));
  case Instruction::Shl:
    if (auto *by = dyn_cast<ConstantInt>(operation->getOperand(1)))
      return static_cast<unsigned>(std::min<uint64_t>(width, used(0) + by->getLimitedValue(width)));
    return width;
  case Instruction::LShr:
    if (auto *by = dyn_cast<ConstantInt>(operation->getOperand(1)))
      return static_cast<unsigned>(used(0) - std::min<uint64_t>(used(0), by->getLimitedValue(width)));
    return used(0);
  default: return width;
  }
}

} // namespace

AnalysisKey ShapeAnalysis::Key;

ShapeInfo ShapeAnalysis::run(Function &body, FunctionAnalysisManager &) { return {body, warpOptionsOf(body)}; }

ShapeInfo::ShapeInfo(Function &body, const WarpOptions &options) : body_(body), options_(options), structure_(body) {
  settle();
  // A variable that has no value before a loop and changes in it is a phi of undef and itself. There undef is uniform.
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&body_))
    for (PHINode &phi : block->phis())
      if (shapeOf(&phi).isUnknown()) {
        shapes_[&phi] = Shape::uniform();
        settle();
      }
  findMasked();
}

void ShapeInfo::settle() {
  ReversePostOrderTraversal<Function *> order(&body_);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : order) {
      for (Instruction &instruction : *block) {
        Shape before = shapes_.lookup(&instruction);
        Shape now = Shape::join(before, compute(instruction));
        if (now == before)
          continue;
        shapes_[&instruction] = now;
        changed = true;
      }
      if (isDivergent(*block) && divergence_.part(*block, structure_.postDominators(), structure_.loops()))
        changed = true;
    }
  }
}

Shape ShapeInfo::shapeOf(const Value *value) const {
  if (isa<Instruction>(value))
    return shapes_.lookup(value);
  if (auto *constant = dyn_cast<ConstantInt>(value)) {
    if (constant->getBitWidth() > 64)
      return Shape::uniform();
    return Shape::uniform(static_cast<unsigned>(std::countr_zero(constant->getZExtValue())));
  }
  return Shape::uniform();
}

bool ShapeInfo::isDivergent(const BasicBlock &block) const {
  const Instruction *terminator = block.getTerminator();
  if (auto *branch = dyn_cast<BranchInst>(terminator))
    return branch->isConditional() && !shapeOf(branch->getCondition()).isUniform() &&
           !shapeOf(branch->getCondition()).isUnknown();
  if (auto *choice = dyn_cast<SwitchInst>(terminator))
    return !shapeOf(choice->getCondition()).isUniform() && !shapeOf(choice->getCondition()).isUnknown();
  return false;
}

const BasicBlock *ShapeInfo::unstructured() const {
  for (const BasicBlock &block : body_)
    if (isDivergent(block) && !structure_.guardedBlock(block) && !structure_.exitedLoop(block))
      return &block;
  return nullptr;
}

void ShapeInfo::findMasked() {
  ControlStructure::Blocks guarded;
  for (const BasicBlock &block : body_) {
    if (!isDivergent(block))
      continue;
    if (Loop *loop = structure_.exitedLoop(block))
      masked_.insert(loop->block_begin(), loop->block_end());
    else if (const BasicBlock *first = structure_.guardedBlock(block))
      guarded.insert(first);
  }
  structure_.addDominated(guarded, masked_);
}

Shape ShapeInfo::compute(const Instruction &instruction) const {
  bool anyVarying = false;
  auto *select = dyn_cast<SelectInst>(&instruction);
  const bool fromAnyArm = select && select->getCondition()->getType()->isIntegerTy() &&
                          shapeOf(select->getCondition()).isUniform(); // one arm may be unknown yet
  if (!isa<PHINode>(instruction) && !fromAnyArm)
    for (const Value *operand : instruction.operands()) {
      if (isa<BasicBlock>(operand) || isa<MetadataAsValue>(operand))
        continue;
      Shape shape = shapeOf(operand);
      if (shape.isUnknown())
        return {};
      anyVarying = anyVarying || !shape.isUniform();
    }
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return ofBinary(*binary);
  if (auto *cast = dyn_cast<CastInst>(&instruction))
    return ofCast(*cast);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return ofAddress(*address);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return ofLoad(*load);
  if (auto *compare = dyn_cast<ICmpInst>(&instruction))
    return ofCompare(*compare);
  if (select)
    return ofSelect(*select);
  if (auto *phi = dyn_cast<PHINode>(&instruction))
    return ofPhi(*phi);
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return ofCall(*call);
  if (isa<FreezeInst>(instruction)) // chooses for each lane where a row has nothing
    return shapeOf(instruction.getOperand(0)).isInRows() ? Shape::varying() : shapeOf(instruction.getOperand(0));
  if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
    auto size = alloca->getAllocationSizeInBits(body_.getParent()->getDataLayout());
    return size ? Shape::strided(static_cast<int64_t>(laneBytes(*alloca))) : Shape::varying();
  }
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction) || isa<VAArgInst>(instruction))
    return Shape::varying();
  return anyVarying ? Shape::varying() : Shape::uniform();
}

Shape ShapeInfo::ofBinary(const BinaryOperator &operation) const {
  Shape a = shapeOf(operation.getOperand(0)), b = shapeOf(operation.getOperand(1));
  if (a.isVarying() || b.isVarying())
    return rowsOfBinary(operation, a, b);
  bool uniform = a.isUniform() && b.isUniform();
  Shape otherwise = uniform ? Shape::uniform() : Shape::varying();
  if (!operation.getType()->isIntegerTy() || operation.getType()->getIntegerBitWidth() > 64)
    return otherwise;
  auto *right = dyn_cast<ConstantInt>(operation.getOperand(1));
  unsigned low = std::min(a.align(), b.align());
  bool isSigned = operation.getOpcode() == Instruction::AShr; // the sign is above what differs
  unsigned laneBits = a.laneBits(options_.width, operation.getType()->getIntegerBitWidth() - isSigned);
  switch (operation.getOpcode()) {
  case Instruction::Add: return Shape::strided(a.stride() + b.stride(), low);
  case Instruction::Sub: return Shape::strided(a.stride() - b.stride(), low);
  case Instruction::Mul:
    if (uniform)
      return Shape::uniform(a.align() + b.align());
    return right ? Shape::strided(a.stride() * right->getSExtValue(), a.align() + b.align()) : Shape::varying();
  case Instruction::Shl:
    if (!right || right->getValue().uge(operation.getType()->getIntegerBitWidth()))
      return otherwise;
    return Shape::strided(static_cast<int64_t>(static_cast<uint64_t>(a.stride()) << right->getZExtValue()),
                          a.align() + static_cast<unsigned>(right->getZExtValue()));
  case Instruction::Or: {
    if (uniform)
      return Shape::uniform(low);
    if (isAddition(operation))
      return Shape::strided(a.stride() + b.stride(), low);
    // Bits above those in which the lanes differ are set in all of them.
    const unsigned above = operation.getType()->getIntegerBitWidth();
    const bool keeps = b.isUniform() ? b.align() >= a.laneBits(options_.width, above)
                                     : a.isUniform() && a.align() >= b.laneBits(options_.width, above);
    return keeps ? Shape::strided(a.stride() + b.stride(), low) : Shape::varying();
  }
  case Instruction::Xor: return uniform ? Shape::uniform(low) : Shape::varying();
  case Instruction::And: {
    if (right && right->equalsInt(kBitShadowMask) && isa<PtrToIntInst>(operation.getOperand(0)))
      return Shape::strided(a.stride(),
                            a.align()); // a warp's addresses lie in one allocation, whose high bits are the same
    if (uniform)
      return Shape::uniform(std::max(a.align(), b.align()));
    if (!right || !a.isStrided() || laneBits == Shape::kNoLaneBits)
      return Shape::varying();
    uint64_t mask = right->getZExtValue();
    auto set = static_cast<unsigned>(std::countr_one(mask)), clear = static_cast<unsigned>(std::countr_zero(mask));
    if (set >= laneBits)
      return Shape::strided(a.stride(), a.align());
    return clear >= laneBits ? Shape::uniform(clear) : Shape::varying();
  }
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv: {
    if (!right)
      return otherwise;
    bool divides = operation.getOpcode() == Instruction::UDiv;
    if (divides && !right->getValue().isPowerOf2())
      return otherwise;
    unsigned shift = divides ? right->getValue().logBase2() : static_cast<unsigned>(right->getLimitedValue(64));
    unsigned align = a.align() > shift ? a.align() - shift : 0;
    if (uniform)
      return Shape::uniform(align);
    if (laneBits == Shape::kNoLaneBits)
      return Shape::varying();
    if (shift >= laneBits)
      return Shape::uniform(align);
    return a.stride() % (int64_t(1) << shift) == 0 ? Shape::strided(a.stride() >> shift, align) : Shape::varying();
  }
  case Instruction::URem:
    if (uniform || !right || !right->getValue().isPowerOf2() || laneBits == Shape::kNoLaneBits)
      return otherwise;
    return right->getValue().logBase2() >= laneBits ? Shape::strided(a.stride(), a.align()) : Shape::varying();
  default: return otherwise;
  }
}

// True if an "or" adds: one side has only zeros, in all lanes, where the other one has bits. LLVM writes additions so, such as that of a
// multiple of 1024 and a local id.
bool ShapeInfo::isAddition(const BinaryOperator &either) const {
  auto below = [&](unsigned low, unsigned high) {
    const Shape shape = shapeOf(either.getOperand(high));
    const auto apart =
        shape.stride() ? static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(shape.stride()))) : 64;
    return (shape.isRegular() || shape.isInRows()) &&
           usedBits(*either.getOperand(low)) <= std::min(shape.align(), apart);
  };
  return below(0, 1) || below(1, 0);
}

// A number of work-groups or work-items that does not wrap within a warp, not even as a signed number: the loops around the warps
// (compiler/block_warps.h, compiler/warp_loop.h) see to it.
bool ShapeInfo::ascends(const Value &value) const {
  auto *load = dyn_cast<LoadInst>(&value);
  auto read = load ? itemReadBy(*load) : std::nullopt;
  return read && (read->field == ItemField::globalX ||
                  (read->field == ItemField::groupId && options_.layout == LaneLayout::singles));
}

bool ShapeInfo::keepsDistance(const Value &value, bool isSigned) const {
  const Shape shape = shapeOf(&value);
  const unsigned bits = value.getType()->getScalarSizeInBits() - isSigned;
  if (shape.isInRows())
    return shape.stride() == 0 || shape.laneBits(options_.rowLanes, bits) != Shape::kNoLaneBits;
  if (!shape.isStrided())
    return shape.isUniform();
  return ascends(value) || shape.laneBits(options_.width, bits) != Shape::kNoLaneBits;
}

Shape ShapeInfo::ofCast(const CastInst &cast) const {
  Shape shape = shapeOf(cast.getOperand(0));
  if (shape.isInRows())
    return rowsOfCast(cast, shape);
  Type *from = cast.getSrcTy(), *to = cast.getDestTy();
  if (!shape.isStrided()) {
    bool keepsAlign = cast.isIntegerCast() || isa<PtrToIntInst>(cast) || isa<IntToPtrInst>(cast);
    return shape.isUniform() && !keepsAlign ? Shape::uniform() : shape;
  }
  switch (cast.getOpcode()) {
  case Instruction::Trunc: {
    unsigned bits = to->getIntegerBitWidth();
    if (bits > 64)
      return Shape::varying();
    auto shift = 64 - bits;
    return Shape::strided(static_cast<int64_t>(static_cast<uint64_t>(shape.stride()) << shift) >> shift, shape.align());
  }
  case Instruction::ZExt:
  case Instruction::SExt:
    return from->isIntegerTy() && to->isIntegerTy() && to->getIntegerBitWidth() <= 64
               ? keepsDistance(*cast.getOperand(0), cast.getOpcode() == Instruction::SExt) ? shape : Shape::varying()
               : Shape::varying();
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return from->getScalarSizeInBits() == 64 || to->getScalarSizeInBits() == 64 ? shape : Shape::varying();
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast: return from->isPointerTy() && to->isPointerTy() ? shape : Shape::varying();
  default: return Shape::varying();
  }
}

Shape ShapeInfo::ofAddress(const GetElementPtrInst &address) const {
  bool uniform = true;
  bool rows = false;
  for (const Value *operand : address.operands()) {
    Shape shape = shapeOf(operand);
    if (shape.isVarying() && !shape.isInRows())
      return Shape::varying();
    uniform = uniform && shape.isUniform();
    rows = rows || shape.isInRows();
  }
  if (uniform)
    return Shape::uniform();
  if (!address.getType()->isPointerTy())
    return Shape::varying();
  const DataLayout &layout = body_.getParent()->getDataLayout();
  int64_t stride = shapeOf(address.getPointerOperand()).stride();
  for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
    if (index.isStruct())
      continue;
    Shape shape = shapeOf(index.getOperand());
    if (shape.isUniform())
      continue;
    unsigned bits = index.getOperand()->getType()->getScalarSizeInBits();
    if (bits < 64 && !keepsDistance(*index.getOperand(), true))
      return Shape::varying();
    stride += shape.stride() * static_cast<int64_t>(layout.getTypeAllocSize(index.getIndexedType()).getFixedValue());
  }
  return rows ? Shape::inRows(stride) : Shape::strided(stride);
}

Shape ShapeInfo::ofLoad(const LoadInst &load) const {
  auto lanes = static_cast<unsigned>(std::countr_zero(options_.width));
  const bool rows = options_.layout == LaneLayout::rows, line = options_.layout == LaneLayout::line,
             folded = options_.layout == LaneLayout::folded;
  const Shape zero = Shape::uniform(kAlignOfZero);
  if (auto read = itemReadBy(load)) {
    switch (read->field) {
    case ItemField::localId:
      if (options_.layout == LaneLayout::singles ||
          (read->dimension > 0 && (line || (options_.layout == LaneLayout::blocks && options_.globalIds))))
        return zero;
      if (folded)
        return read->dimension == 0 ? Shape::inRows(1, kAlignOfZero) : Shape::inRows(0);
      if (!rows && !line)
        return Shape::varying();
      return read->dimension == 0 ? Shape::strided(1, lanes) : Shape::uniform();
    case ItemField::linearId:
      if (mixesGroups(options_.layout))
        return options_.layout == LaneLayout::singles ? zero : Shape::varying();
      return Shape::strided(1, lanes);
    case ItemField::groupId:
      if (read->dimension > 0 || !mixesGroups(options_.layout))
        return Shape::uniform();
      return options_.layout == LaneLayout::singles ? Shape::strided(1) : Shape::varying();
    case ItemField::globalX: return Shape::strided(1);
    default: return Shape::uniform();
    }
  }
  if ((rows || folded) && groupSizeReadBy(load) == 0u)
    return Shape::uniform(rows ? lanes : static_cast<unsigned>(std::countr_zero(options_.rowLanes)));
  return shapeOf(load.getPointerOperand()).isUniform() ? Shape::uniform() : Shape::varying();
}

// A comparison with a bound that no warp straddles.
Shape ShapeInfo::ofCompare(const ICmpInst &compare) const {
  Shape a = shapeOf(compare.getOperand(0)), b = shapeOf(compare.getOperand(1));
  if (a.isUniform() && b.isUniform())
    return Shape::uniform();
  if (a.isUniform() && b.isStrided())
    std::swap(a, b);
  else if (!a.isStrided() || !b.isUniform())
    return Shape::varying();
  bool swapped = shapeOf(compare.getOperand(0)).isUniform();
  if (!compare.getOperand(0)->getType()->isIntegerTy())
    return Shape::varying();
  unsigned bits = compare.getOperand(0)->getType()->getIntegerBitWidth();
  unsigned laneBits = a.laneBits(options_.width, bits - compare.isSigned());
  if (laneBits == Shape::kNoLaneBits || b.align() < laneBits)
    return Shape::varying();
  switch (swapped ? compare.getSwappedPredicate() : compare.getPredicate()) {
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SGE: return Shape::uniform();
  default: return Shape::varying();
  }
}

Shape ShapeInfo::ofSelect(const SelectInst &select) const {
  Shape condition = shapeOf(select.getCondition());
  Shape yes = shapeOf(select.getTrueValue()), no = shapeOf(select.getFalseValue());
  if (select.getTrueValue() == select.getFalseValue())
    return yes;
  if (!condition.isUniform() || select.getCondition()->getType()->isVectorTy())
    return condition.isUniform() && yes.isUniform() && no.isUniform() ? Shape::uniform() : Shape::varying();
  return Shape::join(yes, no);
}

Shape ShapeInfo::ofPhi(const PHINode &phi) const {
  Shape result;
  const Value *only = nullptr;
  bool same = true;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const Value *value = phi.getIncomingValue(i);
    if (isa<UndefValue>(value) || value == &phi)
      continue;
    // Each lane has left a divergent loop in an iteration of its own.
    if (auto *from = dyn_cast<Instruction>(value))
      for (Loop *loop = structure_.loops().getLoopFor(from->getParent()); loop && !loop->contains(&phi);
           loop = loop->getParentLoop())
        if (isDivergent(*loop))
          return Shape::varying();
    same = same && (!only || only == value);
    only = value;
    result = Shape::join(result, shapeOf(value));
  }
  if (!only)
    return Shape::uniform();
  return same || !divergence_.meetAt(*phi.getParent()) ? result : Shape::varying();
}

bool isPureCall(const CallBase &call) {
  return call.doesNotAccessMemory() && !call.isConvergent() && !call.isInlineAsm() && call.getCalledFunction();
}

Shape ShapeInfo::ofCall(const CallBase &call) const {
  if (isCollective(call)) {
    const Shape operand = shapeOf(call.getArgOperand(kCollectiveOperand));
    switch (collectiveKind(collectiveCodeOf(call))) {
    case CollectiveKind::sync:
    case CollectiveKind::all:
    case CollectiveKind::any:
    case CollectiveKind::allEqual:
    case CollectiveKind::ballot:
    case CollectiveKind::broadcastFirst: return Shape::uniform();
    case CollectiveKind::reduce: {
      auto *cluster = dyn_cast<ConstantInt>(call.getArgOperand(kCollectiveOperand));
      return cluster && cluster->isZero() ? Shape::uniform() : Shape::varying();
    }
    case CollectiveKind::broadcast: return operand.isUniform() ? Shape::uniform() : Shape::varying();
    default: return Shape::varying(); // also if the value is uniform: a lane that takes no part counts as 0
    }
  }
  if (call.getIntrinsicID() == Intrinsic::readcyclecounter || call.getType()->isVoidTy())
    return Shape::uniform();
  if (!isPureCall(call))
    return Shape::varying();
  return all_of(call.args(), [&](const Use &argument) { return shapeOf(argument).isUniform(); }) ? Shape::uniform()
                                                                                                 : Shape::varying();
}

// True if a uniform number of a lane is one of those that the warp has.
void ShapeInfo::print(raw_ostream &out) const {
  out << "shapes of " << body_.getName() << ":\n";
  for (const BasicBlock &block : body_) {
    out << block.getName() << ':' << (isUnmasked(block) ? "" : " masked") << '\n';
    for (const Instruction &instruction : block) {
      if (&instruction == block.getTerminator()) {
        if (isDivergent(block))
          out << "  divergent:" << instruction << '\n';
        continue;
      }
      if (instruction.getType()->isVoidTy())
        continue;
      out << "  ";
      shapeOf(&instruction).print(out);
      out << ':' << instruction << '\n';
    }
  }
}

} // namespace hiplz::cpu
