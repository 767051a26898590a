// SPDX-License-Identifier: MIT
// The object behind hiprtcLinkState.
#pragma once
#include "api/jit_options.h"
#include "base/mutex.h"
#include "rtc/compiler_interface.h"

#include <hip/hiprtc.h>

#include <span>

namespace hiplz::rtc {

/// Thread-safe; links do not wait for each other.
class LinkState {
public:
  explicit LinkState(const JitOptions &options) : options_(options) {}
  LinkState(const LinkState &) = delete;
  LinkState &operator=(const LinkState &) = delete;

  /// Copies the code. HIPRTC_ERROR_INVALID_INPUT for anything that is not device code, HIPRTC_ERROR_INVALID_PROGRAM
  /// after complete().
  hiprtcResult add(hipJitInputType type, std::span<const std::byte> bytes, const std::string &name,
                   const JitOptions &options);
  hiprtcResult addFile(hipJitInputType type, const char *path, const JitOptions &options);

  /// The code belongs to this object. A second call stores the same code again.
  hiprtcResult complete(void **code, size_t *size);

private:
  // Held while the code is linked. Both methods need all of what it guards, so it is not a Lockable.
  Mutex mutex_{LockRank::rtcLink};
  JitOptions options_ HIPLZ_GUARDED_BY(mutex_);
  LinkRequest request_ HIPLZ_GUARDED_BY(mutex_);
  Result result_ HIPLZ_GUARDED_BY(mutex_);
  bool complete_ HIPLZ_GUARDED_BY(mutex_) = false;
};

} // namespace hiplz::rtc
