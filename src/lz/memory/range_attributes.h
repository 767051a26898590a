// SPDX-License-Identifier: MIT
// The application's hints about ranges of memory: hipMemAdvise and the last prefetch. Level Zero takes such
// advice and does not give it back, so it is kept here.
#pragma once
#include "base/lockable.h"
#include "lz/memory/memory.h"

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace hiplz {

/// The attributes of a range whose bytes all have the same. Devices are ordinals, hipCpuDeviceId or hipInvalidDeviceId.
struct RangeState {
  bool readMostly = false;
  hipMemRangeCoherencyMode coherency = hipMemRangeCoherencyModeFineGrain;
  int preferred = hipInvalidDeviceId;
  int lastPrefetch = hipInvalidDeviceId;
  std::vector<int> accessedBy; // in the order of the advice

  bool operator==(const RangeState &) const = default;
};

/// Thread-safe; one lock, none of the calls is on a hot path. Attributes end with the allocation that they were given
/// to.
class RangeAttributes {
public:
  /// Changes the attributes of all pages that [pointer, pointer + bytes) touches, as far as they belong to the
  /// allocation, by calling change(RangeState &) for each part. An empty allocation (id 0) stands for memory that HIP
  /// did not allocate.
  template <class Change> void change(const Allocation &allocation, const void *pointer, size_t bytes, Change change) {
    const auto parts = parts_.lock();
    for (Part *part : parts->of(allocation, pointer, bytes))
      change(part->state);
    if (parts->byBegin.size() > parts->sweepAbove)
      parts->sweep();
  }

  /// The attributes that all bytes of the range have in common: a location or device that not all of them have is left out, and the
  /// coherency of a mixture is indeterminate.
  RangeState common(const Allocation &allocation, const void *pointer, size_t bytes) const;

private:
  struct Part {
    uintptr_t end;
    uint64_t allocation;
    RangeState state;
  };
  struct Parts {
    std::map<uintptr_t, Part> byBegin; // they do not overlap
    size_t sweepAbove = 64;
    void split(uintptr_t at);
    std::vector<Part *> of(const Allocation &allocation, const void *pointer, size_t bytes);
    void sweep();
  };
  Lockable<Parts> parts_{LockRank::rangeAttributes};
};

} // namespace hiplz
