// SPDX-License-Identifier: MIT
// See split.h. A constant that is only read has no identity that anybody could notice: it is copied into each piece, where the
// code reaches it directly.
#include "cpu/compiler/split.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/link.h"
#include "cpu/vectorizer/pass_analyses.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kKernelAttribute = "hiplz-kernel"; // its value is the name
constexpr const char *kSharedAttribute = "hiplz-shared";
constexpr const char *kKeptFunctions = "llvm.compiler.used";

bool isOnlyRead(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (isa<LoadInst>(user))
      return true;
    if (auto *transfer = dyn_cast<MemTransferInst>(user))
      return &use == &transfer->getRawSourceUse();
    return isa<GEPOperator, BitCastOperator>(user) && isOnlyRead(*user);
  });
}

bool refersToSymbols(const Constant &constant) {
  return isa<GlobalValue>(constant) ||
         any_of(constant.operands(), [](const Use &operand) { return refersToSymbols(*cast<Constant>(operand)); });
}

bool canBeCopied(const GlobalVariable &variable) {
  return variable.hasLocalLinkage() && variable.isConstant() && variable.hasInitializer() && isOnlyRead(variable) &&
         !refersToSymbols(*variable.getInitializer());
}

void share(GlobalValue &value, const Twine &name) {
  value.setName(name);
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::DefaultVisibility);
  value.setDSOLocal(false); // it may be far away from the kernels
}

void declareShared(GlobalVariable &variable) {
  if (variable.isDeclaration() || variable.hasLocalLinkage())
    return;
  if (variable.isConstant() && !variable.isExternallyInitialized()) {
    variable.setLinkage(GlobalValue::AvailableExternallyLinkage);
    return;
  }
  variable.setInitializer(nullptr);
  variable.setExternallyInitialized(false);
  variable.setLinkage(GlobalValue::ExternalLinkage);
}

// A function that other modules may ask for, or that has an address already.
void shareFunction(Function &function, const Twine &name) {
  function.addFnAttr(kSharedAttribute);
  share(function, name);
}

bool isKernel(const Function &function, const ModuleTable &table) {
  return any_of(table.kernels, [&](const Kernel &kernel) { return kernel.function == &function; });
}

// Symbols of another module are in that one's shared piece, apart from what can be copied.
void splitForeign(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (isForeign(variable) && !variable.isDeclaration() && !canBeCopied(variable)) {
      share(variable, variable.getName());
      declareShared(variable);
    }
  for (Function &function : module)
    if (isForeign(function) && !function.isDeclaration()) {
      if (function.hasAddressTaken()) {
        shareFunction(function, function.getName());
        function.setLinkage(GlobalValue::AvailableExternallyLinkage);
      } else {
        function.setLinkage(GlobalValue::InternalLinkage);
      }
    }
}

void removeUnreachable(Module &module) {
  PassAnalyses analyses;
  GlobalDCEPass().run(module, analyses.modules);
}

/// Reads the functions that a kernel can reach out of bitcode that is otherwise left alone.
class Reader {
public:
  explicit Reader(Module &module) : module_(module) {}

  Error read(Function &kernel) {
    want(kernel);
    for (size_t next = 0; next < wanted_.size(); ++next) {
      Function &function = *wanted_[next];
      if (Error error = function.materialize())
        return error;
      for (Instruction &instruction : instructions(function)) {
        for (Value *operand : instruction.operands())
          if (auto *used = dyn_cast<Function>(operand))
            want(*used);
        auto *call = dyn_cast<CallBase>(&instruction);
        if (call && call->isIndirectCall())
          wantShared();
      }
    }
    return Error::success();
  }

private:
  void want(Function &function) {
    if (!function.isDeclaration() && seen_.insert(&function).second)
      wanted_.push_back(&function);
  }

  // It may be any of them.
  void wantShared() {
    if (std::exchange(wantsShared_, true))
      return;
    for (Function &function : module_)
      if (isShared(function))
        want(function);
  }

  Module &module_;
  std::vector<Function *> wanted_;
  SmallPtrSet<Function *, 32> seen_;
  bool wantsShared_ = false;
};

} // namespace

