// SPDX-License-Identifier: MIT
// Values of any type in 64 bits: integers extended as their type says, floating point in the low bits. And what operators make of
// them, as C++ says; what it leaves undefined is an exception.
#pragma once
#include "program.h"

#include <bit>
#include <limits>

namespace fuzz {

template <class T> uint64_t pack(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else
    return uint64_t(int64_t(value));
}
template <class T> T unpack(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(uint32_t(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return T(bits);
}

/// Calls `function` with a value of the C++ type that `type` stands for.
template <class Function> uint64_t withType(Type type, Function function) {
  switch (type) {
  case Type::i8: return function((signed char)0);
  case Type::u8: return function((unsigned char)0);
  case Type::i16: return function((short)0);
  case Type::u16: return function((unsigned short)0);
  case Type::i32: return function(0);
  case Type::u32: return function(0u);
  case Type::i64: return function(0ll);
  case Type::u64: return function(0ull);
  case Type::f32: return function(0.0f);
  case Type::f64: return function(0.0);
  }
  return 0;
}

inline uint64_t convertBits(uint64_t bits, Type from, Type to) {
  return withType(from, [&](auto source) {
    const auto value = unpack<decltype(source)>(bits);
    return withType(to, [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>)
        if (!(value > -1000000 && value < 1000000) || (std::is_unsigned_v<To> && value < 0))
          throw Undefined("a conversion out of range");
      return pack(To(value));
    });
  });
}

inline uint32_t recurse(uint32_t n, uint32_t x) { return n == 0 ? x : recurse(n - 1, x * 3 + n) ^ (x >> 5); }
inline uint32_t callPointer(uint32_t which, uint32_t x) {
  if (which == 0)
    return x * 5 + 1;
  if (which == 1)
    return x ^ 0x55aa;
  uint32_t y = 0;
  for (uint32_t i = 0; i < x % 5; ++i)
    y += x >> i;
  return y;
}

template <class T> T binary(Op op, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::minimum: return b < a ? b : a;
    default: throw Undefined("no operator of floating point");
    }
  } else {
    using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    constexpr unsigned kBits = sizeof(T) * 8;
    const auto plain = [](int64_t exact) {
      if (exact != int32_t(exact))
        throw Undefined("a signed overflow");
      return T(exact);
    };
    switch (op) {
    case Op::add: return T(U(a) + U(b));
    case Op::subtract: return T(U(a) - U(b));
    case Op::multiply: return T(U(a) * U(b));
    case Op::plainAdd: return plain(int64_t(a) + int64_t(b));
    case Op::plainSubtract: return plain(int64_t(a) - int64_t(b));
    case Op::plainMultiply: return plain(int64_t(a) * int64_t(b));
    case Op::divide:
    case Op::remainder:
      if (b == 0)
        throw Undefined("a division by zero");
      if constexpr (std::is_signed_v<T> && sizeof(T) >= 4)
        if (b == -1 && a == std::numeric_limits<T>::min())
          throw Undefined("an overflow of a division");
      return op == Op::divide ? T(a / b) : T(a % b);
    case Op::bitAnd: return T(U(a) & U(b));
    case Op::bitOr: return T(U(a) | U(b));
    case Op::bitXor: return T(U(a) ^ U(b));
    case Op::shiftLeft:
    case Op::shiftRight:
      if (U(b) >= kBits)
        throw Undefined("a shift by too much");
      return op == Op::shiftLeft ? T(U(a) << U(b)) : T(a >> U(b));
    case Op::minimum: return b < a ? b : a;
    case Op::maximum: return a < b ? b : a;
    default: throw Undefined("no operator of integers");
    }
  }
}

/// The words of the inputs.
inline uint64_t inputAt(unsigned buffer, unsigned index) {
  const uint32_t mixed = (index * 5 + buffer + 7) * 2246822519u;
  return withType(kInputTypes[buffer], [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_floating_point_v<T>)
      return pack(T(int(mixed % 4000) - 2000) * T(0.125));
    else // many small ones, and zeros
      return pack(T(index % 3 == 0 ? index % 37 : index % 3 == 1 ? uint64_t(mixed) * 2654435761u >> 7 : mixed % 64));
  });
}

} // namespace fuzz
