// SPDX-License-Identifier: MIT
// See owned_objects.h.
#include "lz/core/owned_objects.h"
#include "base/lockable.h"

#include <map>

namespace hiplz {
namespace {

Lockable<std::map<const void *, OwnedObjects::Object>> &objects() {
  static auto *all = new Lockable<std::map<const void *, OwnedObjects::Object>>(LockRank::ownedObjects);
  return *all; // used until the very end of the process
}

} // namespace

void OwnedObjects::add(const char *kind, const void *handle) {
  const HostStack stack = hostStack();
  objects().lock()->insert_or_assign(handle, Object{kind, stack});
}

void OwnedObjects::remove(const void *handle) noexcept { objects().lock()->erase(handle); }

std::vector<OwnedObjects::Object> OwnedObjects::all() {
  std::vector<Object> left;
  for (const auto known = objects().lock(); const auto &[handle, object] : *known)
    left.push_back(object);
  return left;
}

} // namespace hiplz
