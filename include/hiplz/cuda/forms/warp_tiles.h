// SPDX-License-Identifier: MIT
// Tiles of 64 to 512 threads: several warps of a block that meet in memory which the program gives, a block_tile_memory. A
// block that was made with it has them.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_cooperative_groups.h>

#ifdef __HIP__
namespace cooperative_groups {

/// Memory for the tiles of blocks with up to `threads` threads. It is to be __shared__.
template <unsigned threads = 1024> struct block_tile_memory {
  unsigned arrived_[(threads + 31) / 32]; ///< by tile: how many warps have come to its meetings
  __attribute__((aligned(16))) char values_[(threads + 31) / 32][16]; ///< by warp
};

namespace internal {

/// A block whose tiles may have several warps.
class BlockWithMemory : public thread_block {
public:
  __device__ BlockWithMemory(const thread_block &block, unsigned *arrived, char (*values)[16])
      : thread_block(block), arrived_(arrived), values_(values) {}
  unsigned *arrived_;
  char (*values_)[16];
};

template <unsigned tileSize> class WarpTile {
public:
  __device__ explicit WarpTile(const BlockWithMemory &block)
      : arrived_(block.arrived_ + blockRank() / tileSize), values_(block.values_ + blockRank() / tileSize * kWarps) {}

  __device__ static unsigned thread_rank() { return blockRank() % tileSize; }
  __device__ static unsigned meta_group_rank() { return blockRank() / tileSize; }
  __device__ static unsigned meta_group_size() { return divideUp(blockThreads(), tileSize); }
  /// The last tile of a block may be smaller.
  __device__ static unsigned size() {
    const unsigned rest = blockThreads() - meta_group_rank() * tileSize;
    return rest < tileSize ? rest : tileSize;
  }
  __device__ static unsigned num_threads() { return size(); }

  /// Waits for all threads of the tile.
  __device__ void sync() const {
    const unsigned warps = divideUp(size(), 32);
    __threadfence_block();
    __syncwarp();
    if (blockRank() % 32 == 0) {
      const unsigned before = atomicAdd(arrived_, 1u), all = (before / warps + 1) * warps;
      while ((int)(atomicAdd(arrived_, 0u) - all) < 0)
        ;
    }
    __syncwarp();
    __threadfence_block();
  }

  /// The operator applied to the values of all threads, in the order of their ranks.
  template <class T, class Operator> __device__ T reduce(T value, Operator op) const {
    static_assert(sizeof(T) <= 16, "a block_tile_memory holds values of up to 16 bytes");
    const T part = cooperative_groups::reduce(tiled_partition<32>(this_thread_block()), value, op);
    if (blockRank() % 32 == 0)
      __builtin_memcpy(values_[thread_rank() / 32], &part, sizeof part);
    sync();
    T result, next;
    __builtin_memcpy(&result, values_[0], sizeof result);
    for (unsigned warp = 1; warp < divideUp(size(), 32); ++warp) {
      __builtin_memcpy(&next, values_[warp], sizeof next);
      result = op(result, next);
    }
    sync(); // before the memory is written again
    return result;
  }

private:
  static constexpr unsigned kWarps = tileSize / 32;
  unsigned *arrived_;
  char (*values_)[16];
};

/// The tile of a block that has memory: of several warps, or one of HIP's.
template <unsigned size, bool large = (size > 32)> struct TileWithMemory {
  typedef WarpTile<size> Type;
  __device__ static Type make(const BlockWithMemory &block) { return Type(block); }
};
template <unsigned size> struct TileWithMemory<size, false> {
  typedef thread_block_tile<size, thread_block> Type;
  __device__ static Type make(const BlockWithMemory &block) { return tiled_partition<size, thread_block>(block); }
};

} // namespace internal

/// The block, with tiles of up to 512 threads. All threads of the block make the call.
template <unsigned threads>
__HIPLZ_DEVICE internal::BlockWithMemory this_thread_block(block_tile_memory<threads> &memory) {
  for (unsigned i = internal::blockRank(); i < (threads + 31) / 32; i += internal::blockThreads())
    memory.arrived_[i] = 0;
  __syncthreads();
  return internal::BlockWithMemory(this_thread_block(), memory.arrived_, memory.values_);
}
template <unsigned size>
__HIPLZ_DEVICE typename internal::TileWithMemory<size>::Type tiled_partition(const internal::BlockWithMemory &block) {
  static_assert(size != 0 && (size & (size - 1)) == 0 && size <= 512, "the size of a tile is a power of two up to 512");
  return internal::TileWithMemory<size>::make(block);
}
template <unsigned tileSize, class T, class Operator>
__HIPLZ_DEVICE T reduce(const internal::WarpTile<tileSize> &tile, T value, Operator op) {
  return tile.reduce(value, op);
}

} // namespace cooperative_groups
#endif
#include <hip/spirv/user_macros_on.h>
