// SPDX-License-Identifier: MIT
// The device side's only contact with SPIR-V: declarations of functions whose names the SPIR-V translator turns into
// instructions (`__spirv_<Instruction>`), into OpenCL extended instructions (`__spirv_ocl_<name>`) or into reads of
// built-in variables (`__spirv_BuiltIn<Name>`). Everything else under hip/spirv is written in terms of these, so no
// device library call is left in a kernel. Other users should not call them.
#pragma once

#include <stddef.h>

// A function that exists on the device only and vanishes into its callers, also at -O0.
#define __HIPLZ_DEVICE inline __attribute__((device, always_inline))
// The same for both sides.
#define __HIPLZ_BOTH inline __attribute__((host, device, always_inline))
// A declaration of a translator built-in; `PURE` ones depend on nothing but their operands.
#define __HIPLZ_SPIRV __attribute__((device))
#define __HIPLZ_SPIRV_PURE __attribute__((device, const))
// One whose meaning depends on who else calls it: calls in the branches of a condition must not become one before it.
#define __HIPLZ_SPIRV_GROUP __attribute__((device, nomerge))

// Scopes, memory semantics and group operations, numbered as in the SPIR-V specification.
enum __hiplz_scope : int {
  __hiplz_scope_system = 0,
  __hiplz_scope_device = 1,
  __hiplz_scope_block = 2,
  __hiplz_scope_warp = 3
};
enum __hiplz_semantics : int {
  __hiplz_relaxed = 0,
  // Both kinds of memory, __shared__ and global: HIP's barriers and fences order them together.
  __hiplz_acquire_release = 0x8 | 0x100 | 0x200,
  __hiplz_sequential = 0x10 | 0x100 | 0x200
};
// The kinds of meetings that threads come to (__hiplz_expect); src/cpu/check/meetings.cpp knows the numbers.
enum __hiplz_meeting : int {
  __hiplz_meeting_sync = 0,            // __syncwarp
  __hiplz_meeting_operation = 1,       // another warp function
  __hiplz_meeting_group_sync = 2,      // sync() of a tile or a coalesced group
  __hiplz_meeting_group_operation = 3, // another function of such a group
  __hiplz_meeting_grid = 4             // the barrier of a grid; instead of the mask comes the address of its state
};
enum __hiplz_group_operation : int { __hiplz_reduce = 0 };

// Indices.
__HIPLZ_SPIRV_PURE size_t __spirv_BuiltInLocalInvocationId(int dimension);
__HIPLZ_SPIRV_PURE size_t __spirv_BuiltInWorkgroupId(int dimension);
__HIPLZ_SPIRV_PURE size_t __spirv_BuiltInWorkgroupSize(int dimension);
__HIPLZ_SPIRV_PURE size_t __spirv_BuiltInNumWorkgroups(int dimension);
__HIPLZ_SPIRV_PURE unsigned __spirv_BuiltInSubgroupLocalInvocationId();

// Barriers and fences.
__HIPLZ_SPIRV_GROUP void __spirv_ControlBarrier(int executionScope, int memoryScope, int semantics);
__HIPLZ_SPIRV void __spirv_MemoryBarrier(int scope, int semantics);

// Operations of a work-group.
__HIPLZ_SPIRV_GROUP bool __spirv_GroupAll(int scope, bool predicate);
__HIPLZ_SPIRV_GROUP bool __spirv_GroupAny(int scope, bool predicate);
__HIPLZ_SPIRV_GROUP int __spirv_GroupIAdd(int scope, int operation, int value);

// Operations of the active work-items of a sub-group.
typedef unsigned __hiplz_uint4 __attribute__((ext_vector_type(4)));
__HIPLZ_SPIRV_GROUP bool __spirv_GroupNonUniformAll(int scope, bool predicate);
__HIPLZ_SPIRV_GROUP bool __spirv_GroupNonUniformAny(int scope, bool predicate);
__HIPLZ_SPIRV_GROUP __hiplz_uint4 __spirv_GroupNonUniformBallot(int scope, bool predicate);
__HIPLZ_SPIRV_GROUP int __spirv_GroupNonUniformShuffle(int scope, int value, unsigned lane);
__HIPLZ_SPIRV_GROUP long __spirv_GroupNonUniformShuffle(int scope, long value, unsigned lane);
__HIPLZ_SPIRV_GROUP float __spirv_GroupNonUniformShuffle(int scope, float value, unsigned lane);
__HIPLZ_SPIRV_GROUP double __spirv_GroupNonUniformShuffle(int scope, double value, unsigned lane);

