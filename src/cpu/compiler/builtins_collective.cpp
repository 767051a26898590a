// SPDX-License-Identifier: MIT
// Barriers, sub-group and work-group operations: calls of the fiber runtime with a number for the operation. The number
// for the place in the kernel follows when functions are inlined (sites.h).
#include "cpu/abi/collective.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/ir_tools.h"

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Values of SPIR-V's enumerations.
constexpr uint64_t kScopeSubgroup = 3;
constexpr uint64_t kGroupReduce = 0, kGroupInclusiveScan = 1, kGroupExclusiveScan = 2, kGroupClusteredReduce = 3;

// The scope comes first in all of them. Anything but a sub-group is the work-group.
CollectiveScope scopeOf(BuiltinCall &call) {
  return call.constantArg(0, 0) == kScopeSubgroup ? CollectiveScope::subgroup : CollectiveScope::workgroup;
}

Value *toBits(IRBuilder<> &b, Value *value) {
  if (value->getType()->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  if (value->getType()->isFloatingPointTy())
    value = b.CreateBitCast(value, b.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
  return b.CreateZExt(value, b.getInt64Ty());
}

Value *fromBits(IRBuilder<> &b, Value *bits, Type *type) {
  if (type->isPointerTy())
    return b.CreateIntToPtr(bits, type);
  if (type->isIntegerTy())
    return b.CreateTrunc(bits, type);
  return b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(type->getPrimitiveSizeInBits())), type);
}

// One meeting for scalars; a vector meets once for each element.
Value *collective(BuiltinCall &call, CollectiveScope scope, CollectiveKind kind, Value *value, Value *operand,
                  FoldOperator fold = FoldOperator::add, ElementType type = ElementType::u32) {
  IRBuilder<> &b = call.builder;
  Value *code = b.getInt32(collectiveCode(scope, kind, fold, type));
  if (!operand)
    operand = b.getInt64(0);
  return call.perElement({value}, nullptr, [&](ArrayRef<Value *> element) -> Value * {
    return call.runtime(runtime::collective, {call.item, b.getInt32(0), code, toBits(b, element[0]), operand});
  });
}

// Results that are values of the participants' type.
Value *asType(BuiltinCall &call, Value *bits) {
  Type *type = call.type();
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return fromBits(call.builder, bits, type);
  Type *element = vector->getElementType();
  if (element->isIntegerTy())
    return call.builder.CreateTrunc(bits, type);
  Type *narrow =
      FixedVectorType::get(call.builder.getIntNTy(element->getPrimitiveSizeInBits()), vector->getNumElements());
  return call.builder.CreateBitCast(call.builder.CreateTrunc(bits, narrow), type);
}

BuiltinLowering predicate(CollectiveKind kind, bool hasScope = true) {
  return [=](BuiltinCall &call) -> Value * {
    CollectiveScope scope = hasScope ? scopeOf(call) : CollectiveScope::subgroup;
    Value *bits = collective(call, scope, kind, call.arg(hasScope), nullptr);
    return call.builder.CreateTrunc(bits, call.type());
  };
}

Value *allEqual(BuiltinCall &call) {
  Value *bits = collective(call, scopeOf(call), CollectiveKind::allEqual, call.arg(1), nullptr);
  if (bits->getType()->isVectorTy())
    bits = call.builder.CreateAndReduce(bits);
  return call.builder.CreateTrunc(bits, call.type());
}

Value *elect(BuiltinCall &call) {
  Value *bits = collective(call, scopeOf(call), CollectiveKind::elect, call.builder.getInt64(0), nullptr);
  return call.builder.CreateTrunc(bits, call.type());
}

Value *ballot(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *value = call.arg(call.call.arg_size() - 1);
  Value *bits = collective(call, CollectiveScope::subgroup, CollectiveKind::ballot, value, nullptr);
  Value *mask = b.CreateTrunc(bits, b.getInt32Ty());
  return call.type()->isVectorTy() ? b.CreateInsertElement(Constant::getNullValue(call.type()), mask, uint64_t(0))
                                   : mask;
}

