// SPDX-License-Identifier: MIT
// See small_blocks.h.
#include "cpu/objects/small_blocks.h"
#include "base/sanitizer.h"
#include "cpu/objects/memory.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sys/mman.h>

namespace hiplz::cpu {
namespace {

constexpr size_t kChunkBytes = 1 << 20;
// As large as the largest block, whose alignment the first block behind it then has.
constexpr size_t kGuardBytes = SmallBlocks::kLargest;

size_t classOf(size_t size) { return std::countr_zero(size) - std::countr_zero(SmallBlocks::kSmallest); }
static_assert(std::countr_zero(SmallBlocks::kLargest) - std::countr_zero(SmallBlocks::kSmallest) == 9);

std::byte *newChunk() {
  constexpr size_t kWhole = kChunkBytes + 2 * kGuardBytes;
  std::byte *memory = mapForKernels(kWhole, kGuardBytes, PROT_NONE);
  if (!memory)
    return nullptr;
  if (::mprotect(memory + kGuardBytes, kChunkBytes, PROT_READ | PROT_WRITE) != 0) {
    unmapForKernels(memory, kWhole);
    return nullptr;
  }
  return memory + kGuardBytes;
}

} // namespace

size_t SmallBlocks::blockBytes(size_t bytes, size_t alignment) {
  return std::bit_ceil(std::max({bytes, alignment, kSmallest}));
}

std::byte *SmallBlocks::allocate(size_t bytes, size_t alignment) {
  const size_t size = blockBytes(bytes, alignment);
  if constexpr (HIPLZ_ADDRESS_SANITIZER) // which knows where every block ends
    return static_cast<std::byte *>(std::aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1)));
  const auto classes = classes_.lock();
  SizeClass &blocks = (*classes)[classOf(size)];
  if (!blocks.free.empty()) {
    std::byte *block = blocks.free.back();
    blocks.free.pop_back();
    return block;
  }
  if (blocks.next == blocks.end) {
    const size_t more = blocks.blocks + kChunkBytes / size;
    if (blocks.free.capacity() < more)
      blocks.free.reserve(std::max(more, 2 * blocks.free.capacity()));
    std::byte *chunk = newChunk();
    if (!chunk)
      return nullptr;
    blocks.blocks = more;
    blocks.next = chunk;
    blocks.end = chunk + kChunkBytes;
  }
  std::byte *block = blocks.next;
  blocks.next += size;
  return block;
}

void SmallBlocks::free(std::byte *block, size_t bytes, size_t alignment) noexcept {
  if constexpr (HIPLZ_ADDRESS_SANITIZER)
    return std::free(block);
  (*classes_.lock())[classOf(blockBytes(bytes, alignment))].free.push_back(block);
}

} // namespace hiplz::cpu
