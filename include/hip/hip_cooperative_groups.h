// SPDX-License-Identifier: MIT
// Cooperative groups: threads that work together, as objects. There are groups of the threads of a block, of a tile (a
// power of two of neighbours in a warp), of those that reach a place together, of a grid, and of all grids of a launch
// on several devices. All operations of a group are to be called by all of its threads; where only some groups of a
// warp call one, that is fine. A warp has 32 threads on every device, so that is the largest tile.
// docs/design/cooperative.md, "Cooperative launches", explains how grids meet.
#ifndef HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_HIP_COOPERATIVE_GROUPS_H

#include "spirv/user_macros_off.h"

#include <hip/hip_runtime.h>

#if defined(__cplusplus) && defined(__HIP__)
#include <hip/spirv/grid.h>
#include <hip/spirv/lane_set.h>

namespace cooperative_groups {

namespace internal {

/// The kinds of groups, as cg_type() returns them.
enum group_type { cg_invalid, cg_multi_grid, cg_grid, cg_workgroup, cg_tiled_group, cg_coalesced_group };

using __hiplz::blockRank;
using __hiplz::blockThreads;
__HIPLZ_DEVICE unsigned long long gridBlockRank() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__HIPLZ_DEVICE unsigned long long gridRank() { return gridBlockRank() * blockThreads() + blockRank(); }
__HIPLZ_DEVICE unsigned long long gridThreads() { return (unsigned long long)__hiplz::gridBlocks() * blockThreads(); }
__HIPLZ_DEVICE unsigned long long multiGridRank() { return __hiplz::gridState()->threadsBefore + gridRank(); }
__HIPLZ_DEVICE unsigned divideUp(unsigned count, unsigned size) { return (count + size - 1) / size; }
__HIPLZ_DEVICE bool isTileSize(unsigned size) { return size != 0 && size <= 32 && (size & (size - 1)) == 0; }

/// Makes groups, which programs get from functions only.
struct Maker;

} // namespace internal

/// A group of any kind. Copies of other groups that have this type behave as those do.
class thread_group {
public:
  __HIPLZ_DEVICE unsigned int cg_type() const { return type_; }

  /// True if the threads can meet: false of a grid whose launch was not cooperative, and of partitions into impossible sizes.
  __HIPLZ_DEVICE bool is_valid() const {
    switch (type_) {
    case internal::cg_multi_grid: return __hiplz_multi_grid_is_valid();
    case internal::cg_grid: return __hiplz_grid_is_valid();
    default: return type_ != internal::cg_invalid;
    }
  }
  /// The number of threads in the group.
  __HIPLZ_DEVICE uint32_t size() const {
    switch (type_) {
    case internal::cg_multi_grid: return (uint32_t)__hiplz::gridState()->threads;
    case internal::cg_grid: return (uint32_t)internal::gridThreads();
    case internal::cg_workgroup: return internal::blockThreads();
    default: return lanes().size();
    }
  }
  __HIPLZ_DEVICE uint32_t num_threads() const { return size(); }
  /// The number of the calling thread in the group.
  __HIPLZ_DEVICE uint32_t thread_rank() const {
    switch (type_) {
    case internal::cg_multi_grid: return (uint32_t)internal::multiGridRank();
    case internal::cg_grid: return (uint32_t)internal::gridRank();
    case internal::cg_workgroup: return internal::blockRank();
    default: return lanes().rank();
    }
  }
  /// Waits for all threads of the group; what they wrote before is visible after.
  __HIPLZ_DEVICE void sync() const {
    switch (type_) {
    case internal::cg_multi_grid: return __hiplz_multi_grid_sync();
    case internal::cg_grid: return __hiplz_grid_sync();
    case internal::cg_workgroup: return __syncthreads();
    default: return __hiplz::syncOf(lanes());
    }
  }

protected:
  explicit __HIPLZ_DEVICE thread_group(internal::group_type type, unsigned members = 0, unsigned metaRank = 0,
                                       unsigned metaSize = 1)
      : type_(type), members_(members), metaRank_(metaRank), metaSize_(metaSize) {}
  __HIPLZ_DEVICE __hiplz::SomeLanes lanes() const { return __hiplz::SomeLanes{members_}; }

