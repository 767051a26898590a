// SPDX-License-Identifier: MIT
// The objects of one kind that the application knows by handles: by their own addresses, or by another that is theirs.
#pragma once
#include "base/mutex.h"
#include "lz/core/owned_objects.h"
#include "lz/core/pointer_map.h"

namespace hiplz {

/// Thread-safe; find is lock-free. Owns nothing.
template <class Object> class HandleTable {
public:
  /// The one of the process, which is never destroyed. Code that asks for the handles of objects of a device must have
  /// initialised the runtime (LZContext::instance(), requireRuntime()).
  static HandleTable &ofProcess() {
    static auto &table = *new HandleTable;
    return table;
  }

  /// The object, or null for an address that is not, or no longer, a handle.
  Object *find(const void *handle) const { return live_.find(handle); }

  void add(Object &object) { add(&object, object); }
  void add(const void *handle, Object &object) {
    Lock lock(mutex_);
    live_.set(handle, &object);
  }

  /// False if it is none, so of two concurrent calls one succeeds.
  bool remove(const Object &object) { return remove(&object, object); }
  bool remove(const void *handle, const Object &object) {
    {
      Lock lock(mutex_);
      if (live_.find(handle) != &object)
        return false;
      live_.erase(handle);
    }
    OwnedObjects::gone(handle);
    return true;
  }

private:
  Mutex mutex_{LockRank::handleTable}; // guards changes of the map, which is read without it
  PointerMap<Object> live_;
};

} // namespace hiplz
