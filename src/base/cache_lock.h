// SPDX-License-Identifier: MIT
// Who makes an entry of a disk cache that is missing, when several processes want it at once. Only the time of the others
// depends on it: whoever cannot lock, or has waited for too long, makes the entry itself.
#pragma once
#include "base/cache_folder.h"

#include <string>

namespace hiplz {

/// Held from the constructor to the destructor, by one object in all processes that share the folder. Not for a thread that
/// holds the same lock already.
class CacheLock {
public:
  /// `entry` is the path of the entry (DiskCache::pathFor); empty, or in a folder that cannot be written: nothing is locked.
  /// Waits for the holder, at most for a minute. No cancellation point.
  explicit CacheLock(const std::string &entry);
  ~CacheLock();
  CacheLock(const CacheLock &) = delete;
  CacheLock &operator=(const CacheLock &) = delete;

private:
  enum class Attempt { taken, busy, failed };
  Attempt take();

  OpenFile folder_;
  OpenFile file_; // locked if open
  std::string name_;
};

} // namespace hiplz
