// The objects of one kind whose addresses the application holds as handles.
#pragma once
#include "lz/pointer_map.h"

#include <mutex>

namespace hiplz {

/// Thread-safe; find is lock-free. Owns nothing.
template <class Object> class HandleTable {
public:
  /// The object, or null for an address that is no handle, or not any more.
  Object *find(const void *handle) const { return live_.find(handle); }

  void add(Object &object) {
    std::lock_guard lock(mutex_);
    live_.set(&object, &object);
  }

  /// False if it is none, so of two concurrent calls one succeeds.
  bool remove(const Object &object) {
    std::lock_guard lock(mutex_);
    const bool known = live_.find(&object) != nullptr;
    live_.erase(&object);
    return known;
  }

private:
  std::mutex mutex_; // guards changes of the map, which is read without it
  PointerMap<Object> live_;
};

} // namespace hiplz
