// SPDX-License-Identifier: MIT
// Ids and sizes: fields of the WorkItem and of the launch. And the clock.
#include "cpu/abi/compiled_code.h"
#include "cpu/abi/group_count.h"
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/ir_tools.h"

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Reads values with 64 bits; the ranges let LLVM see that the arithmetic does not wrap.
class Ids {
public:
  explicit Ids(BuiltinCall &call) : call_(call), b_(call.builder) {}

  Value *groupSize(unsigned d) { return launch(offsetof(LaunchState, groupSize) + 4 * d, 1, kMaxGroupItems + 1); }
  Value *groupCount(unsigned d) { return launch(offsetof(LaunchState, groupCount) + 4 * d, 1, kMaxGroups + 1); }
  Value *globalOffset(unsigned d) {
    Value *state = loadField(b_, b_.getPtrTy(), call_.item, offsetof(WorkItem, launch), true);
    return b_.CreateZExt(loadField(b_, b_.getInt32Ty(), state, offsetof(LaunchState, globalOffset) + 4 * d, true),
                         b_.getInt64Ty());
  }
  Value *workDim() { return launch(offsetof(LaunchState, workDim), 1, 4); }
  Value *groupId(unsigned d) { return item(offsetof(WorkItem, groupId) + 4 * d); }
  Value *localId(unsigned d) { return item(offsetof(WorkItem, localId) + 4 * d); }
  Value *linearLocal() { return item(offsetof(WorkItem, linearId)); }

  Value *globalSize(unsigned d) { return multiply(groupCount(d), groupSize(d)); }
  Value *globalBase(unsigned d) { return add(multiply(groupId(d), groupSize(d)), localId(d)); }
  Value *globalId(unsigned d) { return add(globalBase(d), globalOffset(d)); }
  Value *globalLinear() {
    return add(globalBase(0), multiply(globalSize(0), add(globalBase(1), multiply(globalSize(1), globalBase(2)))));
  }
  Value *groupItems() { return multiply(groupSize(0), multiply(groupSize(1), groupSize(2))); }
  Value *subgroupCount() {
    return b_.CreateUDiv(add(groupItems(), b_.getInt64(kSubgroupSize - 1)), b_.getInt64(kSubgroupSize));
  }
  Value *subgroupId() { return b_.CreateUDiv(linearLocal(), b_.getInt64(kSubgroupSize)); }
  Value *lane() { return b_.CreateURem(linearLocal(), b_.getInt64(kSubgroupSize)); }
  Value *subgroupSize() {
    Value *begin = multiply(subgroupId(), b_.getInt64(kSubgroupSize));
    Value *rest = b_.CreateNUWSub(groupItems(), begin);
    return b_.CreateBinaryIntrinsic(Intrinsic::umin, rest, b_.getInt64(kSubgroupSize));
  }

private:
  Value *add(Value *a, Value *b) { return b_.CreateAdd(a, b, "", true, true); }
  Value *multiply(Value *a, Value *b) { return b_.CreateMul(a, b, "", true, true); }

  Value *launch(uint64_t offset, uint32_t low, uint64_t high) {
    Value *state = loadField(b_, b_.getPtrTy(), call_.item, offsetof(WorkItem, launch), true);
    return b_.CreateZExt(loadRanged(b_, state, offset, low, high), b_.getInt64Ty());
  }
  Value *item(uint64_t offset) {
    return b_.CreateZExt(loadField(b_, b_.getInt32Ty(), call_.item, offset, false), b_.getInt64Ty());
  }

  BuiltinCall &call_;
  IRBuilder<> &b_;
};

using Scalar = Value *(Ids::*)();
using PerDimension = Value *(Ids::*)(unsigned);

Value *fit(BuiltinCall &call, Value *value) { return call.builder.CreateZExtOrTrunc(value, call.type()); }

BuiltinLowering scalar(Scalar get) {
  return [get](BuiltinCall &call) { return fit(call, (Ids(call).*get)()); };
}

// The dimension is a parameter; one that is not below 3 gives `beyond` (0 for ids, 1 for sizes).
BuiltinLowering perDimension(PerDimension get, uint64_t beyond) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Ids ids(call);
    if (auto *dimension = dyn_cast<ConstantInt>(call.arg(0))) {
      uint64_t d = dimension->getZExtValue();
      return fit(call, d < 3 ? (ids.*get)(static_cast<unsigned>(d)) : b.getInt64(beyond));
    }
    Value *result = b.getInt64(beyond);
    for (unsigned d = 0; d < 3; ++d)
      result = b.CreateSelect(b.CreateICmpEQ(call.arg(0), ConstantInt::get(call.arg(0)->getType(), d)), (ids.*get)(d),
                              result);
    return fit(call, result);
  };
}

