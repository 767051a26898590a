// SPDX-License-Identifier: MIT
// Blocks that hold the arguments of several launches, so that a marker is rare.
#include "lz/memory/argument_memory.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <algorithm>

namespace hiplz {

constexpr size_t kBlockBytes = 64 << 10;

LZArgumentMemory::~LZArgumentMemory() {
  if (current_.memory)
    full_.push_back(std::move(current_));
  for (Block &block : full_)
    zeMemFree(zeContext_, block.memory);
}

void LZArgumentMemory::provide(LZDevice &device, size_t bytes) {
  if (!full_.empty() && full_.front().bytes >= bytes && full_.front().done.query() == ZE_RESULT_SUCCESS) {
    current_ = std::move(full_.front());
    full_.pop_front();
    current_.done = {};
  } else {
    zeContext_ = device.zeContext();
    const ze_host_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    const size_t size = std::max(bytes, kBlockBytes);
    void *memory = nullptr;
    LZ_CALL(zeMemAllocHost, (zeContext_, &description, size, 0, &memory));
    current_ = {static_cast<std::byte *>(memory), size, {}};
  }
  used_ = 0;
}

} // namespace hiplz
