// SPDX-License-Identifier: MIT
// See link.h. A program refers to variables, and to functions that have an address, of another module by the symbols that they
// have there. So these names must not depend on what a module is linked with: they are given to each part by itself, before it
// meets the others.
#include "cpu/compiler/link.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/address_spaces.h"
#include "cpu/compiler/builtin_library.h"
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/import.h"
#include "cpu/compiler/options.h"
#include "cpu/compiler/spirv_check.h"
#include "cpu/program/link_set.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Linker/Linker.h>

#include <map>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kContraction = "opencl.enable.FP_CONTRACT";

bool isLocalMemory(const GlobalValue &value) {
  return isa<GlobalVariable>(value) && value.getAddressSpace() == kLocalSpace;
}

bool isBuiltin(const GlobalValue &value) {
  const StringRef name = value.getName();
  return startsWith(name, "llvm.") ||
         (isa<Function>(value) && value.isDeclaration() && (!builtinName(name).empty() || isRuntimeFunction(name)));
}

/// The symbols that other modules can see of a module, and those that it wants of them.
bool isLinkable(const GlobalValue &value) {
  return !value.hasLocalLinkage() && !isLocalMemory(value) && !isBuiltin(value);
}

// The same type for code that was translated by itself: named structures are compared by what they contain.
bool isSame(Type *a, Type *b) {
  if (a == b)
    return true;
  if (a->getTypeID() != b->getTypeID())
    return false;
  if (auto *array = dyn_cast<ArrayType>(a); array && array->getNumElements() != b->getArrayNumElements())
    return (array->getNumElements() == 0 || b->getArrayNumElements() == 0) && // declared without its size
           isSame(array->getElementType(), b->getArrayElementType());
  if (auto *function = dyn_cast<FunctionType>(a); function && function->isVarArg() != cast<FunctionType>(b)->isVarArg())
    return false;
  if (auto *structure = dyn_cast<StructType>(a); structure && structure->isPacked() != cast<StructType>(b)->isPacked())
    return false;
  if (!isa<ArrayType>(a) && !isa<FunctionType>(a) && !isa<StructType>(a))
    return false; // equal ones are one
  return std::equal(a->subtype_begin(), a->subtype_end(), b->subtype_begin(), b->subtype_end(), isSame);
}

class SetLinker {
public:
  SetLinker(const LinkSet &set, LLVMContext &context, std::string &error)
      : set_(set), context_(context), error_(error) {
    for (const LinkBinding &binding : set.bindings)
      exporters_[{binding.importer, binding.name}] = binding.exporter;
  }

  std::unique_ptr<Module> run() {
    std::unique_ptr<Module> whole;
    std::map<uint32_t, unsigned> counts; // parts of each module so far
    bool contraction = true;
    for (const LinkPart &part : set_.parts) {
      auto module = import(part);
      if (!module || !name(*module, part.module, counts[part.module]++) || !agrees(*module))
        return nullptr;
      contraction = contraction && (part.module || module->getNamedMetadata(kContraction));
      if (!whole) {
        whole = std::move(module);
      } else if (Linker::linkModules(*whole, std::move(module))) {
        error_ = "link: the modules cannot be linked";
        return nullptr;
      }
    }
    if (NamedMDNode *node = whole->getNamedMetadata(kContraction); node && !contraction)
      node->eraseFromParent();
    return whole;
  }

private:
  std::unique_ptr<Module> import(const LinkPart &part) {
    if (!checkSpirv(part.spirv, error_))
      return nullptr;
    std::string ignored; // the flags have been looked at
    return importSpirv(part.spirv, parseOptions(part.flags, ignored).specConstants, context_, error_);
  }

  std::string symbolOf(const GlobalValue &value, uint32_t owner) const {
    const StringRef name = value.getName();
    if (owner == 0)
      return name.str();
    return moduleSymbol(owner, isa<Function>(value) ? functionSymbol(name.str()) : globalSymbol(name.str()));
  }

