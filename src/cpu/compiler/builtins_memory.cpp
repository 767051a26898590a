// SPDX-License-Identifier: MIT
// Loads and stores of vectors, shuffles, copies by a work-group, and questions about pointers.
#include "base/llvm_compat.h"
#include "cpu/abi/check_shadow.h"
#include "cpu/abi/compiled_code.h"
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/ir_tools.h"

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// The address of element number `index * count` of type `element`; three-element vectors may be spaced by four.
Value *elementAddress(BuiltinCall &call, Value *pointer, Value *index, Type *element, unsigned count) {
  IRBuilder<> &b = call.builder;
  return b.CreateGEP(element, pointer, b.CreateMul(index, ConstantInt::get(index->getType(), count)));
}

unsigned elementCount(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

Align elementAlign(BuiltinCall &call, Type *element) { return call.module().getDataLayout().getABITypeAlign(element); }

// (index, pointer, n)
Value *loadVector(BuiltinCall &call) {
  Type *element = call.type()->getScalarType();
  Value *address = elementAddress(call, call.arg(1), call.arg(0), element, elementCount(call.type()));
  return call.builder.CreateAlignedLoad(call.type(), address, elementAlign(call, element));
}

// (value, index, pointer)
Value *storeVector(BuiltinCall &call) {
  Type *type = call.arg(0)->getType();
  Value *address = elementAddress(call, call.arg(2), call.arg(1), type->getScalarType(), elementCount(type));
  return call.builder.CreateAlignedStore(call.arg(0), address, elementAlign(call, type->getScalarType()));
}

unsigned spacing(unsigned count, bool aligned) { return aligned && count == 3 ? 4 : count; }

// Half precision in memory, single or double precision in the kernel.
BuiltinLowering loadHalf(bool aligned) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    unsigned count = elementCount(call.type());
    Value *address = elementAddress(call, call.arg(1), call.arg(0), b.getHalfTy(), spacing(count, aligned));
    return b.CreateFPExt(b.CreateAlignedLoad(call.type()->getWithNewType(b.getHalfTy()), address, Align(2)),
                         call.type());
  };
}

// SPIR-V's FPRoundingMode, the last parameter of the forms with "_r".
const char *roundingOfMode(uint64_t mode) {
  constexpr const char *kNames[] = {"", "rtz", "rtp", "rtn"};
  return mode < 4 ? kNames[mode] : "";
}

// (value, index, pointer[, rounding mode])
BuiltinLowering storeHalf(bool aligned) {
  return [=](BuiltinCall &call) -> Value * {
    IRBuilder<> &b = call.builder;
    Value *value = call.arg(0);
    Type *from = value->getType()->getScalarType();
    unsigned count = elementCount(value->getType());
    std::string rounding = call.call.arg_size() > 3 ? roundingOfMode(call.constantArg(3, 0)) : "";
    Value *half = nullptr;
    if (rounding.empty())
      half = b.CreateFPTrunc(value, value->getType()->getWithNewType(b.getHalfTy()));
    else
      half = call.perElement({value}, nullptr, [&](ArrayRef<Value *> element) {
        std::string name = std::string("hz_") + (from->isDoubleTy() ? "f64" : "f32") + "_to_f16_" + rounding;
        return call.external(name, b.getInt16Ty(), {element[0]}, true);
      });
    Value *address = elementAddress(call, call.arg(2), call.arg(1), b.getHalfTy(), spacing(count, aligned));
    return b.CreateAlignedStore(half, address, Align(2));
  };
}

// Selects elements by the low bits of the mask.
Value *shuffle(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  bool two = call.call.arg_size() == 3;
  Value *source = call.arg(0);
  unsigned count = elementCount(source->getType());
  if (two) {
    SmallVector<int, 32> all;
    for (unsigned i = 0; i < 2 * count; ++i)
      all.push_back(static_cast<int>(i));
    source = b.CreateShuffleVector(source, call.arg(1), all);
    count *= 2;
  }
  Value *mask = call.arg(two ? 2 : 1);
  mask = b.CreateAnd(mask, ConstantInt::get(mask->getType(), count - 1));
  Value *result = PoisonValue::get(call.type());
  for (unsigned i = 0; i < elementCount(call.type()); ++i)
    result = b.CreateInsertElement(result, b.CreateExtractElement(source, b.CreateExtractElement(mask, i)), i);
  return result;
}

// Bytes of the first type in the mangled parameters that a pointer points to: "PU3AS3Dv4_f" is 16.
uint64_t pointeeBytes(StringRef mangled) {
  size_t position = mangled.find("PU3AS");
  if (position == StringRef::npos || position + 6 >= mangled.size())
    return 0;
  StringRef type = mangled.drop_front(position + 6);
  uint64_t count = 1;
  if (type.consume_front("Dv")) {
    if (type.consumeInteger(10, count) || !type.consume_front("_"))
      return 0;
    count = count == 3 ? 4 : count;
  }
  if (startsWith(type, "Dh"))
    return 2 * count;
  switch (type.empty() ? 0 : type.front()) {
  case 'c':
  case 'h':
  case 'a': return count;
  case 's':
  case 't': return 2 * count;
  case 'i':
  case 'j':
  case 'f': return 4 * count;
  case 'l':
  case 'm':
  case 'd': return 8 * count;
  default: return 0;
  }
}

