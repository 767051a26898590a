// How the methods of LZQueue append one command. Only for lz_queue*.cpp.
#pragma once
#include "lz/lz_device.h"
#include "lz/lz_queue.h"

namespace hiplz {

/// Appends one command after all that precede it. append(signal, waitCount, waits) appends it with these events and
/// returns a hipError_t.
template <class Append> hipError_t LZQueue::appendLocked(Append append) {
  if (inOrder_) {
    hipError_t error = append(nullptr, 0, nullptr);
    if (!error)
      countLocked();
    return error;
  }
  const LZEventRef done = device_.driver().events().acquire();
  Links links = linksLocked();
  hipError_t error = append(done.ze(), links.count, links.list());
  if (!error) {
    countLocked();
    advanceLocked(done);
  }
  return error;
}

/// Appends one command under the rules of its stream.
template <class Append> hipError_t LZQueue::submit(Append append) {
  if (hipError_t error = prepare())
    return error;
  std::lock_guard lock(mutex_);
  return appendLocked(append);
}

} // namespace hiplz
