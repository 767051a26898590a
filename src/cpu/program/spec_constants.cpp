// SPDX-License-Identifier: MIT
// See spec_constants.h.
#include "cpu/program/spec_constants.h"
#include "cpu/program/compiler_protocol.h"
#include "spirv/words.h"

#include <charconv>
#include <cstring>

namespace hiplz::cpu {
namespace {

using spirv::Instruction;
using spirv::Words;

/// The module's specialisation constants: bytes by SpecId.
std::map<uint32_t, size_t> sizesOf(std::span<const std::byte> bytes) {
  const Words words(bytes);
  std::map<uint32_t, uint32_t> identifiers; // of results
  std::map<uint32_t, size_t> types;         // bytes
  std::map<uint32_t, size_t> sizes;
  if (!words.beginLikeSpirv())
    return sizes;
  spirv::walk(words, [&](const Instruction &instruction) { // the compiler says what is wrong with a damaged module
    const size_t operands = instruction.operands();
    switch (instruction.op()) {
    case spv::OpDecorate:
      if (operands >= 3 && instruction[1] == spv::DecorationSpecId)
        identifiers[instruction[0]] = instruction[2];
      break;
    case spv::OpTypeBool:
      if (operands >= 1)
        types[instruction[0]] = 1;
      break;
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      if (operands >= 2)
        types[instruction[0]] = instruction[1] / 8;
      break;
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
      if (operands >= 2 && identifiers.contains(instruction[1]) && types.contains(instruction[0]))
        sizes[identifiers[instruction[1]]] = types[instruction[0]];
      break;
    default: break;
    }
    return instruction.op() != spv::OpFunction;
  });
  return sizes;
}

} // namespace

SpecConstants readSpecConstants(std::span<const std::byte> spirv, std::span<const uint32_t> identifiers,
                                std::span<const void *const> values) {
  SpecConstants constants;
  if (identifiers.empty())
    return constants;
  const std::map<uint32_t, size_t> sizes = sizesOf(spirv);
  for (size_t index = 0; index < identifiers.size(); ++index) {
    const auto found = sizes.find(identifiers[index]);
    if (found == sizes.end() || found->second > sizeof(uint64_t))
      continue;
    uint64_t value = 0;
    std::memcpy(&value, values[index], found->second);
    constants[identifiers[index]] = value;
  }
  return constants;
}

std::string specConstantFlags(const SpecConstants &constants) {
  std::string flags;
  for (const auto &[identifier, value] : constants)
    flags.append(" ").append(kSpecConstantFlag).append(std::to_string(identifier) + ":" + std::to_string(value));
  return flags;
}

bool parseSpecConstant(std::string_view text, SpecConstants &constants) {
  uint32_t identifier = 0;
  uint64_t value = 0;
  const char *const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, identifier);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':')
    return false;
  const auto second = std::from_chars(first.ptr + 1, end, value);
  if (second.ec != std::errc() || second.ptr != end)
    return false;
  constants[identifier] = value;
  return true;
}

} // namespace hiplz::cpu