// (scope, destination, source, elements, stride, event): the first work-item copies; the wait is a barrier.
Value *asyncCopy(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  StringRef mangled = call.call.getCalledFunction()->getName();
  uint64_t bytes = pointeeBytes(mangled);
  if (!bytes)
    return nullptr;
  bool toLocal = mangled.find("PU3AS3") < mangled.find("PU3AS1");
  Value *one = ConstantInt::get(call.arg(4)->getType(), 1);
  Value *linear = loadField(b, b.getInt32Ty(), call.item, offsetof(WorkItem, linearId), false);
  call.external("hz_async_copy", b.getVoidTy(),
                {call.arg(1), call.arg(2), call.arg(3), toLocal ? one : call.arg(4), toLocal ? call.arg(4) : one,
                 b.getInt64(bytes), linear},
                false);
  // LLVM cannot compile the constant that stands for no event; the wait does not look at the value.
  return isSpirvObject(call.type()) ? UndefValue::get(call.type()) : call.arg(5);
}

Value *waitEvents(BuiltinCall &call) { return call.runtime(runtime::barrier, {call.item}); }

Value *isPrivate(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *distance = b.CreateSub(b.CreatePtrToInt(call.arg(0), b.getInt64Ty()), b.getInt64(kPrivateBegin));
  return b.CreateICmpULT(distance, b.getInt64(kPrivateEnd - kPrivateBegin));
}

Value *isLocal(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  Value *worker = loadField(b, b.getPtrTy(), call.item, offsetof(WorkItem, worker), true);
  Value *local = loadField(b, b.getPtrTy(), worker, offsetof(WorkerState, local), true);
  Value *distance = b.CreateSub(b.CreatePtrToInt(call.arg(0), b.getInt64Ty()), b.CreatePtrToInt(local, b.getInt64Ty()));
  return b.CreateICmpULT(distance, b.getInt64(kMaxLocalBytes));
}

Value *castToLocal(BuiltinCall &call) {
  return call.builder.CreateSelect(isLocal(call), call.arg(0), Constant::getNullValue(call.type()));
}

Value *castToPrivate(BuiltinCall &call) {
  return call.builder.CreateSelect(isPrivate(call), call.arg(0), Constant::getNullValue(call.type()));
}

Value *castToGlobal(BuiltinCall &call) {
  Value *isElsewhere = call.builder.CreateOr(isLocal(call), isPrivate(call));
  return call.builder.CreateSelect(isElsewhere, Constant::getNullValue(call.type()), call.arg(0));
}

// The bits of SPIR-V's memory semantics for the storage class.
Value *pointerSemantics(BuiltinCall &call) {
  constexpr uint64_t kWorkgroup = 0x100, kCrossWorkgroup = 0x200;
  return call.builder.CreateSelect(isLocal(call), ConstantInt::get(call.type(), kWorkgroup),
                                   ConstantInt::get(call.type(), kCrossWorkgroup));
}

// (pointer, elements). A prefetch of no elements is how a kernel says that it waits for the memory to change: SPIR-V
// has no instruction for that, and to all other drivers this one is what it looks like, nothing.
Value *prefetch(BuiltinCall &call) {
  if (call.constantArg(1, 1) == 0)
    call.runtime(runtime::yield, {call.item});
  return call.arg(0);
}

} // namespace

void addMemoryBuiltins(BuiltinTable &table) {
  table.add("ocl_vloadn", loadVector);
  table.add("ocl_vstoren", storeVector);
  table.add("ocl_vload_half", loadHalf(false));
  table.add("ocl_vload_halfn", loadHalf(false));
  table.add("ocl_vloada_halfn", loadHalf(true));
  for (const char *rounded : {"", "_r"}) {
    table.add(std::string("ocl_vstore_half") + rounded, storeHalf(false));
    table.add(std::string("ocl_vstore_halfn") + rounded, storeHalf(false));
    table.add(std::string("ocl_vstorea_halfn") + rounded, storeHalf(true));
  }
  table.add("ocl_shuffle", shuffle);
  table.add("ocl_shuffle2", shuffle);
  table.add("ocl_prefetch", prefetch);
  table.add("GroupAsyncCopy", asyncCopy);
  table.add("GroupWaitEvents", waitEvents);
  table.add("GenericCastToPtrExplicit_ToGlobal", castToGlobal);
  table.add("GenericCastToPtrExplicit_ToLocal", castToLocal);
  table.add("GenericCastToPtrExplicit_ToPrivate", castToPrivate);
  table.add("GenericPtrMemSemantics", pointerSemantics);
}

} // namespace hiplz::cpu
