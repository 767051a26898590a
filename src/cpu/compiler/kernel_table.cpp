// SPDX-License-Identifier: MIT
#include "cpu/compiler/kernel_table.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/address_spaces.h"
#include "cpu/compiler/import.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/link.h"
#include "cpu/vectorizer/reachable.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

using namespace llvm;

namespace hiplz::cpu {
namespace {

uint32_t alignUp(uint32_t value, uint32_t align) { return (value + align - 1) / align * align; }

uint32_t numberOf(const MDNode *node, unsigned operand) {
  if (!node || operand >= node->getNumOperands())
    return 0;
  auto *constant = mdconst::dyn_extract<ConstantInt>(node->getOperand(operand));
  return constant ? static_cast<uint32_t>(constant->getZExtValue()) : 0;
}

// Images and samplers arrive as plain pointers before LLVM 16; import.h says which they are.
SpirvObject objectOf(const Argument &argument) {
  return static_cast<SpirvObject>(numberOf(argument.getParent()->getMetadata(kObjectParameters), argument.getArgNo()));
}

bool describeArgument(const Argument &argument, const DataLayout &layout, ArgInfo &info) {
  Type *type = argument.getType();
  if (Type *pointee = argument.getParamByValType()) {
    info.kind = ArgKind::byValue;
    info.size = static_cast<uint32_t>(layout.getTypeAllocSize(pointee));
    info.align =
        static_cast<uint32_t>(std::max(layout.getABITypeAlign(pointee), argument.getParamAlign().valueOrOne()).value());
    return true;
  }
  if (const SpirvObject object = objectOf(argument); object != SpirvObject::none) {
    info.kind = object == SpirvObject::image ? ArgKind::image : ArgKind::sampler;
    info.size = info.align = 8;
    return object != SpirvObject::other;
  }
  if (type->isPointerTy()) {
    info.kind = type->getPointerAddressSpace() == kLocalSpace ? ArgKind::localPointer : ArgKind::globalPointer;
    info.size = info.align = 8;
    return true;
  }
  info.kind = ArgKind::value;
  info.size = static_cast<uint32_t>(layout.getTypeAllocSize(type));
  info.align = static_cast<uint32_t>(layout.getABITypeAlign(type).value());
  return true;
}

// The type that vec_type_hint names; SPIR-V does not keep whether it is signed.
std::string nameOfHint(const MDNode &hint) {
  auto *value = hint.getNumOperands() ? dyn_cast<ValueAsMetadata>(hint.getOperand(0)) : nullptr;
  if (!value)
    return {};
  Type *element = value->getType()->getScalarType();
  std::string name = element->isHalfTy()     ? "half"
                     : element->isFloatTy()  ? "float"
                     : element->isDoubleTy() ? "double"
                                             : "";
  if (auto *integer = dyn_cast<IntegerType>(element)) {
    const unsigned bits = integer->getBitWidth();
    name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
  }
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType()))
    name += std::to_string(vector->getNumElements());
  return name;
}

// As they were written, as far as the module says.
std::string sourceAttributes(const Function &function) {
  std::string text;
  auto add = [&](const char *name, const std::string &value) {
    text += (text.empty() ? "" : " ") + std::string(name) + "(" + value + ")";
  };
  for (const char *name : {"reqd_work_group_size", "work_group_size_hint"})
    if (const MDNode *size = function.getMetadata(name))
      add(name, std::to_string(numberOf(size, 0)) + "," + std::to_string(numberOf(size, 1)) + "," +
                    std::to_string(numberOf(size, 2)));
  if (const MDNode *hint = function.getMetadata("vec_type_hint"))
    add("vec_type_hint", nameOfHint(*hint));
  if (const MDNode *size = function.getMetadata("intel_reqd_sub_group_size"))
    add("intel_reqd_sub_group_size", std::to_string(numberOf(size, 0)));
  return text;
}

