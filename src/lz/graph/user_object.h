// SPDX-License-Identifier: MIT
// The object behind hipUserObject_t: an object of the application that is destroyed by a function of the application when
// the last reference is dropped. The application and graphs hold references.
#pragma once
#include "base/lockable.h"
#include "lz/core/error.h"

#include <cstdint>
#include <map>
#include <memory>

namespace hiplz {

/// Thread-safe. The object is destroyed with the last reference, and its handle ends; what is left of it lives as long as a
/// graph knows it, because applications can drop references that they have given to graphs.
class LZUserObject {
public:
  LZUserObject(const LZUserObject &) = delete;

  /// The caller has `references`, at least 1. The new object is a live handle.
  static LZUserObject &create(void *object, hipHostFn_t destroy, unsigned references);

  /// The object behind a handle; null for one that was destroyed or never existed.
  static std::shared_ptr<LZUserObject> find(const void *handle);

  void retain(unsigned count);
  /// Drops references, or none if there are fewer. The destroying function runs in this call, or if the last
  /// reference was one of an executable graph, in the call that found it finished.
  void release(unsigned count);

private:
  LZUserObject(void *object, hipHostFn_t destroy, unsigned references)
      : object_(object), destroy_(destroy), references_(LockRank::userObject, references) {}

  void *const object_;
  const hipHostFn_t destroy_;
  Lockable<uint64_t> references_;
};

/// The references of one graph. Not thread-safe, like the graph.
class LZUserObjects {
public:
  LZUserObjects() = default;
  LZUserObjects(const LZUserObjects &) = delete;
  LZUserObjects &operator=(const LZUserObjects &) = delete;
  ~LZUserObjects();

  /// Takes over references that the caller holds.
  void adopt(const std::shared_ptr<LZUserObject> &object, unsigned count) { held_[object] += count; }
  /// Drops references, or none if there are fewer.
  void release(const std::shared_ptr<LZUserObject> &object, unsigned count);
  /// Holds as many references of its own as the other.
  void copyFrom(const LZUserObjects &other);

private:
  std::map<std::shared_ptr<LZUserObject>, unsigned> held_;
};

} // namespace hiplz
