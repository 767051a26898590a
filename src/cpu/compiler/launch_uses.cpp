// SPDX-License-Identifier: MIT
// See launch_uses.h.
#include "cpu/compiler/launch_uses.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/checks.h"
#include "cpu/compiler/runtime_parts.h"
#include "cpu/vectorizer/called_functions.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/AtomicOrdering.h>

#include <algorithm>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr uint64_t kWordBytes = 4; // what the histories are kept of

// Blocks that wait for each other need the exact order of all accesses.
bool mayHandOn(const Instruction &instruction) {
  if (auto *fence = dyn_cast<FenceInst>(&instruction))
    return !fence->hasMetadata(kOfBlock);
  return isReleaseOrStronger(orderingOf(instruction));
}

bool isOrdering(const Access &access) { return access.flags & (checkAtomic | checkVolatile); }

void append(std::vector<int64_t> &table, const IndexSum &sum) {
  table.push_back(static_cast<int64_t>(sum.products.size()));
  for (const auto &[factors, count] : sum.products) {
    uint64_t packed = 0;
    for (unsigned i = 0; i < kUseFactors; ++i)
      packed |= uint64_t{factors[i]} << 16 * i;
    table.push_back(static_cast<int64_t>(packed));
    table.push_back(count);
  }
}

} // namespace

LaunchUses::LaunchUses(Function &kernel, const KernelInfo &info, ArrayRef<Access> accesses, FindMemory findMemory) {
  std::vector<Parameter> parameters(info.args.size());
  IndexSums sums(info, kernel.getParent()->getDataLayout());
  bool isAnyOrdering = false, mayAnyHandOn = false;
  Seen seen;
  for (Instruction &instruction : instructions(kernel)) {
    mayAnyHandOn = mayAnyHandOn || mayHandOn(instruction);
    if (!isHarmless(instruction, findMemory, seen)) {
      parameters_.resize(info.args.size());
      return;
    }
  }
  bool isLost = false;
  for (const Access &access : accesses) {
    const AccessedMemory memory = findMemory(access);
    if (memory.isElsewhere)
      continue;
    isAnyOrdering = isAnyOrdering || isOrdering(access);
    if (memory.parameter)
      add(parameters[memory.parameter - 1], access, kernel.getArg(memory.parameter), sums);
    else if (access.flags & checkWrite || isOrdering(access))
      isLost = true;
    else
      readsOthers_ = true;
  }
  if (isLost || (isAnyOrdering && mayAnyHandOn))
    parameters.assign(info.args.size(), {});
  parameters_ = std::move(parameters);
  for (Parameter &parameter : parameters_)
    if (parameter.use == ParameterUse::read && parameter.isWritten)
      parameter.use = parameter.isOwn && !readsOthers_ ? ParameterUse::own : ParameterUse::any;
}

void LaunchUses::add(Parameter &parameter, const Access &access, const Value *base, IndexSums &sums) {
  if (parameter.use == ParameterUse::none)
    parameter.use = ParameterUse::read;
  auto *bytes = dyn_cast<ConstantInt>(access.bytes);
  if (isOrdering(access) || !bytes)
    parameter.use = ParameterUse::any;
  parameter.hasParts = parameter.hasParts || access.align < kWordBytes || !bytes || bytes->getZExtValue() % kWordBytes;
  parameter.isWritten = parameter.isWritten || access.flags & checkWrite;
  if (!parameter.isOwn || !bytes)
    return;
  SmallVector<NarrowSum, 2> narrow;
  auto place = sums.between(base, access.instruction->getOperand(access.operand), narrow);
  if (!place) {
    parameter.isOwn = false;
    return;
  }
  const int64_t begin = place->takeConstant(), end = begin + static_cast<int64_t>(bytes->getZExtValue());
  const bool isFirst = parameter.begin == parameter.end;
  parameter.isOwn = isFirst || parameter.place == *place;
  parameter.place = std::move(*place);
  parameter.begin = isFirst ? begin : std::min(parameter.begin, begin);
  parameter.end = isFirst ? end : std::max(parameter.end, end);
  for (NarrowSum &each : narrow)
    if (!is_contained(parameter.narrow, each))
      parameter.narrow.push_back(std::move(each));
}

// True for what accesses nothing that a parameter points to, loads and stores apart.
bool LaunchUses::isHarmless(Instruction &instruction, FindMemory findMemory, Seen &seen) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return true;
  Function *called = call->getCalledFunction();
  if (!called)
    return false;
  if (called->isDeclaration() || called->hasFnAttribute(kOfBuiltinLibrary) || isOfRuntime(*called) ||
      isOfHeap(*called) || !seen.insert(called).second)
    return true;
  for (Instruction &each : instructions(*called)) {
    SmallVector<Access, 2> accesses;
    collectAccesses(each, accesses);
    if (mayHandOn(each) || !isHarmless(each, findMemory, seen) ||
        any_of(accesses, [&](const Access &access) { return !findMemory(access).isElsewhere; }))
      return false;
  }
  return true;
}

bool LaunchUses::isAnySimple() const {
  for (uint32_t parameter = 1; parameter <= parameters_.size(); ++parameter)
    if (isSimple(parameter))
      return true;
  return false;
}

std::vector<int64_t> LaunchUses::table(size_t sites) const {
  std::vector<int64_t> table{static_cast<int64_t>(sites), readsOthers_, static_cast<int64_t>(parameters_.size())};
  for (const Parameter &parameter : parameters_) {
    table.push_back(static_cast<int64_t>(parameter.use));
    table.push_back(parameter.hasParts);
    if (parameter.use == ParameterUse::any || parameter.use == ParameterUse::none ||
        parameter.use == ParameterUse::read)
      continue;
    table.push_back(parameter.begin);
    table.push_back(parameter.end);
    append(table, parameter.place);
    table.push_back(static_cast<int64_t>(parameter.narrow.size()));
    for (const NarrowSum &narrow : parameter.narrow) {
      table.push_back(narrow.isUnsigned);
      append(table, narrow.sum);
    }
  }
  return table;
}

} // namespace hiplz::cpu
