// SPDX-License-Identifier: MIT
// See module_cutter.h: the part of the module that stays, as a module of its own.
#include "base/spirv_marks.h"
#include "fatbin/module_cutter.h"
#include "spirv/instructions.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

namespace hiplz::spirv {

/// Writes the part of the module that stays.
class ModuleCutter::Writer {
public:
  Writer(const ModuleCutter &from, Ids live, Ids kernels, std::unordered_map<size_t, size_t> keep, const Needs &needs)
      : from_(from), live_(std::move(live)), kernels_(std::move(kernels)), keep_(std::move(keep)), needs_(needs),
        usesSubgroups_(!needs.subgroupSizes.empty()) {
    for (const auto &[id, references] : from_.globals_)
      if (!live_.contains(id))
        gone_.insert(id);
    for (const auto &[id, function] : from_.functions_)
      usesSubgroups_ |= function.usesSubgroups && live_.contains(id);
    unifyTypes();
  }

  std::vector<std::byte> write() {
    const Words &words = from_.words_;
    for (size_t at = 0; at < kHeaderWords; ++at)
      out_.push_back(words[at]);
    bool inFunction = false;
    size_t end = kHeaderWords; // of a function that goes
    forEachInstruction(words, [&](const Instruction &in) {
      if (in.op() == spv::OpFunction && !live_.contains(in[1]))
        end = from_.functions_.at(in[1]).end;
      if (in.at() < end)
        return;
      inFunction |= in.op() == spv::OpFunction;
      if (!inFunction)
        writeOutside(in);
      else if (!describesCode(in))
        append(in);
      inFunction &= in.op() != spv::OpFunctionEnd;
    });
    return bytesOf(out_);
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

  /// True if the new module does not define the id.
  bool isGone(uint32_t id) const {
    const uint32_t function = id < from_.functionOf_.size() ? from_.functionOf_[id] : 0;
    return function ? !live_.contains(function) : gone_.contains(id);
  }

  uint32_t renamed(uint32_t id) const {
    const auto found = newNames_.find(id);
    return found == newNames_.end() ? id : found->second;
  }

  /// With integers for floating-point types, a type may be declared twice; the first one serves for both.
  void unifyTypes() {
    std::map<std::vector<uint32_t>, uint32_t> known;
    walk(from_.words_, [&](const Instruction &in) {
      if (!isUniqueType(in.op()) || !live_.contains(in[0]))
        return in.op() != spv::OpFunction;
      std::vector<uint32_t> form = wordsOf(in);
      form.erase(form.begin() + 1);
      const auto [place, first] = known.emplace(std::move(form), in[0]);
      if (!first) {
        newNames_[in[0]] = place->second;
        gone_.insert(in[0]);
      }
      return true;
    });
  }

  /// The instruction with the types that the module has now.
  std::vector<uint32_t> wordsOf(const Instruction &in) const {
    if (becomesInteger(in))
      return {firstWord(spv::OpTypeInt, 4), in[0], in[1], 0};
    std::vector<uint32_t> words{from_.words_[in.at()]};
    for (size_t i = 0; i < in.operands(); ++i) {
      const bool type = static_cast<int>(i) == resultTypeOperand(in.op()) || (in.op() == spv::OpFunction && i == 3) ||
                        (isType(in.op()) && isReference(in, i));
      words.push_back(type ? renamed(in[i]) : in[i]);
    }
    // A cast between pointers to what has become the same type.
    if (in.op() == spv::OpBitcast && in.operands() == 3)
      if (in[2] < from_.typeOf_.size() && renamed(from_.typeOf_[in[2]]) == renamed(in[0]))
        words[0] = firstWord(spv::OpCopyObject, words.size());
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
      if (const auto kernel = keep_.find(in.at()); kernel != keep_.end())
        writeEntryPoint(in, kernel->second);
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
      if (!isGone(operand(in, 0)))
        append(in);
      return;
    default:
      if (const uint32_t result = resultOf(in); result == 0 || !isGone(result))
        append(in);
    }
  }

  /// Under the name that the kernel has for all others.
  void writeEntryPoint(const Instruction &in, size_t kernel) {
    const std::string &name = from_.kernels_[kernel].name;
    std::vector<uint32_t> words{0, in[0], in[1]};
    words.resize(words.size() + name.size() / sizeof(uint32_t) + 1);
    std::memcpy(&words[3], name.data(), name.size());
    const std::vector<uint32_t> &interface = from_.entryPoints_[kernel].interface;
    words.insert(words.end(), interface.begin(), interface.end());
    words[0] = firstWord(in.op(), words.size());
    out_.insert(out_.end(), words.begin(), words.end());
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
        out_.insert(out_.end(), {firstWord(spv::OpCapability, 2), spv::CapabilityInt16});
      return;
    default:
      if (usesSubgroups_ || !isOfSubgroups(static_cast<spv::Capability>(in[0])))
        append(in);
    }
  }

  /// A decoration of several targets, each of `stride` words, for those that stay.
  void writeTargets(const Instruction &in, size_t stride) {
    std::vector<uint32_t> words{0, operand(in, 0)};
    for (size_t i = 1; i + stride <= in.operands(); i += stride)
      if (!isGone(in[i]))
        for (size_t word = 0; word < stride; ++word)
          words.push_back(in[i + word]);
    words[0] = firstWord(in.op(), words.size());
    out_.insert(out_.end(), words.begin(), words.end());
  }

  const ModuleCutter &from_;
  const Ids live_, kernels_;
  const std::unordered_map<size_t, size_t> keep_; // kernels, by the word where the entry point begins
  const Needs needs_;
  bool usesSubgroups_;
  Ids gone_; // what stands outside of functions and not in the new module
  std::unordered_map<uint32_t, uint32_t> newNames_;
  std::vector<uint32_t> out_;
};

std::vector<std::byte> ModuleCutter::cut(const std::function<bool(const KernelNeeds &)> &keep,
                                         const std::function<bool(const Variable &)> &keepVariable) const {
  Ids roots = always_, kernels;
  for (const auto &[id, index] : variableOf_)
    if (const Variable &variable = variables_[index]; !variable.name.empty() && keepVariable(variable))
      roots.insert(id);
  std::unordered_map<size_t, size_t> kept;
  Needs needs;
  for (size_t i = 0; i < kernels_.size(); ++i) {
    if (!keep(kernels_[i]))
      continue;
    kept.emplace(entryPoints_[i].at, i);
    needs.add(kernels_[i].needs);
    const EntryPoint &entry = entryPoints_[i];
    kernels.insert(entry.function);
    roots.insert(entry.function);
    roots.insert(entry.interface.begin(), entry.interface.end());
  }
  return Writer(*this, reachedFrom(roots), std::move(kernels), std::move(kept), needs).write();
}

} // namespace hiplz::spirv
