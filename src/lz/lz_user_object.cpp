// References of applications and graphs.
#include "lz/lz_user_object.h"
#include "lz/handle_table.h"

#include <memory>

namespace hiplz {
namespace {

HandleTable<LZUserObject> &live() {
  static auto *table = new HandleTable<LZUserObject>; // graphs may be destroyed until the very end of the process
  return *table;
}

} // namespace

LZUserObject &LZUserObject::create(void *object, hipHostFn_t destroy, unsigned references) {
  std::unique_ptr<LZUserObject> created(new LZUserObject(object, destroy, references));
  live().add(*created);
  return *created.release();
}

LZUserObject *LZUserObject::find(const void *handle) { return live().find(handle); }

void LZUserObject::retain(unsigned count) {
  std::lock_guard lock(mutex_);
  references_ += count;
}

hipError_t LZUserObject::release(unsigned count) {
  {
    std::lock_guard lock(mutex_);
    if (count > references_)
      return hipErrorInvalidValue;
    references_ -= count;
    if (references_ != 0)
      return hipSuccess;
  }
  live().remove(*this);
  destroy_(object_);
  delete this;
  return hipSuccess;
}

LZUserObjects::~LZUserObjects() {
  for (const auto &[object, count] : held_)
    object->release(count);
}

hipError_t LZUserObjects::release(LZUserObject &object, unsigned count) {
  auto entry = held_.find(&object);
  if (entry == held_.end() || entry->second < count)
    return hipErrorInvalidValue;
  entry->second -= count;
  if (entry->second == 0)
    held_.erase(entry);
  return object.release(count);
}

void LZUserObjects::copyFrom(const LZUserObjects &other) {
  for (const auto &[object, count] : other.held_) {
    unsigned &held = held_[object];
    object->retain(count);
    held += count;
  }
}

} // namespace hiplz
