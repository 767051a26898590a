// SPDX-License-Identifier: MIT
// Reading a module whose damage is an error (ParseError), and what kinds of instructions there are.
#pragma once
#include "base/parse_error.h"
#include "spirv/grammar.h"

#include <string>
#include <string_view>

namespace hiplz::spirv {

/// Reading beyond the last operand is an error of the module.
inline uint32_t operand(const Instruction &in, size_t index) {
  if (index >= in.operands())
    throw ParseError("the SPIR-V is malformed: instruction " + std::to_string(in.op()) + " at word " +
                     std::to_string(in.at()) + " has too few operands");
  return in[index];
}

inline uint32_t resultOf(const Instruction &in) {
  const int index = resultOperand(in.op());
  return index < 0 ? 0 : operand(in, static_cast<size_t>(index));
}

template <class Visit> void forEachReference(const Instruction &in, Visit visit) {
  References references(in);
  while (const std::optional<size_t> index = references.next())
    visit(in[*index]);
}

template <class Visit> void forEachInstruction(const Words &words, size_t begin, size_t end, Visit visit) {
  const size_t reached = walk(words, begin, end, [&](const Instruction &in) {
    visit(in);
    return true;
  });
  if (reached < end)
    throw ParseError("the SPIR-V is cut off or malformed at word " + std::to_string(reached));
}

/// The same for all instructions of a module.
template <class Visit> void forEachInstruction(const Words &words, Visit visit) {
  forEachInstruction(words, kHeaderWords, words.count(), visit);
}

inline bool isType(spv::Op op) {
  return (op >= spv::OpTypeVoid && op <= spv::OpTypeForwardPointer) || op == spv::OpTypeNamedBarrier;
}

/// Types of which a module may have one of each form only.
inline bool isUniqueType(spv::Op op) {
  return isType(op) && op != spv::OpTypeArray && op != spv::OpTypeRuntimeArray && op != spv::OpTypeStruct &&
         op != spv::OpTypeForwardPointer && op != spv::OpTypeOpaque;
}

inline bool isOfSubgroups(spv::Op op) {
  return (op >= spv::OpGroupNonUniformElect && op <= spv::OpGroupNonUniformQuadSwap) ||
         (op >= spv::OpSubgroupBallotKHR && op <= spv::OpSubgroupReadInvocationKHR) ||
         (op >= spv::OpSubgroupShuffleINTEL && op <= spv::OpSubgroupImageBlockWriteINTEL);
}

/// Modules declare it if they have operations of sub-groups or say how large these are.
inline bool isOfSubgroups(spv::Capability capability) {
  return capability == spv::CapabilitySubgroupDispatch || capability == spv::CapabilitySubgroupBallotKHR ||
         capability == spv::CapabilitySubgroupVoteKHR || capability == spv::CapabilitySubgroupShuffleINTEL ||
         (capability >= spv::CapabilityGroupNonUniform && capability <= spv::CapabilityGroupNonUniformQuad);
}

inline bool describesSource(std::string_view set) {
  return set.starts_with("OpenCL.DebugInfo") || set.starts_with("DebugInfo") || set.starts_with("NonSemantic.");
}

} // namespace hiplz::spirv
