// SPDX-License-Identifier: MIT
// See memory_operand.h. All instructions that matter have a ModRM byte behind their opcode; only prefixes differ.
#include "cpu/exec/memory_operand.h"

#include <cstring>

namespace hiplz::cpu {
namespace {

class Decoder {
public:
  Decoder(std::span<const uint8_t> code, std::span<const uint64_t, 16> registers, uint64_t pc)
      : code_(code), registers_(registers), pc_(pc) {}

  std::optional<uint64_t> address() {
    if (!readPrefixes() || (isVector_ && map_ == 2 && gathers()))
      return std::nullopt;
    return readOperand();
  }

private:
  uint8_t next() { return at_ < code_.size() ? code_[at_++] : 0; }
  uint8_t peek(size_t ahead = 0) const { return at_ + ahead < code_.size() ? code_[at_ + ahead] : 0; }

  bool readPrefixes() {
    for (;; ++at_) {
      const uint8_t byte = peek();
      if (byte == 0x64 || byte == 0x65 || byte == 0x67)
        return false; // thread-local, or 32-bit addresses: not in kernels
      if (byte != 0x66 && byte != 0xf2 && byte != 0xf3 && byte != 0xf0 && byte != 0x2e && byte != 0x3e)
        break;
    }
    switch (peek()) {
    case 0xc5: // VEX of two bytes
      next();
      next();
      map_ = 1;
      isVector_ = true;
      break;
    case 0xc4: { // VEX of three bytes
      next();
      const uint8_t first = next();
      next();
      setExtensions(~first);
      map_ = first & 31;
      isVector_ = true;
      break;
    }
    case 0x62: { // EVEX
      next();
      const uint8_t first = next(), second = next(), third = next();
      setExtensions(~first);
      map_ = first & 7;
      isVector_ = isExtended_ = true;
      wide_ = second & 0x80;
      broadcasts_ = third & 0x10;
      vectorBytes_ = 16u << (third >> 5 & 3);
      break;
    }
    default:
      if ((peek() & 0xf0) == 0x40) {
        const uint8_t rex = next();
        index_ = rex << 2 & 8;
        base_ = rex << 3 & 8;
      }
      if (peek() == 0x0f) {
        next();
        map_ = 1;
        if (peek() == 0x38 || peek() == 0x3a)
          map_ = next() == 0x38 ? 2 : 3;
      }
    }
    opcode_ = next();
    return at_ < code_.size();
  }

  void setExtensions(int inverted) {
    index_ = (inverted & 0x40) ? 8 : 0;
    base_ = (inverted & 0x20) ? 8 : 0;
  }

  bool gathers() const { return (opcode_ >= 0x90 && opcode_ <= 0x93) || (opcode_ >= 0xa0 && opcode_ <= 0xa3); }

  std::optional<uint64_t> readOperand() {
    const uint8_t modrm = next();
    const unsigned mode = modrm >> 6, low = modrm & 7;
    if (mode == 3)
      return std::nullopt; // registers only
    uint64_t address = 0;
    bool hasBase = true;
    if (low == 4) {
      const uint8_t sib = next();
      const unsigned index = (sib >> 3 & 7) | index_;
      if (index != 4)
        address += registers_[index] << (sib >> 6);
      hasBase = mode != 0 || (sib & 7) != 5;
      if (hasBase)
        address += registers_[(sib & 7) | base_];
    } else if (mode == 0 && low == 5) {
      return pc_ + at_ + 4 +
             displacement(4); // of instructions without a constant, which those with vectors hardly have
    } else {
      address += registers_[low | base_];
    }
    if (mode == 1)
      address += displacement(1) * scale();
    else if (mode == 2 || !hasBase)
      address += displacement(4);
    return address;
  }

  /// With EVEX, displacements of one byte count elements or vectors. For moves of whole vectors and broadcasts, that is.
  uint64_t scale() const {
    if (!isExtended_)
      return 1;
    return broadcasts_ ? (wide_ ? 8 : 4) : vectorBytes_;
  }

  uint64_t displacement(size_t bytes) {
    if (bytes == 1)
      return static_cast<uint64_t>(static_cast<int8_t>(next()));
    int32_t value = 0;
    if (at_ + sizeof value <= code_.size())
      std::memcpy(&value, &code_[at_], sizeof value);
    at_ += sizeof value;
    return static_cast<uint64_t>(int64_t{value});
  }

  std::span<const uint8_t> code_;
  std::span<const uint64_t, 16> registers_;
  uint64_t pc_;
  size_t at_ = 0;
  uint8_t opcode_ = 0;
  unsigned map_ = 0, index_ = 0, base_ = 0, vectorBytes_ = 16;
  bool isVector_ = false, isExtended_ = false, wide_ = false, broadcasts_ = false;
};

} // namespace

std::optional<uint64_t> memoryOperand(std::span<const uint8_t> code, std::span<const uint64_t, 16> registers,
                                      uint64_t pc) {
  return Decoder(code, registers, pc).address();
}

} // namespace hiplz::cpu
