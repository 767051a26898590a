// SPDX-License-Identifier: MIT
// Shared by all copies and fills: every one of them ends in one of these functions.
#pragma once
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/memory/copy_region.h"

namespace hiplz {

/// If the host waits. `yes` is HIP's synchronous copy: the host waits unless only memory of devices is involved,
/// which later calls see in order anyway. Such a call cannot be captured; one with `always` makes a node like `no`. `no`: it
/// waits for copies from host to host only.
enum class Wait { no, yes, always };

inline constexpr auto kPerThread = NullStream::perThread;

/// Copies or fills in the order of the queue. A call that is not asynchronous and goes to the null stream is also in order
/// with the blocking streams of all devices whose memory it names. `memory` is memoryOf(region).
hipError_t copyInOrder(const CopyRegion &region, const CopyMemory &memory, LZQueue &queue, Wait wait);
hipError_t fillInOrder(const FillRegion &region, const std::optional<Allocation> &memory, LZQueue &queue, Wait wait);

/// The same, if HIP allows the copy.
inline hipError_t copyChecked(const CopyRegion &region, LZQueue &queue, Wait wait) {
  CopyMemory memory;
  const hipError_t error = checkCopy(region, memory);
  return error ? error : copyInOrder(region, memory, queue, wait);
}

/// The same, if HIP allows the fill.
inline hipError_t fillChecked(const FillRegion &region, LZQueue &queue, Wait wait) {
  std::optional<Allocation> memory;
  const hipError_t error = checkFill(region, memory);
  return error ? error : fillInOrder(region, memory, queue, wait);
}

} // namespace hiplz
