// SPDX-License-Identifier: MIT
// Everything outside of functions is a node of a graph whose edges are references, and so is a function whole. What the
// kernels that stay reach from there is copied word for word; types are the only exception.
#include "fatbin/module_cutter.h"
#include "fatbin/spirv_operands.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace hiplz::spirv {
namespace {

/// Reading beyond the last operand is an error of the module.
uint32_t operand(const Instruction &in, size_t index) {
  if (index >= in.operands())
    throw ParseError("the SPIR-V is malformed: instruction " + std::to_string(in.op()) + " at word " +
                     std::to_string(in.at()) + " has too few operands");
  return in[index];
}

uint32_t resultOf(const Instruction &in) {
  const int index = resultOperand(in.op());
  return index < 0 ? 0 : operand(in, static_cast<size_t>(index));
}

template <class Visit> void forEachReference(const Instruction &in, Visit visit) {
  for (size_t i = 0; i < in.operands(); ++i)
    if (isReference(in, i))
      visit(in[i]);
}

template <class Visit> void forEachInstruction(const Words &words, size_t begin, size_t end, Visit visit) {
  for (size_t at = begin; at < end;) {
    const Instruction in(words, at);
    if (!in.whole())
      throw ParseError("the SPIR-V is cut off or malformed at word " + std::to_string(at));
    visit(in);
    at = in.end();
  }
}

bool isType(spv::Op op) {
  return (op >= spv::OpTypeVoid && op <= spv::OpTypeForwardPointer) || op == spv::OpTypeNamedBarrier;
}
/// Types of which a module may have one of each form only.
bool isUniqueType(spv::Op op) {
  return isType(op) && op != spv::OpTypeArray && op != spv::OpTypeRuntimeArray && op != spv::OpTypeStruct &&
         op != spv::OpTypeForwardPointer && op != spv::OpTypeOpaque;
}

bool describesSource(std::string_view set) {
  return set.starts_with("OpenCL.DebugInfo") || set.starts_with("DebugInfo") || set.starts_with("NonSemantic.");
}

} // namespace

ModuleCutter::ModuleCutter(std::span<const std::byte> bytes) : words_(bytes) {
  size_t function = 0; // 0: outside
  forEachInstruction(words_, kHeaderWords, words_.count(), [&](const Instruction &in) {
    if (const int type = resultTypeOperand(in.op()); type >= 0)
      typeOf_[resultOf(in)] = operand(in, static_cast<size_t>(type));
    if (in.op() == spv::OpFunction)
      function = in.at();
    if (!function)
      readPreamble(in);
    if (in.op() != spv::OpFunctionEnd || !function)
      return;
    readFunction(function, in.end());
    function = 0;
  });
  for (size_t i = 0; i < kernels_.size(); ++i) {
    Needs &needs = kernels_[i].needs;
    for (const uint32_t id : reachedFrom({entryPoints_[i].first}))
      if (auto found = functions_.find(id); found != functions_.end())
        needs.add(found->second.needs);
    if (auto size = subgroupSizes_.find(entryPoints_[i].first); size != subgroupSizes_.end())
      needs.add({.subgroupSizes = {size->second}});
  }
}

void ModuleCutter::readPreamble(const Instruction &in) {
  switch (in.op()) {
  case spv::OpEntryPoint: {
    const auto name = in.literal(2);
    if (!name)
      throw ParseError("the SPIR-V is malformed: the name at word " + std::to_string(in.at()) + " does not end");
    kernels_.push_back({std::string(name->text), {}});
    auto &[function, interface] = entryPoints_.emplace_back(in[1], std::vector<uint32_t>());
    for (size_t i = name->next; i < in.operands(); ++i)
      interface.push_back(in[i]);
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
    if (operand(in, 1) == spv::DecorationLinkageAttributes)
      if (const auto name = in.literal(2);
          name && name->next < in.operands() && in[name->next] == spv::LinkageTypeExport)
        always_.insert(in[0]); // functions are sorted out below
    return;
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
    forEachReference(in, [&](uint32_t id) { references.insert(id); });
  });
  function.references.assign(references.begin(), references.end());
}

