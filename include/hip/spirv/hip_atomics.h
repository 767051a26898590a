// SPDX-License-Identifier: MIT
// The compiler's atomic functions with an order and a scope, `__hip_atomic_load` and the others. Clang has them built in,
// but for SPIR-V it calls a library that knows neither type nor scope, so in device code these macros take their place.
// Values of 32 and 64 bits have instructions, or loops around compare-and-exchange; smaller ones go by the aligned word
// that they are part of.
#pragma once

#include "hip/spirv/builtins.h"

#ifdef __HIP_DEVICE_COMPILE__

#define __HIPLZ_SPIRV_STORE(I) __HIPLZ_SPIRV void __spirv_AtomicStore(I *address, int scope, int semantics, I value);
__HIPLZ_SPIRV_STORE(unsigned)
__HIPLZ_SPIRV_STORE(unsigned long)
#undef __HIPLZ_SPIRV_STORE

namespace __hiplz {

// SPIR-V's numbers for the orders and scopes of the compiler (__ATOMIC_RELAXED = 0 ... __ATOMIC_SEQ_CST = 5,
// __HIP_MEMORY_SCOPE_SINGLETHREAD = 1 ... __HIP_MEMORY_SCOPE_SYSTEM = 5).
__HIPLZ_BOTH constexpr int atomicSemantics(int order) {
  return order == 0 ? __hiplz_relaxed : (order < 3 ? 0x2 : 0x4 << (order - 3)) | 0x100 | 0x200;
}
// Loads release nothing, stores acquire nothing.
__HIPLZ_BOTH constexpr int atomicLoadSemantics(int order) {
  return atomicSemantics(order == 3 ? 0 : order == 4 ? 2 : order);
}
__HIPLZ_BOTH constexpr int atomicStoreSemantics(int order) {
  return atomicSemantics(order == 1 || order == 2 ? 0 : order == 4 ? 3 : order);
}
__HIPLZ_BOTH constexpr int atomicScope(int scope) { return 5 - scope; }

template <class T> struct AsGiven {
  typedef T type;
};

template <unsigned long size> struct AtomicWord {};
template <> struct AtomicWord<4> {
  typedef unsigned type;
};
template <> struct AtomicWord<8> {
  typedef unsigned long type;
};
template <> struct AtomicWord<1> {
  typedef unsigned char type;
};
template <> struct AtomicWord<2> {
  typedef unsigned short type;
};

// How a value of some size is reached: `Word` is what the instructions work on, which holds the value at a bit.
template <class T, bool small = (sizeof(T) < 4)> struct AtomicPlace {
  typedef typename AtomicWord<sizeof(T)>::type Word;
  Word *word;
  __HIPLZ_BOTH explicit AtomicPlace(const volatile T *address) : word((Word *)address) {}
  __HIPLZ_BOTH T get(Word bits) const { return __builtin_bit_cast(T, bits); }
  __HIPLZ_BOTH Word put(Word, T value) const { return __builtin_bit_cast(Word, value); }
};
template <class T> struct AtomicPlace<T, true> {
  typedef unsigned Word;
  typedef typename AtomicWord<sizeof(T)>::type Bits;
  Word *word;
  unsigned shift;
  __HIPLZ_BOTH explicit AtomicPlace(const volatile T *address)
      : word((Word *)((size_t)address & ~(size_t)3)), shift(8 * (unsigned)((size_t)address & 3)) {}
  __HIPLZ_BOTH T get(Word bits) const { return __builtin_bit_cast(T, (Bits)(bits >> shift)); }
  __HIPLZ_BOTH Word put(Word whole, T value) const {
    return (whole & ~((Word)(Bits)~0u << shift)) | (Word) __builtin_bit_cast(Bits, value) << shift;
  }
};

template <class T> __HIPLZ_BOTH T hipAtomicLoad(const volatile T *address, int order, int scope) {
  AtomicPlace<T> place(address);
  return place.get(__spirv_AtomicLoad(place.word, atomicScope(scope), atomicLoadSemantics(order)));
}

/// Replaces *address by operation(*address); the old value.
template <class T, class Operation>
__HIPLZ_BOTH T hipAtomicUpdate(volatile T *address, int order, int scope, Operation operation) {
  AtomicPlace<T> place(address);
  typedef typename AtomicPlace<T>::Word Word;
  const int where = atomicScope(scope);
  Word expected = __spirv_AtomicLoad(place.word, where, __hiplz_relaxed);
  for (;;) {
    T old = place.get(expected);
    Word found = __spirv_AtomicCompareExchange(place.word, where, atomicSemantics(order), atomicLoadSemantics(order),
                                               place.put(expected, operation(old)), expected);
    if (found == expected)
      return old;
    expected = found;
  }
}

template <class T>
__HIPLZ_BOTH T hipAtomicExchange(volatile T *address, typename AsGiven<T>::type value, int order, int scope) {
  if constexpr (sizeof(T) >= 4) {
    AtomicPlace<T> place(address);
    return place.get(
        __spirv_AtomicExchange(place.word, atomicScope(scope), atomicSemantics(order), place.put(0, value)));
  } else {
    return hipAtomicUpdate(address, order, scope, [=](T) { return value; });
  }
}

template <class T>
__HIPLZ_BOTH void hipAtomicStore(volatile T *address, typename AsGiven<T>::type value, int order, int scope) {
  if constexpr (sizeof(T) >= 4) {
    AtomicPlace<T> place(address);
    __spirv_AtomicStore(place.word, atomicScope(scope), atomicStoreSemantics(order), place.put(0, value));
  } else {
    hipAtomicExchange(address, value, order, scope);
  }
}

template <class T>
__HIPLZ_BOTH bool hipAtomicCompareExchange(volatile T *address, T *expected, typename AsGiven<T>::type value, int order,
                                           int failure, int scope) {
  AtomicPlace<T> place(address);
  typedef typename AtomicPlace<T>::Word Word;
  const int where = atomicScope(scope), unequal = atomicLoadSemantics(failure);
  // The order of a failure must not exceed that of a success.
  const int equal = atomicSemantics(failure > order ? failure : order);
  const T wanted = *expected;
  Word assumed = sizeof(T) < 4 ? __spirv_AtomicLoad(place.word, where, unequal) : 0;
  for (;;) {
    Word whole = place.put(assumed, wanted);
    Word found = __spirv_AtomicCompareExchange(place.word, where, equal, unequal, place.put(assumed, value), whole);
    if (found == whole)
      return true;
    // In a word that has more in it, the rest may be what differed.
    if (sizeof(T) >= 4 || place.put(found, wanted) != found) {
      *expected = place.get(found);
      return false;
    }
    assumed = found;
  }
}

template <class T> __HIPLZ_BOTH constexpr bool isWideInteger() { return sizeof(T) >= 4 && __is_integral(T); }

#define __HIPLZ_HIP_ATOMIC(Name, T, Value, native, operation)                                                          \
  template <class T> __HIPLZ_BOTH T hipAtomic##Name(volatile T *address, Value value, int order, int scope) {          \
    if constexpr (isWideInteger<T>()) {                                                                                \
      AtomicPlace<T> place(address);                                                                                   \
      const int where = atomicScope(scope), semantics = atomicSemantics(order);                                        \
      return native;                                                                                                   \
    } else {                                                                                                           \
      return hipAtomicUpdate(address, order, scope, [=](T old) { return (T)(operation); });                            \
    }                                                                                                                  \
  }
