// SPDX-License-Identifier: MIT
// Memory of a device that is allocated and freed without the driver. A pool takes segments from the driver, cuts blocks
// out of them and joins free neighbours again. A freed block remembers the point of the stream at which it was freed: in
// the same stream it may be used again at once, in others when their order follows from it or the point has passed.
//
// The same class is behind hipMalloc (one pool a device, which keeps free memory up to HIPLZ_MALLOC_CACHE bytes) and
// behind hipMallocAsync (the pools that the application sees, which give free memory back at synchronisation).
#pragma once
#include "base/mutex.h"
#include "lz/core/error.h"
#include "lz/sync/stream_point.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace hiplz {

class AllocatingStream;
class LZDevice;
class LZMemoryPool;
class PoolSegment;

/// A part of a segment. Belongs to its pool; between allocate() and free() nobody else touches it.
class PoolBlock {
public:
  void *base() const { return base_; }
  LZMemoryPool &pool() const;
  /// The driver's allocation that the block is a part of.
  void *segmentBase() const;

private:
  friend class LZMemoryPool;
  struct Smaller {
    using is_transparent = void;
    bool operator()(const PoolBlock *a, const PoolBlock *b) const {
      return a->bytes_ != b->bytes_ ? a->bytes_ < b->bytes_ : a->base_ < b->base_;
    }
    bool operator()(const PoolBlock *a, size_t bytes) const { return a->bytes_ < bytes; }
  };
  using Set = std::set<PoolBlock *, Smaller>;
  enum class State { used, ready, pending };
  static std::unique_ptr<PoolBlock> create(PoolSegment &segment, std::byte *base, size_t bytes);

  std::byte *base_ = nullptr;
  size_t bytes_ = 0;
  size_t asked_ = 0; // of a used block
  State state_ = State::used;
  PoolSegment *segment_ = nullptr;
  PoolBlock *previous_ = nullptr, *next_ = nullptr; // neighbours in the segment
  StreamPoint freed_;                               // of a pending block
  Set::iterator where_;                             // of a free block
  Set::node_type node_;                             // of a used block, so that freeing allocates nothing
};

/// Thread-safe. The lock is never held while the driver allocates or the host waits.
class LZMemoryPool {
public:
  struct Options {
    hipMemAllocationHandleType handleTypes = hipMemHandleTypeNone;
    size_t maxBytes = 0;         // 0: as much as the device has
    bool keepsFree = true;       // false: each block is a segment of its own and goes back to the driver at once
    bool imported = false;       // of another process: nothing can be allocated from it
    size_t freeBytes = SIZE_MAX; // of free segments, what is kept at most, at any time
    uint64_t threshold = 0;      // the release threshold at first
    uint32_t tag = 0;            // of an imported pool, the other process's number for it
  };
  LZMemoryPool(LZDevice &device, const Options &options);
  LZMemoryPool(const LZMemoryPool &) = delete;
  LZMemoryPool &operator=(const LZMemoryPool &) = delete;
  /// Frees the segments. No block may be in use or pending.
  ~LZMemoryPool();

  LZDevice &device() const { return device_; }
  const Options &options() const { return options_; }
  /// A number that distinguishes the pool from all others, including those of other processes.
  uint32_t tag() const { return tag_; }

  /// A block that commands submitted to the stream from now on may use; without a stream, anybody may use it at once.
  /// Throws HipError, hipErrorOutOfMemory when the driver has no more memory.
  PoolBlock &allocate(size_t bytes, AllocatingStream *stream);

  /// Takes back a block whose users are done, or will be at the point.
  void free(PoolBlock &block, StreamPoint point) noexcept;

  /// Blocks whose points have passed become free for every stream.
  void reclaim() noexcept;
  /// Gives free segments back to the driver, those that have been free longest first, while the pool holds more bytes.
  void trimTo(size_t bytes) noexcept;
  /// The part of a synchronising call when the host knows that the stream has completed that many commands: reclaims, and
  /// trims to the release threshold. True if blocks are still pending.
  bool synchronised(uint64_t queue, uint64_t count) noexcept;

  /// True if all blocks have come back and their points have passed.
  bool empty() const;

  /// The attributes of hipMemPoolGetAttribute; the application's value has the type that HIP says. hipErrorInvalidValue
  /// for attributes that do not exist or cannot be set, and for high-water marks that are set to anything but 0.
  hipError_t attribute(hipMemPoolAttr attribute, void *value) const;
  hipError_t setAttribute(hipMemPoolAttr attribute, const void *value);

