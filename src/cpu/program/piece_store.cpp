// SPDX-License-Identifier: MIT
// See piece_store.h.
#include "cpu/program/piece_store.h"
#include "base/cache_lock.h"
#include "base/disk_cache.h"
#include "base/lockable.h"
#include "base/log.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

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

  /// Held by the thread that looks for the bytes of a piece.
  std::shared_ptr<Mutex> searchOf(const Piece &piece) {
    const auto table = table_.lock();
    if (table->entries.size() >= table->sweepAt) {
      std::erase_if(table->entries, [](const auto &entry) {
        return entry.second.search.use_count() == 1 && entry.second.held.expired(); // nobody is looking for it
      });
      table->sweepAt = std::max<size_t>(64, 2 * table->entries.size());
    }
    std::shared_ptr<Mutex> &search = table->entries[piece.key].search;
    if (!search)
      search = std::make_shared<Mutex>(piece.rank);
    return search;
  }

  /// The bytes of a piece, as long as somebody uses them. The caller holds searchOf() the piece.
  std::shared_ptr<const Bytes> find(const Piece &piece) const {
    return table_.lock()->entries.at(piece.key).held.lock();
  }
  void remember(const Piece &piece, const std::shared_ptr<const Bytes> &bytes) {
    table_.lock()->entries.at(piece.key).held = bytes;
  }

private:
  struct Entry {
    std::shared_ptr<Mutex> search;
    std::weak_ptr<const Bytes> held;
  };
  struct Table {
    std::map<std::string, Entry> entries; // by key
    size_t sweepAt = 64;
  };

  const pid_t process_ = ::getpid();
  Lockable<Table> table_{LockRank::cpuPieceTable};
};

} // namespace

bool obtain(const Piece &piece, std::string &log) {
  Registry &registry = Registry::get();
  const std::shared_ptr<Mutex> search = registry.searchOf(piece);
  Lock lock(*search);
  std::string why;
  if (const auto held = registry.find(piece); held && piece.use(held, why))
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
    registry.remember(piece, bytes);
    return true;
  };
  if (piece.isCacheable && useCached())
    return true;
  std::optional<CacheLock> cacheLock;
  if (piece.isCacheable) {
    cacheLock.emplace(cache.pathFor(piece.key));
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
  registry.remember(piece, made);
  if (piece.isCacheable)
    cache.store(piece.key, *made);
  return true;
}

} // namespace hiplz::cpu
