// SPDX-License-Identifier: MIT
#include "rtc/compiler/name_expressions.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace hiplz::rtc {
namespace {

constexpr const char *kPrefix = "__hiplz_rtc_name_";

bool isReference(const llvm::GlobalValue *value) { return llvm::StringRef(value->getName()).find(kPrefix) == 0; }

/// Takes the variables out of llvm.used or llvm.compiler.used.
void removeFromUsed(llvm::Module &module, bool compilerUsed) {
  llvm::SmallVector<llvm::GlobalValue *, 16> used;
  llvm::GlobalVariable *list = llvm::collectUsedGlobalVariables(module, used, compilerUsed);
  if (!list)
    return;
  list->eraseFromParent();
  llvm::erase_if(used, isReference);
  if (used.empty())
    return;
  if (compilerUsed)
    llvm::appendToCompilerUsed(module, used);
  else
    llvm::appendToUsed(module, used);
}

} // namespace

std::string nameReferences(const std::vector<std::string> &expressions) {
  std::string text;
  // The expression stands in a function of both sides, because clang 19 finds no overloaded kernel in what belongs to
  // the device alone.
  for (size_t i = 0; i < expressions.size(); ++i) {
    const std::string name = kPrefix + std::to_string(i);
    text += "\n#line 1 \"name expression\"\nstatic __attribute__((host, device)) inline constexpr const void *" + name +
            "_() { return (const void *)(" + expressions[i] + "); }\n" +
            "extern \"C\" __attribute__((device, used)) const void *" + name + " = " + name + "_();\n";
  }
  return text;
}

NameTargets::NameTargets(llvm::Module &module, size_t count) {
  if (count == 0)
    return;
  removeFromUsed(module, false);
  removeFromUsed(module, true);
  for (size_t i = 0; i < count; ++i) {
    llvm::GlobalVariable *variable = module.getNamedGlobal(kPrefix + std::to_string(i));
    llvm::GlobalValue *target = nullptr;
    if (variable && variable->hasInitializer())
      target = llvm::dyn_cast<llvm::GlobalValue>(variable->getInitializer()->stripPointerCasts());
    targets_.emplace_back(target);
    first_.push_back(target ? target->getName().str() : std::string());
    if (variable) {
      variable->removeDeadConstantUsers();
      if (variable->use_empty())
        variable->eraseFromParent();
    }
  }
}

size_t NameTargets::firstUnclear() const {
  size_t i = 0;
  while (i < first_.size() && !first_[i].empty())
    ++i;
  return i;
}

std::vector<std::string> NameTargets::names() const {
  std::vector<std::string> names = first_;
  for (size_t i = 0; i < names.size(); ++i)
    if (const llvm::Value *target = targets_[i])
      names[i] = target->getName().str();
  return names;
}

} // namespace hiplz::rtc
