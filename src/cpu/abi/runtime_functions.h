// SPDX-License-Identifier: MIT
// The functions of the driver that compiled code calls. The compiler takes their names and types from here, src/cpu/exec
// defines them, and the loader looks them up. A change here is a new kBinaryVersion.
#pragma once
#include "cpu/abi/check_site.h"
#include "cpu/abi/compiled_code.h"

#include <string_view>

extern "C" {

// Work-items on fibers (exec/fiber_group.h).

/// Runs one work-group. `stackBytes` is what the stack of a work-item must hold at least.
void hiplz_cpu_run_group(hiplz::cpu::WorkItemFunction function, const hiplz::cpu::LaunchState *launch,
                         hiplz::cpu::WorkerState *worker, uint32_t groupX, uint32_t groupY, uint32_t groupZ,
                         uint32_t stackBytes);

/// A barrier of the work-group; called on a fiber.
void hiplz_cpu_barrier(hiplz::cpu::WorkItem *item);

/// Lets everybody else run who can; called on a fiber, by a work-item that waits for memory to change.
void hiplz_cpu_yield(hiplz::cpu::WorkItem *item);

/// A collective operation (abi/collective.h); called on a fiber. `site` numbers the places of the kernel in its order.
uint64_t hiplz_cpu_collective(hiplz::cpu::WorkItem *item, uint32_t site, uint32_t code, uint64_t value,
                              uint64_t operand);

// Warps of the vector path (exec/warp_group.h).

/// Memory of the worker for the states of warps and what they keep between barriers: at least `bytes`, aligned to 64. The
/// same memory at each call, contents undefined.
std::byte *hiplz_cpu_warp_memory(hiplz::cpu::WorkerState *worker, uint64_t bytes);

/// Runs the warps of one work-group, whose states lie `stride` bytes apart. `stackBytes` is what the stack of a warp must
/// hold at least.
void hiplz_cpu_run_warps(hiplz::cpu::WarpFunction function, hiplz::cpu::WarpState *first, uint32_t stride,
                         uint32_t count, uint32_t stackBytes);

/// A barrier of the work-group; called on a warp's fiber.
void hiplz_cpu_warp_barrier(hiplz::cpu::WarpState *warp);

/// Lets everybody else run who can; called on a warp's fiber, by a warp that waits for memory to change.
void hiplz_cpu_warp_yield(hiplz::cpu::WarpState *warp);

/// Lets the other warps of the work-group go on first, to where they do the same or come to a barrier; called on a warp's fiber, by a warp
/// that waits for nothing.
void hiplz_cpu_warp_turn(hiplz::cpu::WarpState *warp);

// Checks (cpu/check): called by instrumented code for one work-item, on any stack.

/// An access of `bytes` at `address` is about to be made. `base`: the beginning of the object that the address was made of, or null.
void hiplz_cpu_check_access(hiplz::cpu::WorkItem *item, const void *address, uint64_t bytes, const void *base,
                            const hiplz::cpu::CheckSite *site);

/// The work-item has come to a barrier of its work-group, or has passed one.
void hiplz_cpu_check_barrier(hiplz::cpu::WorkItem *item, const hiplz::cpu::CheckSite *site);
void hiplz_cpu_check_passed(hiplz::cpu::WorkItem *item);

/// The work-item has met others of its warp.
void hiplz_cpu_check_met(hiplz::cpu::WorkItem *item);

/// An uninitialized value has an effect (CheckFlags). `origin`: the address of the memory that it comes from, or of a constant with the name
/// of a private variable, or 0.
void hiplz_cpu_check_uninitialized(hiplz::cpu::WorkItem *item, const hiplz::cpu::CheckSite *site, uint64_t origin);

/// An uninitialized value of so many bytes has been stored, with its shadow.
void hiplz_cpu_check_stored(hiplz::cpu::WorkItem *item, const hiplz::cpu::CheckSite *site, const void *address,
                            uint64_t bytes, uint64_t origin);

/// A work-group begins, whose shared memory nobody has written.
void hiplz_cpu_check_group(hiplz::cpu::WorkerState *worker, const hiplz::cpu::LaunchState *launch);

// The device (exec/clock.h).

/// Cycles at the rate of setClockRate(), by the clock that the timestamps of events come from. The processor's own counter
/// would be a little faster to read, but its rate is not known exactly.
uint64_t hiplz_cpu_clock();

/// Which processor executes the caller.
uint32_t hiplz_cpu_processor();

/// printf of OpenCL C with its arguments as exec/print.h says: to standard output, at once. 0, or -1 if the format is wrong.
int32_t hiplz_cpu_print(const char *format, const uint64_t *arguments, uint32_t count);
}

// All of them: F(constant, function).
#define HIPLZ_CPU_RUNTIME_FUNCTIONS(F)                                                                                 \
  F(runGroup, hiplz_cpu_run_group)                                                                                     \
  F(barrier, hiplz_cpu_barrier)                                                                                        \
  F(yield, hiplz_cpu_yield)                                                                                            \
  F(collective, hiplz_cpu_collective)                                                                                  \
  F(warpMemory, hiplz_cpu_warp_memory)                                                                                 \
  F(runWarps, hiplz_cpu_run_warps)                                                                                     \
  F(warpBarrier, hiplz_cpu_warp_barrier)                                                                               \
  F(warpYield, hiplz_cpu_warp_yield)                                                                                   \
  F(warpTurn, hiplz_cpu_warp_turn)                                                                                     \
  F(checkAccess, hiplz_cpu_check_access)                                                                               \
  F(checkBarrier, hiplz_cpu_check_barrier)                                                                             \
  F(checkPassed, hiplz_cpu_check_passed)                                                                               \
  F(checkMet, hiplz_cpu_check_met)                                                                                     \
  F(checkUninitialized, hiplz_cpu_check_uninitialized)                                                                 \
  F(checkStored, hiplz_cpu_check_stored)                                                                               \
  F(checkGroup, hiplz_cpu_check_group)                                                                                 \
  F(clock, hiplz_cpu_clock)                                                                                            \
  F(processor, hiplz_cpu_processor)                                                                                    \
  F(print, hiplz_cpu_print)

namespace hiplz::cpu {

/// A function of the driver as the compiler knows it: the name that the loader looks up, and the type.
template <class Signature> struct RuntimeFunction {
  std::string_view name;
};

/// The names of all runtime functions begin with this, and no other symbol's does.
constexpr std::string_view kRuntimePrefix = "hiplz_cpu_";

namespace runtime {
#define HIPLZ_RUNTIME_FUNCTION(constant, function)                                                                     \
  inline constexpr RuntimeFunction<decltype(function)> constant{#function};                                            \
  static_assert(constant.name.starts_with(kRuntimePrefix));
HIPLZ_CPU_RUNTIME_FUNCTIONS(HIPLZ_RUNTIME_FUNCTION)
#undef HIPLZ_RUNTIME_FUNCTION
} // namespace runtime

} // namespace hiplz::cpu
