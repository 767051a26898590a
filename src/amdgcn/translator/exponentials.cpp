// SPDX-License-Identifier: MIT
// See exponentials.h.
#include "amdgcn/translator/exponentials.h"
#include "amdgcn/translator/float_values.h"

#include <llvm/IR/Intrinsics.h>

#include <cmath>
#include <limits>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kMantissaBits = 52;

Value *ofDouble(Wave &w, double value) { return ConstantFP::get(w.vectorOf(w.f64), value); }

/// The sum of coefficient n and x^n, by Horner's rule.
Value *polynomial(Wave &w, Value *x, ArrayRef<double> coefficients) {
  Value *sum = ofDouble(w, coefficients.back());
  for (const double coefficient : reverse(coefficients.drop_back()))
    sum = w.b.CreateIntrinsic(Intrinsic::fmuladd, {x->getType()}, {sum, x, ofDouble(w, coefficient)});
  return sum;
}

} // namespace

// The exponent is a whole number, which becomes the result's exponent, and a rest of at most a half.
Value *powerOfTwo(Wave &w, Value *exponent) {
  constexpr double kLeast = -151, kMost = 129; // rounds to 0, and to infinity
  constexpr double kRounds = 0x1.8p52;         // added to a number, leaves it a whole one in the lowest bits
  constexpr unsigned kTerms = 9;
  double coefficients[kTerms] = {1};
  for (unsigned n = 1; n < kTerms; ++n)
    coefficients[n] = coefficients[n - 1] * M_LN2 / n;
  auto &b = w.b;
  Value *x = b.CreateFPExt(exponent, w.vectorOf(w.f64)); // a NaN passes all comparisons
  x = b.CreateSelect(b.CreateFCmpOLT(x, ofDouble(w, kLeast)), ofDouble(w, kLeast), x);
  x = b.CreateSelect(b.CreateFCmpOGT(x, ofDouble(w, kMost)), ofDouble(w, kMost), x);
  Value *shifted = b.CreateFAdd(x, ofDouble(w, kRounds)), *whole = b.CreateFSub(shifted, ofDouble(w, kRounds));
  Value *power = polynomial(w, b.CreateFSub(x, whole), coefficients);
  Value *bits = b.CreateAdd(b.CreateBitCast(shifted, w.vectorOf(w.i64)), w.vector64(1023));
  Value *scale = b.CreateBitCast(b.CreateShl(bits, w.vector64(kMantissaBits)), w.vectorOf(w.f64));
  return b.CreateFPTrunc(b.CreateFMul(power, scale), exponent->getType());
}

// The number is m * 2^e with m between the roots of 1/2 and of 2, and ln(m) = 2 artanh(s) with s = (m - 1) / (m + 1).
Value *logarithmOfTwo(Wave &w, Value *number) {
  constexpr uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  constexpr unsigned kTerms = 7;
  double coefficients[kTerms];
  for (unsigned n = 0; n < kTerms; ++n)
    coefficients[n] = 2 / M_LN2 / (2 * n + 1);
  auto &b = w.b;
  Value *x = b.CreateFPExt(number, w.vectorOf(w.f64)); // normal, also if the number is denormal
  Value *bits = b.CreateBitCast(x, w.vectorOf(w.i64));
  Value *e = b.CreateAShr(b.CreateSub(bits, w.vector64(kRootOfHalf)), w.vector64(kMantissaBits));
  Value *m = b.CreateBitCast(b.CreateSub(bits, b.CreateShl(e, w.vector64(kMantissaBits))), w.vectorOf(w.f64));
  Value *one = ofDouble(w, 1), *s = b.CreateFDiv(b.CreateFSub(m, one), b.CreateFAdd(m, one));
  Value *log = b.CreateFMul(s, polynomial(w, b.CreateFMul(s, s), coefficients));
  Value *whole = b.CreateSIToFP(b.CreateTrunc(e, w.vectorOf(w.i32)), w.vectorOf(w.f64));
  log = b.CreateFPTrunc(b.CreateFAdd(whole, log), number->getType());
  auto ofNumber = [&](float value) { return ConstantFP::get(number->getType(), value); };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  log = b.CreateSelect(b.CreateFCmpOEQ(number, ofNumber(0)), ofNumber(-kInfinity), log);
  log = b.CreateSelect(b.CreateFCmpOEQ(number, ofNumber(kInfinity)), ofNumber(kInfinity), log);
  // Not a number of negative ones, and of what is none already.
  Value *isNone = b.CreateFCmpULT(number, ofNumber(0));
  return b.CreateSelect(isNone, ofNumber(std::numeric_limits<float>::quiet_NaN()), log);
}

} // namespace hiplz::amdgcn
