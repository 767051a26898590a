// SPDX-License-Identifier: MIT
// Atomic functions. All are relaxed, as in HIP, and work on global and __shared__ memory alike. The plain forms are
// atomic among the threads of the device, `_block` and `_system` forms among those of the block and of the system.
// Integers of 32 and 64 bits have instructions; floating-point values and the bounded increments of CUDA go through
// compare-and-exchange, which every device has.
#pragma once

#include "hip/spirv/builtins.h"
#include "hip/spirv/word.h"

namespace __hiplz {

// Replaces *address by operation(*address) and returns the old value. Values are compared by their bits, so that NaN
// and negative zero end the loop.
template <class T, class Operation> __HIPLZ_DEVICE T atomicUpdate(T *address, int scope, Operation operation) {
  typedef typename WordOf<T>::type Word;
  Word *word = (Word *)address;
  Word expected = __spirv_AtomicLoad(word, scope, __hiplz_relaxed);
  for (;;) {
    Word desired = __builtin_bit_cast(Word, operation(__builtin_bit_cast(T, expected)));
    Word found = __spirv_AtomicCompareExchange(word, scope, __hiplz_relaxed, __hiplz_relaxed, desired, expected);
    if (found == expected)
      return __builtin_bit_cast(T, expected);
    expected = found;
  }
}

template <class T> __HIPLZ_DEVICE T atomicExchange(T *address, int scope, T value) {
  typedef typename WordOf<T>::type Word;
  return __builtin_bit_cast(
      T, __spirv_AtomicExchange((Word *)address, scope, __hiplz_relaxed, __builtin_bit_cast(Word, value)));
}

template <class T> __HIPLZ_DEVICE T atomicCompareExchange(T *address, int scope, T comparator, T value) {
  typedef typename WordOf<T>::type Word;
  return __builtin_bit_cast(T, __spirv_AtomicCompareExchange((Word *)address, scope, __hiplz_relaxed, __hiplz_relaxed,
                                                             __builtin_bit_cast(Word, value),
                                                             __builtin_bit_cast(Word, comparator)));
}

// The lesser and the greater floating-point number. A NaN in memory gives way.
template <class T> __HIPLZ_DEVICE T atomicLeast(T *address, T value) {
  return atomicUpdate(
      address, __hiplz_scope_device, [=](T old) __attribute__((device, always_inline))->T {
        return value < old || old != old ? value : old;
      });
}
template <class T> __HIPLZ_DEVICE T atomicMost(T *address, T value) {
  return atomicUpdate(
      address, __hiplz_scope_device, [=](T old) __attribute__((device, always_inline))->T {
        return value > old || old != old ? value : old;
      });
}

// 16 bits: by the aligned word that they are part of.
__HIPLZ_DEVICE unsigned short atomicCompareExchange16(unsigned short *address, int scope, unsigned short comparator,
                                                      unsigned short value) {
  unsigned offset = (unsigned)((size_t)address & 2);
  unsigned *word = (unsigned *)((char *)address - offset);
  unsigned shift = 8 * offset;
  unsigned whole = __spirv_AtomicLoad(word, scope, __hiplz_relaxed);
  for (;;) {
    unsigned short old = (unsigned short)(whole >> shift);
    if (old != comparator)
      return old;
    unsigned desired = (whole & ~(0xffffu << shift)) | ((unsigned)value << shift);
    unsigned found = __spirv_AtomicCompareExchange(word, scope, __hiplz_relaxed, __hiplz_relaxed, desired, whole);
    if (found == whole)
      return old;
    whole = found;
  }
}

} // namespace __hiplz

// One function for each type out of an instruction, and out of an update; `suffix` and `scope` go together.
#define __HIPLZ_ATOMIC_INTEGER(T, name, instruction, suffix, scope)                                                    \
  __HIPLZ_DEVICE T atomic##name##suffix(T *address, T value) {                                                         \
    typedef __hiplz::WordOf<T>::type Word;                                                                             \
    return (T)__spirv_Atomic##instruction((Word *)address, scope, __hiplz_relaxed, (Word)value);                       \
  }
#define __HIPLZ_ATOMIC_UPDATE(T, name, expression, suffix, scope)                                                      \
  __HIPLZ_DEVICE T atomic##name##suffix(T *address, T value) {                                                         \
    return __hiplz::atomicUpdate(                                                                                      \
        address, scope, [=](T old) __attribute__((device))->T { return expression; });                                 \
  }
