// SPDX-License-Identifier: MIT
// printf of OpenCL C. Each call is one of a function with as many 64-bit parameters as there are scalars and elements of vectors;
// it puts them into an array for the driver (exec/print.h). It stays a function, so that kernels are vectorised around it.
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/ir_tools.h"

using namespace llvm;

namespace hiplz::cpu {
namespace {

/// A scalar as 64 bits; null for what printf does not take.
Value *slotOf(IRBuilder<> &b, Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return b.CreatePtrToInt(value, b.getInt64Ty());
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return b.CreateSExt(value, b.getInt64Ty());
  if (type->isHalfTy() || type->isFloatTy())
    return b.CreateBitCast(b.CreateFPExt(value, b.getDoubleTy()), b.getInt64Ty());
  return type->isDoubleTy() ? b.CreateBitCast(value, b.getInt64Ty()) : nullptr;
}

/// int32_t (WorkItem *, const char *format, uint64_t...)
Function *printFunction(Module &module, unsigned slots) {
  LLVMContext &context = module.getContext();
  const std::string name = "hiplz.print." + std::to_string(slots);
  if (Function *existing = module.getFunction(name))
    return existing;
  IRBuilder<> b(context);
  SmallVector<Type *, 8> parameters{b.getPtrTy(), b.getPtrTy()};
  parameters.append(slots, b.getInt64Ty());
  auto *function = Function::Create(FunctionType::get(b.getInt32Ty(), parameters, false), GlobalValue::InternalLinkage,
                                    name, module);
  function->addFnAttr(Attribute::NoInline);
  function->setDoesNotThrow();
  b.SetInsertPoint(BasicBlock::Create(context, "", function));
  Value *array = b.CreateAlloca(b.getInt64Ty(), b.getInt64(std::max(slots, 1u)));
  for (unsigned slot = 0; slot < slots; ++slot)
    b.CreateStore(function->getArg(2 + slot), b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), array, slot));
  FunctionCallee print = declareRuntime(module, runtime::print);
  cast<Function>(print.getCallee())->setDoesNotThrow();
  b.CreateRet(b.CreateCall(print, {function->getArg(1), array, b.getInt32(slots)}));
  return function;
}

// (format, values...)
Value *print(BuiltinCall &call) {
  IRBuilder<> &b = call.builder;
  SmallVector<Value *, 8> arguments{call.item, call.arg(0)};
  for (unsigned index = 1; index < call.call.arg_size(); ++index) {
    Value *value = call.arg(index);
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    for (unsigned element = 0; element < (vector ? vector->getNumElements() : 1); ++element) {
      Value *slot = slotOf(b, vector ? b.CreateExtractElement(value, element) : value);
      if (!slot)
        return nullptr;
      arguments.push_back(slot);
    }
  }
  return b.CreateCall(printFunction(call.module(), static_cast<unsigned>(arguments.size()) - 2), arguments);
}

} // namespace

void addPrintBuiltins(BuiltinTable &table) { table.add("ocl_printf", print); }

} // namespace hiplz::cpu