// (scope, value, index): index is a lane, or the id of a work-item with one to three dimensions.
Value *broadcast(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *index = call.arg(2);
  Value *linear = nullptr;
  if (auto *vector = dyn_cast<FixedVectorType>(index->getType())) {
    Value *launch = loadField(b, b.getPtrTy(), call.item, offsetof(WorkItem, launch), true);
    for (unsigned d = vector->getNumElements(); d-- > 0;) {
      Value *id = b.CreateZExtOrTrunc(b.CreateExtractElement(index, d), b.getInt64Ty());
      if (linear) {
        Value *size = loadRanged(b, launch, offsetof(LaunchState, groupSize) + 4 * d, 1, kMaxGroupItems + 1);
        id = b.CreateAdd(b.CreateMul(linear, b.CreateZExt(size, b.getInt64Ty())), id);
      }
      linear = id;
    }
  } else {
    linear = b.CreateZExtOrTrunc(index, b.getInt64Ty());
  }
  return asType(call, collective(call, scopeOf(call), CollectiveKind::broadcast, call.arg(1), linear));
}

BuiltinLowering exchange(CollectiveKind kind, unsigned valueIndex) {
  return [=](BuiltinCall &call) -> Value * {
    Value *operand = nullptr;
    if (call.call.arg_size() > valueIndex + 1)
      operand = call.builder.CreateZExt(call.arg(valueIndex + 1), call.builder.getInt64Ty());
    return asType(call, collective(call, CollectiveScope::subgroup, kind, call.arg(valueIndex), operand));
  };
}

ElementType elementType(Type *type, bool isSigned) {
  switch (type->getScalarType()->getTypeID()) {
  case Type::HalfTyID: return ElementType::f16;
  case Type::FloatTyID: return ElementType::f32;
  case Type::DoubleTyID: return ElementType::f64;
  default: break;
  }
  switch (type->getScalarSizeInBits()) {
  case 64: return isSigned ? ElementType::i64 : ElementType::u64;
  case 32: return isSigned ? ElementType::i32 : ElementType::u32;
  case 16: return isSigned ? ElementType::i16 : ElementType::u16;
  default: return isSigned ? ElementType::i8 : ElementType::u8; // booleans too
  }
}

// (scope, group operation, value[, cluster size])
BuiltinLowering fold(FoldOperator fold, bool isSigned) {
  return [=](BuiltinCall &call) -> Value * {
    CollectiveKind kind;
    switch (call.constantArg(1, ~0ull)) {
    case kGroupReduce:
    case kGroupClusteredReduce: kind = CollectiveKind::reduce; break;
    case kGroupInclusiveScan: kind = CollectiveKind::inclusiveScan; break;
    case kGroupExclusiveScan: kind = CollectiveKind::exclusiveScan; break;
    default: return nullptr;
    }
    Value *cluster =
        call.call.arg_size() > 3 ? call.builder.CreateZExt(call.arg(3), call.builder.getInt64Ty()) : nullptr;
    Value *bits = collective(call, scopeOf(call), kind, call.arg(2), cluster, fold, elementType(call.type(), isSigned));
    return asType(call, bits);
  };
}

// (execution scope, memory scope, semantics)
Value *controlBarrier(BuiltinCall &call) {
  if (scopeOf(call) == CollectiveScope::subgroup)
    return collective(call, CollectiveScope::subgroup, CollectiveKind::sync, call.builder.getInt64(0), nullptr);
  return call.runtime(runtime::barrier, {call.item});
}

// Operations on masks: the first word holds the 32 lanes.
Value *maskOf(BuiltinCall &call, unsigned index) {
  return call.builder.CreateExtractElement(call.arg(index), uint64_t(0));
}

