// SPDX-License-Identifier: MIT
// See piece_store.h.
#include "cpu/program/piece_store.h"
#include "base/cache_lock.h"
#include "base/disk_cache.h"
#include "base/log.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

/// A piece in this process.
struct Entry {
  std::mutex making;               // held by whoever looks for the bytes
  std::weak_ptr<const Bytes> held; // by those who use them; guarded by `making`
};

/// The pieces of this process.
class Registry {
public:
  /// That of this process: in a forked child locks of the parent may never be free again, so it gets its own.
  static Registry &get() {
    static std::atomic<Registry *> current{nullptr};
    Registry *known = current.load(std::memory_order_acquire);
    while (!known || known->process_ != ::getpid()) {
      auto *fresh = new Registry;
      if (current.compare_exchange_strong(known, fresh, std::memory_order_acq_rel))
        return *fresh; // the parent's is not destroyed: that would need its locks
      delete fresh;
    }
    return *known;
  }

  std::shared_ptr<Entry> find(const std::string &key) {
    std::lock_guard guard(mutex_);
    if (entries_.size() >= sweepAt_) {
      std::erase_if(entries_, [](const auto &entry) {
        return entry.second.use_count() == 1 && entry.second->held.expired(); // nobody is looking for it
      });
      sweepAt_ = std::max<size_t>(64, 2 * entries_.size());
    }
    std::shared_ptr<Entry> &entry = entries_[key];
    if (!entry)
      entry = std::make_shared<Entry>();
    return entry;
  }

private:
  const pid_t process_ = ::getpid();
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_; // guarded by mutex_, like sweepAt_
  size_t sweepAt_ = 64;
};

} // namespace

bool obtain(const Piece &piece, std::string &log) {
  const std::shared_ptr<Entry> entry = Registry::get().find(piece.key);
  std::lock_guard guard(entry->making);
  std::string why;
  if (const auto held = entry->held.lock(); held && piece.use(held, why))
    return true;
  const DiskCache cache("cpu");
  auto useCached = [&] {
    auto cached = cache.load(piece.key);
    if (!cached)
      return false;
    const auto bytes = std::make_shared<const Bytes>(std::move(*cached));
    if (!piece.use(bytes, why)) {
      HIPLZ_LOG_INFO("%s in the cache of the CPU device is not used: %s", piece.what, why.c_str());
      return false;
    }
    entry->held = bytes;
    return true;
  };
  if (piece.isCacheable && useCached())
    return true;
  std::optional<CacheLock> lock;
  if (piece.isCacheable) {
    lock.emplace(cache.pathFor(piece.key));
    if (useCached()) // somebody else was faster
      return true;
  }
  const std::shared_ptr<const Bytes> made = piece.make(log);
  if (!made)
    return false;
  if (!piece.use(made, why)) {
    log += why;
    return false;
  }
  entry->held = made;
  if (piece.isCacheable)
    cache.store(piece.key, *made);
  return true;
}

} // namespace hiplz::cpu
