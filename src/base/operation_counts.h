// SPDX-License-Identifier: MIT
// The counts of the CPU device's code while HIPLZ_CPU_COUNTS is set, and how the counters lie on disk: the compiler emits the
// additions, the driver maps the files, hiplz-prof reads them. docs/design/profiler.md has the reasons.
//
// A file of a process consists of pages of counts::Page, one for each name of a kernel. They are mapped, so what has been
// counted survives the end of the process, whatever that end is.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hiplz::counts {

/// F(constant, column, what is counted).
#define HIPLZ_COUNTERS(F)                                                                                              \
  F(launches, "launches", "launches that have begun")                                                                  \
  F(items, "work_items", "work-items that have ended")                                                                 \
  F(halfOperations, "half_operations", "floating-point operations in half precision; a multiply-add is two")           \
  F(floatOperations, "float_operations", "the same in single precision")                                               \
  F(doubleOperations, "double_operations", "the same in double precision")                                             \
  F(integerOperations, "integer_operations", "integer arithmetic, shifts, logic and comparisons")                      \
  F(specialFunctions, "special_functions", "divisions, roots and transcendental functions among the operations")       \
  F(globalLoaded, "global_bytes_loaded", "bytes read from global and constant memory")                                 \
  F(globalStored, "global_bytes_stored", "bytes written to global memory")                                             \
  F(localLoaded, "shared_bytes_loaded", "bytes read from shared memory")                                               \
  F(localStored, "shared_bytes_stored", "bytes written to shared memory")                                              \
  F(linesLoaded, "global_lines_loaded", "different lines of global memory that a launch reads, each counted once")     \
  F(linesStored, "global_lines_stored", "different lines of global memory that a launch writes")                       \
  F(atomics, "atomics", "atomic operations that read and write")                                                       \
  F(barriers, "barriers", "barriers of a block that work-items have come to")

enum Counter : uint32_t {
#define HIPLZ_COUNTER(constant, column, text) constant,
  HIPLZ_COUNTERS(HIPLZ_COUNTER)
#undef HIPLZ_COUNTER
      counterCount
};

/// Their names as columns of a table.
inline constexpr const char *kColumns[counterCount] = {
#define HIPLZ_COUNTER(constant, column, text) column,
    HIPLZ_COUNTERS(HIPLZ_COUNTER)
#undef HIPLZ_COUNTER
};

/// Bytes of a line.
inline constexpr uint32_t kLineBytes = 64;

/// The counters of all kernels of one name in a process.
struct Page {
  static constexpr char kMagic[8] = {'H', 'I', 'P', 'L', 'Z', 'c', 'n', '2'};
  /// Longer names are cut, as in traces (trace::kLongestText).
  static constexpr size_t kLongestName = 4096;

  char magic[8];
  uint64_t counters[counterCount]; ///< code adds to them, atomically
  uint32_t nameBytes;
  char name[kLongestName];
};
/// From one to the next; a multiple of the system's pages.
inline constexpr size_t kPageBytes = 8192;
static_assert(sizeof(Page) <= kPageBytes);

/// The end of the files' names.
inline constexpr char kSuffix[] = ".counts";

} // namespace hiplz::counts