#define __HIPLZ_ATOMIC_EXCHANGE(T, suffix, scope)                                                                      \
  __HIPLZ_DEVICE T atomicExch##suffix(T *address, T value) { return __hiplz::atomicExchange(address, scope, value); }  \
  __HIPLZ_DEVICE T atomicCAS##suffix(T *address, T compare, T value) {                                                 \
    return __hiplz::atomicCompareExchange(address, scope, compare, value);                                             \
  }
// The types of each function are AMD's: signed 64 bits have Min and Max alone, and as long long.
#define __HIPLZ_ATOMIC_EXTREMA(T, sign, suffix, scope)                                                                 \
  __HIPLZ_ATOMIC_INTEGER(T, Min, sign##Min, suffix, scope)                                                             \
  __HIPLZ_ATOMIC_INTEGER(T, Max, sign##Max, suffix, scope)
#define __HIPLZ_ATOMIC_ALL_INTEGER(T, sign, suffix, scope)                                                             \
  __HIPLZ_ATOMIC_INTEGER(T, Add, IAdd, suffix, scope)                                                                  \
  __HIPLZ_ATOMIC_INTEGER(T, Sub, ISub, suffix, scope)                                                                  \
  __HIPLZ_ATOMIC_EXTREMA(T, sign, suffix, scope)                                                                       \
  __HIPLZ_ATOMIC_INTEGER(T, And, And, suffix, scope)                                                                   \
  __HIPLZ_ATOMIC_INTEGER(T, Or, Or, suffix, scope)                                                                     \
  __HIPLZ_ATOMIC_INTEGER(T, Xor, Xor, suffix, scope)                                                                   \
  __HIPLZ_ATOMIC_EXCHANGE(T, suffix, scope)
#define __HIPLZ_ATOMIC_ALL_FLOAT(T, suffix, scope)                                                                     \
  __HIPLZ_ATOMIC_UPDATE(T, Add, old + value, suffix, scope)                                                            \
  __HIPLZ_ATOMIC_UPDATE(T, Sub, old - value, suffix, scope)                                                            \
  __HIPLZ_ATOMIC_UPDATE(T, Min, value < old || old != old ? value : old, suffix, scope)                                \
  __HIPLZ_ATOMIC_UPDATE(T, Max, value > old || old != old ? value : old, suffix, scope)                                \
  __HIPLZ_ATOMIC_EXCHANGE(T, suffix, scope)
#define __HIPLZ_ATOMIC_BOUNDED(suffix, scope)                                                                          \
  __HIPLZ_ATOMIC_UPDATE(unsigned, Inc, old >= value ? 0 : old + 1, suffix, scope)                                      \
  __HIPLZ_ATOMIC_UPDATE(unsigned, Dec, old == 0 || old > value ? value : old - 1, suffix, scope)                       \
  __HIPLZ_DEVICE unsigned short atomicCAS##suffix(unsigned short *address, unsigned short compare,                     \
                                                  unsigned short value) {                                              \
    return __hiplz::atomicCompareExchange16(address, scope, compare, value);                                           \
  }
#ifndef __HIPLZ_CUDA_SOURCE__
#define __HIPLZ_ATOMICS(suffix, scope)                                                                                 \
  __HIPLZ_ATOMIC_ALL_INTEGER(int, S, suffix, scope)                                                                    \
  __HIPLZ_ATOMIC_ALL_INTEGER(unsigned, U, suffix, scope)                                                               \
  __HIPLZ_ATOMIC_ALL_INTEGER(unsigned long, U, suffix, scope)                                                          \
  __HIPLZ_ATOMIC_ALL_INTEGER(unsigned long long, U, suffix, scope)                                                     \
  __HIPLZ_ATOMIC_EXTREMA(long long, S, suffix, scope)                                                                  \
  __HIPLZ_ATOMIC_ALL_FLOAT(float, suffix, scope)                                                                       \
  __HIPLZ_ATOMIC_ALL_FLOAT(double, suffix, scope)                                                                      \
  __HIPLZ_ATOMIC_BOUNDED(suffix, scope)
#else
// CUDA's overloads alone: programs define those that CUDA lacks.
#define __HIPLZ_ATOMICS(suffix, scope)                                                                                 \
  __HIPLZ_ATOMIC_ALL_INTEGER(int, S, suffix, scope)                                                                    \
  __HIPLZ_ATOMIC_ALL_INTEGER(unsigned, U, suffix, scope)                                                               \
  __HIPLZ_ATOMIC_INTEGER(long long, Min, SMin, suffix, scope)                                                          \
  __HIPLZ_ATOMIC_INTEGER(long long, Max, SMax, suffix, scope)                                                          \
  __HIPLZ_ATOMIC_INTEGER(long long, And, And, suffix, scope)                                                           \
  __HIPLZ_ATOMIC_INTEGER(long long, Or, Or, suffix, scope)                                                             \
  __HIPLZ_ATOMIC_INTEGER(long long, Xor, Xor, suffix, scope)                                                           \
  __HIPLZ_ATOMIC_INTEGER(unsigned long long, Add, IAdd, suffix, scope)                                                 \
  __HIPLZ_ATOMIC_INTEGER(unsigned long long, Min, UMin, suffix, scope)                                                 \
  __HIPLZ_ATOMIC_INTEGER(unsigned long long, Max, UMax, suffix, scope)                                                 \
  __HIPLZ_ATOMIC_INTEGER(unsigned long long, And, And, suffix, scope)                                                  \
  __HIPLZ_ATOMIC_INTEGER(unsigned long long, Or, Or, suffix, scope)                                                    \
  __HIPLZ_ATOMIC_INTEGER(unsigned long long, Xor, Xor, suffix, scope)                                                  \
  __HIPLZ_ATOMIC_EXCHANGE(unsigned long long, suffix, scope)                                                           \
  __HIPLZ_ATOMIC_UPDATE(float, Add, old + value, suffix, scope)                                                        \
  __HIPLZ_ATOMIC_UPDATE(double, Add, old + value, suffix, scope)                                                       \
  __HIPLZ_DEVICE float atomicExch##suffix(float *address, float value) {                                               \
    return __hiplz::atomicExchange(address, scope, value);                                                             \
  }                                                                                                                    \
  __HIPLZ_ATOMIC_BOUNDED(suffix, scope)
