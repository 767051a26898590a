// SPDX-License-Identifier: MIT
// The interface between compiled code, the compiler that emits it and the driver that executes it: limits, structures and the types
// of functions. The compiler addresses the fields by their offsets, so a change here is a new kBinaryVersion.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hiplz::cpu {

/// Limits that compiled code relies on; the driver shows them as device properties and refuses launches beyond them.
constexpr uint32_t kMaxGroupItems = 1024;
constexpr uint32_t kMaxLocalBytes = 64 * 1024;
constexpr uint32_t kSubgroupSize = 32;

/// The kind of a kernel parameter, and the contents of its slot in the argument block.
enum class ArgKind : uint32_t {
  value,         ///< the bytes themselves
  globalPointer, ///< a 64-bit address
  localPointer,  ///< a 64-bit byte offset from WorkerState::local; the driver assigns it at launch
  byValue,       ///< an aggregate passed by value: the bytes themselves (SPIR-V: a Function pointer with ByVal)
  image,         ///< the 64-bit address of an ImageDescriptor (abi/image_descriptor.h)
  sampler,       ///< SamplerBits as a 64-bit number
};

struct ArgInfo {
  ArgKind kind;
  uint32_t offset; ///< in the argument block
  uint32_t size;   ///< bytes in the argument block
  uint32_t align;
};

struct CheckedLaunch;

/// One dispatch of a kernel; shared by all workers, not written while it runs.
struct LaunchState {
  const std::byte *args;        ///< argument block, 64-byte aligned
  uint32_t groupCount[3];       ///< work-groups in each dimension
  uint32_t groupSize[3];        ///< work-items of a work-group in each dimension
  uint32_t globalOffset[3];     ///< added to global ids
  uint32_t workDim;             ///< 1 to 3
  uint64_t *counters;           ///< of counts::Page (base/operation_counts.h); only code that counts reads it
  uint8_t *lines;               ///< what such code writes lineSlot() of: not 0 if the line was read or written
  uint64_t lineMask;            ///< how many lines have slots of their own, less one
  uint32_t localBytes;          ///< local memory of a work-group; only checks read it
  const CheckedLaunch *checked; ///< only of checked code (abi/check_functions.h)
};

/// Slot of a line's number, and whether it is one for what is written. Slot 0 is for accesses that do not count.
constexpr uint64_t lineSlot(uint64_t line, uint64_t mask, bool written) { return ((line & mask) << 1 | written) + 2; }

/// The data of a thread that executes work-groups; reused from one launch to the next.
struct WorkerState {
  std::byte *local;       ///< local memory of the current work-group: static part first; at least 64-byte aligned
  void *fibers;           ///< FiberPool (exec/fiber_group.h), created at the first kernel that needs it; null before.
                          ///< The owner of the worker calls destroyFibers() when it ends and after every fault.
  uint32_t groupId[3];    ///< current work-group, kept up to date by compiled code for fault messages
  uint32_t localId[3];    ///< current work-item, as far as compiled code knows it (see itemCount)
  const char *kernelName; ///< current kernel, for fault messages; set by compiled code, valid while it runs
  void *warps;            ///< WarpPool (exec/warp_group.h), created and destroyed likewise
  uint32_t itemCount; ///< the fault is in one of this many work-items from localId on, in linear order. 1: in that one.
                      ///< 0, which the driver sets before each call: in any of the work-group
  uint32_t groupSpan; ///< unless itemCount is 1, the fault is in one of this many work-groups from groupId on, in x
  void *resident;     ///< the ResidentGroup (exec/resident_group.h) whose state this is, or null
  void *check;        ///< what checks know of the current work-group (cpu/check/group.h), or null
  uint32_t frameBytes; ///< KernelCode::frameBytes of the current kernel
};

/// The hidden first parameter of functions that a kernel calls.
struct WorkItem {
  const LaunchState *launch;
  WorkerState *worker;
  uint32_t groupId[3];
  uint32_t localId[3];
  uint32_t linearId; ///< within the work-group, x fastest; its sub-group is linearId / kSubgroupSize
  uint32_t globalX;  ///< the vectoriser's own: groupId[0] * groupSize[0] + localId[0]; nobody else reads it
  void *fiber;       ///< the fiber that runs the work-item (exec/fiber_group.cpp); null in kernels without barriers
};

/// One work-item of a kernel that uses fibers.
using WorkItemFunction = void (*)(WorkItem *item);

/// A warp of the vector path: `width` work-items of one work-group, or of neighbouring ones, with consecutive linear
/// ids, one a lane. The first three fields are those of WorkItem, so that what reads the work-group's ids serves both.
struct WarpState {
  const LaunchState *launch;
  WorkerState *worker;
  uint32_t groupId[3];
  uint32_t firstId[3];   ///< local id of lane 0
  uint32_t firstLinear;  ///< linear id of lane 0
  uint32_t live;         ///< bit i: lane i has a work-item
  void *fiber;           ///< the fiber that runs the warp; null where warps need none
  uint32_t next;         ///< where warps with barriers run piece by piece: which piece is next, and in which round
  uint32_t firstGlobalX; ///< groupId[0] * groupSize[0] + firstId[0]; only where WarpOptions::globalIds
  // Of each lane; only in the layouts `table` and `blocks` (vectorizer/vectorizer.h).
  alignas(64) uint32_t localId[3][kSubgroupSize];
  uint32_t linearId[kSubgroupSize]; ///< only in `blocks`, and so is what follows
  uint32_t groupX[kSubgroupSize];   ///< groupId[0]
};

/// The function of a warp that runs on a fiber, arguments included.
using WarpFunction = void (*)(WarpState *warp);

static_assert(std::is_standard_layout_v<LaunchState> && std::is_standard_layout_v<WorkerState> &&
              std::is_standard_layout_v<WorkItem> && std::is_standard_layout_v<WarpState>);
static_assert(offsetof(WarpState, launch) == offsetof(WorkItem, launch) &&
              offsetof(WarpState, worker) == offsetof(WorkItem, worker) &&
              offsetof(WarpState, groupId) == offsetof(WorkItem, groupId));
static_assert(sizeof(WorkItem) % sizeof(uint64_t) == 0); // compiled code allocates it as 64-bit words
static_assert(offsetof(WarpState, localId) % 64 == 0 && sizeof(WarpState) % 64 == 0);

/// Compiled kernel: executes the work-groups with linear ids begin <= id < end (x fastest), each completely.
/// Called concurrently by several threads with disjoint ranges and different workers.
using KernelFunction = void (*)(const LaunchState *launch, WorkerState *worker, uint64_t begin, uint64_t end);

} // namespace hiplz::cpu
