// SPDX-License-Identifier: MIT
// The kernels of hiplz-roofline as its host code sees them: tables of functions to launch, with what each of them does. The
// kernels are in the .hip files beside this one; host code includes nothing of them but this.
#pragma once
#include <vector>

namespace hiplz::roofline {

/// Operations that each of the chains of a throughput kernel does in one iteration of its loop.
constexpr unsigned kUnrolled = 16;
/// Accesses that a work-item of a memory kernel has under way with vectors of that many floats: 32 bytes, so that registers suffice.
/// The elements of a block are a multiple of this times its threads.
constexpr unsigned accessesOf(unsigned width) { return width < 8 ? 8 / width : 1; }
/// Steps of the latency kernel in one iteration.
constexpr unsigned kSteps = 16;
/// Floats of the tile in shared memory.
constexpr unsigned kTile = 2048;

enum class ElementType { Int, Half, Float, Double };
enum class Operation { Add, Mad, Special };

/// A kernel (element *out, element a, element b, unsigned iterations). Each work-item has `chains` vectors of `width` elements,
/// applies the operation kUnrolled times an iteration to each, and stores one vector at the end.
struct ThroughputKernel {
  const char *name; // as in the compiler's listings
  const void *function;
  Operation operation;
  ElementType type;
  unsigned width;
  unsigned chains;
};

std::vector<ThroughputKernel> intKernels();
std::vector<ThroughputKernel> halfKernels();
std::vector<ThroughputKernel> floatKernels();
std::vector<ThroughputKernel> doubleKernels();
/// Special functions; the operation is one function and one addition.
std::vector<ThroughputKernel> floatSpecialKernels();
std::vector<ThroughputKernel> doubleSpecialKernels();

/// A kernel (float *out, const float *first, const float *second, unsigned elements, unsigned passes, float value): each block
/// goes `passes` times through its own part, `elements` vectors of `width` floats, of each array.
struct MemoryKernel {
  const char *name;
  const void *function;
  unsigned width;
  unsigned loads;  // arrays read in a pass
  unsigned stores; // arrays written
};
std::vector<MemoryKernel> memoryKernels();

/// As a memory kernel that reads floats of `first`, with so many multiply-adds for each.
struct MixedKernel {
  const char *name;
  const void *function;
  unsigned mads;
};
std::vector<MixedKernel> mixedKernels();

/// (float *out, const float *in, unsigned loads, unsigned stride, unsigned passes, float value): reads every stride-th float.
const void *stridedKernel();
/// (float *out, unsigned stride, unsigned iterations, float value): kUnrolled reads, or writes, of shared memory an iteration.
const void *sharedReadKernel();
const void *sharedWriteKernel();
/// (const unsigned *next, unsigned *out, unsigned iterations): kSteps dependent loads an iteration, by one work-item.
const void *latencyKernel();

/// (element *counters, unsigned mask, unsigned iterations): kUnrolled additions an iteration, to the counter at the work-item's
/// number and `mask`. In shared memory the counters are the block's.
struct AtomicKernel {
  const char *name;
  const void *function;
  ElementType type;
  bool shared;
};
std::vector<AtomicKernel> atomicKernels();

/// () does nothing.
const void *emptyKernel();

} // namespace hiplz::roofline
