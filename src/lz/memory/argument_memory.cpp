// SPDX-License-Identifier: MIT
// Blocks that hold the arguments of several launches, so that a marker is rare.
#include "lz/memory/argument_memory.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <algorithm>

namespace hiplz {

constexpr size_t kBlockBytes = 64 << 10;

void LZArgumentMemory::provide(LZDevice &device, size_t bytes) {
  if (!full_.empty() && full_.front().bytes >= bytes && full_.front().done.query() == ZE_RESULT_SUCCESS) {
    current_ = std::move(full_.front());
    full_.pop_front();
    current_.done = {};
  } else {
    const size_t size = std::max(bytes, kBlockBytes);
    device.requireHostMemory("a kernel with more arguments than the device takes");
    current_ = {ZeMemory::onHost(device.zeContext(), size, 0), size, {}};
  }
  used_ = 0;
}

} // namespace hiplz