Value *laneOf(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *linear = b.CreateLoad(b.getInt32Ty(),
                               b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), call.item, offsetof(WorkItem, linearId)));
  return b.CreateAnd(linear, b.getInt32(kSubgroupSize - 1));
}

Value *bitOfMask(BuiltinCall &call, Value *mask, Value *index) {
  IRBuilder<> &b = call.builder;
  return b.CreateTrunc(b.CreateLShr(mask, b.CreateAnd(index, b.getInt32(31))), call.type());
}

Value *ballotBitCount(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *mask = maskOf(call, 2);
  uint64_t operation = call.constantArg(1, ~0ull);
  if (operation == kGroupInclusiveScan)
    mask = b.CreateAnd(mask, b.CreateNot(b.CreateShl(b.getInt32(~1u), laneOf(call))));
  else if (operation == kGroupExclusiveScan)
    mask = b.CreateAnd(mask, b.CreateNot(b.CreateShl(b.getInt32(~0u), laneOf(call))));
  else if (operation != kGroupReduce)
    return nullptr;
  return b.CreateUnaryIntrinsic(Intrinsic::ctpop, mask);
}

// Of Intel's sub-groups: the lanes of two values behind each other, (low, high, delta), as seen from a lane that is `delta`
// further up, where it begins in the low one, or down, where it begins in the high one.
BuiltinLowering shuffleTwo(bool up) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Value *delta = b.CreateZExtOrTrunc(call.arg(2), b.getInt32Ty()), *lane = laneOf(call);
    Value *index = up ? b.CreateSub(lane, delta) : b.CreateAdd(lane, delta);
    Value *from = b.CreateZExt(b.CreateAnd(index, b.getInt32(kSubgroupSize - 1)), b.getInt64Ty());
    Value *low = collective(call, CollectiveScope::subgroup, CollectiveKind::broadcast, call.arg(0), from);
    Value *high = collective(call, CollectiveScope::subgroup, CollectiveKind::broadcast, call.arg(1), from);
    Value *inside = b.CreateICmpULT(index, b.getInt32(kSubgroupSize));
    return b.CreateSelect(inside, asType(call, up ? high : low), asType(call, up ? low : high));
  };
}

// Of Intel's sub-groups: element i of a lane's vector lies i whole sub-groups behind the first.
Value *blockElement(BuiltinCall &call, Value *pointer, Type *element, unsigned i) {
  IRBuilder<> &b = call.builder;
  return b.CreateGEP(element, pointer,
                     b.CreateZExt(b.CreateAdd(laneOf(call), b.getInt32(i * kSubgroupSize)), b.getInt64Ty()));
}

unsigned elementCount(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// (pointer)
Value *blockRead(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Type *element = call.type()->getScalarType();
  const Align align = call.module().getDataLayout().getABITypeAlign(element);
  Value *result = PoisonValue::get(call.type());
  for (unsigned i = 0; i < elementCount(call.type()); ++i) {
    Value *value = b.CreateAlignedLoad(element, blockElement(call, call.arg(0), element, i), align);
    result = call.type()->isVectorTy() ? b.CreateInsertElement(result, value, i) : value;
  }
  return result;
}

// (pointer, value)
Value *blockWrite(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *value = call.arg(1);
  Type *element = value->getType()->getScalarType();
  const Align align = call.module().getDataLayout().getABITypeAlign(element);
  Value *store = nullptr;
  for (unsigned i = 0; i < elementCount(value->getType()); ++i)
    store = b.CreateAlignedStore(value->getType()->isVectorTy() ? b.CreateExtractElement(value, i) : value,
                                 blockElement(call, call.arg(0), element, i), align);
  return store;
}

} // namespace

