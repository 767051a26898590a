// SPDX-License-Identifier: MIT
#include "cpu/compiler/spirv_check.h"
#include "spirv/grammar.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace hiplz::cpu {
namespace {

constexpr uint32_t kMaxComponents = 16;  // of OpenCL; LLVM takes minutes and gigabytes for very many
constexpr uint32_t kMaxBound = 1u << 24; // identifiers; the translator allocates by this number

struct Range {
  uint32_t first, last;
};
// Capabilities of kernels. Those of extensions are let through as a whole: what the compiler cannot do is named when it
// meets the instruction.
constexpr Range kCapabilities[] = {
    {4, 20},      // addresses, linkage, kernels, number formats, images, groups
    {22, 22},     // 16-bit integers
    {38, 39},     // generic pointers, 8-bit integers
    {43, 44},     // one-dimensional images
    {46, 46},     // image buffers
    {58, 72},     // sub-group dispatch, non-uniform groups
    {4422, 4500}, // extensions of Khronos
    {5500, 6999}, // extensions of vendors and EXT
};

bool knownCapability(uint32_t capability) {
  for (const Range &range : kCapabilities)
    if (capability >= range.first && capability <= range.last)
      return true;
  return false;
}

} // namespace

bool checkSpirv(std::span<const std::byte> spirv, std::string &error) {
  const spirv::Words words(spirv);
  error.clear();
  if (spirv.size() % sizeof(uint32_t) != 0 || words.count() < spirv::kHeaderWords) {
    error =
        "SPIR-V: a module of " + std::to_string(spirv.size()) + " bytes is not a whole number of words with a header";
    return false;
  }
  if (!words.beginLikeSpirv()) {
    error = words.beginLikeBigEndianSpirv() ? "SPIR-V: the module is in big-endian byte order"
                                            : "SPIR-V: the module does not begin with the magic number 0x07230203";
    return false;
  }
  const uint32_t version = words[spirv::kVersionWord], major = version >> 16, minor = version >> 8 & 0xff;
  if (major != 1 || minor > 6) {
    error = "SPIR-V: version " + std::to_string(major) + "." + std::to_string(minor) + " is not known";
    return false;
  }
  if (const uint32_t bound = words[spirv::kBoundWord]; bound == 0 || bound > kMaxBound) {
    error = "SPIR-V: the module claims " + std::to_string(bound) + " identifiers";
    return false;
  }
  const size_t end = spirv::walk(words, [&](const spirv::Instruction &in) {
    if (!hasPossibleLength(in))
      error = "SPIR-V: the module is damaged: the instruction at word " + std::to_string(in.at()) + " (opcode " +
              std::to_string(in.op()) + ") cannot have " + std::to_string(in.length()) + " words";
    else if (in.op() == spv::OpTypeFloat && in.operands() > 2) // the translator does not read the encoding
      error = "SPIR-V: the module has floating-point numbers of a format that the CPU device does not have";
    else if (in.op() == spv::OpTypeVector && in[2] > kMaxComponents)
      error = "SPIR-V: the module is damaged: it has vectors of " + std::to_string(in[2]) + " components";
    else if (in.op() == spv::OpCapability && in.operands() == 1 && !knownCapability(in[0]))
      error =
          "SPIR-V: the module needs the capability " + std::to_string(in[0]) + " which the CPU device does not have";
    return error.empty();
  });
  if (error.empty() && end < words.count())
    error = "SPIR-V: the module is truncated or damaged: the instruction at word " + std::to_string(end) + " has " +
            std::to_string(spirv::Instruction(words, end).length()) + " words, " + std::to_string(words.count() - end) +
            " are left";
  return error.empty();
}

} // namespace hiplz::cpu
