// SPDX-License-Identifier: MIT
// The pinned ring of a queue; four chunks keep the device busy while the host copies.
#include "lz/memory/staging.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

namespace hiplz {

LZStaging::~LZStaging() {
  for (Chunk &chunk : chunks_)
    if (chunk.memory)
      zeMemFree(zeContext_, chunk.memory);
}

LZStaging::Chunk &LZStaging::nextLocked(LZDevice &device) {
  Chunk &chunk = chunks_[next_];
  next_ = (next_ + 1) % chunks_.size();
  if (!chunk.memory) {
    zeContext_ = device.zeContext();
    ze_host_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void *memory = nullptr;
    LZ_CALL(zeMemAllocHost, (zeContext_, &description, kChunkBytes, 0, &memory));
    chunk.memory = static_cast<std::byte *>(memory);
  }
  return chunk;
}

} // namespace hiplz
