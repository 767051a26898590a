// SPDX-License-Identifier: MIT
// Floating-point numbers of a wave: denormal numbers, clamp and output modifiers, and functions that several operations use.
#pragma once
#include "amdgcn/translator/wave.h"

namespace hiplz::amdgcn {

/// The number that bits are, as an operand of an operation: denormal numbers are flushed if the mode says so. 16 bits become f32.
llvm::Value *floatOf(Wave &wave, llvm::Value *bits);

/// A result of so many bits with the instruction's omod and clamp, flushed if the mode says so; 16 bits are rounded to f16.
llvm::Value *floatResult(Wave &wave, llvm::Value *number, unsigned width);

/// The bits of a number.
llvm::Value *bitsOf(Wave &wave, llvm::Value *number);

/// The number of bits, nothing flushed.
llvm::Value *asFloat(Wave &wave, llvm::Value *bits);

/// AMD's minimum and maximum: the other operand if one is not a number, and -0 below +0.
llvm::Value *minimum(Wave &wave, llvm::Value *a, llvm::Value *b);
llvm::Value *maximum(Wave &wave, llvm::Value *a, llvm::Value *b);

/// A call of an LLVM intrinsic of one type.
llvm::Value *intrinsicCall(Wave &wave, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> arguments);

/// A number to an integer of so many bits: rounded toward zero, saturated, NaN to 0.
llvm::Value *toInteger(Wave &wave, llvm::Value *number, unsigned width, bool isSigned);

/// A constant number of the type of `like`.
llvm::Value *number(llvm::Value *like, double value);

/// Constants of the mode register.
constexpr uint32_t kModeRounding = 15;       ///< directions for numbers of 32 bits, and for others (rounding.h)
constexpr uint32_t kModeClampsNan = 1 << 8;  ///< DX10_CLAMP: `clamp` makes 0 of NaN, which stays otherwise
constexpr uint32_t kModeIeee = 1 << 9;       ///< minima and maxima keep signaling NaNs; no output modifiers
constexpr uint32_t kModeImplemented = 0x3ff; ///< the others are debugging, exceptions and limits of halves

/// i1: true if a bit of the mode is set.
llvm::Value *modeHas(Wave &wave, uint32_t bits);

} // namespace hiplz::amdgcn