#endif
__HIPLZ_ATOMICS(, __hiplz_scope_device)
__HIPLZ_ATOMICS(_block, __hiplz_scope_block)
__HIPLZ_ATOMICS(_system, __hiplz_scope_system)
#undef __HIPLZ_ATOMICS
#undef __HIPLZ_ATOMIC_BOUNDED
#undef __HIPLZ_ATOMIC_ALL_FLOAT
#undef __HIPLZ_ATOMIC_ALL_INTEGER
#undef __HIPLZ_ATOMIC_EXTREMA
#undef __HIPLZ_ATOMIC_EXCHANGE
#undef __HIPLZ_ATOMIC_UPDATE
#undef __HIPLZ_ATOMIC_INTEGER

#ifndef __HIPLZ_CUDA_SOURCE__
__HIPLZ_DEVICE void atomicAddNoRet(float *address, float value) { (void)atomicAdd(address, value); }
// AMD's choice between hardware and emulation: here both are the same.
#define __HIPLZ_ATOMIC_ALIASES(T, name)                                                                                \
  __HIPLZ_DEVICE T safeAtomic##name(T *address, T value) { return atomic##name(address, value); }                      \
  __HIPLZ_DEVICE T unsafeAtomic##name(T *address, T value) { return atomic##name(address, value); }
__HIPLZ_ATOMIC_ALIASES(float, Add)
__HIPLZ_ATOMIC_ALIASES(float, Min)
__HIPLZ_ATOMIC_ALIASES(float, Max)
__HIPLZ_ATOMIC_ALIASES(double, Add)
__HIPLZ_ATOMIC_ALIASES(double, Min)
__HIPLZ_ATOMIC_ALIASES(double, Max)
#undef __HIPLZ_ATOMIC_ALIASES
#else
namespace __hiplz {
/// Where an unsigned long is. AMD's libraries call atomics on it, which CUDA does not have: a function of the program is
/// always the better match.
struct UnsignedLongPlace {
  unsigned long long *address;
  __device__ UnsignedLongPlace(unsigned long *place) : address((unsigned long long *)place) {}
};
} // namespace __hiplz
#define __HIPLZ_ATOMIC_LONG(name)                                                                                      \
  __HIPLZ_DEVICE unsigned long name(__hiplz::UnsignedLongPlace place, unsigned long value) {                           \
    return name(place.address, (unsigned long long)value);                                                             \
  }
__HIPLZ_ATOMIC_LONG(atomicAdd)
__HIPLZ_ATOMIC_LONG(atomicMin)
__HIPLZ_ATOMIC_LONG(atomicMax)
#undef __HIPLZ_ATOMIC_LONG
#endif
