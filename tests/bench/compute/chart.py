#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the CSV of bench_compute as an SVG: for each kernel how fast HIP is beside OpenMP and OpenCL.

usage: chart.py results.csv chart.svg

The axis is logarithmic and as long as the values need: a bar to the right means that HIP is faster. Colours are readable on light and dark pages.
"""
import csv
import math
import sys

ROW, LEFT, WIDTH, TOP = 26, 150, 620, 46
OPENMP, OPENCL, INK, GRID = "#3b82c4", "#d97a2b", "#808890", "#80889055"
TICKS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300]


def ticks_for(ratios: list) -> list:
    """The ticks from the last one below all values to the first one above them; one is always among them."""
    first = max(tick for tick in TICKS if tick <= min(ratios + [1.0]) or tick == TICKS[0])
    last = min(tick for tick in TICKS if tick >= max(ratios + [1.0]) or tick == TICKS[-1])
    return [tick for tick in TICKS if first <= tick <= last]


def mean(ratios: list) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0.0


def main() -> None:
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    bars = []
    for row in rows:
        hip = float(row["hip"])
        bars.append((row["kernel"], hip / float(row["openmp"]), hip / float(row["opencl"]) if float(row["opencl"]) else None))
    bars.append(("geometric mean", mean([bar[1] for bar in bars]), mean([bar[2] for bar in bars if bar[2]]) or None))
    ratios = [ratio for bar in bars for ratio in bar[1:] if ratio]
    ticks = ticks_for(ratios)
    least = min(ticks[0], 0.8 * min(ratios))  # the number stands left of the shortest bar

    def position(ratio: float) -> float:
        low, high = math.log(least), math.log(ticks[-1])
        return LEFT + WIDTH * (min(max(math.log(ratio), low), high) - low) / (high - low)

    height = TOP + ROW * len(bars) + 30
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 60} {height}" font-family="sans-serif" font-size="12">',
        f'<text x="{LEFT}" y="16" fill="{INK}">speed of HIP on the CPU device, times that of'
        f' <tspan fill="{OPENMP}" font-weight="bold">OpenMP</tspan> and of <tspan fill="{OPENCL}" font-weight="bold">OpenCL C</tspan></text>',
    ]
    for tick in ticks:
        x = position(tick)
        out.append(f'<line x1="{x:.1f}" y1="{TOP - 10}" x2="{x:.1f}" y2="{height - 30}" stroke="{INK if tick == 1 else GRID}"/>')
        out.append(f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle" fill="{INK}">{tick:g}</text>')
    for index, (name, openmp, opencl) in enumerate(bars):
        y = TOP + ROW * index
        weight = ' font-weight="bold"' if name == "geometric mean" else ""
        out.append(f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end" fill="{INK}"{weight}>{name}</text>')
        for offset, ratio, colour in ((0, openmp, OPENMP), (10, opencl, OPENCL)):
            if not ratio:
                continue
            one, end = position(1), position(ratio)
            out.append(f'<rect x="{min(one, end):.1f}" y="{y + offset}" width="{max(abs(end - one), 1):.1f}" height="9" fill="{colour}"/>')
            anchor, x = ("start", end + 4) if ratio >= 1 else ("end", end - 4)
            out.append(f'<text x="{x:.1f}" y="{y + offset + 8}" font-size="9" text-anchor="{anchor}" fill="{INK}">{ratio:.2f}</text>')
    out.append("</svg>")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
