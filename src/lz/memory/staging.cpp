// SPDX-License-Identifier: MIT
// The pinned ring of a queue; four chunks keep the device busy while the host copies.
#include "lz/memory/staging.h"
#include "lz/device/device.h"

namespace hiplz {

LZStaging::Chunk &LZStaging::next(LZDevice &device) {
  Chunk &chunk = chunks_[next_];
  next_ = (next_ + 1) % chunks_.size();
  if (!chunk.memory)
    chunk.memory = ZeMemory::onHost(device.zeContext(), kChunkBytes, 0);
  return chunk;
}

void LZStaging::abandon(Chunk &chunk) {
  abandoned_.push_back(std::move(chunk.memory));
  chunk.done = {};
}

} // namespace hiplz
