// SPDX-License-Identifier: MIT
// A folder of compiled things that may vanish, be shared by processes, be full or be broken at any time: whatever
// happens to it, the program is only slower. Entries are written to a temporary file and renamed, so a reader sees a
// whole entry or none, and no one ever waits.
//
// Entries are code that the program executes. So only what the user of the process, or root, has written is read: folders and
// entries belong to one of them and nobody else may write them. Folders are made for the user alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz {

/// 128 bits of XXH3 over the bytes, as 32 hexadecimal digits, followed by ":<size>".
std::string contentKey(std::span<const std::byte> bytes);

/// One folder below HIPLZ_CACHE_DIR. Thread-safe: it has no mutable state but the file system.
class DiskCache {
public:
  /// The cache "<HIPLZ_CACHE_DIR>/<name>"; disabled (always misses) if HIPLZ_CACHE=0 or no folder can be determined.
  /// Creates nothing until the first store.
  explicit DiskCache(std::string_view name);

  /// The folder that holds the caches; empty if they are disabled. It need not exist.
  static std::string root();

  /// The payload stored under exactly this key, or nothing. A damaged entry is a miss and is removed; so is one that somebody
  /// else may have written. Never throws except std::bad_alloc; never blocks; no cancellation point.
  std::optional<std::vector<std::byte>> load(std::string_view key) const;

  /// Stores the payload, and now and then removes the entries of all caches that were not used for the longest time, until
  /// they are within HIPLZ_CACHE_SIZE. Failure (read-only, full, no such folder, a limit of the process) is logged at level
  /// info and otherwise ignored. No cancellation point.
  void store(std::string_view key, std::span<const std::byte> payload) const;

  /// Where the entry of a key is kept; empty if the cache is disabled.
  std::string pathFor(std::string_view key) const;

private:
  std::string root_;   // of all caches
  std::string folder_; // empty: disabled
};

} // namespace hiplz
