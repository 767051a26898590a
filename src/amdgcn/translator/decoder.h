// SPDX-License-Identifier: MIT
// LLVM's disassembler for one processor.
#pragma once
#include "amdgcn/translator/instruction.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace hiplz::amdgcn {

class Decoder {
public:
  /// Null with a sentence in `error` if this libLLVM does not know the processor.
  static std::unique_ptr<Decoder> create(const std::string &processor, std::string &error);
  ~Decoder();

  /// The instruction at `address` of the image. False if the bytes are none, or one whose text is not understood; `text` is then
  /// what was printed.
  bool decode(std::span<const std::byte> image, uint64_t address, Instruction &instruction) const;

private:
  struct Parts;
  explicit Decoder(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

} // namespace hiplz::amdgcn
