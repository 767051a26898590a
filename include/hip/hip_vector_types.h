// SPDX-License-Identifier: MIT
// The vector types char1 ... double4: the plain structs with their sizes and alignments in C, and in C++ the class
// template behind them, with component-wise operators, for host and device code.
//
// The template keeps the name HIP_vector_type<T, unsigned> because it is part of the mangled names of kernels.
#ifndef HIPLZ_HIP_VECTOR_TYPES_H
#define HIPLZ_HIP_VECTOR_TYPES_H

#include "spirv/user_macros_off.h"

#include "hip_version.h"
#include "host_defines.h"

#define __HOST_DEVICE__ __host__ __device__

#ifdef __cplusplus

#include <type_traits>

// Functions of several statements can be constant expressions since C++14.
#if __cplusplus >= 201402L
#define HIPLZ_CONSTEXPR14 constexpr
#else
#define HIPLZ_CONSTEXPR14
#endif

/// The components of a vector, by name and, in `data`, by number. AMD's headers of HIP 7 have no `data`, but rocRAND before 7, which
/// distributions ship, reads it. each(f, other) calls f.apply(component, other's component)
/// for all of them, and all(other) tells whether all components are equal. fill(value) has value in all of them, first(value) in x
/// and zeros behind it.
template <typename T, unsigned int n> struct HIP_vector_base;

template <typename T> struct HIP_vector_base<T, 1> {
  typedef T value_type;

  union {
    struct {
      T x;
    };
    T data[1];
  };

  template <typename F> __HOST_DEVICE__ HIPLZ_CONSTEXPR14 void each(const HIP_vector_base &other) {
    F::apply(x, other.x);
  }
  __HOST_DEVICE__ constexpr bool all(const HIP_vector_base &other) const { return x == other.x; }
  __HOST_DEVICE__ static constexpr HIP_vector_base fill(T value) { return {{{value}}}; }
  __HOST_DEVICE__ static constexpr HIP_vector_base first(T value) { return {{{value}}}; }
};

template <typename T> struct alignas(2 * sizeof(T)) HIP_vector_base<T, 2> {
  typedef T value_type;

  union {
    struct {
      T x;
      T y;
    };
    T data[2];
  };

  template <typename F> __HOST_DEVICE__ HIPLZ_CONSTEXPR14 void each(const HIP_vector_base &other) {
    F::apply(x, other.x);
    F::apply(y, other.y);
  }
  __HOST_DEVICE__ constexpr bool all(const HIP_vector_base &other) const { return x == other.x && y == other.y; }
  __HOST_DEVICE__ static constexpr HIP_vector_base fill(T value) { return {{{value, value}}}; }
  __HOST_DEVICE__ static constexpr HIP_vector_base first(T value) { return {{{value, T()}}}; }
};

template <typename T> struct HIP_vector_base<T, 3> {
  typedef T value_type;

  union {
    struct {
      T x;
      T y;
      T z;
    };
    T data[3];
  };

  template <typename F> __HOST_DEVICE__ HIPLZ_CONSTEXPR14 void each(const HIP_vector_base &other) {
    F::apply(x, other.x);
    F::apply(y, other.y);
    F::apply(z, other.z);
  }
  __HOST_DEVICE__ constexpr bool all(const HIP_vector_base &other) const {
    return x == other.x && y == other.y && z == other.z;
  }
  __HOST_DEVICE__ static constexpr HIP_vector_base fill(T value) { return {{{value, value, value}}}; }
  __HOST_DEVICE__ static constexpr HIP_vector_base first(T value) { return {{{value, T(), T()}}}; }
};