bool isShared(const Function &function) { return function.hasFnAttribute(kSharedAttribute); }

void markForSplit(Module &module, ModuleTable &table) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals()))
    if (startsWith(variable.getName(), "llvm.")) // they are for linkers and loaders
      variable.eraseFromParent();
  for (GlobalAlias &alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
  for (const GlobalInfo &global : table.globals)
    if (GlobalVariable *variable = module.getGlobalVariable(global.name, true))
      share(*variable, globalSymbol(global.name));
  splitForeign(module);
  unsigned number = 0; // of those that have come after the import, where the others got their names
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && variable.hasLocalLinkage() && !isForeign(variable) && !canBeCopied(variable))
      share(variable, startsWith(variable.getName(), "hiplz.variable.") ? variable.getName()
                                                                        : "hiplz.variable." + Twine(number++));
  for (const LinkSymbol &symbol : table.exports)
    if (Function *function = symbol.isFunction ? module.getFunction(symbol.name) : nullptr)
      if (function->hasAddressTaken() || table.callsPointers || !isKernel(*function, table))
        shareFunction(*function, functionSymbol(symbol.name));
  for (Function &function : module) {
    if (function.isDeclaration() || isForeign(function))
      continue;
    function.setComdat(nullptr);
    if (isShared(function))
      continue;
    if (!function.hasAddressTaken())
      function.setLinkage(GlobalValue::InternalLinkage);
    else if (startsWith(function.getName(), "hiplz.function."))
      shareFunction(function, function.getName());
    else
      shareFunction(function, "hiplz.function." + Twine(number++));
  }
  for (Kernel &kernel : table.kernels) {
    kernel.function->addFnAttr(kKernelAttribute, kernel.info.name);
    kernel.function->setLinkage(GlobalValue::ExternalLinkage);
  }
}

bool keepShared(Module &module) {
  for (Function &function : module)
    if (function.hasFnAttribute(kKernelAttribute) && !isShared(function))
      function.setLinkage(GlobalValue::InternalLinkage);
  removeUnreachable(module);
  return any_of(module.functions(), [](const Function &function) { return !function.isDeclaration(); }) ||
         any_of(module.globals(), [](const GlobalVariable &variable) { return !variable.isDeclaration(); });
}

std::unique_ptr<Module> readKernel(MemoryBufferRef bitcode, StringRef name, LLVMContext &context, Function *&kernel,
                                   std::string &error) {
  auto lazy = getLazyBitcodeModule(bitcode, context);
  if (!lazy) {
    error = "compiler: the prepared module cannot be read: " + toString(lazy.takeError());
    return nullptr;
  }
  Module &module = **lazy;
  kernel = nullptr;
  for (Function &function : module)
    if (function.hasFnAttribute(kKernelAttribute) &&
        function.getFnAttribute(kKernelAttribute).getValueAsString() == name)
      kernel = &function;
  if (!kernel) {
    error = "compiler: the prepared module has no kernel " + name.str();
    return nullptr;
  }
  Error failure = Reader(module).read(*kernel);
  for (Function &function : module)
    if (function.isMaterializable())
      function.deleteBody();
  if (!failure)
    failure = module.materializeAll();
  if (failure) {
    error = "compiler: the prepared module cannot be read: " + toString(std::move(failure));
    return nullptr;
  }
  for (GlobalVariable &variable : module.globals())
    declareShared(variable);
  SmallVector<GlobalValue *, 8> kept;
  for (Function &function : module) {
    if (function.isDeclaration() || &function == kernel)
      continue;
    if (isShared(function)) {
      function.setLinkage(GlobalValue::AvailableExternallyLinkage);
      kept.push_back(&function);
    } else {
      function.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  if (!kept.empty())
    appendToCompilerUsed(module, kept);
  removeUnreachable(module);
  return std::move(*lazy);
}

void forgetSharedFunctions(Module &module) {
  if (GlobalVariable *kept = module.getGlobalVariable(kKeptFunctions))
    kept->eraseFromParent();
}

} // namespace hiplz::cpu
