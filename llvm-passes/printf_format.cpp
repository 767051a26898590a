// SPDX-License-Identifier: MIT
#include "printf_format.h"

using namespace llvm;

namespace hiplz::passes {

static constexpr FormatMachine makeMachine() {
  using M = FormatMachine;
  M Machine;
  auto classify = [&](const char *Characters, M::Class Class) {
    for (; *Characters; ++Characters)
      Machine.Classes[uint8_t(*Characters)] = Class;
  };
  classify("%", M::kPercent);
  classify("-+ #'", M::kFlag);
  classify("0", M::kZero);
  classify("123456789", M::kDigit);
  classify("*", M::kStar);
  classify(".", M::kDot);
  classify("hlLqjzt", M::kLengthModifier);
  classify("s", M::kStringConversion);
  classify("diouxXeEfFgGaAcCSpn", M::kConversion);

  auto step = [&](M::State From, M::Class On, M::State To, M::Action Action = M::kNone) {
    Machine.Steps[size_t(From) * size_t(M::kClasses) + size_t(On)] = uint8_t(To | Action << M::kActionShift);
  };
  step(M::kText, M::kPercent, M::kFlags, M::kBegin);
  step(M::kFlags, M::kFlag, M::kFlags);
  step(M::kFlags, M::kZero, M::kFlags);
  step(M::kFlags, M::kStar, M::kWidth, M::kTake);
  step(M::kFlags, M::kDigit, M::kWidth);
  step(M::kWidth, M::kZero, M::kWidth);
  step(M::kWidth, M::kDigit, M::kWidth);
  step(M::kFlags, M::kDot, M::kPrecision, M::kStartPrecision);
  step(M::kWidth, M::kDot, M::kPrecision, M::kStartPrecision);
  step(M::kPrecision, M::kZero, M::kPrecision, M::kPrecisionDigit);
  step(M::kPrecision, M::kDigit, M::kPrecision, M::kPrecisionDigit);
  step(M::kPrecision, M::kStar, M::kPrecision, M::kStarPrecision);
  for (M::State From : {M::kFlags, M::kWidth, M::kPrecision, M::kLength}) {
    step(From, M::kLengthModifier, M::kLength);
    step(From, M::kConversion, M::kText, M::kTake);
    step(From, M::kStringConversion, M::kText, M::kTakeString);
  }
  // Wide strings (%ls) travel as pointers.
  step(M::kLength, M::kStringConversion, M::kText, M::kTake);
  return Machine;
}

const FormatMachine &FormatMachine::get() {
  static constexpr FormatMachine kMachine = makeMachine();
  return kMachine;
}

SmallVector<int64_t, 8> formatLimits(StringRef Format) {
  using M = FormatMachine;
  const M &Machine = M::get();
  SmallVector<int64_t, 8> Limits;
  uint8_t State = M::kText;
  int64_t Limit = kNoLimit;
  for (char C : Format) {
    uint8_t Step = Machine.Steps[State * M::kClasses + Machine.Classes[uint8_t(C)]];
    State = Step & M::kStateMask;
    switch (Step >> M::kActionShift) {
    case M::kBegin: Limit = kNoLimit; break;
    case M::kStartPrecision: Limit = 0; break;
    case M::kPrecisionDigit: Limit = std::min(Limit * 10 + (C - '0'), kNoLimit); break;
    case M::kStarPrecision:
      Limit = kLimitIsArgument;
      Limits.push_back(kNotString);
      break;
    case M::kTake: Limits.push_back(kNotString); break;
    case M::kTakeString: Limits.push_back(Limit); break;
    default: break;
    }
  }
  return Limits;
}

SmallVector<char, 8> formatConversions(StringRef Format) {
  using M = FormatMachine;
  const M &Machine = M::get();
  SmallVector<char, 8> Letters;
  uint8_t State = M::kText;
  for (char C : Format) {
    const uint8_t Step = Machine.Steps[State * M::kClasses + Machine.Classes[uint8_t(C)]];
    State = Step & M::kStateMask;
    if (Step >> M::kActionShift >= M::kStarPrecision)
      Letters.push_back(C);
  }
  return Letters;
}

} // namespace hiplz::passes
