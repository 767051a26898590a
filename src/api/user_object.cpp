// SPDX-License-Identifier: MIT
// Objects of the application that graphs keep alive.
#include "lz/graph/user_object.h"
#include "api/graph_handles.h"
#include "base/log.h"

#include <climits>

using namespace hiplz;

namespace {

// The object of a handle; null, and a line in the log, for one that has ended: HIP lets such a call succeed and do nothing.
std::shared_ptr<LZUserObject> objectFrom(hipUserObject_t handle) {
  if (!handle)
    throw HipError(hipErrorInvalidValue, "the user object is null");
  std::shared_ptr<LZUserObject> object = LZUserObject::find(handle);
  if (!object)
    HIPLZ_LOG_INFO("the user object %p does not exist, or its last reference is gone; the call has no effect",
                   static_cast<const void *>(handle));
  return object;
}

void checkCount(unsigned count) {
  if (count == 0 || count > INT_MAX)
    throw HipError(hipErrorInvalidValue, "the count of references is 0 or more than INT_MAX");
}

} // namespace

extern "C" {

hipError_t hipUserObjectCreate(hipUserObject_t *object_out, void *ptr, hipHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags) {
  return HIPLZ_API(hipUserObjectCreate, object_out, ptr, destroy, initialRefcount, flags)([&] {
    checkCount(initialRefcount);
    HIPLZ_NOT_NULL(object_out, destroy);
    if (flags != hipUserObjectNoDestructorSync)
      return refuse(hipErrorInvalidValue, "flags is not hipUserObjectNoDestructorSync");
    *object_out = reinterpret_cast<hipUserObject_t>(&LZUserObject::create(ptr, destroy, initialRefcount));
    return hipSuccess;
  });
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
  return HIPLZ_API(hipUserObjectRetain, object, count)([&] {
    checkCount(count);
    if (const auto known = objectFrom(object))
      known->retain(count);
    return hipSuccess;
  });
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
  return HIPLZ_API(hipUserObjectRelease, object, count)([&] {
    checkCount(count);
    if (const auto known = objectFrom(object))
      known->release(count);
    return hipSuccess;
  });
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count, unsigned int flags) {
  return HIPLZ_API(hipGraphRetainUserObject, graph, object, count, flags)([&] {
    LZGraph &holder = graphFrom(graph);
    checkCount(count);
    if (flags & ~static_cast<unsigned>(hipGraphUserObjectMove))
      throw HipError(hipErrorInvalidValue, "hipGraphUserObjectMove is the only flag");
    const auto known = objectFrom(object);
    if (!known)
      return hipSuccess;
    if (!(flags & hipGraphUserObjectMove))
      known->retain(count);
    holder.userObjects().adopt(known, count);
    return hipSuccess;
  });
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
  return HIPLZ_API(hipGraphReleaseUserObject, graph, object, count)([&] {
    LZGraph &holder = graphFrom(graph);
    checkCount(count);
    if (const auto known = objectFrom(object))
      holder.userObjects().release(known, count);
    return hipSuccess;
  });
}

} // extern "C"
