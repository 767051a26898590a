// SPDX-License-Identifier: MIT
// Pinned memory through which copies from and to pageable memory pass: the device cannot read pageable memory on its
// own, and the caller of an asynchronous copy may reuse its source as soon as the call returns.
#pragma once
#include "lz/sync/event_pool.h"

#include <array>
#include <cstddef>
#include <mutex>

namespace hiplz {

class LZDevice;

/// A ring of pinned chunks of one queue. The lock is held by one copy at a time, also while it waits for a chunk; it is
/// not the queue's lock, so other commands of the queue go on.
class LZStaging {
public:
  static constexpr size_t kChunkBytes = 256 << 10;
  static constexpr size_t kChunks = 4;

  struct Chunk {
    std::byte *memory = nullptr;
    LZEventRef done; // the last command that uses the chunk; empty: none
  };

  LZStaging() = default;
  LZStaging(const LZStaging &) = delete;
  LZStaging &operator=(const LZStaging &) = delete;
  ~LZStaging();

  std::mutex &mutex() { return mutex_; }

  /// The next chunk, whose last command may be pending. Allocates the ring at the first call. Throws HipError.
  Chunk &nextLocked(LZDevice &device);

private:
  std::mutex mutex_; // guards what follows
  ze_context_handle_t zeContext_ = nullptr;
  std::array<Chunk, kChunks> chunks_;
  size_t next_ = 0;
};

} // namespace hiplz
