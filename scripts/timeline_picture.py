#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a part of a timeline of hiplz-prof as an SVG, for documents: timeline_picture.py TIMELINE.json OUT.svg [RANGE].

RANGE is the name of a range of roctx; the picture shows its last occurrence (default: everything). docs/profiling.svg is made of
samples/profiling.hip:

  hiplz-prof -o sample -- ./profiling && scripts/timeline_picture.py sample_timeline.json docs/profiling.svg 'all parts'
"""
import argparse
import html
import json

WIDTH, LEFT, ROW, GAP = 1000, 190, 22, 6
DEVICE = 4194304  # numbers of processes behind this one are devices
COLOURS = {"kernel": "#4e79a7", "copy HtoD": "#59a14f", "copy DtoH": "#f28e2b", "fill": "#b6992d", "api": "#9c9c9c",
           "roctx": "#af7aa1", "compile": "#e15759", "graph": "#76b7b2", "node": "#86bcb6", "wait": "#d3d3d3"}


def rows_of(slices):
    """Slices into lines in which none overlaps another, so that what is nested stands below."""
    lines = []
    for item in sorted(slices, key=lambda e: (e["ts"], -e["dur"])):
        for line in lines:
            if line[-1]["ts"] + line[-1]["dur"] <= item["ts"]:
                line.append(item)
                break
        else:
            lines.append([item])
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timeline")
    parser.add_argument("picture")
    parser.add_argument("range", nargs="?")
    arguments = parser.parse_args()
    with open(arguments.timeline, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    slices = [e for e in events if e["ph"] == "X"]
    begin, end = 0, max(e["ts"] + e["dur"] for e in slices)
    if arguments.range:
        chosen = [e for e in slices if e["name"] == arguments.range][-1]
        # What was submitted in the range may run behind it.
        begin, end = chosen["ts"], chosen["ts"] + chosen["dur"]
        calls = {e["args"]["correlation"] for e in slices if e["cat"] == "api" and begin <= e["ts"] <= end}
        end = max([end] + [e["ts"] + e["dur"] for e in slices
                           if e["pid"] > DEVICE and e.get("args", {}).get("correlation") in calls])
    margin = (end - begin) * 0.02
    begin, end = begin - margin, end + margin
    scale = (WIDTH - LEFT - 10) / (end - begin)
    tracks = {}
    for item in slices:
        if item["ts"] + item["dur"] >= begin and item["ts"] <= end:
            tracks.setdefault((item["pid"], item["tid"]), []).append(item)
    body, y = [], 10
    for track in sorted(tracks):
        label = names.get(track, str(track[1]))
        body.append(f'<text class="t" x="8" y="{y + 15}">{html.escape(label[:28])}</text>')
        for line in rows_of(tracks[track]):
            for item in line:
                left = LEFT + max(item["ts"] - begin, 0) * scale
                right = LEFT + min(item["ts"] + item["dur"] - begin, end - begin) * scale
                width = max(right - left, 0.7)
                colour = COLOURS.get(item["cat"], "#bab0ac")
                title = html.escape(f'{item["name"]}, {item["dur"]:.1f} us')
                body.append(f'<g><title>{title}</title><rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 2}" '
                            f'fill="{colour}"/>')
                if width > 7 * len(item["name"]) + 6:
                    body.append(f'<text class="i" x="{left + 4:.1f}" y="{y + 14}">{html.escape(item["name"])}</text>')
                body.append("</g>")
            y += ROW
        y += GAP
    body.append(f'<text class="t" x="{LEFT}" y="{y + 14}">{(end - begin) / 1000:.2f} ms</text>')
    with open(arguments.picture, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 24}" font-family="sans-serif">\n'
                   "<style>.t{font-size:12px;fill:#333}.i{font-size:11px;fill:#fff}"
                   "@media(prefers-color-scheme:dark){.t{fill:#ddd}}</style>\n" + "\n".join(body) + "\n</svg>\n")


if __name__ == "__main__":
    main()
