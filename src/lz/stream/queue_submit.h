// SPDX-License-Identifier: MIT
// How the methods of LZQueue append one command. Only for stream/queue*.cpp.
#pragma once
#include "lz/device/device.h"
#include "lz/stream/queue.h"

namespace hiplz {

/// Appends one command after all that precede it. append(signal, waitCount, waits) appends it with these events and
/// returns the ze_result_t.
template <class Append> hipError_t LZQueue::appendLocked(Append append) {
  LZEventRef done;
  Links links{0, nullptr};
  if (!inOrder_) {
    done = device_.driver().events().acquire();
    links = linksLocked();
  }
  ze_result_t result = append(done ? done.ze() : nullptr, links.count, links.list());
  if (lists_ && result == ZE_RESULT_SUCCESS) [[unlikely]]
    result = submitListLocked(submitted() + 1);
  if (result != ZE_RESULT_SUCCESS) [[unlikely]] {
    hipError_t error = failed(result, "appending a command");
    // What is lost with the device fails like what was pending: the next call tells.
    return result == ZE_RESULT_ERROR_DEVICE_LOST ? hipSuccess : error;
  }
  countLocked();
  if (done)
    advanceLocked(done);
  return hipSuccess;
}

/// Appends one command under the rules of its stream.
template <class Append> hipError_t LZQueue::submit(Append append) {
  if (hipError_t error = prepare())
    return error;
  std::lock_guard lock(mutex_);
  return appendLocked(append);
}

} // namespace hiplz
