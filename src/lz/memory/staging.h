// SPDX-License-Identifier: MIT
// Pinned memory through which copies from and to pageable memory pass: the device cannot read pageable memory on its
// own, and the caller of an asynchronous copy may reuse its source as soon as the call returns.
#pragma once
#include "lz/core/ze_memory.h"
#include "lz/sync/event_pool.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hiplz {

class LZDevice;

/// A ring of pinned chunks of one queue, which locks it for one copy at a time, also while that waits for a chunk; it is not
/// the queue's lock, so other commands of the queue go on.
class LZStaging {
public:
  static constexpr size_t kChunkBytes = 256 << 10;
  static constexpr size_t kChunks = 4;

  struct Chunk {
    ZeMemory memory;
    LZEventRef done; // the last command that uses the chunk; empty: none
  };

  LZStaging() = default;
  LZStaging(const LZStaging &) = delete;
  LZStaging &operator=(const LZStaging &) = delete;

  /// The next chunk, whose last command may be pending. Allocates the ring at the first call. The queue is known to have
  /// executed `drained` commands. Throws HipError.
  Chunk &next(LZDevice &device, uint64_t drained);

  /// For a chunk with a command whose end nothing will tell, because its event could not be appended: the memory is freed when the
  /// queue is known to have executed `count` commands. Throws std::bad_alloc.
  void abandon(Chunk &chunk, uint64_t count);

private:
  std::array<Chunk, kChunks> chunks_;
  size_t next_ = 0;
  struct Abandoned {
    uint64_t count;
    ZeMemory memory;
  };
  std::vector<Abandoned> abandoned_;
};

} // namespace hiplz
