// SPDX-License-Identifier: MIT
// Cutting, joining and finding blocks; segments. Attributes are in memory/memory_pool_attributes.cpp.
#include "lz/memory/memory_pool.h"
#include "base/log.h"
#include "lz/device/device.h"
#include "lz/memory/allocating_stream.h"
#include "lz/memory/memory.h"
#include "lz/memory/memory_pools.h"

#include <algorithm>
#include <atomic>
#include <unistd.h>
#include <utility>

namespace hiplz {

/// An allocation of the driver's, cut into blocks without gaps.
class PoolSegment {
public:
  LZMemoryPool &pool;
  std::byte *base;
  size_t bytes;
  bool large; // for requests that are not small
  PoolBlock *first = nullptr;
  std::list<PoolSegment>::iterator where{}; // in busy_ or idle_ of the pool
};

namespace {

constexpr size_t kSmallSegment = 2 << 20;
// Blocks begin and end at multiples of these; what is left of a block becomes a block of its own if it is not less.
constexpr size_t kSmallGranule = 256, kLargeGranule = 64 << 10;
// A request for less than this fraction of a large block does not cut it, unless the driver has no memory left.
constexpr size_t kLargeBlock = 32 << 20, kSpareBelowFraction = 8;
// How many blocks of the best sizes are examined for one whose stream point fits.
constexpr int kLooks = 16;

uint32_t newTag() {
  static std::atomic<uint32_t> last{0};
  return static_cast<uint32_t>(getpid()) * 2654435761u + last.fetch_add(1, std::memory_order_relaxed);
}

size_t roundUp(size_t bytes, size_t granule) { return (bytes + granule - 1) / granule * granule; }

} // namespace

LZMemoryPool &PoolBlock::pool() const { return segment_->pool; }
void *PoolBlock::segmentBase() const { return segment_->base; }

// The block is in no set yet.
std::unique_ptr<PoolBlock> PoolBlock::create(PoolSegment &segment, std::byte *base, size_t bytes) {
  auto block = std::make_unique<PoolBlock>();
  Set set;
  set.insert(block.get());
  block->node_ = set.extract(set.begin());
  block->base_ = base;
  block->bytes_ = bytes;
  block->segment_ = &segment;
  return block;
}

LZMemoryPool::LZMemoryPool(LZDevice &device, const Options &options)
    : device_(device), options_(options), tag_(options.imported ? options.tag : newTag()),
      threshold_(options.threshold) {}

LZMemoryPool::~LZMemoryPool() { trimTo(0); }

PoolBlock *LZMemoryPool::bestFit(const Bin &bin, size_t bytes, LargeBlocks largeBlocks) {
  const PoolBlock::Set &set = bin.blocks[sizeOf(bytes)];
  auto found = set.lower_bound(bytes);
  if (found == set.end() || (largeBlocks == LargeBlocks::spare && (*found)->bytes_ >= kLargeBlock &&
                             (*found)->bytes_ / kSpareBelowFraction > bytes))
    return nullptr;
  return *found;
}

// A pending block of another stream behind whose point the queue's next command is, or would be by the default stream's
// rules.
LZMemoryPool::Found LZMemoryPool::findFollowedLocked(size_t bytes, AllocatingStream &stream, LargeBlocks largeBlocks) {
  using Side = StreamPoint::Side;
  for (auto &[id, bin] : pending_) {
    PoolBlock *best = bestFit(bin, bytes, largeBlocks);
    if (!best)
      continue;
    const StreamPoint &point = best->freed_;
    if (point.device == &stream.device() && ((point.side == Side::null && stream.side() == Side::blocking) ||
                                             (point.side == Side::blocking && stream.side() == Side::null)))
      return {.block = best, .joinDefault = true};
    if (!followEvents_)
      continue;
    const PoolBlock::Set &set = bin.blocks[sizeOf(bytes)];
    int looks = kLooks;
    for (auto at = set.lower_bound(bytes); at != set.end() && looks-- > 0; ++at)
      if (stream.follows((*at)->freed_))
        return {.block = *at};
  }
  return {};
}

LZMemoryPool::Found LZMemoryPool::findLocked(size_t bytes, AllocatingStream *stream, LargeBlocks largeBlocks,
                                             Waits waits) {
  PoolBlock *best = bestFit(ready_, bytes, largeBlocks);
  if (stream)
    if (auto own = pending_.find(stream->streamId()); own != pending_.end())
      if (PoolBlock *block = bestFit(own->second, bytes, largeBlocks);
          block && (!best || block->bytes_ <= best->bytes_))
        best = block;
  if (best || pendingBlocks_ == 0)
    return {.block = best};
  if (stream)
    if (Found followed = findFollowedLocked(bytes, *stream, largeBlocks); followed.block)
      return followed;
  if (!stream || opportunistic_) {
    reclaimLocked();
    if ((best = bestFit(ready_, bytes, largeBlocks)))
      return {.block = best};
  }
  if (stream && internalWaits_ && waits == Waits::allowed)
    for (auto &[id, bin] : pending_)
      if (PoolBlock *block = bestFit(bin, bytes, largeBlocks); block && (!best || block->bytes_ < best->bytes_))
        best = block;
  return {.block = best, .wait = best != nullptr};
}

// A block that is there already, with the order that the stream needs; null if there is none.
PoolBlock *LZMemoryPool::find(size_t bytes, size_t asked, AllocatingStream *stream, LargeBlocks largeBlocks,
                              Waits waits) {
  if (!options_.keepsFree)
    return nullptr;
  Found found;
  StreamPoint freed;
  {
    Lock lock(mutex_);
    found = findLocked(bytes, stream, largeBlocks, waits);
    if (!found.block)
      return nullptr;
    if (found.wait)
      freed = found.block->freed_;
    takeLocked(*found.block, bytes, asked);
  }
  if (hipError_t error = putBehind(found, freed, stream)) {
    free(*found.block, std::move(freed)); // the device is lost: the block will never be used
    throw HipError(error);
  }
  return found.block;
}

// Gives the stream the order that it needs to use the block, which was freed at the point.
hipError_t LZMemoryPool::putBehind(const Found &found, const StreamPoint &freed, AllocatingStream *stream) {
  return found.joinDefault ? stream->joinDefault() : found.wait ? stream->follow(freed) : hipSuccess;
}

// While kernels are checked no memory is used twice. If the pool is full, and the stream could use a pending block, it gets as much new memory
// in the same order. The host must not wait for the block: it may be the one on which that depends.
PoolBlock *LZMemoryPool::insteadOfPending(size_t bytes, size_t asked, AllocatingStream *stream) {
  Found found;
  StreamPoint freed;
  {
    Lock lock(mutex_);
    found = findLocked(bytes, stream, LargeBlocks::use, Waits::allowed);
    if (!found.block)
      return nullptr;
    if (found.wait)
      freed = found.block->freed_;
  }
  if (hipError_t error = putBehind(found, freed, stream))
    throw HipError(error);
  return fromDriver(bytes, bytes, asked, Limit::ofUsed);
}

PoolBlock &LZMemoryPool::allocate(size_t asked, AllocatingStream *stream) {
  if (hipError_t fault = device_.fault())
    throw HipError(fault);
  const bool large = sizeOf(asked) == Size::large;
  if (asked > SIZE_MAX / 2)
    throw HipError(hipErrorOutOfMemory, "an allocation is larger than the address space");
  const size_t bytes = options_.keepsFree ? roundUp(asked, large ? kLargeGranule : kSmallGranule) : asked;
  const size_t segmentBytes = large || !options_.keepsFree ? bytes : kSmallSegment;
  if (PoolBlock *block = find(bytes, asked, stream, LargeBlocks::spare, Waits::none))
    return *block;
  if (PoolBlock *block = fromDriver(segmentBytes, bytes, asked))
    return *block;
  if (!options_.keepsFree && options_.maxBytes)
    if (PoolBlock *block = insteadOfPending(bytes, asked, stream))
      return *block;
  // Only now may the stream have to wait for another one, which would cost what streams are for.
  if (PoolBlock *block = find(bytes, asked, stream, LargeBlocks::spare, Waits::allowed))
    return *block;
  // The driver has no more memory, or the pool may not have it. First what is free goes back to the driver, which joins it;
  // then what is free in segments that are in use; then the same when the device has finished its work.
  for (bool waited : {false, true}) {
    if (waited)
      device_.synchronize();
    LZMemoryPools::of(device_).trim();
    if (PoolBlock *block = fromDriver(segmentBytes, bytes, asked))
      return *block;
    if (PoolBlock *block = segmentBytes > bytes ? fromDriver(bytes, bytes, asked) : nullptr)
      return *block;
    if (PoolBlock *block = find(bytes, asked, stream, LargeBlocks::use, Waits::allowed))
      return *block;
  }
  if (const hipError_t lost = device_.lost())
    throw HipError(lost, "the device is lost");
  HIPLZ_LOG_INFO("%zu bytes of memory cannot be allocated on device %d; %llu of %llu bytes are in use", asked,
                 device_.ordinal(), static_cast<unsigned long long>(device_.allocatedBytes.load()),
                 static_cast<unsigned long long>(device_.totalMemory()));
  throw HipError(hipErrorOutOfMemory, "the device does not have that much memory left");
}

// A block in a new segment; null if the driver has no memory or the pool has reached its limit.
PoolBlock *LZMemoryPool::fromDriver(size_t segmentBytes, size_t bytes, size_t asked, Limit limit) {
  if (options_.maxBytes) {
    Lock lock(mutex_);
    const uint64_t held = std::min<uint64_t>(limit == Limit::ofUsed ? used_ : reserved_, options_.maxBytes);
    if (segmentBytes > options_.maxBytes - held) {
      segmentBytes = bytes;
      if (segmentBytes > options_.maxBytes - held)
        return nullptr;
    }
  }
  void *memory = nullptr;
  if (allocateFromDriver(device_, MemoryKind::device, segmentBytes, &memory) != ZE_RESULT_SUCCESS)
    return nullptr;
  auto *base = static_cast<std::byte *>(memory);
  try {
    std::list<PoolSegment> made;
    PoolSegment &segment = made.emplace_back(PoolSegment{*this, base, segmentBytes, sizeOf(bytes) == Size::large});
    std::unique_ptr<PoolBlock> block = PoolBlock::create(segment, base, segmentBytes);
    Lock lock(mutex_);
    segment.first = block.get();
    segment.where = made.begin();
    busy_.splice(busy_.end(), made);
    reserved_ += segmentBytes;
    reservedHigh_ = std::max(reservedHigh_, reserved_);
    PoolBlock *taken = block.release();
    taken->state_ = PoolBlock::State::ready;
    putLocked(*taken);
    takeLocked(*taken, bytes, asked);
    return taken;
  } catch (const std::bad_alloc &) {
    // Without the segment the memory is in no pool; with it, it is free.
    Lock lock(mutex_);
    if (std::none_of(idle_.begin(), idle_.end(), [=](const PoolSegment &segment) { return segment.base == base; }))
      freeToDriver(device_, base);
    throw;
  }
}

// Marks a free block as used, and cuts off what the request does not need.
void LZMemoryPool::takeLocked(PoolBlock &block, size_t bytes, size_t asked) {
  const size_t rest = block.bytes_ - bytes;
  std::unique_ptr<PoolBlock> cut;
  if (options_.keepsFree && rest >= (block.segment_->large ? kLargeGranule : kSmallGranule))
    cut = PoolBlock::create(*block.segment_, block.base_ + bytes, rest);
  takeOutLocked(block);
  if (cut) {
    cut->previous_ = &block;
    cut->next_ = block.next_;
    if (block.next_)
      block.next_->previous_ = cut.get();
    block.next_ = cut.get();
    block.bytes_ = bytes;
    cut->state_ = block.state_;
    cut->freed_ = block.freed_;
    putLocked(*cut.release());
  }
  block.state_ = PoolBlock::State::used;
  block.freed_ = {};
  block.asked_ = asked;
  ++usedBlocks_;
  used_ += asked;
  usedHigh_ = std::max(usedHigh_, used_);
}

// Into the set that its state says.
void LZMemoryPool::putLocked(PoolBlock &block) {
  PoolSegment &segment = *block.segment_;
  const bool pending = block.state_ == PoolBlock::State::pending;
  Bin &bin = pending ? pending_[block.freed_.queue] : ready_;
  block.where_ = bin.blocks[segment.large ? Size::large : Size::small].insert(std::move(block.node_)).position;
  if (pending) {
    ++pendingBlocks_;
  } else if (block.bytes_ == segment.bytes) {
    idle_.splice(idle_.end(), busy_, segment.where);
    idleBytes_ += segment.bytes;
  }
}

// Out of the set; its state stays.
void LZMemoryPool::takeOutLocked(PoolBlock &block) {
  PoolSegment &segment = *block.segment_;
  const bool pending = block.state_ == PoolBlock::State::pending;
  Bin &bin = pending ? pending_.find(block.freed_.queue)->second : ready_;
  block.node_ = bin.blocks[segment.large ? Size::large : Size::small].extract(block.where_);
  if (pending) {
    --pendingBlocks_;
  } else if (block.bytes_ == segment.bytes) {
    busy_.splice(busy_.end(), idle_, segment.where);
    idleBytes_ -= segment.bytes;
  }
}

// Makes one block of a free block that is in no set and its free neighbours, and puts it into its set.
void LZMemoryPool::joinLocked(PoolBlock &block) {
  const auto joins = [&](const PoolBlock *neighbour) {
    return neighbour && neighbour->state_ == block.state_ && neighbour->freed_.queue == block.freed_.queue;
  };
  const auto swallow = [&](PoolBlock &neighbour) HIPLZ_REQUIRES(mutex_) {
    takeOutLocked(neighbour);
    if (neighbour.freed_.count > block.freed_.count)
      block.freed_ = neighbour.freed_;
    block.bytes_ += neighbour.bytes_;
    delete &neighbour;
  };
  if (PoolBlock *previous = block.previous_; joins(previous)) {
    block.base_ = previous->base_;
    block.previous_ = previous->previous_;
    (block.previous_ ? block.previous_->next_ : block.segment_->first) = &block;
    swallow(*previous);
  }
  if (PoolBlock *next = block.next_; joins(next)) {
    block.next_ = next->next_;
    if (block.next_)
      block.next_->previous_ = &block;
    swallow(*next);
  }
  putLocked(block);
}

void LZMemoryPool::free(PoolBlock &block, StreamPoint point) noexcept {
  LZDevice &device = device_; // with its last block a pool may end
  std::list<PoolSegment> released;
  bool due;
  {
    Lock lock(mutex_);
    --usedBlocks_;
    used_ -= block.asked_;
    if (point.event)
      try {
        pending_.try_emplace(point.queue);
      } catch (const std::bad_alloc &) {
        point.event.wait();
        point = {};
      }
    block.state_ = point.event ? PoolBlock::State::pending : PoolBlock::State::ready;
    block.freed_ = point.event ? std::move(point) : StreamPoint{};
    joinLocked(block);
    released = releasableLocked(idleBytes_, options_.freeBytes);
    due = pendingBlocks_ != 0 || (idleBytes_ != 0 && reserved_ > threshold_);
  }
  release(device, released);
  if (due)
    LZMemoryPools::of(device).noteFree();
}

// Of the queue, if it is any, count commands are known to be complete.
void LZMemoryPool::reclaimLocked(uint64_t queue, uint64_t count) {
  for (auto at = pending_.begin(); at != pending_.end();) {
    // Points of one stream pass in their order, so most of them need not be queried.
    uint64_t passed = at->first == queue ? count : 0, ahead = UINT64_MAX;
    for (PoolBlock::Set &set : at->second.blocks)
      for (auto next = set.begin(); next != set.end();) {
        PoolBlock &block = **next++;
        const uint64_t point = block.freed_.count;
        if (point >= ahead)
          continue;
        if (point > passed) {
          // A lost device executes nothing that could use the block.
          const ze_result_t result = block.freed_.event.query();
          if (result != ZE_RESULT_SUCCESS && result != ZE_RESULT_ERROR_DEVICE_LOST) {
            ahead = point;
            continue;
          }
          passed = point;
        }
        takeOutLocked(block);
        block.state_ = PoolBlock::State::ready;
        block.freed_ = {};
        joinLocked(block);
      }
    at = at->second.blocks[small].empty() && at->second.blocks[large].empty() ? pending_.erase(at) : std::next(at);
  }
}

// Takes idle segments out of the pool until the total, one of the pool's counts that falls with them, is small enough.
std::list<PoolSegment> LZMemoryPool::releasableLocked(const uint64_t &total, uint64_t bytes) {
  std::list<PoolSegment> segments;
  while (total > bytes && !idle_.empty()) {
    PoolSegment &segment = idle_.front();
    takeOutLocked(*segment.first);
    delete segment.first;
    reserved_ -= segment.bytes;
    segments.splice(segments.end(), busy_, segment.where);
  }
  return segments;
}

void LZMemoryPool::release(LZDevice &device, const std::list<PoolSegment> &segments) noexcept {
  for (const PoolSegment &segment : segments)
    freeToDriver(device, segment.base);
}

void LZMemoryPool::reclaim() noexcept {
  Lock lock(mutex_);
  if (pendingBlocks_)
    reclaimLocked();
}

void LZMemoryPool::trimTo(size_t bytes) noexcept {
  std::list<PoolSegment> released;
  {
    Lock lock(mutex_);
    if (pendingBlocks_)
      reclaimLocked();
    released = releasableLocked(reserved_, bytes);
  }
  release(device_, released);
}

bool LZMemoryPool::synchronised(uint64_t queue, uint64_t count) noexcept {
  std::list<PoolSegment> released;
  bool pending;
  {
    Lock lock(mutex_);
    if (pendingBlocks_)
      reclaimLocked(queue, count);
    pending = pendingBlocks_ != 0;
    released = releasableLocked(idleBytes_, options_.freeBytes);
    released.splice(released.end(), releasableLocked(reserved_, threshold_));
  }
  release(device_, released);
  return pending;
}

bool LZMemoryPool::empty() const {
  Lock lock(mutex_);
  return usedBlocks_ == 0 && pendingBlocks_ == 0;
}

} // namespace hiplz
