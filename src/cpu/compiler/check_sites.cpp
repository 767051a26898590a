// SPDX-License-Identifier: MIT
// See check_sites.h.
#include "cpu/compiler/check_sites.h"
#include "cpu/abi/check_site.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// In HIP's own headers, where no program has its defects.
bool isInHeaders(const DILocation &at) {
  return (at.getDirectory() + "/" + at.getFilename()).str().find("/include/hip/") != std::string::npos;
}

static_assert(offsetof(CheckSite, objectBytes) == 8 && offsetof(CheckSite, text) == 28);

// Optimisation leaves some instructions without a line: merged ones, loops that a copy has become. Those in front of them are near.
const DILocation *locationOf(const Instruction &instruction) {
  constexpr size_t kMost = 64;
  SmallVector<const Instruction *, 8> work{&instruction};
  SmallPtrSet<const BasicBlock *, 16> seen;
  for (size_t i = 0; i < work.size() && i < kMost; ++i) {
    const BasicBlock &block = *work[i]->getParent();
    for (const Instruction *each = work[i]; each; each = each->getPrevNode())
      if (const DILocation *at = each->getDebugLoc().get(); at && at->getLine())
        return at;
    for (const BasicBlock *before : predecessors(&block))
      if (seen.insert(before).second)
        work.push_back(before->getTerminator());
  }
  return instruction.getDebugLoc().get();
}

} // namespace

std::string placeOf(const Instruction &instruction, const Twine &otherwise) {
  std::string place;
  for (const DILocation *at = locationOf(instruction); at; at = at->getInlinedAt())
    if (at->getLine() && !(at->getInlinedAt() && isInHeaders(*at)))
      place += (place.empty() ? "" : ", inlined at ") + sys::path::filename(at->getFilename()).str() + ":" +
               std::to_string(at->getLine());
  return place.empty() ? otherwise.str() + " of " + instruction.getFunction()->getName().str() : place;
}

GlobalVariable *checkSite(const Instruction &instruction, uint32_t flags, Align align, uint64_t objectBytes,
                          StringRef objectName, const Twine &otherwise, uint32_t accessBytes, uint32_t number) {
  std::string text = placeOf(instruction, otherwise);
  text += '\0';
  const auto name = static_cast<uint32_t>(text.size());
  text += objectName.str();
  Module &module = *const_cast<Module *>(instruction.getModule());
  IRBuilder<> b(module.getContext());
  Constant *site = ConstantStruct::getAnon(
      {b.getInt32(flags), b.getInt32(static_cast<uint32_t>(align.value())), b.getInt64(objectBytes), b.getInt32(name),
       b.getInt32(accessBytes), b.getInt32(number), ConstantDataArray::getString(module.getContext(), text)});
  auto *variable = new GlobalVariable(module, site->getType(), true, GlobalValue::InternalLinkage, site, "hiplz.site");
  variable->setAlignment(Align(8));
  return variable;
}

Instruction *behindVariables(Function &kernel) {
  BasicBlock &entry = kernel.getEntryBlock();
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && variable->isStaticAlloca())
      variables.push_back(variable);
  for (AllocaInst *variable : reverse(variables))
    variable->moveBefore(&entry.front());
  Instruction *first = &entry.front();
  while (isa<AllocaInst>(first))
    first = first->getNextNode();
  return first;
}

} // namespace hiplz::cpu
