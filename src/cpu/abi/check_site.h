// SPDX-License-Identifier: MIT
// Descriptions of places that instrumented code (compiler/checks.h) hands to the driver's checks (cpu/check): a constant for each place in a kernel. It has no
// pointers, so that it needs no relocations.
#pragma once
#include <cstdint>

namespace hiplz::cpu {

/// The kinds of accesses, bits of CheckSite::flags.
enum CheckFlags : uint32_t {
  checkRead = 1,
  checkWrite = 2,
  checkAtomic = 4,
  checkVolatile = 8,
  checkPrivate = 16,    ///< the object is an array of the work-item
  checkShared = 32,     ///< the object is a __shared__ variable
  checkDynamic = 64,    ///< the object is the block's dynamic shared memory, whose size the launch has
  checkVariable = 128,  ///< the object is a __device__ or __constant__ variable
  checkConstant = 256,  ///< writes one constant, so that two writes of this place do no harm to each other
  checkMayBePassed = 1, ///< of a barrier: who has not come may have gone on, to the place that is the object's name
  // The use of an uninitialized value.
  checkDecides = 1 << 9,    ///< a branch
  checkAddresses = 1 << 10, ///< memory, an element or a function
  checkDivides = 1 << 11,   ///< as divisor
  checkPrints = 1 << 12,    ///< is an argument of printf
  checkLane = 1 << 13,      ///< chooses a lane
  checkComputed = 1 << 14,  ///< is stored, and not only as a copy
  checkOfRuntime = 1 << 15 ///< in a function of ours, such as that of printf, whose accesses have an order of their own
};

/// Where initcheck says that a value comes from which a shuffle has taken from a lane that does not take part: no address of anything.
constexpr uint64_t kAbsentLane = 1;

struct CheckSite {
  uint32_t flags;
  uint32_t align;       ///< that the access needs
  uint64_t objectBytes; ///< size of the object, if it is known
  uint32_t objectName;  ///< offset of its name in `text`
  uint32_t accessBytes; ///< that an access has; 0: not always as many
  uint32_t number;      ///< among the accesses of its kernel, from 1 on (abi/launch_uses.h); 0: it has none
  char text[1];         ///< the place in the source, then the name of the object, both with a zero behind them
};

} // namespace hiplz::cpu
