// SPDX-License-Identifier: MIT
// References of applications and graphs.
#include "lz/graph/user_object.h"

#include <unordered_map>

namespace hiplz {
namespace {

struct Live {
  std::mutex mutex; // guards what follows; taken after that of an object
  std::unordered_map<const void *, std::shared_ptr<LZUserObject>> objects;
};
Live &live() {
  static auto *all = new Live; // graphs may be destroyed until the very end of the process
  return *all;
}

} // namespace

LZUserObject &LZUserObject::create(void *object, hipHostFn_t destroy, unsigned references) {
  std::shared_ptr<LZUserObject> created(new LZUserObject(object, destroy, references));
  std::lock_guard lock(live().mutex);
  live().objects.emplace(created.get(), created);
  return *created;
}

std::shared_ptr<LZUserObject> LZUserObject::find(const void *handle) {
  std::lock_guard lock(live().mutex);
  auto found = live().objects.find(handle);
  return found == live().objects.end() ? nullptr : found->second;
}

void LZUserObject::retain(unsigned count) {
  std::lock_guard lock(mutex_);
  if (references_ != 0) // else another thread has dropped the last one
    references_ += count;
}

void LZUserObject::release(unsigned count) {
  std::shared_ptr<LZUserObject> last; // this object, until the end of the call
  {
    std::lock_guard lock(mutex_);
    if (count > references_)
      return;
    references_ -= count;
    if (references_ != 0)
      return;
    std::lock_guard liveLock(live().mutex);
    auto handle = live().objects.find(this);
    last = std::move(handle->second);
    live().objects.erase(handle);
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