  unsigned type_;
  unsigned members_;  // the lanes, of groups within a warp
  unsigned metaRank_; // of this group among those that the partition made
  unsigned metaSize_; // how many these are
  friend struct internal::Maker;
};

/// The threads of all grids of one launch on several devices; valid in such a launch alone.
class multi_grid_group : public thread_group {
public:
  __HIPLZ_DEVICE bool is_valid() const { return __hiplz_multi_grid_is_valid(); }
  /// Waits for all threads of all grids, each of which must call it.
  __HIPLZ_DEVICE void sync() const { __hiplz_multi_grid_sync(); }
  __HIPLZ_DEVICE uint32_t num_grids() const { return __hiplz::gridState()->count; }
  __HIPLZ_DEVICE uint32_t grid_rank() const { return __hiplz::gridState()->rank; }
  __HIPLZ_DEVICE unsigned long long num_threads() const { return __hiplz::gridState()->threads; }
  __HIPLZ_DEVICE unsigned long long size() const { return num_threads(); }
  __HIPLZ_DEVICE uint32_t thread_rank() const { return (uint32_t)internal::multiGridRank(); }

private:
  __HIPLZ_DEVICE multi_grid_group() : thread_group(internal::cg_multi_grid) {}
  friend struct internal::Maker;
};

/// The threads of a grid. They can meet if the launch was cooperative: is_valid().
class grid_group : public thread_group {
public:
  __HIPLZ_DEVICE bool is_valid() const { return __hiplz_grid_is_valid(); }
  /// Waits for all threads of the grid, each of which must call it; what they wrote before is visible after.
  __HIPLZ_DEVICE void sync() const { __hiplz_grid_sync(); }
  /// sync() in two steps, between which a thread may do what others do not wait for. All of the waiting is in the second.
  struct arrival_token {};
  __HIPLZ_DEVICE arrival_token barrier_arrive() const { return {}; }
  __HIPLZ_DEVICE void barrier_wait(arrival_token &&) const { sync(); }
  __HIPLZ_DEVICE unsigned long long num_threads() const { return internal::gridThreads(); }
  __HIPLZ_DEVICE unsigned long long size() const { return num_threads(); }
  __HIPLZ_DEVICE uint32_t thread_rank() const { return (uint32_t)internal::gridRank(); }
  __HIPLZ_DEVICE unsigned long long num_blocks() const { return __hiplz::gridBlocks(); }
  __HIPLZ_DEVICE unsigned long long block_rank() const { return internal::gridBlockRank(); }
  __HIPLZ_DEVICE dim3 block_index() const { return blockIdx; }
  __HIPLZ_DEVICE dim3 dim_blocks() const { return gridDim; }
  /// The blocks of the grid in each dimension.
  __HIPLZ_DEVICE dim3 group_dim() const { return gridDim; }

private:
  __HIPLZ_DEVICE grid_group() : thread_group(internal::cg_grid) {}
  friend struct internal::Maker;
};

/// The threads of a block.
class thread_block : public thread_group {
public:
  static __HIPLZ_DEVICE bool is_valid() { return true; }
  static __HIPLZ_DEVICE void sync() { __syncthreads(); }
  /// As grid_group::barrier_arrive.
  struct arrival_token {};
  static __HIPLZ_DEVICE arrival_token barrier_arrive() { return {}; }
  static __HIPLZ_DEVICE void barrier_wait(arrival_token &&) { sync(); }
  static __HIPLZ_DEVICE uint32_t size() { return internal::blockThreads(); }
  static __HIPLZ_DEVICE uint32_t num_threads() { return internal::blockThreads(); }
  static __HIPLZ_DEVICE uint32_t thread_rank() { return internal::blockRank(); }
  static __HIPLZ_DEVICE dim3 group_index() { return blockIdx; }
  static __HIPLZ_DEVICE dim3 thread_index() { return threadIdx; }
  static __HIPLZ_DEVICE dim3 dim_threads() { return blockDim; }
  static __HIPLZ_DEVICE dim3 group_dim() { return blockDim; }

private:
  __HIPLZ_DEVICE thread_block() : thread_group(internal::cg_workgroup) {}
  friend struct internal::Maker;
};

namespace internal {

/// Threads of one warp.
class warp_group : public thread_group {
public:
  __HIPLZ_DEVICE unsigned int size() const { return lanes().size(); }
  __HIPLZ_DEVICE unsigned int num_threads() const { return lanes().size(); }
  __HIPLZ_DEVICE unsigned int thread_rank() const { return lanes().rank(); }
  __HIPLZ_DEVICE void sync() const { __hiplz::syncOf(lanes()); }
  /// The number of this group among those that a partition made, and how many these are; 0 and 1 of others.
  __HIPLZ_DEVICE unsigned int meta_group_rank() const { return metaRank_; }
  __HIPLZ_DEVICE unsigned int meta_group_size() const { return metaSize_; }

protected:
  __HIPLZ_DEVICE warp_group(group_type type, unsigned members, unsigned metaRank, unsigned metaSize)
      : thread_group(members == 0 ? cg_invalid : type, members, metaRank, metaSize) {}
};

} // namespace internal

/// A tile whose size the type does not tell.
class tiled_group : public internal::warp_group {
protected:
  __HIPLZ_DEVICE tiled_group(unsigned members, unsigned metaRank, unsigned metaSize)
      : warp_group(internal::cg_tiled_group, members, metaRank, metaSize) {}
  friend struct internal::Maker;
};

/// Threads of a warp that came to a place together, or a part of such.
class coalesced_group : public internal::warp_group {
public:
  /// The value of the thread of rank `srcRank`, which counts modulo the size.
  template <class T> __HIPLZ_DEVICE T shfl(T var, int srcRank) const {
    return __hiplz::valueOf(lanes(), var, lanes().lane((unsigned)srcRank % size()));
  }
  /// The value of the thread whose rank is greater or less by the delta; the caller's own value where there is none.
  template <class T> __HIPLZ_DEVICE T shfl_down(T var, unsigned int lane_delta) const {
    unsigned rank = thread_rank();
    return __hiplz::valueOf(lanes(), var, lane_delta < size() - rank ? lanes().lane(rank + lane_delta) : __lane_id());
  }
  template <class T> __HIPLZ_DEVICE T shfl_up(T var, unsigned int lane_delta) const {
    unsigned rank = thread_rank();
    return __hiplz::valueOf(lanes(), var, lane_delta <= rank ? lanes().lane(rank - lane_delta) : __lane_id());
  }
  __HIPLZ_DEVICE int any(int pred) const { return __hiplz::anyOf(lanes(), pred); }
  __HIPLZ_DEVICE int all(int pred) const { return __hiplz::allOf(lanes(), pred); }
  /// The bits of these masks stand for ranks.
  __HIPLZ_DEVICE unsigned long long ballot(int pred) const { return __hiplz::ballotOf(lanes(), pred); }
  template <class T> __HIPLZ_DEVICE unsigned long long match_any(T value) const {
    return __hiplz::matchAnyOf(lanes(), value);
  }
  template <class T> __HIPLZ_DEVICE unsigned long long match_all(T value, int &pred) const {
    return __hiplz::matchAllOf(lanes(), value, pred);
  }

