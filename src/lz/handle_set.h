// The set of handles that the application may pass back to us. HIP must answer a destroyed or invented stream with an
// error and not with a crash, and it must do so on the launch path: so a lookup takes no lock, it only probes a table of
// atomics. Writers lock; a table that became too small is replaced and kept, because a reader may still be in it. All
// kept tables together are smaller than the current one.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace hiplz {

/// Thread-safe. insert() and erase() lock, contains() does not.
class HandleSet {
public:
  HandleSet() { grow(kFirstCapacity); }

  void insert(const void *handle) {
    std::lock_guard lock(mutex_);
    if ((used_ + 1) * 2 > current_.load(std::memory_order_relaxed)->capacity)
      grow(live_ * 4 + kFirstCapacity);
    place(*current_.load(std::memory_order_relaxed), handle);
    ++live_;
  }

  /// False if the handle was not in the set: of two concurrent calls only one succeeds.
  bool erase(const void *handle) {
    std::lock_guard lock(mutex_);
    std::atomic<uintptr_t> *place = find(handle);
    if (!place)
      return false;
    place->store(kErased, std::memory_order_release);
    --live_;
    return true;
  }

  bool contains(const void *handle) const { return find(handle) != nullptr; }

private:
  static constexpr uintptr_t kEmpty = 0, kErased = 1;
  static constexpr size_t kFirstCapacity = 64;
  struct Table {
    explicit Table(size_t size) : capacity(size), places(new std::atomic<uintptr_t>[size]{}) {}
    size_t capacity; // a power of two, at least half of it empty
    std::unique_ptr<std::atomic<uintptr_t>[]> places;
  };

  static size_t hash(uintptr_t handle) { return (handle * 0x9e3779b97f4a7c15u) >> 32; }

  std::atomic<uintptr_t> *find(const void *handle) const {
    const uintptr_t wanted = reinterpret_cast<uintptr_t>(handle);
    if (wanted <= kErased)
      return nullptr;
    const Table &table = *current_.load(std::memory_order_acquire);
    for (size_t at = hash(wanted);; ++at) {
      std::atomic<uintptr_t> &place = table.places[at & (table.capacity - 1)];
      const uintptr_t found = place.load(std::memory_order_acquire);
      if (found == wanted)
        return &place;
      if (found == kEmpty)
        return nullptr;
    }
  }

  void place(Table &table, const void *handle) {
    const uintptr_t value = reinterpret_cast<uintptr_t>(handle);
    size_t at = hash(value);
    while (table.places[at & (table.capacity - 1)].load(std::memory_order_relaxed) > kErased)
      ++at;
    std::atomic<uintptr_t> &free = table.places[at & (table.capacity - 1)];
    used_ += free.load(std::memory_order_relaxed) == kEmpty;
    free.store(value, std::memory_order_release);
  }

  void grow(size_t atLeast) {
    size_t capacity = kFirstCapacity;
    while (capacity < atLeast)
      capacity *= 2;
    Table *old = current_.load(std::memory_order_relaxed);
    tables_.push_back(std::make_unique<Table>(capacity));
    used_ = 0;
    if (old)
      for (size_t at = 0; at < old->capacity; ++at)
        if (uintptr_t value = old->places[at].load(std::memory_order_relaxed); value > kErased)
          place(*tables_.back(), reinterpret_cast<const void *>(value));
    current_.store(tables_.back().get(), std::memory_order_release);
  }

  std::atomic<Table *> current_{nullptr}; // stored (release) once the table is filled
  std::mutex mutex_;                      // guards what follows, and writing to the tables
  size_t live_ = 0;
  size_t used_ = 0; // places of the current table that are not empty
  std::vector<std::unique_ptr<Table>> tables_;
};

} // namespace hiplz
