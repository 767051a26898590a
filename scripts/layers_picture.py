#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/layers.svg: the layers of HIPLZ, what runs at build time and what at run time. Readable on light and dark
pages, because nothing depends on the colour behind it. With --check it says whether the file is up to date."""
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parent.parent / "docs/layers.svg"
INK, FAINT, BUILD, RUN, CPU, OTHER = "#808890", "#80889055", "#d97a2b", "#3b82c4", "#4a9a5b", "#80889033"
WIDTH, HEIGHT = 860, 452
out = []


def box(x, y, width, height, colour, title, *lines):
    fill = colour if colour == OTHER else colour + "26"
    edge = INK if colour == OTHER else colour
    out.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}" stroke="{edge}"/>')
    top = y + height / 2 - 8 * len(lines) + 4
    middle = x + width / 2
    out.append(f'<text x="{middle}" y="{top:g}" text-anchor="middle" font-weight="bold" fill="{INK}">{title}</text>')
    for number, line in enumerate(lines, 1):
        out.append(f'<text x="{middle}" y="{top + 16 * number:g}" text-anchor="middle" fill="{INK}">{line}</text>')


def arrow(x1, y1, x2, y2, label="", dx=6, dy=4):
    out.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{INK}" stroke-width="1.5" marker-end="url(#head)"/>')
    if label:
        out.append(f'<text x="{(x1 + x2) / 2 + dx:g}" y="{(y1 + y2) / 2 + dy:g}" font-style="italic" fill="{INK}">{label}</text>')


def heading(x, text, colour):
    out.append(f'<text x="{x}" y="20" font-size="14" font-weight="bold" fill="{colour}">{text}</text>')


heading(20, "build time", BUILD)
box(20, 32, 210, 40, OTHER, "app.hip")
box(20, 102, 210, 56, BUILD, "stock clang", "include/hip, lib-device")
box(20, 188, 210, 56, BUILD, "llvm-passes", "link-time passes, in opt")
box(20, 274, 210, 56, BUILD, "llvm-spirv", "src/tools wraps it")
box(20, 360, 210, 40, OTHER, "program with a fat binary")
arrow(125, 72, 125, 100)
arrow(125, 158, 125, 186, "LLVM bitcode")
arrow(125, 244, 125, 272, "LLVM bitcode")
arrow(125, 330, 125, 358, "SPIR-V")

heading(290, "run time", RUN)
box(290, 32, 330, 40, OTHER, "program")
box(290, 102, 330, 48, RUN, "src/api", "one file per chapter of the HIP API")
box(640, 102, 200, 48, RUN, "src/rtc", "hipRTC: clang and llvm-passes")
box(290, 180, 330, 64, RUN, "src/lz", "context · graph · stream · texture", "module · memory · device · sync · core")
box(640, 188, 200, 48, RUN, "src/fatbin", "bundles, reflection")
box(290, 274, 550, 36, OTHER, "oneAPI Level Zero loader")
box(290, 340, 120, 60, OTHER, "Intel's driver", "GPU")
box(425, 340, 235, 60, CPU, "src/cpu", "CPU device: a Level Zero driver", "and its compiler (LLVM)")
box(675, 340, 165, 60, CPU, "src/opencl", "Level Zero driver on", "OpenCL's devices")
box(290, 412, 550, 28, RUN, "src/base: environment, log, disk cache")
arrow(455, 72, 455, 100, "hip*")
arrow(455, 150, 455, 178)
arrow(455, 244, 455, 272, "ze*")
arrow(350, 310, 350, 338)
arrow(542, 310, 542, 338)
arrow(757, 310, 757, 338)
arrow(620, 212, 638, 212)

SVG = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">\n'
       f'<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
       f'<path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>\n'
       f'<line x1="260" y1="12" x2="260" y2="440" stroke="{FAINT}"/>\n' + "\n".join(out) + "\n</svg>\n")

if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if FILE.read_text() == SVG else f"{FILE} is not what {sys.argv[0]} draws")
    FILE.write_text(SVG)
