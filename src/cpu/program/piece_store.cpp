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

  /// Held by the thread that looks for bytes under this key.
  std::shared_ptr<Mutex> searchOf(const std::string &key, LockRank rank) {
    const auto table = table_.lock();
    if (table->entries.size() >= table->sweepAt) {
      std::erase_if(table->entries, [](const auto &entry) {
        return entry.second.search.use_count() <= 1 && entry.second.held.expired(); // nobody is looking for it
      });
      table->sweepAt = std::max<size_t>(64, 2 * table->entries.size());
    }
    std::shared_ptr<Mutex> &search = table->entries[key].search;
    if (!search)
      search = std::make_shared<Mutex>(rank);
    return search;
  }

  /// The bytes under a key, as long as somebody uses them.
  std::shared_ptr<const Bytes> find(const std::string &key) const {
    const auto table = table_.lock();
    const auto found = table->entries.find(key);
    return found == table->entries.end() ? nullptr : found->second.held.lock();
  }
  void remember(const std::string &key, const std::shared_ptr<const Bytes> &bytes) {
    table_.lock()->entries[key].held = bytes;
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
  // Those who take quick results do not wait for somebody who is making another one.
  std::vector<const std::string *> keys{&piece.key};
  if (!piece.quickKey.empty())
    keys.push_back(&piece.quickKey);
  const std::shared_ptr<Mutex> search = registry.searchOf(*keys.back(), piece.rank);
  Lock lock(*search);
  std::string why;
  for (const std::string *key : keys)
    if (const auto held = registry.find(*key); held && piece.use(held, why))
      return true;
  const DiskCache cache("cpu");
  auto useCached = [&] {
    for (const std::string *key : keys) {
      auto cached = cache.load(*key);
      if (!cached)
        continue;
      const auto bytes = std::make_shared<const Bytes>(std::move(*cached));
      if (piece.use(bytes, why)) {
        registry.remember(*key, bytes);
        return true;
      }
      HIPLZ_LOG_INFO("%s in the cache of the CPU device is not used: %s", piece.what, why.c_str());
    }
    return false;
  };
  if (piece.isCacheable && useCached())
    return true;
  std::optional<CacheLock> cacheLock;
  if (piece.isCacheable) {
    cacheLock.emplace(cache.pathFor(*keys.back()), piece.givesUp);
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
  const std::string &key = piece.isQuick && piece.isQuick(*made) ? piece.quickKey : piece.key;
  registry.remember(key, made);
  if (piece.isCacheable)
    cache.store(key, *made);
  return true;
}

} // namespace hiplz::cpu