// A mask of lanes, as four words of which the first is used.
BuiltinLowering laneMask(Value *(*make)(IRBuilder<> &, Value *lane)) {
  return [make](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Value *lane = b.CreateTrunc(Ids(call).lane(), b.getInt32Ty());
    return b.CreateInsertElement(Constant::getNullValue(call.type()), make(b, lane), uint64_t(0));
  };
}

} // namespace

void addWorkItemBuiltins(BuiltinTable &table) {
  table.add("BuiltInGlobalInvocationId", perDimension(&Ids::globalId, 0));
  table.add("BuiltInLocalInvocationId", perDimension(&Ids::localId, 0));
  table.add("BuiltInWorkgroupId", perDimension(&Ids::groupId, 0));
  table.add("BuiltInWorkgroupSize", perDimension(&Ids::groupSize, 1));
  table.add("BuiltInEnqueuedWorkgroupSize", perDimension(&Ids::groupSize, 1));
  table.add("BuiltInNumWorkgroups", perDimension(&Ids::groupCount, 1));
  table.add("BuiltInGlobalSize", perDimension(&Ids::globalSize, 1));
  table.add("BuiltInGlobalOffset", perDimension(&Ids::globalOffset, 0));
  table.add("BuiltInWorkDim", scalar(&Ids::workDim));
  table.add("BuiltInGlobalLinearId", scalar(&Ids::globalLinear));
  table.add("BuiltInLocalInvocationIndex", scalar(&Ids::linearLocal));
  table.add("BuiltInSubgroupSize", scalar(&Ids::subgroupSize));
  table.add("BuiltInSubgroupId", scalar(&Ids::subgroupId));
  table.add("BuiltInNumSubgroups", scalar(&Ids::subgroupCount));
  table.add("BuiltInNumEnqueuedSubgroups", scalar(&Ids::subgroupCount));
  table.add("BuiltInSubgroupLocalInvocationId", scalar(&Ids::lane));
  table.add("BuiltInSubgroupMaxSize",
            [](BuiltinCall &call) -> Value * { return ConstantInt::get(call.type(), kSubgroupSize); });

  table.add("ReadClockKHR", [](BuiltinCall &call) -> Value * {
    Value *ticks = call.builder.CreateIntrinsic(Intrinsic::readcyclecounter, ArrayRef<Type *>(), {});
    return call.builder.CreateBitCast(ticks, call.type()); // a 64-bit number, or two halves of one
  });

  table.add("intel_get_cycle_counter", [](BuiltinCall &call) -> Value * {
    return call.builder.CreateZExtOrTrunc(call.runtime(runtime::clock, {}), call.type());
  });
  table.add("intel_get_slice_id", [](BuiltinCall &call) -> Value * { return ConstantInt::get(call.type(), 0); });
  table.add("intel_get_subslice_id", [](BuiltinCall &call) -> Value * {
    return call.builder.CreateZExtOrTrunc(call.runtime(runtime::processor, {}), call.type());
  });

  auto one = [](IRBuilder<> &b, Value *lane) { return b.CreateShl(b.getInt32(1), lane); };
  auto below = [](IRBuilder<> &b, Value *lane) { return b.CreateNot(b.CreateShl(b.getInt32(~0u), lane)); };
  auto above = [](IRBuilder<> &b, Value *lane) { return b.CreateShl(b.getInt32(~1u), lane); };
  auto from = [](IRBuilder<> &b, Value *lane) { return b.CreateShl(b.getInt32(~0u), lane); };
  auto upTo = [](IRBuilder<> &b, Value *lane) { return b.CreateNot(b.CreateShl(b.getInt32(~1u), lane)); };
  for (const char *end : {"", "KHR"}) {
    table.add(std::string("BuiltInSubgroupEqMask") + end, laneMask(one));
    table.add(std::string("BuiltInSubgroupLtMask") + end, laneMask(below));
    table.add(std::string("BuiltInSubgroupGtMask") + end, laneMask(above));
    table.add(std::string("BuiltInSubgroupGeMask") + end, laneMask(from));
    table.add(std::string("BuiltInSubgroupLeMask") + end, laneMask(upTo));
  }
}

} // namespace hiplz::cpu