#define __HIPLZ_NATIVE(Instruction)                                                                                    \
  place.get(__spirv_Atomic##Instruction(place.word, where, semantics, place.put(0, (T)value)))
#define __HIPLZ_NATIVE_SIGNED(Instruction)                                                                             \
  sizeof(T) == 4 ? (T)__spirv_AtomicS##Instruction((int *)address, where, semantics, (int)value)                       \
                 : (T)__spirv_AtomicS##Instruction((long *)address, where, semantics, (long)value)
#define __HIPLZ_NATIVE_MINMAX(Instruction)                                                                             \
  (T) - 1 < (T)0 ? __HIPLZ_NATIVE_SIGNED(Instruction) : __HIPLZ_NATIVE(U##Instruction)
// What is added to a pointer is a difference.
template <class T> struct Addend {
  typedef T type;
};
template <class T> struct Addend<T *> {
  typedef long type;
};
__HIPLZ_HIP_ATOMIC(FetchAdd, T, typename Addend<T>::type, __HIPLZ_NATIVE(IAdd), old + value)
__HIPLZ_HIP_ATOMIC(FetchSub, T, typename Addend<T>::type, __HIPLZ_NATIVE(ISub), old - value)
__HIPLZ_HIP_ATOMIC(FetchAnd, T, typename AsGiven<T>::type, __HIPLZ_NATIVE(And), old &value)
__HIPLZ_HIP_ATOMIC(FetchOr, T, typename AsGiven<T>::type, __HIPLZ_NATIVE(Or), old | value)
__HIPLZ_HIP_ATOMIC(FetchXor, T, typename AsGiven<T>::type, __HIPLZ_NATIVE(Xor), old ^ value)
// Of a number and NaN, the number.
__HIPLZ_HIP_ATOMIC(FetchMin, T, typename AsGiven<T>::type, __HIPLZ_NATIVE_MINMAX(Min),
                   value < old || old != old ? value : old)
__HIPLZ_HIP_ATOMIC(FetchMax, T, typename AsGiven<T>::type, __HIPLZ_NATIVE_MINMAX(Max),
                   value > old || old != old ? value : old)
#undef __HIPLZ_HIP_ATOMIC
#undef __HIPLZ_NATIVE_MINMAX
#undef __HIPLZ_NATIVE_SIGNED
#undef __HIPLZ_NATIVE

} // namespace __hiplz

#define __hip_atomic_load(address, order, scope) (__hiplz::hipAtomicLoad(address, order, scope))
#define __hip_atomic_store(address, value, order, scope) (__hiplz::hipAtomicStore(address, value, order, scope))
#define __hip_atomic_exchange(address, value, order, scope) (__hiplz::hipAtomicExchange(address, value, order, scope))
#define __hip_atomic_compare_exchange_strong(address, expected, value, order, failure, scope)                          \
  (__hiplz::hipAtomicCompareExchange(address, expected, value, order, failure, scope))
#define __hip_atomic_compare_exchange_weak(address, expected, value, order, failure, scope)                            \
  (__hiplz::hipAtomicCompareExchange(address, expected, value, order, failure, scope))
#define __hip_atomic_fetch_add(address, value, order, scope) (__hiplz::hipAtomicFetchAdd(address, value, order, scope))
#define __hip_atomic_fetch_sub(address, value, order, scope) (__hiplz::hipAtomicFetchSub(address, value, order, scope))
#define __hip_atomic_fetch_and(address, value, order, scope) (__hiplz::hipAtomicFetchAnd(address, value, order, scope))
#define __hip_atomic_fetch_or(address, value, order, scope) (__hiplz::hipAtomicFetchOr(address, value, order, scope))
#define __hip_atomic_fetch_xor(address, value, order, scope) (__hiplz::hipAtomicFetchXor(address, value, order, scope))
#define __hip_atomic_fetch_min(address, value, order, scope) (__hiplz::hipAtomicFetchMin(address, value, order, scope))
#define __hip_atomic_fetch_max(address, value, order, scope) (__hiplz::hipAtomicFetchMax(address, value, order, scope))

#endif
