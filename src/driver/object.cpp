// SPDX-License-Identifier: MIT
// See object.h.
#include "driver/object.h"

namespace hiplz::driver {

uint64_t ObjectBase::generation_ = 0;
bool ObjectBase::invalidated_ = false;

void ObjectBase::invalidateAll() {
  generation_ = 0x5a5a'5a5a'0000'0000;
  invalidated_ = true;
}

void ObjectBase::reject(const void *handle) {
  if (invalidated_)
    throw Error{ZE_RESULT_ERROR_UNINITIALIZED};
  throw Error{handle ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_ERROR_INVALID_NULL_HANDLE};
}

} // namespace hiplz::driver
