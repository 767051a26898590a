// SPDX-License-Identifier: MIT
// Values of high precision for the functions that MPFR does not have, out of those that it has. Each computes with guard
// bits, so that its error is far below the last bit of the result.
#pragma once

#include <cmath>

#include <mpfr.h>

constexpr mpfr_rnd_t RN = MPFR_RNDN;

/// A number of MPFR of the precision given, freed at the end of the scope.
class Number {
public:
  explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  Number(const Number &) = delete;
  Number &operator=(const Number &) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }
  mpfr_ptr get() { return value_; }

private:
  mpfr_t value_;
};

inline void referenceLgamma(mpfr_ptr r, mpfr_srcptr x) {
  int sign;
  mpfr_lgamma(r, &sign, x, RN);
}

inline void referenceLogb(mpfr_ptr r, mpfr_srcptr x) {
  if (mpfr_regular_p(x))
    mpfr_set_si(r, mpfr_get_exp(x) - 1, RN);
  else if (mpfr_zero_p(x))
    mpfr_set_inf(r, -1);
  else
    mpfr_abs(r, x, RN);
}

/// erfc(-x / sqrt(2)) / 2
inline void referenceNormcdf(mpfr_ptr r, mpfr_srcptr x) {
  // An error of the argument is multiplied by its square, which is below 2^11 where the result is a number.
  Number t(mpfr_get_prec(r) + 40);
  mpfr_set_ui(t, 2, RN);
  mpfr_sqrt(t, t, RN);
  mpfr_div(t, x, t, RN);
  mpfr_neg(t, t, RN);
  mpfr_erfc(r, t, RN);
  mpfr_div_2ui(r, r, 1, RN);
}

/// IEEE 754 has minus infinity for -0, MPFR plus infinity.
inline void referenceRsqrt(mpfr_ptr r, mpfr_srcptr x) {
  mpfr_rec_sqrt(r, x, RN);
  if (mpfr_zero_p(x))
    mpfr_copysign(r, r, x, RN);
}

inline void referenceRcbrt(mpfr_ptr r, mpfr_srcptr x) {
  Number t(mpfr_get_prec(r) + 20);
  mpfr_cbrt(t, x, RN);
  mpfr_ui_div(r, 1, t, RN);
}

inline void referenceRhypot(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) {
  Number t(mpfr_get_prec(r) + 20);
  mpfr_hypot(t, x, y, RN);
  mpfr_ui_div(r, 1, t, RN);
}

inline void referenceNorm3(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, bool reciprocal) {
  Number t(mpfr_get_prec(r) + 20);
  mpfr_hypot(t, x, y, RN);
  mpfr_hypot(t, t, z, RN);
  if (reciprocal)
    mpfr_ui_div(r, 1, t, RN);
  else
    mpfr_set(r, t, RN);
}

/// The fourth coordinate is x / 2.
inline void referenceNorm4(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, bool reciprocal) {
  Number half(mpfr_get_prec(x)), t(mpfr_get_prec(r) + 20);
  mpfr_div_2ui(half, x, 1, RN);
  referenceNorm3(t, x, y, z, false);
  mpfr_hypot(t, t, half, RN);
  if (reciprocal)
    mpfr_ui_div(r, 1, t, RN);
  else
    mpfr_set(r, t, RN);
}

/// exp(x^2) erfc(x)
inline void referenceErfcx(mpfr_ptr r, mpfr_srcptr x) {
  mpfr_prec_t precision = mpfr_get_prec(r) + 70;
  Number t(precision), u(precision);
  if (mpfr_cmp_d(x, 1e4) > 0) { // asymptotic series: the powers of -1 / (2 x^2) with the odd factorials
    Number term(precision), factor(precision);
    mpfr_sqr(factor, x, RN);
    mpfr_si_div(factor, -1, factor, RN);
    mpfr_div_2ui(factor, factor, 1, RN);
    mpfr_const_pi(term, RN);
    mpfr_rec_sqrt(term, term, RN);
    mpfr_div(term, term, x, RN);
    mpfr_set(t, term, RN);
    for (unsigned long k = 1; k < 12; k += 2) {
      mpfr_mul(term, term, factor, RN);
      mpfr_mul_ui(term, term, k, RN);
      mpfr_add(t, t, term, RN);
    }
    mpfr_set(r, t, RN);
    return;
  }
  mpfr_sqr(t, x, RN);
  mpfr_exp(t, t, RN);
  mpfr_erfc(u, x, RN);
  mpfr_mul(r, t, u, RN);
}