// Atomics. `I` stands for the integers of 32 and 64 bits.
#define __HIPLZ_SPIRV_ATOMICS(I)                                                                                       \
  __HIPLZ_SPIRV I __spirv_AtomicLoad(I *address, int scope, int semantics);                                            \
  __HIPLZ_SPIRV I __spirv_AtomicExchange(I *address, int scope, int semantics, I value);                               \
  __HIPLZ_SPIRV I __spirv_AtomicCompareExchange(I *address, int scope, int equal, int unequal, I value, I comparator); \
  __HIPLZ_SPIRV I __spirv_AtomicIAdd(I *address, int scope, int semantics, I value);                                   \
  __HIPLZ_SPIRV I __spirv_AtomicISub(I *address, int scope, int semantics, I value);                                   \
  __HIPLZ_SPIRV I __spirv_AtomicAnd(I *address, int scope, int semantics, I value);                                    \
  __HIPLZ_SPIRV I __spirv_AtomicOr(I *address, int scope, int semantics, I value);                                     \
  __HIPLZ_SPIRV I __spirv_AtomicXor(I *address, int scope, int semantics, I value);
__HIPLZ_SPIRV_ATOMICS(int)
__HIPLZ_SPIRV_ATOMICS(unsigned)
__HIPLZ_SPIRV_ATOMICS(long)
__HIPLZ_SPIRV_ATOMICS(unsigned long)
#undef __HIPLZ_SPIRV_ATOMICS
#define __HIPLZ_SPIRV_ATOMIC_MINMAX(I, S)                                                                              \
  __HIPLZ_SPIRV I __spirv_Atomic##S##Min(I *address, int scope, int semantics, I value);                               \
  __HIPLZ_SPIRV I __spirv_Atomic##S##Max(I *address, int scope, int semantics, I value);
__HIPLZ_SPIRV_ATOMIC_MINMAX(int, S)
__HIPLZ_SPIRV_ATOMIC_MINMAX(long, S)
__HIPLZ_SPIRV_ATOMIC_MINMAX(unsigned, U)
__HIPLZ_SPIRV_ATOMIC_MINMAX(unsigned long, U)
#undef __HIPLZ_SPIRV_ATOMIC_MINMAX

// OpenCL extended instructions that HIP reaches under names the C library does not have.
#define __HIPLZ_OCL_UNARY(name)                                                                                        \
  __HIPLZ_SPIRV_PURE float __spirv_ocl_##name(float x);                                                                \
  __HIPLZ_SPIRV_PURE double __spirv_ocl_##name(double x);
__HIPLZ_OCL_UNARY(rsqrt)
__HIPLZ_OCL_UNARY(sqrt)
__HIPLZ_OCL_UNARY(exp10)
__HIPLZ_OCL_UNARY(sinpi)
__HIPLZ_OCL_UNARY(cospi)
__HIPLZ_OCL_UNARY(rint)
__HIPLZ_OCL_UNARY(round)
#undef __HIPLZ_OCL_UNARY
#define __HIPLZ_OCL_NATIVE(name) __HIPLZ_SPIRV_PURE float __spirv_ocl_native_##name(float x);
__HIPLZ_OCL_NATIVE(sin)
__HIPLZ_OCL_NATIVE(cos)
__HIPLZ_OCL_NATIVE(tan)
__HIPLZ_OCL_NATIVE(exp)
__HIPLZ_OCL_NATIVE(exp2)
__HIPLZ_OCL_NATIVE(exp10)
__HIPLZ_OCL_NATIVE(log)
__HIPLZ_OCL_NATIVE(log2)
__HIPLZ_OCL_NATIVE(log10)
#undef __HIPLZ_OCL_NATIVE
__HIPLZ_SPIRV_PURE float __spirv_ocl_native_powr(float x, float y);
__HIPLZ_SPIRV_PURE float __spirv_ocl_native_divide(float x, float y);
__HIPLZ_SPIRV_PURE float __spirv_ocl_pown(float x, int n);
__HIPLZ_SPIRV_PURE double __spirv_ocl_pown(double x, int n);
__HIPLZ_SPIRV float __spirv_ocl_remquo(float x, float y, int *quotient);
__HIPLZ_SPIRV double __spirv_ocl_remquo(double x, double y, int *quotient);

// Integer instructions.
__HIPLZ_SPIRV_PURE int __spirv_ocl_s_mul_hi(int x, int y);
__HIPLZ_SPIRV_PURE long __spirv_ocl_s_mul_hi(long x, long y);
__HIPLZ_SPIRV_PURE unsigned __spirv_ocl_u_mul_hi(unsigned x, unsigned y);
__HIPLZ_SPIRV_PURE unsigned long __spirv_ocl_u_mul_hi(unsigned long x, unsigned long y);
