// SPDX-License-Identifier: MIT
// Which arguments of a printf format are strings, and how much of each may be read. One table-driven machine answers
// that for both kinds of formats: those known at compile time (run here), and the others (run on the device, by code
// that PrintfRuntime builds around the same tables).
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace hiplz::passes {

/// How an argument is consumed: not as a string, as a string of at most this many characters, or as a string whose
/// limit is the argument before it (`%.*s`; a negative one means no limit).
constexpr int64_t kNotString = -1;
constexpr int64_t kLimitIsArgument = -2;
constexpr int64_t kNoLimit = 0x7fffffff;

struct FormatMachine {
  enum State : uint8_t { kText, kFlags, kWidth, kPrecision, kLength, kStates };
  enum Class : uint8_t {
    kOther,
    kPercent,
    kFlag,
    kZero,
    kDigit,
    kStar,
    kDot,
    kLengthModifier,
    kStringConversion,
    kConversion,
    kClasses
  };
  /// The effect of a character on the limit and on the count of arguments; those from kStarPrecision on take one.
  enum Action : uint8_t { kNone, kBegin, kStartPrecision, kPrecisionDigit, kStarPrecision, kTake, kTakeString };

  static constexpr unsigned kActionShift = 4;
  static constexpr unsigned kStateMask = 15;

  std::array<uint8_t, 256> Classes{};
  std::array<uint8_t, size_t(kStates) * kClasses> Steps{};

  /// The machine for the conversions of C.
  static const FormatMachine &get();
};

/// For each argument that \p Format takes, in order, how it is consumed.
llvm::SmallVector<int64_t, 8> formatLimits(llvm::StringRef Format);

/// For each argument that \p Format takes, in order, the letter of its conversion, or '*' for a width or precision.
llvm::SmallVector<char, 8> formatConversions(llvm::StringRef Format);

} // namespace hiplz::passes