/// I of order 0 or 1 by its power series, whose terms are positive.
inline void referenceI(mpfr_ptr r, mpfr_srcptr x, int order) {
  if (!mpfr_number_p(x) || mpfr_cmpabs_ui(x, 1000) > 0) {
    mpfr_abs(r, x, RN);
    if (!mpfr_nan_p(x))
      mpfr_set_inf(r, order == 1 ? mpfr_sgn(x) : 1);
    return;
  }
  Number term(mpfr_get_prec(r) + 20), sum(mpfr_get_prec(r) + 20), square(200);
  mpfr_sqr(square, x, RN);
  mpfr_div_2ui(square, square, 2, RN);
  mpfr_set_ui(term, 1, RN);
  if (order == 1)
    mpfr_div_2ui(term, x, 1, RN);
  mpfr_set(sum, term, RN);
  for (unsigned long k = 1;
       !mpfr_zero_p(term.get()) && mpfr_get_exp(term.get()) > mpfr_get_exp(sum.get()) - mpfr_get_prec(sum.get()); ++k) {
    mpfr_mul(term, term, square, RN);
    mpfr_div_ui(term, term, k, RN);
    mpfr_div_ui(term, term, k + order, RN);
    mpfr_add(sum, sum, term, RN);
  }
  mpfr_set(r, sum, RN);
}

/// The u with erfc(u) = y, or with erf(u) = y, by Newton's iteration for the function itself (near 0) or its logarithm.
inline void solveErf(mpfr_ptr r, mpfr_srcptr x) {
  mpfr_prec_t precision = mpfr_get_prec(r) + 20;
  Number u(precision), f(precision), slope(precision);
  mpfr_set(u, x, RN);
  for (int i = 0; i < 9 && !mpfr_zero_p(x); ++i) {
    mpfr_erf(f, u, RN);
    mpfr_sub(f, f, x, RN);
    mpfr_sqr(slope, u, RN);
    mpfr_exp(slope, slope, RN);
    mpfr_mul(f, f, slope, RN);
    mpfr_const_pi(slope, RN);
    mpfr_sqrt(slope, slope, RN);
    mpfr_div_2ui(slope, slope, 1, RN);
    mpfr_mul(f, f, slope, RN);
    mpfr_sub(u, u, f, RN);
    if (mpfr_zero_p(f.get()) || mpfr_get_exp(f.get()) < mpfr_get_exp(u.get()) - precision / 2 - 3)
      break;
  }
  mpfr_set(r, u, RN);
}
inline void solveErfc(mpfr_ptr r, mpfr_srcptr y) {
  mpfr_prec_t precision = mpfr_get_prec(r) + 40;
  Number level(precision), u(precision), scaled(precision), f(precision), factor(precision);
  mpfr_log(level, y, RN);
  mpfr_neg(level, level, RN);
  mpfr_const_pi(factor, RN);
  mpfr_sqrt(factor, factor, RN);
  mpfr_div_2ui(factor, factor, 1, RN);
  double start = mpfr_get_d(level.get(), RN);
  mpfr_set_d(u, start > 2 ? std::sqrt(start) - std::log(1.77 * std::sqrt(start)) / (2 * std::sqrt(start)) : 0.5, RN);
  for (int i = 0; i < 20; ++i) {
    referenceErfcx(scaled, u);
    mpfr_log(f, scaled, RN);
    mpfr_add(f, f, level, RN);
    Number square(precision);
    mpfr_sqr(square, u, RN);
    mpfr_sub(f, f, square, RN);
    mpfr_mul(f, f, scaled, RN);
    mpfr_mul(f, f, factor, RN);
    mpfr_add(u, u, f, RN);
    if (mpfr_zero_p(f.get()) || mpfr_get_exp(f.get()) < mpfr_get_exp(u.get()) - precision / 2)
      break;
  }
  mpfr_set(r, u, RN);
}
inline void referenceErfinv(mpfr_ptr r, mpfr_srcptr x) {
  if (mpfr_nan_p(x) || mpfr_cmpabs_ui(x, 1) > 0)
    return mpfr_set_nan(r);
  if (mpfr_cmpabs_ui(x, 1) == 0)
    return mpfr_set_inf(r, mpfr_sgn(x));
  if (mpfr_cmp_d(x, 0.5) < 0 && mpfr_cmp_d(x, -0.5) > 0)
    return solveErf(r, x);
  Number rest(200);
  mpfr_abs(rest, x, RN);
  mpfr_ui_sub(rest, 1, rest, RN);
  solveErfc(r, rest);
  mpfr_setsign(r, r, mpfr_signbit(x), RN);
}
inline void referenceErfcinv(mpfr_ptr r, mpfr_srcptr y) {
  if (mpfr_nan_p(y) || mpfr_sgn(y) < 0 || mpfr_cmp_ui(y, 2) > 0)
    return mpfr_set_nan(r);
  if (mpfr_zero_p(y) || mpfr_cmp_ui(y, 2) == 0)
    return mpfr_set_inf(r, mpfr_zero_p(y) ? 1 : -1);
  if (mpfr_cmp_d(y, 0.5) <= 0)
    return solveErfc(r, y);
  Number rest(200);
  mpfr_ui_sub(rest, 1, y, RN);
  referenceErfinv(r, rest);
}
inline void referenceNormcdfinv(mpfr_ptr r, mpfr_srcptr p) {
  Number t(mpfr_get_prec(r) + 20), twice(mpfr_get_prec(p));
  mpfr_mul_2ui(twice, p, 1, RN);
  referenceErfcinv(t, twice);
  Number root(mpfr_get_prec(r) + 20);
  mpfr_set_ui(root, 2, RN);
  mpfr_sqrt(root, root, RN);
  mpfr_mul(t, t, root, RN);
  mpfr_neg(r, t, RN);
}
