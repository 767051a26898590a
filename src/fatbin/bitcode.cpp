// SPDX-License-Identifier: MIT
// A bitstream is "BC" 0xC0DE, then blocks on the outermost level: the abbreviation id 1 in two bits, the block's number in
// groups of eight bits (of which one continues), the width of its own ids in groups of four, zero bits up to the next word,
// the number of words of the block, the block.
#include "fatbin/bitcode.h"

#include <cstdint>
#include <cstring>

namespace hiplz {
namespace {

constexpr unsigned char kMagic[4] = {'B', 'C', 0xC0, 0xDE};

uint32_t wordAt(std::span<const std::byte> bytes, size_t at) {
  uint32_t word;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// The blocks that LLVM writes on the outermost level: identification, module, string table, symbol table.
bool isOutermost(uint32_t block) { return block == 13 || block == 8 || block == 23 || block == 25; }

} // namespace

bool isBitcode(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof kMagic && std::memcmp(bytes.data(), kMagic, sizeof kMagic) == 0;
}

size_t bitcodeSize(std::span<const std::byte> bytes) {
  if (!isBitcode(bytes))
    return 0;
  size_t at = sizeof kMagic;
  // All numbers of a block's header fit into one group each, so the header is two words.
  while (bytes.size() - at >= 8) {
    const uint32_t header = wordAt(bytes, at);
    const uint32_t id = header & 3, block = header >> 2 & 0xff;
    if (id != 1 || !isOutermost(block) || header >> 14 != 0)
      break;
    const uint64_t size = uint64_t{wordAt(bytes, at + 4)} * 4;
    if (size > bytes.size() - at - 8)
      return 0; // cut off
    at += 8 + size;
  }
  return at;
}

} // namespace hiplz
