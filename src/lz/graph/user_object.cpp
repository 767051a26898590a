// SPDX-License-Identifier: MIT
// References of applications and graphs.
#include "lz/graph/user_object.h"

#include <unordered_map>

namespace hiplz {
namespace {

using Live = std::unordered_map<const void *, std::shared_ptr<LZUserObject>>;
Lockable<Live> &live() {
  static auto *all = new Lockable<Live>(LockRank::userObjectTable); // graphs may end until the very end of the process
  return *all;
}

} // namespace

LZUserObject &LZUserObject::create(void *object, hipHostFn_t destroy, unsigned references) {
  std::shared_ptr<LZUserObject> created(new LZUserObject(object, destroy, references));
  live().lock()->emplace(created.get(), created);
  return *created;
}

std::shared_ptr<LZUserObject> LZUserObject::find(const void *handle) {
  const auto all = live().lock();
  auto found = all->find(handle);
  return found == all->end() ? nullptr : found->second;
}

void LZUserObject::retain(unsigned count) {
  const auto references = references_.lock();
  if (*references != 0) // else another thread has dropped the last one
    *references += count;
}

void LZUserObject::release(unsigned count) {
  std::shared_ptr<LZUserObject> last; // this object, until the end of the call
  {
    const auto references = references_.lock();
    if (count > *references)
      return;
    *references -= count;
    if (*references != 0)
      return;
    const auto all = live().lock();
    auto handle = all->find(this);
    last = std::move(handle->second);
    all->erase(handle);
  }
  destroy_(object_);
}

LZUserObjects::~LZUserObjects() {
  for (const auto &[object, count] : held_)
    object->release(count);
}

void LZUserObjects::release(const std::shared_ptr<LZUserObject> &object, unsigned count) {
  auto entry = held_.find(object);
  if (entry == held_.end() || entry->second < count)
    return;
  entry->second -= count;
  if (entry->second == 0)
    held_.erase(entry);
  object->release(count);
}

void LZUserObjects::copyFrom(const LZUserObjects &other) {
  for (const auto &[object, count] : other.held_) {
    object->retain(count);
    held_[object] += count;
  }
}

} // namespace hiplz
