// SPDX-License-Identifier: MIT
// LLVM's disassembler for one generation of processors.
#pragma once
#include "amdgcn/translator/instruction.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace hiplz::amdgcn {

class Decoder {
public:
  /// For processors of a generation (code_object.h). Null with a sentence in `error` if this libLLVM does not know it.
  static std::unique_ptr<Decoder> create(unsigned generation, std::string &error);
  ~Decoder();

  /// The instruction at `address` of the image. False if the bytes are none, or one whose text is not understood; `text` is then
  /// what was printed.
  bool decode(std::span<const std::byte> image, uint64_t address, Instruction &instruction) const;

private:
  struct Parts;
  Decoder(std::unique_ptr<Parts> parts, unsigned generation);
  std::unique_ptr<Parts> parts_;
  const unsigned generation_;
};

} // namespace hiplz::amdgcn
