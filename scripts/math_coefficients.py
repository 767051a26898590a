#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes lib-device/special_coefficients.h: the polynomials of the special functions of HIP that OpenCL does not have.

Each is fitted at Chebyshev nodes with 60 digits, with the smallest degree whose error is below the rounding errors of the
type. Formulas: Abramowitz and Stegun, Handbook of Mathematical Functions, chapters 7 and 9; the variable of erfcx: Shepherd
and Laframboise, Mathematics of Computation 36 (1981). Needs mpmath (Debian: python3-mpmath)."""
import pathlib

from mpmath import (besseli, besselj, besselk, bessely, chebyfit, cos, diff, erfc, erfinv, exp, findroot, inf, ln, log, mp, mpf, nstr,
                    pi, sin, sqrt)

mp.dps = 60
OUTPUT = pathlib.Path(__file__).resolve().parent.parent / "lib-device/special_coefficients.h"
PRECISION = {"float": 27, "double": 56}


def fit(function, low, high, bits):
    """Coefficients, lowest first."""
    samples = [abs(function(low + (high - low) * mpf(i) / 16)) for i in range(1, 16)]
    tolerance = min(samples) * mpf(2) ** -bits
    for degree in range(2, 45):
        coefficients, error = chebyfit(function, [low, high], degree + 1, error=True)
        if error < tolerance:
            return coefficients[::-1]
    raise SystemExit("no polynomial is good enough")


def literal(value, kind):
    return nstr(value, 10 if kind == "float" else 18, min_fixed=0, max_fixed=0) + ("f" if kind == "float" else "")


lines = []


def emit(name, function, low, high, kinds=PRECISION):
    for kind, bits in kinds.items():
        coefficients = fit(function, mpf(low), mpf(high), bits)
        lines.append(f"INLINED {kind} {name}({kind} t) {{")
        lines.append(f"  {kind} p = {literal(coefficients[-1], kind)};")
        for c in coefficients[-2::-1]:
            lines.append(f"  p = fused(p, t, {literal(c, kind)});")
        lines.append("  return p;")
        lines.append("}")


def around(name, function, start, low, high):
    """function(x) = (x - zero) * name(x - zero); the zero is split so that x - zero is nearly exact."""
    zero = findroot(function, start)
    slope = diff(function, zero)
    emit(name, lambda t: function(zero + t) / t if abs(t) > mpf(10) ** -25 else slope, mpf(low) - zero, mpf(high) - zero)
    for kind, digits in (("float", 24), ("double", 53)):
        mp_bits, mp.prec = mp.prec, digits
        head = +zero
        mp.prec = mp_bits
        lines.append(f"INLINED {kind} {name}Around({kind} x) {{")
        lines.append(f"  {kind} t = (x - {literal(head, kind)}) - {literal(zero - head, kind)};")
        lines.append(f"  return t * {name}(t);")
        lines.append("}")


def asymptotic(name, order):
    """P and Q of Abramowitz and Stegun 9.2.5 ff. as functions of t = 2 (8 / x)^2 - 1; Q divided by 8 / x."""

    def parts(t):
        s = (t + 1) / 2
        x = 8 / sqrt(s)
        angle = x - (2 * order + 1) * pi / 4
        j, y = besselj(order, x), bessely(order, x)
        scale = sqrt(pi * x / 2)
        return scale * (j * cos(angle) + y * sin(angle)), scale * (y * cos(angle) - j * sin(angle)) / sqrt(s)

    for part, letter in enumerate("PQ"):
        emit(name + letter, lambda t: parts(t)[part], mpf(10) ** -5 - 1, 1, {"float": 26, "double": 54 - 3 * part})


def root(s):
    return sqrt(s) if s > 0 else mpf(0)


# J0, J1
emit("j0Small", lambda s: besselj(0, root(s)), 0, mpf(1.625) ** 2)
around("j0First", lambda x: besselj(0, x), 2.4, 1.625, 3.875)
around("j0Second", lambda x: besselj(0, x), 5.5, 3.875, 7)
around("j0Third", lambda x: besselj(0, x), 8.65, 7, 8)
emit("j1Small", lambda s: besselj(1, root(s)) / root(s) if s > mpf(10) ** -40 else mpf(0.5), 0, 4)
around("j1First", lambda x: besselj(1, x), 3.83, 2, 5.375)
around("j1Second", lambda x: besselj(1, x), 7.01, 5.375, 8)
# Y0, Y1: what is left without the logarithm, A. and S. 9.1.12 f.
tiny = mpf(10) ** -30
emit("y0Small", lambda s: bessely(0, root(s + tiny)) - 2 / pi * besselj(0, root(s + tiny)) * log(root(s + tiny)), 0, mpf(0.5) ** 2)
around("y0First", lambda x: bessely(0, x), 0.89, 0.5, 1.375)
emit("y0Between", lambda t: bessely(0, t + 2), -0.625, 0.375)
around("y0Second", lambda x: bessely(0, x), 3.95, 2.375, 5.5)
around("y0Third", lambda x: bessely(0, x), 7.08, 5.5, 8)
emit("y1Small", lambda s: (bessely(1, root(s + tiny)) - 2 / pi * (besselj(1, root(s + tiny)) * log(root(s + tiny)) - 1 / root(s + tiny)))
     / root(s + tiny), mpf(10) ** -12, 1)
emit("y1Between", lambda t: bessely(1, t + 1.25), -0.25, 0.375)
around("y1First", lambda x: bessely(1, x), 2.197, 1.625, 3.75)
around("y1Second", lambda x: bessely(1, x), 5.43, 3.75, 7)
emit("y1Last", lambda t: bessely(1, t + 7.5), -0.5, 0.5)
asymptotic("order0", 0)
asymptotic("order1", 1)
# I0, I1
emit("i0Small", lambda s: besseli(0, root(s)), 0, 64)
emit("i1Small", lambda s: besseli(1, root(s)) / root(s) if s > mpf(10) ** -40 else mpf(0.5), 0, 64)
# As functions of 16 / x - 1: powers of a variable around 0 are better conditioned.
for order in 0, 1:
    emit(f"i{order}Large", lambda t: besseli(order, 16 / (t + 1)) * exp(-16 / (t + 1)) * sqrt(16 / (t + 1)), mpf("-0.98"), 1)


def scaled(t):
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * exp(x * x) * erfc(x) if x < 5000 else (1 + 2 * x) / (x * sqrt(pi)) * (1 - 1 / (2 * x * x))


emit("erfcxSmall", lambda x: exp(x * x) * erfc(x), -0.5, 0.5)
emit("erfcxOfRatio", scaled, -1, 1 - mpf(10) ** -9)
# erfinv(x) / x as a function of x^2
emit("erfinvCentral", lambda s: erfinv(root(s)) / root(s) if s > mpf(10) ** -40 else sqrt(pi) / 2, 0, mpf(0.625) ** 2)


def inverse(v):
    """u * v with erfc(u) = exp(-1 / v^2)"""
    level = 1 / (v * v)
    u = sqrt(level) - v * log(sqrt(pi) * sqrt(level)) / 2 if level > 2 else mpf(0.5)
    for _ in range(60):
        scaled_erfc = exp(u * u) * erfc(u)
        step = (log(scaled_erfc) + level - u * u) * sqrt(pi) / 2 * scaled_erfc
        u += step
        if abs(step) < mpf(10) ** -45:
            break
    return u * v


# A first guess only; a step of an iteration follows.
emit("erfcinvGuess", inverse, mpf(1) / 28, mpf("1.2011"), {"float": 12, "double": 21})

OUTPUT.write_text(
    "// Polynomials for the special functions in special.cpp, written by scripts/math_coefficients.py: change that.\n"
    "#pragma once\n\n"
    '#include "special.h"\n\n'
    + "\n".join(lines) + "\n")
