#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/cpu/builtins/polynomials.h: the polynomials of the mathematical functions that kernels of the CPU device compute
themselves (src/cpu/builtins/math_*.c).

Each is fitted at Chebyshev nodes with 60 digits, with the smallest degree whose relative error stays below 2^-bits.
Needs mpmath (Debian: python3-mpmath)."""
import pathlib

from mpmath import atan, chebyfit, cos, erf, erfc, exp, log, mp, mpf, nstr, pi, sin, sqrt

mp.dps = 60
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "src/cpu/builtins/polynomials.h"
TINY = mpf(10) ** -20

lines = [
    "// SPDX-License-Identifier: MIT",
    "// Made by scripts/vector_math_coefficients.py; do not edit. Polynomials in t, by Horner's rule with fused multiply-add.",
    "#pragma once",
    "",
]


def literal(value, kind):
    return nstr(value, 10 if kind == "float" else 18, min_fixed=0, max_fixed=0) + ("f" if kind == "float" else "")


def emit(name, function, low, high, bits, kind="double"):
    """kind name(kind t), which is function(t) on [low, high] up to an absolute error of 2^-bits."""
    for degree in range(1, 40):
        coefficients, error = chebyfit(function, [mpf(low), mpf(high)], degree + 1, error=True)
        if error < mpf(2) ** -bits:
            break
    else:
        raise SystemExit(f"{name}: no polynomial is good enough")
    fma = "__builtin_fmaf" if kind == "float" else "__builtin_fma"
    lines.append(f"static inline {kind} {name}({kind} t) {{")
    lines.append(f"  {kind} p = {literal(coefficients[0], kind)};")
    for c in coefficients[1:]:
        lines.append(f"  p = {fma}(p, t, {literal(c, kind)});")
    lines.append("  return p;")
    lines.append("}")


def removable(function, at_zero):
    """function with its value at zero, which its formula does not give."""
    return lambda t: function(t) if abs(t) > TINY else mpf(at_zero)


HALF_LN2 = log(2) / 2 * mpf("1.0001")
QUARTER_PI = pi / 4 * mpf("1.0001")
# exp(t) = 1 + t + t^2 * expTail(t)
exp_tail = removable(lambda t: (exp(t) - 1 - t) / t**2, "0.5")
emit("expTailF", exp_tail, -HALF_LN2, HALF_LN2, 26, "float")
emit("expTailApproximateF", exp_tail, -HALF_LN2, HALF_LN2, 20, "float")
emit("expTail", exp_tail, -HALF_LN2, HALF_LN2, 55)
emit("expTailShort", exp_tail, -HALF_LN2, HALF_LN2, 36) # for results in float
# sin(x) = x + x^3 * sinTail(x^2), cos(x) = 1 - x^2 / 2 + x^4 * cosTail(x^2)
sin_tail = removable(lambda t: (sin(sqrt(t)) - sqrt(t)) / sqrt(t) ** 3, mpf(-1) / 6)
cos_tail = removable(lambda t: (cos(sqrt(t)) - 1 + t / 2) / t**2, mpf(1) / 24)
emit("sinTailF", sin_tail, TINY, QUARTER_PI**2, 28, "float")
emit("cosTailF", cos_tail, TINY, QUARTER_PI**2, 28, "float")
emit("sinTailApproximateF", sin_tail, TINY, QUARTER_PI**2, 23, "float")
emit("sinTail", sin_tail, TINY, QUARTER_PI**2, 58)
emit("cosTail", cos_tail, TINY, QUARTER_PI**2, 58)
# log(1 + f) = f - f^2 / 2 + f^3 * logTailF(f)
log_tail = removable(lambda t: (log(1 + t) - t + t**2 / 2) / t**3, mpf(1) / 3)
emit("logTailF", log_tail, sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, 25, "float")
emit("logTailApproximateF", log_tail, sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1, 20, "float")
# log(1 + f) = 2 * s + s * logSeries(s^2) * s^2, where s = f / (2 + f)
emit("logSeries", removable(lambda t: (log((1 + sqrt(t)) / (1 - sqrt(t))) - 2 * sqrt(t)) / sqrt(t) ** 3, mpf(2) / 3), TINY,
     (sqrt(mpf(2)) - 1) ** 2 / (sqrt(mpf(2)) + 1) ** 2 * mpf("1.0001"), 58)
# atan(x) = x + x^3 * atanTail(x^2), for results in float
emit("atanTail", removable(lambda t: (atan(sqrt(t)) - sqrt(t)) / sqrt(t) ** 3, mpf(-1) / 3), TINY, 1, 38)
# erf(x) = x * erfSeries(x^2) for x <= 1; erfc(x) = exp(-x^2) * erfcScaled((x - 2) / (x + 2)) above; for results in float
emit("erfSeries", removable(lambda t: erf(sqrt(t)) / sqrt(t), 2 / sqrt(pi)), TINY, 1, 38)


def erfc_scaled(t):
    x = 2 * (1 + t) / (1 - t)
    return exp(x * x) * erfc(x)


emit("erfcScaled", erfc_scaled, mpf(-1) / 3, mpf("0.68"), 42)

OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")