  bool name(Module &module, uint32_t owner, unsigned part) {
    auto internalName = [&](const char *kind, unsigned number) {
      const std::string name = std::string(kind) + std::to_string(part) + "." + std::to_string(number);
      return owner ? moduleSymbol(owner, name) : name;
    };
    std::vector<std::pair<GlobalValue *, std::string>> names;
    unsigned number = 0;
    for (GlobalValue &value : module.global_values()) {
      if (startsWith(value.getName(), kModuleSymbolPrefix)) {
        error_ = "SPIR-V: the name " + value.getName().str() + " is reserved";
        return false;
      }
      ++number;
      if (isLinkable(value)) {
        uint32_t exporter = owner;
        if (value.isDeclaration())
          if (auto bound = exporters_.find({owner, value.getName().str()}); bound != exporters_.end())
            exporter = bound->second;
        names.emplace_back(&value, symbolOf(value, exporter));
      } else if (auto *function = dyn_cast<Function>(&value); function && function->hasLocalLinkage()) {
        if (function->hasAddressTaken())
          names.emplace_back(function, internalName("hiplz.function.", number));
      } else if (isa<GlobalVariable>(value) && value.hasLocalLinkage() && !isLocalMemory(value)) {
        names.emplace_back(&value, internalName("hiplz.variable.", number));
      }
    }
    for (auto &[value, name] : names) // first, because two may exchange theirs
      value->setName("");
    for (auto &[value, name] : names)
      value->setName(name);
    if (owner)
      for (Function &function : module)
        if (function.getCallingConv() == CallingConv::SPIR_KERNEL)
          function.setCallingConv(CallingConv::SPIR_FUNC);
    return true;
  }

  // A linker takes what has the right name for what was meant.
  bool agrees(Module &module) {
    for (GlobalValue &value : module.global_values()) {
      if (!isLinkable(value))
        continue;
      auto [found, isNew] = seen_.try_emplace(value.getName(), Seen{isa<Function>(value), value.getValueType(), false});
      Seen &seen = found->second;
      StringRef shown = splitModuleSymbol(std::string_view(value.getName())).second;
      shown.consume_front(functionSymbol(""));
      shown.consume_front(globalSymbol(""));
      if (seen.isFunction != isa<Function>(value) || !isSame(seen.type, value.getValueType())) {
        error_ = "link: " + shown.str() + " has another type in one of the modules than in another one";
        return false;
      }
      const bool defines = !value.isDeclaration() && !value.isWeakForLinker();
      if (seen.isDefined && defines) {
        error_ = "link: " + shown.str() + " is defined more than once";
        return false;
      }
      seen.isDefined |= defines;
    }
    return true;
  }

  struct Seen {
    bool isFunction;
    Type *type;
    bool isDefined;
  };

  const LinkSet &set_;
  LLVMContext &context_;
  std::string &error_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> exporters_;
  StringMap<Seen> seen_;
};

} // namespace

std::unique_ptr<Module> importLinkSet(std::span<const std::byte> linkSet, LLVMContext &context, std::string &error) {
  const auto set = parseLinkSet(linkSet);
  if (!set || set->parts.empty()) {
    error = "compiler: the request is damaged";
    return nullptr;
  }
  return SetLinker(*set, context, error).run();
}

bool isForeign(const GlobalValue &value) { return startsWith(value.getName(), kModuleSymbolPrefix); }

void collectLinkage(Module &module, ModuleTable &table) {
  for (GlobalValue &value : module.global_values()) {
    if (!isLinkable(value) || (value.isDeclaration() && value.use_empty()))
      continue;
    const LinkSymbol symbol{value.getName().str(), isa<Function>(value)};
    if (value.isDeclaration())
      table.imports.push_back(symbol);
    else if (!isForeign(value))
      table.exports.push_back(symbol);
  }
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall())
        table.callsPointers = true;
}

} // namespace hiplz::cpu
