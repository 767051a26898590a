// Objects of the application that graphs keep alive.
#include "api/graph_handles.h"
#include "lz/lz_user_object.h"

#include <climits>

using namespace hiplz;

namespace {

LZUserObject &objectFrom(hipUserObject_t handle) {
  LZUserObject *object = LZUserObject::find(handle);
  if (!object)
    throw HipError(hipErrorInvalidValue, "the user object does not exist, or its last reference has been dropped");
  return *object;
}

bool isCount(unsigned count) { return count != 0 && count <= INT_MAX; }

} // namespace

extern "C" {

hipError_t hipUserObjectCreate(hipUserObject_t *object_out, void *ptr, hipHostFn_t destroy,
                               unsigned int initialRefcount, unsigned int flags) {
  return HIPLZ_API(hipUserObjectCreate, object_out, ptr, destroy, initialRefcount, flags)([&] {
    if (!object_out || !destroy || !isCount(initialRefcount) || flags != hipUserObjectNoDestructorSync)
      return hipErrorInvalidValue;
    *object_out = reinterpret_cast<hipUserObject_t>(&LZUserObject::create(ptr, destroy, initialRefcount));
    return hipSuccess;
  });
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
  return HIPLZ_API(hipUserObjectRetain, object, count)([&] {
    LZUserObject &known = objectFrom(object);
    if (!isCount(count))
      return hipErrorInvalidValue;
    known.retain(count);
    return hipSuccess;
  });
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
  return HIPLZ_API(hipUserObjectRelease, object, count)([&] {
    LZUserObject &known = objectFrom(object);
    return isCount(count) ? known.release(count) : hipErrorInvalidValue;
  });
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count, unsigned int flags) {
  return HIPLZ_API(hipGraphRetainUserObject, graph, object, count, flags)([&] {
    LZGraph &holder = graphFrom(graph);
    LZUserObject &known = objectFrom(object);
    if (!isCount(count) || (flags & ~static_cast<unsigned>(hipGraphUserObjectMove)))
      return hipErrorInvalidValue;
    if (!(flags & hipGraphUserObjectMove))
      known.retain(count);
    holder.userObjects().adopt(known, count);
    return hipSuccess;
  });
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
  return HIPLZ_API(hipGraphReleaseUserObject, graph, object, count)([&] {
    LZGraph &holder = graphFrom(graph);
    LZUserObject &known = objectFrom(object);
    return isCount(count) ? holder.userObjects().release(known, count) : hipErrorInvalidValue;
  });
}

} // extern "C"
