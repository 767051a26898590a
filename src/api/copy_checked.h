// What the chapters of copies and fills share: every one of them ends in one of these functions.
#pragma once
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/copy_region.h"

namespace hiplz {

enum class Wait { no, yes };

inline constexpr auto kPerThread = NullStream::perThread;

/// Copies in the order of the queue, if HIP allows it.
inline hipError_t copyChecked(const CopyRegion &region, LZQueue &queue, Wait wait) {
  if (hipError_t error = checkCopy(region))
    return error;
  return queue.copyRegion(region, wait == Wait::yes);
}

/// Fills in the order of the queue, if HIP allows it.
inline hipError_t fillChecked(const FillRegion &region, LZQueue &queue, Wait wait) {
  if (hipError_t error = checkFill(region))
    return error;
  hipError_t error = queue.fillRegion(region);
  return error || wait == Wait::no ? error : queue.synchronize();
}

} // namespace hiplz
