// SPDX-License-Identifier: MIT
// See operation_marks.h. The rules stand in docs/profiling.md, "What is counted".
#include "cpu/compiler/operation_marks.h"
#include "base/llvm_compat.h"
#include "base/operation_counts.h"
#include "cpu/compiler/address_spaces.h"
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/ir_tools.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>
#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

using namespace counts;

uint64_t lanesOf(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool isFloating(const Type *type) { return type->getScalarType()->isFloatingPointTy(); }
bool isNumber(const Type *type) { return type->getScalarType()->isIntegerTy() && type->getScalarSizeInBits() > 1; }

Counter floatingCounter(const Type *type) {
  switch (type->getScalarSizeInBits()) {
  case 16: return halfOperations;
  case 32: return floatOperations;
  default: return doubleOperations;
  }
}

/// How many operations on each element a built-in function or intrinsic stands for, and whether it is a special function.
struct Work {
  unsigned operations;
  bool special = false;
};

/// Of a function whose result or arguments are floating-point numbers. What only selects, compares, rounds or changes bits is no
/// operation.
Work floatingWork(StringRef name) {
  for (StringRef prefix : {"half_", "native_"})
    if (name.consume_front(prefix))
      break;
  return StringSwitch<Work>(name)
      .Cases("fabs", "copysign", "ceil", "floor", "trunc", "rint", "round", Work{0})
      .Cases("nearbyint", "roundeven", "fmin", "fmax", "fmin_common", "fmax_common", Work{0})
      .Cases("minnum", "maxnum", "minimum", "maximum", "fclamp", "step", "sign", "nan", Work{0})
      .Cases("nextafter", "ilogb", "logb", "frexp", "ldexp", "is.fpclass", "canonicalize", Work{0})
      .Cases("degrees", "radians", "fdim", Work{1})
      .Cases("fma", "mad", "fmuladd", Work{2})
      .Case("mix", Work{3})
      .Case("smoothstep", Work{7})
      .Default(Work{1, true});
}

class Marker {
public:
  explicit Marker(Module &module)
      : module_(module), word_(Type::getInt64Ty(module.getContext())), number_(Type::getInt32Ty(module.getContext())) {}

  void run() {
    for (Function &function : make_early_inc_range(module_)) {
      if (function.isDeclaration())
        continue;
      forgetEffects(function);
      for (BasicBlock &block : function)
        mark(block);
    }
  }

private:
  void mark(BasicBlock &block) {
    sums_ = {};
    for (Instruction &instruction : make_early_inc_range(block))
      count(instruction);
    IRBuilder<> builder(block.getTerminator());
    for (uint32_t counter = 0; counter < counterCount; ++counter)
      if (sums_[counter])
        builder.CreateCall(countMark(), {ConstantInt::get(number_, counter), ConstantInt::get(word_, sums_[counter])});
  }

  void count(Instruction &instruction) {
    const DataLayout &layout = module_.getDataLayout();
    auto bytes = [&](Type *type) { return ConstantInt::get(word_, layout.getTypeStoreSize(type).getFixedValue()); };
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      access(instruction, load->getPointerOperand(), bytes(load->getType()), false);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      access(instruction, store->getPointerOperand(), bytes(store->getValueOperand()->getType()), true);
    else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      atomic(instruction, update->getPointerOperand(), bytes(update->getType()));
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      atomic(instruction, exchange->getPointerOperand(), bytes(exchange->getNewValOperand()->getType()));
    else if (auto *call = dyn_cast<CallInst>(&instruction))
      countCall(*call);
    else
      countArithmetic(instruction);
  }

  void countArithmetic(const Instruction &instruction) {
    const Type *type = instruction.getType();
    if (isa<ICmpInst>(instruction)) {
      if (const Type *compared = instruction.getOperand(0)->getType(); isNumber(compared))
        sums_[integerOperations] += lanesOf(compared);
      return;
    }
    if (!isa<BinaryOperator>(instruction))
      return;
    if (isFloating(type)) {
      const unsigned opcode = instruction.getOpcode();
      sums_[floatingCounter(type)] += lanesOf(type);
      if (opcode == Instruction::FDiv || opcode == Instruction::FRem)
        sums_[specialFunctions] += lanesOf(type);
    } else if (isNumber(type)) {
      sums_[integerOperations] += lanesOf(type);
    }
  }

  void countCall(CallInst &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee)
      return;
    if (auto *memory = dyn_cast<MemIntrinsic>(&call)) {
      Value *length = IRBuilder<>(&call).CreateZExtOrTrunc(memory->getLength(), word_);
      access(call, memory->getRawDest(), length, true);
      if (auto *transfer = dyn_cast<MemTransferInst>(&call))
        access(call, transfer->getRawSource(), length, false);
    } else if (callee->isIntrinsic()) {
      StringRef name = callee->getName();
      name.consume_front("llvm.");
      if (isFloating(call.getType()))
        addWork(call.getType(), floatingWork(name.take_until([](char letter) { return letter == '.'; })));
      else if (call.arg_size() > 0 && isIntegerWork(call.getIntrinsicID()))
        sums_[integerOperations] += lanesOf(call.getArgOperand(0)->getType());
    } else if (callee->isDeclaration()) {
      countBuiltin(call, builtinName(callee->getName()));
    }
  }

  static bool isIntegerWork(Intrinsic::ID id) {
    switch (id) {
    case Intrinsic::abs:
    case Intrinsic::bitreverse:
    case Intrinsic::bswap:
    case Intrinsic::ctlz:
    case Intrinsic::ctpop:
    case Intrinsic::cttz:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::sadd_sat:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::ssub_sat:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::uadd_sat:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::umul_with_overflow:
    case Intrinsic::usub_sat:
    case Intrinsic::usub_with_overflow: return true;
    default: return false;
    }
  }

  void addWork(const Type *type, Work work) {
    sums_[floatingCounter(type)] += work.operations * lanesOf(type);
    if (work.special)
      sums_[specialFunctions] += lanesOf(type);
  }

  /// `name` without "__spirv_".
  void countBuiltin(CallInst &call, StringRef name) {
    const Type *type = call.getType();
    if (name.consume_front("Atomic"))
      return countAtomic(call, name);
    if (name == "ControlBarrier") {
      constexpr uint64_t kWorkgroup = 2;
      if (auto *scope = dyn_cast<ConstantInt>(call.getArgOperand(0)); !scope || scope->getZExtValue() == kWorkgroup)
        ++sums_[barriers];
      return;
    }
    if (name == "Dot") {
      const Type *vector = call.getArgOperand(0)->getType();
      sums_[floatingCounter(vector)] += 2 * lanesOf(vector) - 1;
      return;
    }
    if (StringSwitch<bool>(name.take_until([](char letter) { return letter == '_'; }))
            .Cases("BitCount", "BitReverse", "BitFieldSExtract", "BitFieldUExtract", "BitFieldInsert", true)
            .Default(false)) {
      sums_[integerOperations] += lanesOf(type);
      return;
    }
    if (!name.consume_front("ocl_") || startsWith(name, "prefetch") || startsWith(name, "shuffle") || name == "printf")
      return;
    if (startsWith(name, "vload") || startsWith(name, "vstore"))
      return countVectorAccess(call, name);
    if (isFloating(type) || (call.arg_size() > 0 && isFloating(call.getArgOperand(0)->getType())))
      addWork(isFloating(type) ? type : call.getArgOperand(0)->getType(), floatingWork(name));
    else if (isNumber(type))
      sums_[integerOperations] += lanesOf(type);
  }

  // vload(offset, address...), vstore(value, offset, address...)
  void countVectorAccess(CallInst &call, StringRef name) {
    const bool stores = startsWith(name, "vstore");
    Type *type = stores ? call.getArgOperand(0)->getType() : call.getType();
    const uint64_t element = name.contains("half") ? 2 : type->getScalarSizeInBits() / 8;
    access(call, call.getArgOperand(stores ? 2 : 1), ConstantInt::get(word_, element * lanesOf(type)), stores);
  }

  // (pointer, scope, semantics..., value)
  void countAtomic(CallInst &call, StringRef name) {
    const bool stores = name == "Store" || name == "FlagClear";
    Type *type = name == "Store"            ? call.getArgOperand(3)->getType()
                 : startsWith(name, "Flag") ? number_
                                            : call.getType();
    Value *bytes = ConstantInt::get(word_, module_.getDataLayout().getTypeStoreSize(type).getFixedValue());
    if (stores || name == "Load")
      access(call, call.getArgOperand(0), bytes, stores);
    else
      atomic(call, call.getArgOperand(0), bytes);
  }

  void atomic(Instruction &at, Value *address, Value *bytes) {
    ++sums_[atomics];
    access(at, address, bytes, false);
    access(at, address, bytes, true);
  }

  // The space of what the pointer is made from, if that is known.
  static unsigned spaceOf(const Value *address) {
    for (unsigned space;;) {
      if ((space = address->getType()->getPointerAddressSpace()) != kGenericSpace)
        return space;
      const Value *from = getUnderlyingObject(address);
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(from))
        from = cast->getOperand(0);
      if (from == address)
        return space;
      address = from;
    }
  }

  void access(Instruction &at, Value *address, Value *bytes, bool stores) {
    constexpr unsigned kPrivateSpace = 0; // variables of a work-item and arguments: registers, as far as they fit
    const unsigned space = spaceOf(address);
    if (space == kPrivateSpace)
      return;
    if (space == kGenericSpace) {
      IRBuilder<>(&at).CreateCall(accessMark(address->getType()),
                                  {address, bytes, ConstantInt::get(number_, stores ? globalStored : globalLoaded)});
      return;
    }
    if (space != kLocalSpace) {
      IRBuilder<> builder(&at);
      builder.CreateCall(declare(kLineMark, {word_, word_, number_}),
                         {builder.CreatePtrToInt(address, word_), bytes,
                          ConstantInt::get(number_, stores ? globalStored : globalLoaded)});
    }
    const Counter counter =
        space == kLocalSpace ? (stores ? localStored : localLoaded) : (stores ? globalStored : globalLoaded);
    if (auto *constant = dyn_cast<ConstantInt>(bytes))
      sums_[counter] += constant->getZExtValue();
    else
      IRBuilder<>(&at).CreateCall(countMark(), {ConstantInt::get(number_, counter), bytes});
  }

  FunctionCallee countMark() { return declare(kCountMark, {number_, word_}); }
  FunctionCallee accessMark(Type *pointer) { return declare(kAccessMark, {pointer, word_, number_}); }

  FunctionCallee declare(StringRef name, ArrayRef<Type *> parameters) {
    FunctionCallee mark =
        module_.getOrInsertFunction(name, FunctionType::get(Type::getVoidTy(module_.getContext()), parameters, false));
    auto *function = cast<Function>(mark.getCallee());
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setOnlyAccessesInaccessibleMemory();
    return mark;
  }

  Module &module_;
  Type *const word_, *const number_;
  std::array<uint64_t, counterCount> sums_{}; // of the block
};

} // namespace

void markOperations(Module &module) { Marker(module).run(); }

} // namespace hiplz::cpu