void addCollectiveBuiltins(BuiltinTable &table) {
  table.add("ControlBarrier", controlBarrier);
  for (const char *prefix : {"Group", "GroupNonUniform"}) {
    std::string group = prefix;
    table.add(group + "All", predicate(CollectiveKind::all));
    table.add(group + "Any", predicate(CollectiveKind::any));
    table.add(group + "Broadcast", broadcast);
    struct Fold {
      const char *name;
      FoldOperator fold;
      bool isSigned;
    };
    constexpr Fold kFolds[] = {
        {"IAdd", FoldOperator::add, true},           {"FAdd", FoldOperator::add, true},
        {"IMul", FoldOperator::multiply, true},      {"FMul", FoldOperator::multiply, true},
        {"SMin", FoldOperator::minimum, true},       {"UMin", FoldOperator::minimum, false},
        {"FMin", FoldOperator::minimum, true},       {"SMax", FoldOperator::maximum, true},
        {"UMax", FoldOperator::maximum, false},      {"FMax", FoldOperator::maximum, true},
        {"BitwiseAnd", FoldOperator::bitAnd, false}, {"BitwiseOr", FoldOperator::bitOr, false},
        {"BitwiseXor", FoldOperator::bitXor, false}, {"LogicalAnd", FoldOperator::bitAnd, false},
        {"LogicalOr", FoldOperator::bitOr, false},   {"LogicalXor", FoldOperator::bitXor, false},
    };
    for (const Fold &entry : kFolds)
      table.add(group + entry.name, fold(entry.fold, entry.isSigned));
  }
  table.add("GroupNonUniformElect", elect);
  table.add("GroupNonUniformAllEqual", allEqual);
  table.add("GroupNonUniformBallot", ballot);
  table.add("GroupNonUniformBroadcastFirst", exchange(CollectiveKind::broadcastFirst, 1));
  table.add("GroupNonUniformShuffle", exchange(CollectiveKind::broadcast, 1));
  table.add("GroupNonUniformShuffleXor", exchange(CollectiveKind::shuffleXor, 1));
  table.add("GroupNonUniformShuffleUp", exchange(CollectiveKind::shuffleUp, 1));
  table.add("GroupNonUniformShuffleDown", exchange(CollectiveKind::shuffleDown, 1));
  table.add("GroupNonUniformInverseBallot",
            [](BuiltinCall &call) { return bitOfMask(call, maskOf(call, 1), laneOf(call)); });
  table.add("GroupNonUniformBallotBitExtract",
            [](BuiltinCall &call) { return bitOfMask(call, maskOf(call, 1), call.arg(2)); });
  table.add("GroupNonUniformBallotBitCount", ballotBitCount);
  table.add("GroupNonUniformBallotFindLSB", [](BuiltinCall &call) -> Value * {
    return call.builder.CreateBinaryIntrinsic(Intrinsic::cttz, maskOf(call, 1), call.builder.getFalse());
  });
  table.add("GroupNonUniformBallotFindMSB", [](BuiltinCall &call) -> Value * {
    Value *zeros = call.builder.CreateBinaryIntrinsic(Intrinsic::ctlz, maskOf(call, 1), call.builder.getFalse());
    return call.builder.CreateSub(call.builder.getInt32(31), zeros);
  });
  table.add("SubgroupBallotKHR", ballot);
  table.add("SubgroupAllKHR", predicate(CollectiveKind::all, false));
  table.add("SubgroupAnyKHR", predicate(CollectiveKind::any, false));
  table.add("SubgroupReadInvocationKHR", exchange(CollectiveKind::broadcast, 0));
  table.add("SubgroupFirstInvocationKHR", exchange(CollectiveKind::broadcastFirst, 0));
  table.add("SubgroupShuffleINTEL", exchange(CollectiveKind::broadcast, 0));
  table.add("SubgroupShuffleXorINTEL", exchange(CollectiveKind::shuffleXor, 0));
  table.add("SubgroupShuffleUpINTEL", shuffleTwo(true));
  table.add("SubgroupShuffleDownINTEL", shuffleTwo(false));
  table.add("SubgroupBlockReadINTEL", blockRead);
  table.add("SubgroupBlockWriteINTEL", blockWrite);
}

} // namespace hiplz::cpu
