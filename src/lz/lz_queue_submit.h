// How the methods of LZQueue append one command. Only for lz_queue*.cpp.
#pragma once
#include "lz/lz_queue.h"

namespace hiplz {

/// Appends one command in order; append() does it with the queue locked and returns a hipError_t.
template <class Append> hipError_t LZQueue::submit(Append append) {
  if (hipError_t error = prepare())
    return error;
  std::lock_guard lock(mutex_);
  if (hipError_t error = orderLocked())
    return error;
  hipError_t error = append();
  if (!error) {
    countLocked();
    unordered_ = !inOrder_;
  }
  return error;
}

} // namespace hiplz
