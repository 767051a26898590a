// SPDX-License-Identifier: MIT
// A map from addresses to objects that is read on every kernel launch and written only while libraries are loaded and
// unloaded. Open addressing with linear probing; readers take no lock and never wait.
//
// Why readers need no lock: a slot is published by storing its key last and withdrawn by storing its value as null, the
// key stays until the slot is used again. When the table is full, a larger one is published, and the old one is kept until
// the map ends, because somebody may still read it; sizes double, so all old tables together are smaller than the current
// one. What a reader finds is alive unless its key is being erased at that moment: that would be a launch of a kernel
// whose library is being unloaded.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hiplz {

/// Does not own its values. find() may run at any time in any thread; set() and erase() must be serialised by the caller.
template <class Value> class PointerMap {
public:
  PointerMap() { addTable(kFirstCapacity); }
  PointerMap(const PointerMap &) = delete;
  PointerMap &operator=(const PointerMap &) = delete;

  /// The value of a key, or null.
  Value *find(const void *key) const {
    const Slot *slot = current_.load(std::memory_order_acquire)->find(key);
    Value *value = slot ? slot->value.load(std::memory_order_acquire) : nullptr;
    // The slot of an erased key may have got another one since; its value was stored after its key.
    return value && slot->key.load(std::memory_order_relaxed) == key ? value : nullptr;
  }

  /// Sets the value of a key; neither may be null.
  void set(const void *key, Value *value) {
    Table *table = current_.load(std::memory_order_relaxed);
    if (table->find(key) == nullptr && (table->used + 1) * 3 > table->capacity * 2)
      table = enlarge();
    table->set(key, value);
  }

  /// Removes a key; nothing happens if it is not there.
  void erase(const void *key) { current_.load(std::memory_order_relaxed)->erase(key); }

  size_t capacity() const { return current_.load(std::memory_order_relaxed)->capacity; }

private:
  static constexpr size_t kFirstCapacity = 64;

  struct Slot {
    std::atomic<const void *> key{nullptr}; // null: unused
    std::atomic<Value *> value{nullptr};    // null beside a key: withdrawn
  };

  struct Table {
    explicit Table(size_t size) : capacity(size), slots(new Slot[size]) {}

    size_t home(const void *key) const {
      // Multiplication mixes the low bits, which alignment makes alike, into the high ones.
      return (reinterpret_cast<uintptr_t>(key) * 0x9E3779B97F4A7C15u) >> 32 & (capacity - 1);
    }
    size_t next(size_t index) const { return (index + 1) & (capacity - 1); }

    Slot *find(const void *key) const {
      for (size_t i = home(key);; i = next(i)) {
        const void *found = slots[i].key.load(std::memory_order_acquire);
        if (found == key)
          return &slots[i];
        if (!found)
          return nullptr;
      }
    }
    void set(const void *key, Value *value) {
      Slot *slot = find(key);
      if (!slot) {
        size_t i = home(key);
        while (slots[i].value.load(std::memory_order_relaxed))
          i = next(i);
        slot = &slots[i];
        used += slot->key.load(std::memory_order_relaxed) == nullptr;
        slot->key.store(key, std::memory_order_relaxed);
      }
      // A reader that finds the key sees this value or still null, which is a miss.
      slot->value.store(value, std::memory_order_release);
    }
    void erase(const void *key) {
      Slot *slot = find(key);
      if (!slot)
        return;
      slot->value.store(nullptr, std::memory_order_release);
      clean(slot - slots.get());
    }
    /// Makes the withdrawn slots of the run around a slot unused again, as far as no search for a live key passes them:
    /// without this, loading and unloading libraries would slowly fill the table.
    void clean(size_t index) {
      const size_t mask = capacity - 1;
      size_t end = index; // the unused slot after the run
      while (slots[end].key.load(std::memory_order_relaxed))
        end = next(end);
      size_t reach = 0; // the search that begins farthest before `end` among those for the live keys seen so far
      for (size_t distance = 1;; ++distance) {
        Slot &slot = slots[(end - distance) & mask];
        const void *key = slot.key.load(std::memory_order_relaxed);
        if (!key)
          return;
        if (slot.value.load(std::memory_order_relaxed)) {
          reach = std::max(reach, (end - home(key)) & mask);
        } else if (reach < distance) {
          slot.key.store(nullptr, std::memory_order_release);
          --used;
        }
      }
    }

    const size_t capacity; // a power of two
    size_t used = 0;       // slots with a key, for the writer
    std::unique_ptr<Slot[]> slots;
  };

  Table *addTable(size_t capacity) {
    tables_.push_back(std::make_unique<Table>(capacity));
    current_.store(tables_.back().get(), std::memory_order_release);
    return tables_.back().get();
  }
  Table *enlarge() {
    auto larger = std::make_unique<Table>(tables_.back()->capacity * 2);
    const Table &old = *tables_.back();
    for (size_t i = 0; i < old.capacity; ++i)
      if (Value *value = old.slots[i].value.load(std::memory_order_relaxed))
        larger->set(old.slots[i].key.load(std::memory_order_relaxed), value);
    tables_.push_back(std::move(larger));
    current_.store(tables_.back().get(), std::memory_order_release);
    return tables_.back().get();
  }

  std::vector<std::unique_ptr<Table>> tables_; // the last is the current one
  std::atomic<Table *> current_{nullptr};
};

} // namespace hiplz
