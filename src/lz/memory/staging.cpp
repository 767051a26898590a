// SPDX-License-Identifier: MIT
// The pinned ring of a queue; four chunks keep the device busy while the host copies.
#include "lz/memory/staging.h"
#include "lz/device/device.h"

namespace hiplz {

LZStaging::Chunk &LZStaging::next(LZDevice &device, uint64_t drained) {
  std::erase_if(abandoned_, [=](const Abandoned &one) { return one.count <= drained; });
  Chunk &chunk = chunks_[next_];
  next_ = (next_ + 1) % chunks_.size();
  if (!chunk.memory)
    chunk.memory = ZeMemory::onHost(device.zeContext(), kChunkBytes, 0);
  return chunk;
}

void LZStaging::abandon(Chunk &chunk, uint64_t count) {
  abandoned_.push_back({count, std::move(chunk.memory)});
  chunk.done = {};
}

} // namespace hiplz