Needs ModuleCutter::needsOfValue(uint32_t id) const {
  const auto type = typeOf_.find(id);
  const auto needs = type == typeOf_.end() ? types_.end() : types_.find(type->second);
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

/// Writes the part of the module that stays.
class ModuleCutter::Writer {
public:
  Writer(const ModuleCutter &from, Ids live, Ids kernels, std::vector<bool> keep, const Needs &needs)
      : from_(from), live_(std::move(live)), kernels_(std::move(kernels)), keep_(std::move(keep)), needs_(needs) {
    for (const auto &[id, function] : from_.functions_)
      if (!live_.contains(id))
        forEachInstruction(from_.words_, function.begin, function.end,
                           [&](const Instruction &in) { gone_.insert(resultOf(in)); });
    for (const auto &[id, references] : from_.globals_)
      if (!live_.contains(id))
        gone_.insert(id);
    unifyTypes();
  }

  std::vector<std::byte> write() {
    const Words &words = from_.words_;
    for (size_t at = 0; at < kHeaderWords; ++at)
      out_.push_back(words[at]);
    uint32_t function = 0;
    forEachInstruction(words, kHeaderWords, words.count(), [&](const Instruction &in) {
      if (in.op() == spv::OpFunction)
        function = in[1];
      if (!function)
        writeOutside(in);
      else if (live_.contains(function) && !describesCode(in))
        append(in);
      if (in.op() == spv::OpFunctionEnd)
        function = 0;
    });
    const auto bytes = std::as_bytes(std::span(out_));
    return {bytes.begin(), bytes.end()};
  }

private:
  bool describesCode(const Instruction &in) const {
    return in.op() == spv::OpExtInst && from_.debugSets_.contains(operand(in, 2));
  }

  /// The type that stands in the place of a floating-point type that nobody computes with.
  bool becomesInteger(const Instruction &in) const {
    if (in.op() != spv::OpTypeFloat)
      return false;
    const uint32_t bits = operand(in, 1);
    return (bits == 64 && !needs_.float64) || (bits == 16 && !needs_.float16);
  }

  uint32_t renamed(uint32_t id) const {
    const auto found = newNames_.find(id);
    return found == newNames_.end() ? id : found->second;
  }

  /// With integers for floating-point types, a type may be declared twice; the first one serves for both.
  void unifyTypes() {
    std::map<std::vector<uint32_t>, uint32_t> known;
    const Words &words = from_.words_;
    for (size_t at = kHeaderWords; at < words.count();) {
      const Instruction in(words, at);
      at = in.end();
      if (in.op() == spv::OpFunction)
        return;
      if (!isUniqueType(in.op()) || !live_.contains(in[0]))
        continue;
      std::vector<uint32_t> form = wordsOf(in);
      form.erase(form.begin() + 1);
      const auto [place, first] = known.emplace(std::move(form), in[0]);
      if (!first) {
        newNames_[in[0]] = place->second;
        gone_.insert(in[0]);
      }
    }
  }

  /// The instruction with the types that the module has now.
  std::vector<uint32_t> wordsOf(const Instruction &in) const {
    if (becomesInteger(in))
      return {4u << spv::WordCountShift | spv::OpTypeInt, in[0], in[1], 0};
    std::vector<uint32_t> words{from_.words_[in.at()]};
    for (size_t i = 0; i < in.operands(); ++i) {
      const bool type = static_cast<int>(i) == resultTypeOperand(in.op()) || (in.op() == spv::OpFunction && i == 3) ||
                        (isType(in.op()) && isReference(in, i));
      words.push_back(type ? renamed(in[i]) : in[i]);
    }
    // A cast between pointers to what has become the same type.
    if (in.op() == spv::OpBitcast && in.operands() == 3)
      if (const auto type = from_.typeOf_.find(in[2]);
          type != from_.typeOf_.end() && renamed(type->second) == renamed(in[0]))
        words[0] = static_cast<uint32_t>(words.size()) << spv::WordCountShift | spv::OpCopyObject;
    return words;
  }

  void append(const Instruction &in) {
    const std::vector<uint32_t> words = wordsOf(in);
    out_.insert(out_.end(), words.begin(), words.end());
  }

  void writeOutside(const Instruction &in) {
    switch (in.op()) {
    case spv::OpCapability: writeCapability(in); return;
    case spv::OpLine:
    case spv::OpNoLine: return; // of what may have gone
    case spv::OpEntryPoint:
      if (keep_[entryPoint_++])
        append(in);
      return;
    case spv::OpExecutionMode:
    case spv::OpExecutionModeId:
      if (kernels_.contains(operand(in, 0)))
        append(in);
      return;
    case spv::OpGroupDecorate: writeTargets(in, 1); return;
    case spv::OpGroupMemberDecorate: writeTargets(in, 2); return;
    case spv::OpExtInstImport:
      if (!from_.debugSets_.contains(operand(in, 0)))
        append(in);
      return;
    case spv::OpName:
    case spv::OpMemberName:
    case spv::OpDecorate:
    case spv::OpDecorateId:
    case spv::OpDecorateString:
    case spv::OpMemberDecorate:
    case spv::OpMemberDecorateString:
    case spv::OpTypeForwardPointer:
      if (!gone_.contains(operand(in, 0)))
        append(in);
      return;
    default:
      if (const uint32_t result = resultOf(in); result == 0 || !gone_.contains(result))
        append(in);
    }
  }

  void writeCapability(const Instruction &in) {
    switch (operand(in, 0)) {
    case spv::CapabilityFloat64:
      if (needs_.float64)
        append(in);
      return;
    case spv::CapabilityInt64Atomics:
      if (needs_.int64Atomics)
        append(in);
      return;
    case spv::CapabilityFloat16:
    case spv::CapabilityFloat16Buffer:
      if (needs_.float16)
        append(in);
      else // for the integers in its place
        out_.insert(out_.end(), {2u << spv::WordCountShift | spv::OpCapability, spv::CapabilityInt16});
      return;
    default: append(in);
    }
  }

  /// A decoration of several targets, each of `stride` words, for those that stay.
  void writeTargets(const Instruction &in, size_t stride) {
    std::vector<uint32_t> words{0, operand(in, 0)};
    for (size_t i = 1; i + stride <= in.operands(); i += stride)
      if (!gone_.contains(in[i]))
        for (size_t word = 0; word < stride; ++word)
          words.push_back(in[i + word]);
    words[0] = static_cast<uint32_t>(words.size()) << spv::WordCountShift | in.op();
    out_.insert(out_.end(), words.begin(), words.end());
  }

  const ModuleCutter &from_;
  const Ids live_, kernels_;
  const std::vector<bool> keep_; // by entry point
  const Needs needs_;
  Ids gone_; // ids that the new module does not define
  std::unordered_map<uint32_t, uint32_t> newNames_;
  size_t entryPoint_ = 0;
  std::vector<uint32_t> out_;
};

std::vector<std::byte> ModuleCutter::cut(const std::function<bool(const KernelNeeds &)> &keep) const {
  Ids roots, kernels;
  for (const uint32_t id : always_)
    if (!functions_.contains(id))
      roots.insert(id);
  std::vector<bool> kept;
  Needs needs;
  for (size_t i = 0; i < kernels_.size(); ++i) {
    kept.push_back(keep(kernels_[i]));
    if (!kept.back())
      continue;
    needs.add(kernels_[i].needs);
    const auto &[function, interface] = entryPoints_[i];
    kernels.insert(function);
    roots.insert(function);
    roots.insert(interface.begin(), interface.end());
  }
  return Writer(*this, reachedFrom(roots), std::move(kernels), std::move(kept), needs).write();
}

} // namespace hiplz::spirv
