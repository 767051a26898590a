// SPDX-License-Identifier: MIT
// Everything outside of functions is a node of a graph whose edges are references, and so is a function whole. What the
// kernels that stay reach from there is copied word for word; types are the only exception.
#include "fatbin/module_cutter.h"
#include "base/spirv_marks.h"
#include "spirv/instructions.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

namespace hiplz::spirv {

ModuleCutter::ModuleCutter(std::span<const std::byte> bytes, Recursion recursion) : words_(bytes) {
  const uint32_t bound = words_.count() < kHeaderWords ? 0 : words_[kBoundWord];
  if (bound > std::max<size_t>(kMostIds, words_.count()))
    throw ParseError("the SPIR-V is malformed: it has " + std::to_string(bound) + " ids");
  typeOf_.resize(bound);
  functionOf_.resize(bound);
  size_t function = 0; // 0: outside
  uint32_t functionId = 0;
  forEachInstruction(words_, [&](const Instruction &in) {
    const uint32_t result = resultOf(in);
    if (const int type = resultTypeOperand(in.op()); type >= 0)
      setValue(typeOf_, result, operand(in, static_cast<size_t>(type)));
    if (in.op() == spv::OpFunction) {
      function = in.at();
      functionId = result;
    }
    if (function && result)
      setValue(functionOf_, result, functionId);
    if (!function)
      readPreamble(in);
    if (in.op() != spv::OpFunctionEnd || !function)
      return;
    readFunction(function, in.end());
    function = 0;
  });
  chooseForms(recursion);
  addSharedConstants();
  for (size_t i = 0; i < kernels_.size(); ++i) {
    Needs &needs = kernels_[i].needs;
    const Ids reached = reachedFrom({entryPoints_[i].function});
    kernels_[i].variables = variablesAmong(reached);
    for (const uint32_t id : reached)
      if (auto found = functions_.find(id); found != functions_.end()) {
        needs.add(found->second.needs);
        kernels_[i].words += found->second.end - found->second.begin;
      }
    if (auto size = subgroupSizes_.find(entryPoints_[i].function); size != subgroupSizes_.end())
      needs.add({.subgroupSizes = {size->second}});
  }
  for (const auto &[id, index] : variableOf_)
    variables_[index].others = variablesAmong(reachedFrom({id}));
}

void ModuleCutter::chooseForms(Recursion recursion) {
  constexpr std::string_view kSuffix = kFramesSuffix;
  std::unordered_set<std::string> others;
  for (const KernelNeeds &kernel : kernels_)
    if (kernel.name.ends_with(kSuffix))
      others.insert(kernel.name.substr(0, kernel.name.size() - kSuffix.size()));
  if (others.empty())
    return;
  std::vector<KernelNeeds> kernels;
  std::vector<EntryPoint> entryPoints;
  for (size_t i = 0; i < kernels_.size(); ++i) {
    std::string &name = kernels_[i].name;
    const bool hasFrames = name.ends_with(kSuffix);
    if (hasFrames ? recursion == Recursion::native : recursion == Recursion::frames && others.contains(name))
      continue;
    if (hasFrames)
      name.resize(name.size() - kSuffix.size());
    kernels.push_back(std::move(kernels_[i]));
    entryPoints.push_back(std::move(entryPoints_[i]));
  }
  kernels_ = std::move(kernels);
  entryPoints_ = std::move(entryPoints);
}

void ModuleCutter::setValue(std::vector<uint32_t> &of, uint32_t id, uint32_t value) {
  if (id >= of.size())
    throw ParseError("the SPIR-V is malformed: the id " + std::to_string(id) + " is beyond its bound");
  of[id] = value;
}

void ModuleCutter::addVariable(uint32_t id, const std::string &name) {
  variableOf_.emplace(id, variables_.size());
  variables_.push_back({name, {}});
}

/// Looks for constants of which a function does more than read elements.
void ModuleCutter::findStoredAddresses(size_t begin, size_t end) {
  std::unordered_map<uint32_t, uint32_t> within; // addresses in constants
  auto constantOf = [&](uint32_t id) {
    const auto found = within.find(id);
    return found != within.end() ? found->second : constants_.contains(id) ? id : 0;
  };
  auto isAddress = [](spv::Op op) {
    switch (op) {
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain:
    case spv::OpBitcast:
    case spv::OpCopyObject:
    case spv::OpPtrCastToGeneric:
    case spv::OpGenericCastToPtr: return true;
    default: return false;
    }
  };
  forEachInstruction(words_, begin, end, [&](const Instruction &in) {
    if (isAddress(in.op()))
      if (const uint32_t constant = constantOf(operand(in, 2)))
        within.emplace(resultOf(in), constant);
  });
  forEachInstruction(words_, begin, end, [&](const Instruction &in) {
    if (isAddress(in.op()) || in.op() == spv::OpLoad || in.op() == spv::OpExtInst || in.op() == spv::OpCopyMemory ||
        in.op() == spv::OpCopyMemorySized)
      return;
    forEachReference(in, [&](uint32_t id) {
      if (const uint32_t constant = constantOf(id))
        stored_.insert(constant);
    });
  });
}

void ModuleCutter::addSharedConstants() {
  if (constants_.empty())
    return;
  for (const auto &[id, function] : functions_)
    findStoredAddresses(function.begin, function.end);
  for (const auto &[id, references] : globals_) // initial values
    for (const uint32_t reference : references)
      if (constants_.contains(reference))
        stored_.insert(reference);
  for (const uint32_t id : stored_)
    addVariable(id, "");
}

std::vector<size_t> ModuleCutter::variablesAmong(const Ids &ids) const {
  std::vector<size_t> found;
  for (const uint32_t id : ids)
    if (auto variable = variableOf_.find(id); variable != variableOf_.end())
      found.push_back(variable->second);
  return found;
}

void ModuleCutter::readPreamble(const Instruction &in) {
  switch (in.op()) {
  case spv::OpEntryPoint: {
    const auto name = in.literal(2);
    if (!name)
      throw ParseError("the SPIR-V is malformed: the name at word " + std::to_string(in.at()) + " does not end");
    kernels_.push_back({std::string(name->text), {}, {}, 0});
    EntryPoint &entry = entryPoints_.emplace_back(EntryPoint{in[1], {}, in.at()});
    for (size_t i = name->next; i < in.operands(); ++i)
      entry.interface.push_back(in[i]);
    return;
  }
  case spv::OpExtInstImport:
    if (const auto name = in.literal(1); name && describesSource(name->text))
      debugSets_.insert(in[0]);
    return;
  case spv::OpExecutionMode:
    if (operand(in, 1) == spv::ExecutionModeSubgroupSize)
      subgroupSizes_[in[0]] = operand(in, 2);
    return;
  case spv::OpExecutionModeId:
  case spv::OpDecorateId:
    for (size_t i = 2; i < in.operands(); ++i)
      always_.insert(in[i]);
    return;
  case spv::OpDecorate:
    if (operand(in, 1) == spv::DecorationConstant)
      readOnly_.insert(in[0]);
    if (operand(in, 1) == spv::DecorationLinkageAttributes)
      if (const auto name = in.literal(2);
          name && name->next < in.operands() && in[name->next] == spv::LinkageTypeExport)
        exported_.emplace(in[0], name->text);
    return;
  case spv::OpVariable:
    if (auto name = exported_.find(operand(in, 1)); name != exported_.end())
      addVariable(in[1], name->second);
    else if (operand(in, 2) == spv::StorageClassUniformConstant || readOnly_.contains(in[1]))
      constants_.insert(in[1]);
    else if (in[2] == spv::StorageClassCrossWorkgroup)
      addVariable(in[1], "");
    break;
  case spv::OpTypeFloat: {
    const uint32_t bits = operand(in, 1);
    types_[in[0]] = {.float64 = bits == 64, .float16 = bits == 16};
    break;
  }
  case spv::OpTypeVector:
    if (auto component = types_.find(operand(in, 1)); component != types_.end())
      types_[in[0]] = Needs(component->second);
    break;
  case spv::OpTypeInt:
    // Of the needs of an integer, only atomic operations look.
    types_[in[0]] = {.int64Atomics = operand(in, 1) == 64};
    break;
  case spv::OpString:
  case spv::OpDecorationGroup: return; // nobody's, so they stay
  default: break;
  }
  const uint32_t result = resultOf(in);
  if (result == 0)
    return;
  std::vector<uint32_t> &references = globals_[result];
  forEachReference(in, [&](uint32_t id) { references.push_back(id); });
}

void ModuleCutter::readFunction(size_t begin, size_t end) {
  Function &function = functions_[resultOf(Instruction(words_, begin))];
  function.begin = begin;
  function.end = end;
  Ids references;
  forEachInstruction(words_, begin, end, [&](const Instruction &in) {
    if (in.op() == spv::OpExtInst && debugSets_.contains(operand(in, 2)))
      return;
    function.needs.add(needsOf(in));
    function.usesSubgroups |= isOfSubgroups(in.op());
    forEachReference(in, [&](uint32_t id) { references.insert(id); });
  });
  function.references.assign(references.begin(), references.end());
}

Needs ModuleCutter::needsOfValue(uint32_t id) const {
  const auto needs = id < typeOf_.size() ? types_.find(typeOf_[id]) : types_.end();
  return needs == types_.end() ? Needs() : needs->second;
}

/// The type of each value that the instruction makes or takes.
Needs ModuleCutter::needsOf(const Instruction &in) const {
  Needs needs;
  if (resultTypeOperand(in.op()) >= 0)
    needs.add(needsOfValue(resultOf(in)));
  forEachReference(in, [&](uint32_t id) { needs.add(needsOfValue(id)); });
  needs.int64Atomics &= in.op() >= spv::OpAtomicLoad && in.op() <= spv::OpAtomicXor;
  return needs;
}

ModuleCutter::Ids ModuleCutter::reachedFrom(const Ids &roots) const {
  Ids reached;
  std::vector<uint32_t> work(roots.begin(), roots.end());
  while (!work.empty()) {
    const uint32_t id = work.back();
    work.pop_back();
    const auto function = functions_.find(id);
    const auto global = globals_.find(id);
    if ((function == functions_.end() && global == globals_.end()) || !reached.insert(id).second)
      continue;
    const std::vector<uint32_t> &next = function != functions_.end() ? function->second.references : global->second;
    work.insert(work.end(), next.begin(), next.end());
  }
  return reached;
}

} // namespace hiplz::spirv
