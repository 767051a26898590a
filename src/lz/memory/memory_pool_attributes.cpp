// SPDX-License-Identifier: MIT
// The attributes of a pool: queries and settings.
#include "lz/device/device.h"
#include "lz/memory/memory_pool.h"
#include "lz/memory/memory_pools.h"

#include <algorithm>

namespace hiplz {

hipError_t LZMemoryPool::attribute(hipMemPoolAttr attribute, void *value) const {
  int *const flag = static_cast<int *>(value);
  uint64_t *const bytes = static_cast<uint64_t *>(value);
  Lock lock(mutex_);
  switch (attribute) {
  case hipMemPoolReuseFollowEventDependencies: *flag = followEvents_; return hipSuccess;
  case hipMemPoolReuseAllowOpportunistic: *flag = opportunistic_; return hipSuccess;
  case hipMemPoolReuseAllowInternalDependencies: *flag = internalWaits_; return hipSuccess;
  case hipMemPoolAttrReleaseThreshold: *bytes = threshold_; return hipSuccess;
  case hipMemPoolAttrReservedMemCurrent: *bytes = reserved_; return hipSuccess;
  case hipMemPoolAttrReservedMemHigh: *bytes = std::max(reservedHigh_, reserved_); return hipSuccess;
  case hipMemPoolAttrUsedMemCurrent: *bytes = used_; return hipSuccess;
  case hipMemPoolAttrUsedMemHigh: *bytes = std::max(usedHigh_, used_); return hipSuccess;
  }
  return refuse(hipErrorInvalidValue, "attr is not one of hipMemPoolAttr");
}

hipError_t LZMemoryPool::setAttribute(hipMemPoolAttr attribute, const void *value) {
  const auto flag = [&] { return *static_cast<const int *>(value) != 0; };
  const auto bytes = [&] { return *static_cast<const uint64_t *>(value); };
  Lock lock(mutex_);
  switch (attribute) {
  case hipMemPoolReuseFollowEventDependencies: followEvents_ = flag(); return hipSuccess;
  case hipMemPoolReuseAllowOpportunistic: opportunistic_ = flag(); return hipSuccess;
  case hipMemPoolReuseAllowInternalDependencies: internalWaits_ = flag(); return hipSuccess;
  case hipMemPoolAttrReleaseThreshold:
    threshold_ = bytes();
    LZMemoryPools::of(device_).noteFree(); // the next synchronisation looks at it
    return hipSuccess;
  case hipMemPoolAttrReservedMemHigh:
  case hipMemPoolAttrUsedMemHigh:
    if (bytes() != 0)
      return refuse(hipErrorInvalidValue, "a high-water mark can be set to 0 only");
    (attribute == hipMemPoolAttrUsedMemHigh ? usedHigh_ : reservedHigh_) = 0;
    return hipSuccess;
  case hipMemPoolAttrReservedMemCurrent:
  case hipMemPoolAttrUsedMemCurrent: break;
  }
  return refuse(hipErrorInvalidValue, "attr is not an attribute that can be set");
}

hipMemAccessFlags LZMemoryPool::access(int device) const {
  if (device == device_.ordinal())
    return hipMemAccessFlagsProtReadWrite;
  Lock lock(mutex_);
  auto known = access_.find(device);
  return known == access_.end() ? hipMemAccessFlagsProtNone : known->second;
}

void LZMemoryPool::setAccess(int device, hipMemAccessFlags flags) {
  Lock lock(mutex_);
  access_[device] = flags;
}

} // namespace hiplz