  /// Access of other devices, as hipMemPoolSetAccess set it; the pool's own device always reads and writes.
  hipMemAccessFlags access(int device) const;
  void setAccess(int device, hipMemAccessFlags flags);

private:
  // Small requests have segments of their own, so that they do not cut up large ones.
  enum Size { small, large, sizes };
  struct Bin {
    PoolBlock::Set blocks[sizes];
  };
  enum class LargeBlocks { use, spare };
  enum class Waits { none, allowed }; // of the stream, for another one
  struct Found {
    PoolBlock *block = nullptr;
    bool wait = false;        // the stream has to wait for the block's point
    bool joinDefault = false; // the stream has to be ordered by the default stream's rules
  };

  static Size sizeOf(size_t bytes) { return bytes <= kSmallRequest ? small : large; }
  static PoolBlock *bestFit(const Bin &bin, size_t bytes, LargeBlocks largeBlocks);
  PoolBlock *find(size_t bytes, size_t asked, AllocatingStream *stream, LargeBlocks largeBlocks, Waits waits);
  Found findLocked(size_t bytes, AllocatingStream *stream, LargeBlocks largeBlocks, Waits waits) HIPLZ_REQUIRES(mutex_);
  Found findFollowedLocked(size_t bytes, AllocatingStream &stream, LargeBlocks largeBlocks) HIPLZ_REQUIRES(mutex_);
  static hipError_t putBehind(const Found &found, const StreamPoint &freed, AllocatingStream *stream);
  PoolBlock *insteadOfPending(size_t bytes, size_t asked, AllocatingStream *stream);
  enum class Limit { ofReserved, ofUsed }; // what may not become more than maxBytes
  PoolBlock *fromDriver(size_t segmentBytes, size_t bytes, size_t asked, Limit limit = Limit::ofReserved);
  void takeLocked(PoolBlock &block, size_t bytes, size_t asked) HIPLZ_REQUIRES(mutex_);
  void putLocked(PoolBlock &block) HIPLZ_REQUIRES(mutex_);
  void takeOutLocked(PoolBlock &block) HIPLZ_REQUIRES(mutex_);
  void joinLocked(PoolBlock &block) HIPLZ_REQUIRES(mutex_);
  void reclaimLocked(uint64_t queue = 0, uint64_t count = 0) HIPLZ_REQUIRES(mutex_);
  std::list<PoolSegment> releasableLocked(const uint64_t &total, uint64_t bytes) HIPLZ_REQUIRES(mutex_);
  static void release(LZDevice &device, const std::list<PoolSegment> &segments) noexcept;

  static constexpr size_t kSmallRequest = 1 << 20;

  LZDevice &device_; // non-owning
  const Options options_;
  const uint32_t tag_;

  // Blocks and segments point to each other and to the pool, and belong to the lock, too: it is not a Lockable.
  mutable Mutex mutex_{LockRank::memoryPool};
  // Idle segments have one ready block; in the order in which they became idle.
  std::list<PoolSegment> busy_ HIPLZ_GUARDED_BY(mutex_), idle_ HIPLZ_GUARDED_BY(mutex_);
  Bin ready_ HIPLZ_GUARDED_BY(mutex_);
  std::unordered_map<uint64_t, Bin> pending_ HIPLZ_GUARDED_BY(mutex_); // by stream
  size_t pendingBlocks_ HIPLZ_GUARDED_BY(mutex_) = 0, usedBlocks_ HIPLZ_GUARDED_BY(mutex_) = 0;
  uint64_t reserved_ HIPLZ_GUARDED_BY(mutex_) = 0, reservedHigh_ HIPLZ_GUARDED_BY(mutex_) = 0;
  uint64_t used_ HIPLZ_GUARDED_BY(mutex_) = 0, usedHigh_ HIPLZ_GUARDED_BY(mutex_) = 0;
  uint64_t idleBytes_ HIPLZ_GUARDED_BY(mutex_) = 0; // of idle_
  uint64_t threshold_ HIPLZ_GUARDED_BY(mutex_);
  bool followEvents_ HIPLZ_GUARDED_BY(mutex_) = true, opportunistic_ HIPLZ_GUARDED_BY(mutex_) = true;
  bool internalWaits_ HIPLZ_GUARDED_BY(mutex_) = true;
  std::unordered_map<int, hipMemAccessFlags> access_ HIPLZ_GUARDED_BY(mutex_);
};

} // namespace hiplz