template <typename T> struct alignas(4 * sizeof(T)) HIP_vector_base<T, 4> {
  typedef T value_type;

  union {
    struct {
      T x;
      T y;
      T z;
      T w;
    };
    T data[4];
  };

  template <typename F> __HOST_DEVICE__ HIPLZ_CONSTEXPR14 void each(const HIP_vector_base &other) {
    F::apply(x, other.x);
    F::apply(y, other.y);
    F::apply(z, other.z);
    F::apply(w, other.w);
  }
  __HOST_DEVICE__ constexpr bool all(const HIP_vector_base &other) const {
    return x == other.x && y == other.y && z == other.z && w == other.w;
  }
  __HOST_DEVICE__ static constexpr HIP_vector_base fill(T value) { return {{{value, value, value, value}}}; }
  __HOST_DEVICE__ static constexpr HIP_vector_base first(T value) { return {{{value, T(), T(), T()}}}; }
};

// One type for each compound assignment, for HIP_vector_base::each.
#define HIPLZ_VECTOR_OPERATION(NAME, OP)                                                                               \
  struct NAME {                                                                                                        \
    template <typename T> __HOST_DEVICE__ static HIPLZ_CONSTEXPR14 void apply(T &left, const T &right) {               \
      left = static_cast<T>(left OP right);                                                                            \
    }                                                                                                                  \
  };
namespace hiplz {
namespace vector_operation {
HIPLZ_VECTOR_OPERATION(Add, +)
HIPLZ_VECTOR_OPERATION(Subtract, -)
HIPLZ_VECTOR_OPERATION(Multiply, *)
HIPLZ_VECTOR_OPERATION(Divide, /)
HIPLZ_VECTOR_OPERATION(Remainder, %)
HIPLZ_VECTOR_OPERATION(And, &)
HIPLZ_VECTOR_OPERATION(Or, |)
HIPLZ_VECTOR_OPERATION(Xor, ^)
HIPLZ_VECTOR_OPERATION(ShiftLeft, <<)
HIPLZ_VECTOR_OPERATION(ShiftRight, >>)
} // namespace vector_operation
/// T, from which no template argument is deduced: what converts to T is taken too.
template <typename T> struct Identity {
  typedef T type;
};
template <typename T> using Exactly = typename Identity<T>::type;
template <typename T, typename... Us> struct AllConvertible : std::true_type {};
template <typename T, typename U, typename... Us>
struct AllConvertible<T, U, Us...>
    : std::integral_constant<bool, std::is_convertible<U, T>::value && AllConvertible<T, Us...>::value> {};
} // namespace hiplz
#undef HIPLZ_VECTOR_OPERATION

/// A vector of n components x, y, z, w. It is trivially copyable and has no padding; vectors of 2 and 4 components are
/// aligned to their size. All arithmetic is component by component; a scalar operand stands for a vector of it. But no
/// scalar becomes a vector by itself, so that functions can be overloaded for scalars and vectors.
template <typename T, unsigned int n> struct HIP_vector_type : HIP_vector_base<T, n> {
  using Base = HIP_vector_base<T, n>;

  HIP_vector_type() = default;
  __HOST_DEVICE__ constexpr HIP_vector_type(const Base &base) : Base(base) {}

  /// All components are value; in HIP 7 the first is, and the others are zero.
  template <typename U, typename std::enable_if<std::is_convertible<U, T>::value>::type * = nullptr>
#if HIPLZ_HIP_VERSION >= 7
  __HOST_DEVICE__ explicit constexpr HIP_vector_type(U value) : Base(Base::first(static_cast<T>(value))) {
  }
#else
  __HOST_DEVICE__ explicit constexpr HIP_vector_type(U value) : Base(Base::fill(static_cast<T>(value))) {
  }
#endif

  template <typename U0, typename U1, typename... Us,
            typename std::enable_if<sizeof...(Us) + 2 == n && hiplz::AllConvertible<T, U0, U1, Us...>::value>::type * =
                nullptr>
  __HOST_DEVICE__ constexpr HIP_vector_type(U0 first, U1 second, Us... others)
      : Base{{{static_cast<T>(first), static_cast<T>(second), static_cast<T>(others)...}}} {}

#if HIPLZ_HIP_VERSION >= 7
  /// The component of a number, which is less than n.
  __HOST_DEVICE__ T &operator[](decltype(sizeof 0) index) { return this->data[index]; }
  __HOST_DEVICE__ const T &operator[](decltype(sizeof 0) index) const { return this->data[index]; }
#endif
};