  __HIPLZ_DEVICE __hiplz::SomeLanes __lanes() const { return lanes(); }

private:
  explicit __HIPLZ_DEVICE coalesced_group(unsigned members, unsigned metaRank = 0, unsigned metaSize = 1)
      : warp_group(internal::cg_coalesced_group, members, metaRank, metaSize) {}
  friend struct internal::Maker;
};

/// A tile of `tileSize` threads.
template <unsigned int tileSize> class tile_base {
public:
  static __HIPLZ_DEVICE unsigned int thread_rank() { return __hiplz::SectionOfLanes<tileSize>::rank(); }
  static __HIPLZ_DEVICE unsigned int size() { return tileSize; }
  static __HIPLZ_DEVICE unsigned int num_threads() { return tileSize; }
};

template <unsigned int size> class thread_block_tile_base : public tile_base<size> {
  typedef __hiplz::SectionOfLanes<size> Lanes;

public:
  static __HIPLZ_DEVICE void sync() { __hiplz::syncOf(Lanes()); }
  /// Like __shfl, __shfl_down, __shfl_up and __shfl_xor with the width of the tile, for any type.
  template <class T> __HIPLZ_DEVICE T shfl(T var, int srcRank) const {
    return __hiplz::valueOf(Lanes(), var, __hiplz::sourceLane(srcRank, size));
  }
  template <class T> __HIPLZ_DEVICE T shfl_down(T var, unsigned int lane_delta) const {
    return __hiplz::valueOf(Lanes(), var, __hiplz::sourceLaneDown(lane_delta, size));
  }
  template <class T> __HIPLZ_DEVICE T shfl_up(T var, unsigned int lane_delta) const {
    return __hiplz::valueOf(Lanes(), var, __hiplz::sourceLaneUp(lane_delta, size));
  }
  template <class T> __HIPLZ_DEVICE T shfl_xor(T var, unsigned int laneMask) const {
    return __hiplz::valueOf(Lanes(), var, __hiplz::sourceLaneXor((int)laneMask, size));
  }
  __HIPLZ_DEVICE int any(int pred) const { return __hiplz::anyOf(Lanes(), pred); }
  __HIPLZ_DEVICE int all(int pred) const { return __hiplz::allOf(Lanes(), pred); }
  /// The bits of these masks stand for ranks.
  __HIPLZ_DEVICE unsigned long long ballot(int pred) const { return __hiplz::ballotOf(Lanes(), pred); }
  template <class T> __HIPLZ_DEVICE unsigned long long match_any(T value) const {
    return __hiplz::matchAnyOf(Lanes(), value);
  }
  template <class T> __HIPLZ_DEVICE unsigned long long match_all(T value, int &pred) const {
    return __hiplz::matchAllOf(Lanes(), value, pred);
  }

  __HIPLZ_DEVICE Lanes __lanes() const { return Lanes(); }
};

/// The number of a tile among those of its parent, and how many these are.
template <unsigned int tileSize, class ParentCGTy> class parent_group_info {
public:
  static __HIPLZ_DEVICE unsigned int meta_group_rank() { return ParentCGTy::thread_rank() / tileSize; }
  static __HIPLZ_DEVICE unsigned int meta_group_size() { return (ParentCGTy::size() + tileSize - 1) / tileSize; }
};

/// A tile that knows its parent by type.
template <unsigned int tileSize, class ParentCGTy>
class thread_block_tile_type : public thread_block_tile_base<tileSize>,
                               public tiled_group,
                               public parent_group_info<tileSize, ParentCGTy> {
public:
  using thread_block_tile_base<tileSize>::sync;
  using thread_block_tile_base<tileSize>::size;
  using thread_block_tile_base<tileSize>::num_threads;
  using thread_block_tile_base<tileSize>::thread_rank;
  using parent_group_info<tileSize, ParentCGTy>::meta_group_rank;
  using parent_group_info<tileSize, ParentCGTy>::meta_group_size;

protected:
  __HIPLZ_DEVICE thread_block_tile_type()
      : tiled_group(__hiplz::SectionOfLanes<tileSize>::members(), meta_group_rank(), meta_group_size()) {}
};

/// A tile that was made of one of any parent.
template <unsigned int tileSize>
class thread_block_tile_type<tileSize, void> : public thread_block_tile_base<tileSize>, public tiled_group {
public:
  using thread_block_tile_base<tileSize>::sync;
  using thread_block_tile_base<tileSize>::size;
  using thread_block_tile_base<tileSize>::num_threads;
  using thread_block_tile_base<tileSize>::thread_rank;
  __HIPLZ_DEVICE unsigned int meta_group_rank() const { return tiled_group::meta_group_rank(); }
  __HIPLZ_DEVICE unsigned int meta_group_size() const { return tiled_group::meta_group_size(); }

protected:
  explicit __HIPLZ_DEVICE thread_block_tile_type(const tiled_group &tile) : tiled_group(tile) {}
};

namespace impl {

template <unsigned int size, class ParentCGTy>
class thread_block_tile_internal : public thread_block_tile_type<size, ParentCGTy> {};

template <unsigned int size> class thread_block_tile_internal<size, void> : public thread_block_tile_type<size, void> {
protected:
  using thread_block_tile_type<size, void>::thread_block_tile_type;
};

} // namespace impl

/// `size` neighbours of a warp, a power of two up to 32, that can be partitioned again.
template <unsigned int size, class ParentCGTy = void>
class thread_block_tile : public impl::thread_block_tile_internal<size, ParentCGTy> {
public:
  __HIPLZ_DEVICE operator thread_block_tile<size, void>() const { return thread_block_tile<size, void>(*this); }

private:
  __HIPLZ_DEVICE thread_block_tile() {}
  friend struct internal::Maker;
};

template <unsigned int size> class thread_block_tile<size, void> : public impl::thread_block_tile_internal<size, void> {
public:
  template <class ParentCGTy>
  __HIPLZ_DEVICE thread_block_tile(const thread_block_tile<size, ParentCGTy> &other)
      : impl::thread_block_tile_internal<size, void>(static_cast<const tiled_group &>(other)) {}
};

namespace internal {

struct Maker {
  template <class Group> static __HIPLZ_DEVICE Group make() { return Group(); }
  static __HIPLZ_DEVICE coalesced_group coalesced(unsigned members, unsigned metaRank = 0, unsigned metaSize = 1) {
    return coalesced_group(members, metaRank, metaSize);
  }
  /// Tiles of a group that is within a warp.
  template <class Group> static __HIPLZ_DEVICE Group tiled(const thread_group &parent, unsigned size) {
    if (!isTileSize(size) || parent.members_ == 0)
      return Group(0, 0, 0);
    __hiplz::SomeLanes lanes = parent.lanes();
    return Group(lanes.part(size).members, lanes.rank() / size, divideUp(lanes.size(), size));
  }
  static __HIPLZ_DEVICE tiled_group tilesOfBlock(unsigned size) {
    if (!isTileSize(size))
      return tiled_group(0, 0, 0);
    return tiled_group(__hiplz::SomeLanes{__hiplz::lanesOfBlock()}.part(size).members, blockRank() / size,
                       divideUp(blockThreads(), size));
  }
};

/// The size of the largest tile of a group.
template <class Group> struct LargestTile {
  static const unsigned value = 32;
};
template <unsigned size, class Parent> struct LargestTile<thread_block_tile<size, Parent>> {
  static const unsigned value = size;
};

} // namespace internal

__HIPLZ_DEVICE multi_grid_group this_multi_grid() { return internal::Maker::make<multi_grid_group>(); }
__HIPLZ_DEVICE grid_group this_grid() { return internal::Maker::make<grid_group>(); }
__HIPLZ_DEVICE thread_block this_thread_block() { return internal::Maker::make<thread_block>(); }
/// The threads of the warp that make the call together.
__HIPLZ_DEVICE coalesced_group coalesced_threads() { return internal::Maker::coalesced((unsigned)__activemask()); }
/// The calling thread alone.
__HIPLZ_DEVICE thread_group this_thread() { return internal::Maker::coalesced((unsigned)__lanemask_eq()); }

// Partitions into tiles of `size` threads, a power of two up to 32; the last one has fewer if that is what is left. Where the
// size is not a constant, an impossible one makes a group without threads that is not valid.
template <unsigned int size, class ParentCGTy>
__HIPLZ_DEVICE thread_block_tile<size, ParentCGTy> tiled_partition(const ParentCGTy &parent) {
  static_assert(size != 0 && (size & (size - 1)) == 0, "the size of a tile is a power of two");
  static_assert(size <= internal::LargestTile<ParentCGTy>::value,
                "a tile fits into its parent and into a warp, 32 threads");
  (void)parent;
  return internal::Maker::make<thread_block_tile<size, ParentCGTy>>();
}
__HIPLZ_DEVICE tiled_group tiled_partition(const tiled_group &parent, unsigned int tile_size) {
  return internal::Maker::tiled<tiled_group>(parent, tile_size);
}
__HIPLZ_DEVICE coalesced_group tiled_partition(const coalesced_group &parent, unsigned int tile_size) {
  return internal::Maker::tiled<coalesced_group>(parent, tile_size);
}
__HIPLZ_DEVICE thread_group tiled_partition(const thread_block &parent, unsigned int tile_size) {
  (void)parent;
  return internal::Maker::tilesOfBlock(tile_size);
}
__HIPLZ_DEVICE thread_group tiled_partition(const thread_group &parent, unsigned int tile_size) {
  if (parent.cg_type() == internal::cg_workgroup)
    return internal::Maker::tilesOfBlock(tile_size);
  if (parent.cg_type() == internal::cg_coalesced_group)
    return internal::Maker::tiled<coalesced_group>(parent, tile_size);
  return internal::Maker::tiled<tiled_group>(parent, tile_size);
}

/// Partition of a coalesced group or a tile into those threads whose labels, integers, are equal. The parts are numbered by
/// their first threads.
template <class Group, class Label> __HIPLZ_DEVICE coalesced_group labeled_partition(const Group &parent, Label label) {
  unsigned threads = parent.__lanes().mask();
  __hiplz::expectAll(parent.__lanes());
  unsigned equal = (unsigned)__hiplz::matchAnyIn(threads, label);
  unsigned first = equal & (~equal + 1);
  unsigned firsts = (unsigned)__hiplz::ballotIn(threads, first == (unsigned)__lanemask_eq());
  return internal::Maker::coalesced(equal, (unsigned)__builtin_popcount(firsts & (first - 1)),
                                    (unsigned)__builtin_popcount(firsts));
}

namespace internal {
template <class Group> __HIPLZ_DEVICE coalesced_group binaryPartition(const Group &parent, bool pred) {
  __hiplz::expectAll(parent.__lanes());
  unsigned threads = (unsigned)__hiplz::ballotIn(parent.__lanes().mask(), 1);
  unsigned with = (unsigned)__hiplz::ballotIn(threads, pred);
  bool two = with != 0 && with != threads;
  return Maker::coalesced(pred ? with : threads & ~with, two && pred, two ? 2 : 1);
}
} // namespace internal

/// Partition into the threads with and those without the predicate: parts 1 and 0, if there are both.
__HIPLZ_DEVICE coalesced_group binary_partition(const coalesced_group &parent, bool pred) {
  return internal::binaryPartition(parent, pred);
}
template <unsigned int size, class parent>
__HIPLZ_DEVICE coalesced_group binary_partition(const thread_block_tile<size, parent> &tile, bool pred) {
  return internal::binaryPartition(tile, pred);
}

// The members of all groups, as functions.
template <class CGTy> __HIPLZ_DEVICE uint32_t group_size(const CGTy &group) { return (uint32_t)group.size(); }
template <class CGTy> __HIPLZ_DEVICE uint32_t thread_rank(const CGTy &group) { return group.thread_rank(); }
template <class CGTy> __HIPLZ_DEVICE bool is_valid(const CGTy &group) { return group.is_valid(); }
template <class CGTy> __HIPLZ_DEVICE void sync(const CGTy &group) { group.sync(); }

/// Calls the function in one thread of the group.
template <class Group, class Function, class... Arguments>
__HIPLZ_DEVICE void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
}

} // namespace cooperative_groups

#include <hip/cooperative_groups/memcpy_async.h>
#include <hip/cooperative_groups/reduce.h>
#include <hip/cooperative_groups/scan.h>
#endif

#include "spirv/user_macros_on.h"
#endif
