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
// The first parameter of the functions that the macros call is for the macros.

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

template <class T> __HIPLZ_BOTH T hipAtomicLoad(int, const volatile T *address, int order, int scope) {
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
__HIPLZ_BOTH T hipAtomicExchange(int, volatile T *address, typename AsGiven<T>::type value, int order, int scope) {
  if constexpr (sizeof(T) >= 4) {
    AtomicPlace<T> place(address);
    return place.get(
        __spirv_AtomicExchange(place.word, atomicScope(scope), atomicSemantics(order), place.put(0, value)));
  } else {
    return hipAtomicUpdate(address, order, scope, [=](T) { return value; });
  }
}

template <class T>
__HIPLZ_BOTH void hipAtomicStore(int, volatile T *address, typename AsGiven<T>::type value, int order, int scope) {
  if constexpr (sizeof(T) >= 4) {
    AtomicPlace<T> place(address);
    __spirv_AtomicStore(place.word, atomicScope(scope), atomicStoreSemantics(order), place.put(0, value));
  } else {
    hipAtomicExchange(0, address, value, order, scope);
  }
}

// Clang 18 and newer look at the order of a failure themselves.
#if __clang_major__ < 18
#define __HIPLZ_CHECK_FAILURE                                                                                          \
  __attribute__((diagnose_if(failure < 0 || failure > 5 || failure == 3 || failure == 4,                               \
                             "memory order argument to atomic operation is invalid", "warning")))
#else
#define __HIPLZ_CHECK_FAILURE
#endif
template <class T>
__HIPLZ_BOTH bool hipAtomicCompareExchange(int, volatile T *address, T *expected, typename AsGiven<T>::type value,
                                           int order, int failure, int scope) __HIPLZ_CHECK_FAILURE {
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

#undef __HIPLZ_CHECK_FAILURE

template <class T> __HIPLZ_BOTH constexpr bool isWideInteger() { return sizeof(T) >= 4 && __is_integral(T); }

#define __HIPLZ_HIP_ATOMIC(Name, T, Value, native, operation)                                                          \
  template <class T> __HIPLZ_BOTH T hipAtomic##Name(int, volatile T *address, Value value, int order, int scope) {     \
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
// The number added to a pointer is a difference.
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

// Clang's own function stands in an argument that is never evaluated: clang reports what is wrong with the arguments as for any
// other device, and looks no further at a call that has an error in it.
#define __HIPLZ_CHECKED_ATOMIC(function, builtin, ...)                                                                 \
  (__hiplz::function(false ? (builtin(__VA_ARGS__), (void)0, 0) : 0, __VA_ARGS__))
#define __hip_atomic_load(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicLoad, __hip_atomic_load, __VA_ARGS__)
#define __hip_atomic_store(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicStore, __hip_atomic_store, __VA_ARGS__)
#define __hip_atomic_exchange(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicExchange, __hip_atomic_exchange, __VA_ARGS__)
#define __hip_atomic_compare_exchange_strong(...)                                                                      \
  __HIPLZ_CHECKED_ATOMIC(hipAtomicCompareExchange, __hip_atomic_compare_exchange_strong, __VA_ARGS__)
#define __hip_atomic_compare_exchange_weak(...)                                                                        \
  __HIPLZ_CHECKED_ATOMIC(hipAtomicCompareExchange, __hip_atomic_compare_exchange_weak, __VA_ARGS__)
#define __hip_atomic_fetch_add(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicFetchAdd, __hip_atomic_fetch_add, __VA_ARGS__)
#if __has_builtin(__hip_atomic_fetch_sub) // not in clang 15
#define __hip_atomic_fetch_sub(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicFetchSub, __hip_atomic_fetch_sub, __VA_ARGS__)
#else
#define __hip_atomic_fetch_sub(...) (__hiplz::hipAtomicFetchSub(0, __VA_ARGS__))
#endif
#define __hip_atomic_fetch_and(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicFetchAnd, __hip_atomic_fetch_and, __VA_ARGS__)
#define __hip_atomic_fetch_or(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicFetchOr, __hip_atomic_fetch_or, __VA_ARGS__)
#define __hip_atomic_fetch_xor(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicFetchXor, __hip_atomic_fetch_xor, __VA_ARGS__)
#define __hip_atomic_fetch_min(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicFetchMin, __hip_atomic_fetch_min, __VA_ARGS__)
#define __hip_atomic_fetch_max(...) __HIPLZ_CHECKED_ATOMIC(hipAtomicFetchMax, __hip_atomic_fetch_max, __VA_ARGS__)

#endif
