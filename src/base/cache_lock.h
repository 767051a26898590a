// SPDX-License-Identifier: MIT
// Which process makes a missing entry of a disk cache when several want it at once. It only saves the others work: a
// process that cannot lock, or has waited too long, makes the entry itself.
#pragma once
#include "base/cache_folder.h"

#include <atomic>
#include <string>

namespace hiplz {

/// Held from the constructor to the destructor, by one object in all processes that share the folder. A thread must not
/// take the same lock twice.
class CacheLock {
public:
  /// `entry` is the path of the entry (DiskCache::pathFor); empty, or in a folder that cannot be written: nothing is locked.
  /// Waits for the holder, at most for a minute, or until `givesUp` is true. No cancellation point.
  explicit CacheLock(const std::string &entry, const std::atomic<bool> *givesUp = nullptr);
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