namespace hiplz {
/// The vector that a scalar operand stands for.
template <typename T, unsigned int n, typename U> __HOST_DEVICE__ constexpr HIP_vector_type<T, n> filled(U value) {
  return HIP_vector_base<T, n>::fill(static_cast<T>(value));
}
} // namespace hiplz

// The operators are no members: each of the 48 vector types would have to declare them, in every compilation. The left operand
// of an assignment may be a temporary.
#define HIPLZ_VECTOR_ASSIGN(OP, NAME, CONDITION)                                                                       \
  template <typename T, unsigned int n, typename std::enable_if<CONDITION>::type * = nullptr>                          \
  __HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> &operator OP(                                                \
      HIP_vector_type<T, n> &left, const hiplz::Exactly<HIP_vector_type<T, n>> &right) {                               \
    left.template each<hiplz::vector_operation::NAME>(right);                                                          \
    return left;                                                                                                       \
  }                                                                                                                    \
  template <typename T, unsigned int n, typename U,                                                                    \
            typename std::enable_if<CONDITION && std::is_convertible<U, T>::value>::type * = nullptr>                  \
  __HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> &operator OP(HIP_vector_type<T, n> &left, U right) {         \
    return left OP hiplz::filled<T, n>(right);                                                                         \
  }                                                                                                                    \
  template <typename T, unsigned int n, typename U, typename std::enable_if<CONDITION>::type * = nullptr>              \
  __HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> &operator OP(HIP_vector_type<T, n> &&left, const U &right) { \
    return left OP right;                                                                                              \
  }