bool describeKernel(Function &function, Kernel &kernel, std::string &error) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  kernel.function = &function;
  KernelInfo &info = kernel.info;
  info.name = function.getName().str();
  for (const Argument &argument : function.args()) {
    ArgInfo arg;
    if (!describeArgument(argument, layout, arg)) {
      error = "kernel " + info.name + ": parameter " + std::to_string(argument.getArgNo()) +
              " is an object that the CPU device does not have";
      return false;
    }
    arg.offset = alignUp(info.argBlockBytes, arg.align);
    info.argBlockBytes = arg.offset + arg.size;
    info.args.push_back(arg);
  }
  if (const MDNode *size = function.getMetadata("reqd_work_group_size"))
    for (unsigned i = 0; i < 3; ++i)
      info.requiredGroupSize[i] = numberOf(size, i);
  info.requiredSubgroupSize = numberOf(function.getMetadata("intel_reqd_sub_group_size"), 0);
  info.sourceAttributes = sourceAttributes(function);
  return true;
}

// Variables that two kernels share need one place in both; variables of different kernels may lie on each other.
bool placeLocals(Module &module, ModuleTable &table, std::string &error) {
  std::vector<SmallPtrSet<const Function *, 8>> reachable;
  for (Kernel &kernel : table.kernels) {
    auto functions = reachableFunctions(*kernel.function);
    reachable.emplace_back(functions.begin(), functions.end());
  }
  const DataLayout &layout = module.getDataLayout();
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != kLocalSpace)
      continue;
    std::vector<KernelInfo *> users;
    for (size_t i = 0; i < table.kernels.size(); ++i)
      if (any_of(variable.users(), [&](User *user) {
            auto *instruction = dyn_cast<Instruction>(user);
            return instruction && reachable[i].contains(instruction->getFunction());
          }))
        users.push_back(&table.kernels[i].info);
    uint32_t align = static_cast<uint32_t>(layout.getPreferredAlign(&variable).value());
    uint64_t size = layout.getTypeAllocSize(variable.getValueType());
    uint32_t offset = 0;
    for (KernelInfo *info : users)
      offset = std::max(offset, info->staticLocalBytes);
    offset = alignUp(offset, std::max(align, 1u));
    for (KernelInfo *info : users) {
      if (size > kMaxLocalBytes || offset + size > kMaxLocalBytes) {
        error = "kernel " + info->name + ": its local memory exceeds " + std::to_string(kMaxLocalBytes) + " bytes";
        return false;
      }
      info->staticLocalBytes = offset + static_cast<uint32_t>(size);
    }
    table.locals.push_back({&variable, offset});
  }
  return true;
}

void collectGlobals(Module &module, ModuleTable &table) {
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() == kLocalSpace || startsWith(variable.getName(), "llvm."))
      continue;
    if (variable.isDeclaration() || variable.hasLocalLinkage())
      continue;
    // The host may change these between launches, whatever the program does.
    if (variable.getAddressSpace() != kConstantSpace) {
      variable.setConstant(false);
      variable.setExternallyInitialized(true);
    }
    if (isForeign(variable))
      continue;
    table.globals.push_back({variable.getName().str(),
                             static_cast<size_t>(module.getDataLayout().getTypeAllocSize(variable.getValueType())),
                             nullptr});
  }
}

} // namespace

bool collectTable(Module &module, ModuleTable &table, std::string &error) {
  table.contraction = module.getNamedMetadata("opencl.enable.FP_CONTRACT") != nullptr;
  for (Function &function : module) {
    if (function.getCallingConv() != CallingConv::SPIR_KERNEL || function.isDeclaration())
      continue;
    Kernel kernel;
    if (!describeKernel(function, kernel, error))
      return false;
    table.kernels.push_back(std::move(kernel));
  }
  collectGlobals(module, table);
  collectLinkage(module, table);
  return placeLocals(module, table, error);
}

} // namespace hiplz::cpu
