// SPDX-License-Identifier: MIT
// Names of AMD's internal headers that sources have come to use, for hipRTC above all: fixed-width integers and type traits.
#pragma once

#include <type_traits>

namespace __hip_internal {
using std::alignment_of;
using std::conditional;
using std::enable_if;
using std::false_type;
using std::integral_constant;
using std::is_arithmetic;
using std::is_convertible;
using std::is_floating_point;
using std::is_integral;
using std::is_same;
using std::is_signed;
using std::is_standard_layout;
using std::is_trivial;
using std::is_void;
using std::remove_cv;
using std::true_type;
template <bool Value> using bool_constant = integral_constant<bool, Value>;

typedef signed char int8_t;
typedef signed short int16_t;
typedef signed int int32_t;
typedef signed long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;

template <class T, T... Values> struct integer_sequence {
  typedef T value_type;
  static constexpr size_t size() noexcept { return sizeof...(Values); }
};
template <size_t... Values> using index_sequence = integer_sequence<size_t, Values...>;

/// Those of make_index_sequence, counted down.
template <size_t Count, size_t... Values> struct sequence_of : sequence_of<Count - 1, Count - 1, Values...> {};
template <size_t... Values> struct sequence_of<0, Values...> {
  typedef index_sequence<Values...> type;
};
template <size_t Count> using make_index_sequence = typename sequence_of<Count>::type;
} // namespace __hip_internal

typedef __hip_internal::int8_t __hip_int8_t;
typedef __hip_internal::int16_t __hip_int16_t;
typedef __hip_internal::int32_t __hip_int32_t;
typedef __hip_internal::int64_t __hip_int64_t;
typedef __hip_internal::uint8_t __hip_uint8_t;
typedef __hip_internal::uint16_t __hip_uint16_t;
typedef __hip_internal::uint32_t __hip_uint32_t;
typedef __hip_internal::uint64_t __hip_uint64_t;