HIPLZ_VECTOR_ASSIGN(+=, Add, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_ASSIGN(-=, Subtract, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_ASSIGN(*=, Multiply, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_ASSIGN(/=, Divide, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_ASSIGN(%=, Remainder, std::is_integral<T>::value)
HIPLZ_VECTOR_ASSIGN(&=, And, std::is_integral<T>::value)
HIPLZ_VECTOR_ASSIGN(|=, Or, std::is_integral<T>::value)
HIPLZ_VECTOR_ASSIGN(^=, Xor, std::is_integral<T>::value)
HIPLZ_VECTOR_ASSIGN(<<=, ShiftLeft, std::is_integral<T>::value)
HIPLZ_VECTOR_ASSIGN(>>=, ShiftRight, std::is_integral<T>::value)
#undef HIPLZ_VECTOR_ASSIGN

template <typename T, unsigned int n>
__HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> &operator++(HIP_vector_type<T, n> &vector) {
  return vector += T(1);
}
template <typename T, unsigned int n>
__HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> operator++(HIP_vector_type<T, n> &vector, int) {
  HIP_vector_type<T, n> before(vector);
  ++vector;
  return before;
}
template <typename T, unsigned int n>
__HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> &operator--(HIP_vector_type<T, n> &vector) {
  return vector -= T(1);
}
template <typename T, unsigned int n>
__HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> operator--(HIP_vector_type<T, n> &vector, int) {
  HIP_vector_type<T, n> before(vector);
  --vector;
  return before;
}
template <typename T, unsigned int n>
__HOST_DEVICE__ constexpr HIP_vector_type<T, n> operator+(const HIP_vector_type<T, n> &vector) {
  return vector;
}
/// Not for unsigned components.
template <typename T, unsigned int n, typename std::enable_if<std::is_signed<T>::value>::type * = nullptr>
__HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> operator-(const HIP_vector_type<T, n> &vector) {
  HIP_vector_type<T, n> result(vector);
  result *= static_cast<T>(-1);
  return result;
}
template <typename T, unsigned int n, typename std::enable_if<std::is_integral<T>::value>::type * = nullptr>
__HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> operator~(const HIP_vector_type<T, n> &vector) {
  HIP_vector_type<T, n> result(vector);
  result ^= static_cast<T>(-1);
  return result;
}

#define HIPLZ_VECTOR_BINARY(OP, CONDITION)                                                                             \
  template <typename T, unsigned int n, typename std::enable_if<CONDITION>::type * = nullptr>                          \
  __HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> operator OP(const HIP_vector_type<T, n> &left,               \
                                                                      const HIP_vector_type<T, n> &right) {            \
    HIP_vector_type<T, n> result(left);                                                                                \
    result OP## = right;                                                                                               \
    return result;                                                                                                     \
  }                                                                                                                    \
  template <typename T, unsigned int n, typename U,                                                                    \
            typename std::enable_if<(CONDITION) && std::is_convertible<U, T>::value>::type * = nullptr>                \
  __HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> operator OP(const HIP_vector_type<T, n> &left, U right) {    \
    return left OP hiplz::filled<T, n>(right);                                                                         \
  }                                                                                                                    \
  template <typename T, unsigned int n, typename U,                                                                    \
            typename std::enable_if<(CONDITION) && std::is_convertible<U, T>::value>::type * = nullptr>                \
  __HOST_DEVICE__ HIPLZ_CONSTEXPR14 HIP_vector_type<T, n> operator OP(U left, const HIP_vector_type<T, n> &right) {    \
    return hiplz::filled<T, n>(left) OP right;                                                                         \
  }
HIPLZ_VECTOR_BINARY(+, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_BINARY(-, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_BINARY(*, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_BINARY(/, std::is_arithmetic<T>::value)
HIPLZ_VECTOR_BINARY(%, std::is_integral<T>::value)
HIPLZ_VECTOR_BINARY(&, std::is_integral<T>::value)
HIPLZ_VECTOR_BINARY(|, std::is_integral<T>::value)
HIPLZ_VECTOR_BINARY(^, std::is_integral<T>::value)
HIPLZ_VECTOR_BINARY(<<, std::is_integral<T>::value)
HIPLZ_VECTOR_BINARY(>>, std::is_integral<T>::value)
#undef HIPLZ_VECTOR_BINARY

/// Two vectors are equal if all their components are.
template <typename T, unsigned int n>
__HOST_DEVICE__ constexpr bool operator==(const HIP_vector_type<T, n> &left, const HIP_vector_type<T, n> &right) {
  return left.all(right);
}
template <typename T, unsigned int n, typename U,
          typename std::enable_if<std::is_convertible<U, T>::value>::type * = nullptr>
__HOST_DEVICE__ constexpr bool operator==(const HIP_vector_type<T, n> &left, U right) {
  return left.all(hiplz::filled<T, n>(right));
}
template <typename T, unsigned int n, typename U,
          typename std::enable_if<std::is_convertible<U, T>::value>::type * = nullptr>
__HOST_DEVICE__ constexpr bool operator==(U left, const HIP_vector_type<T, n> &right) {
  return right.all(hiplz::filled<T, n>(left));
}
template <typename T, unsigned int n>
__HOST_DEVICE__ constexpr bool operator!=(const HIP_vector_type<T, n> &left, const HIP_vector_type<T, n> &right) {
  return !left.all(right);
}
template <typename T, unsigned int n, typename U,
          typename std::enable_if<std::is_convertible<U, T>::value>::type * = nullptr>
__HOST_DEVICE__ constexpr bool operator!=(const HIP_vector_type<T, n> &left, U right) {
  return !left.all(hiplz::filled<T, n>(right));
}
template <typename T, unsigned int n, typename U,
          typename std::enable_if<std::is_convertible<U, T>::value>::type * = nullptr>
__HOST_DEVICE__ constexpr bool operator!=(U left, const HIP_vector_type<T, n> &right) {
  return !right.all(hiplz::filled<T, n>(left));
}

/// True if the elements 0 ... last of two arrays are equal.
template <typename V> __HOST_DEVICE__ constexpr bool _hip_compare(const V &left, const V &right, int last) {
  return last < 0 ? true : left[last] == right[last] && _hip_compare(left, right, last - 1);
}

/// The components of a vector as components of another type and number; those that it does not have are zero.
template <typename T, unsigned int rankT, typename U, unsigned int rankU>
__HOST_DEVICE__ inline const HIP_vector_type<T, rankT> __hipMapVector(const HIP_vector_type<U, rankU> &vector) {
  const U *from = &vector.x;
  HIP_vector_type<T, rankT> result;
  T *to = &result.x;
  for (unsigned int i = 0; i < rankT; ++i)
    to[i] = i < rankU ? static_cast<T>(from[i]) : T();
  return result;
}

#define HIPLZ_VECTOR_NAMES(NAME, T)                                                                                    \
  typedef HIP_vector_type<T, 1> NAME##1;                                                                               \
  typedef HIP_vector_type<T, 2> NAME##2;                                                                               \
  typedef HIP_vector_type<T, 3> NAME##3;                                                                               \
  typedef HIP_vector_type<T, 4> NAME##4;                                                                               \
  __HOST_DEVICE__ static inline constexpr NAME##1 make_##NAME##1(T x) { return NAME##1 ::Base{{{x}}}; }                \
  __HOST_DEVICE__ static inline constexpr NAME##2 make_##NAME##2(T x, T y) { return NAME##2 ::Base{{{x, y}}}; }        \
  __HOST_DEVICE__ static inline constexpr NAME##3 make_##NAME##3(T x, T y, T z) {                                      \
    return NAME##3 ::Base{{{x, y, z}}};                                                                                \
  }                                                                                                                    \
  __HOST_DEVICE__ static inline constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) {                                 \
    return NAME##4 ::Base{{{x, y, z, w}}};                                                                             \
  }

#else

#define HIPLZ_VECTOR_NAMES(NAME, T)                                                                                    \
  typedef struct NAME##1 { T x; }                                                                                      \
  NAME##1;                                                                                                             \
  typedef struct NAME##2 { T x, y; }                                                                                   \
  __attribute__((aligned(2 * sizeof(T)))) NAME##2;                                                                     \
  typedef struct NAME##3 { T x, y, z; }                                                                                \
  NAME##3;                                                                                                             \
  typedef struct NAME##4 { T x, y, z, w; }                                                                             \
  __attribute__((aligned(4 * sizeof(T)))) NAME##4;                                                                     \
  static inline NAME##1 make_##NAME##1(T x) {                                                                          \
    NAME##1 v = {x};                                                                                                   \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline NAME##2 make_##NAME##2(T x, T y) {                                                                     \
    NAME##2 v = {x, y};                                                                                                \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline NAME##3 make_##NAME##3(T x, T y, T z) {                                                                \
    NAME##3 v = {x, y, z};                                                                                             \
    return v;                                                                                                          \
  }                                                                                                                    \
  static inline NAME##4 make_##NAME##4(T x, T y, T z, T w) {                                                           \
    NAME##4 v = {x, y, z, w};                                                                                          \
    return v;                                                                                                          \
  }

#endif

HIPLZ_VECTOR_NAMES(char, char)
HIPLZ_VECTOR_NAMES(uchar, unsigned char)
HIPLZ_VECTOR_NAMES(short, short)
HIPLZ_VECTOR_NAMES(ushort, unsigned short)
HIPLZ_VECTOR_NAMES(int, int)
HIPLZ_VECTOR_NAMES(uint, unsigned int)
HIPLZ_VECTOR_NAMES(long, long)
HIPLZ_VECTOR_NAMES(ulong, unsigned long)
HIPLZ_VECTOR_NAMES(longlong, long long)
HIPLZ_VECTOR_NAMES(ulonglong, unsigned long long)
HIPLZ_VECTOR_NAMES(float, float)
HIPLZ_VECTOR_NAMES(double, double)
#undef HIPLZ_VECTOR_NAMES

#include "spirv/user_macros_on.h"
#endif
