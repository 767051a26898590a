#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/api-coverage.md from the tables of the functions of HIP 6.4 and 7.2 and the symbols that libhiplz exports, or checks that
it is up to date (--check). A function whose answer is always an error stands with its reason in api_reasons.csv."""
import argparse
import collections
import csv
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/data/host_functions.csv"
TABLE_7 = ROOT / "tests/data/hip_7/host_functions.csv"  # what HIP 7.2 added, and of later versions what HIPLZ has
REASONS = ROOT / "scripts/api_reasons.csv"
DOCUMENT = ROOT / "docs/api-coverage.md"


def exported_symbols(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in lines.splitlines() if line.strip()}


def exported_rows(table):
    with open(table, newline="") as file:
        return [row for row in csv.DictReader(file)
                if row["kind"].startswith("exported") and row["library"] != "libhiprtc"]


def render(library):
    symbols = exported_symbols(library)
    rows, added = exported_rows(TABLE), exported_rows(TABLE_7)
    with open(REASONS, newline="") as file:
        reasons = {row["name"]: row["reason"] for row in csv.DictReader(file)}
    groups = collections.defaultdict(dict)
    new = {row["symbol"] for row in added}
    for row in rows + added:
        name = row["symbol"] or row["name"]
        groups[row["group"]][name] = name in symbols
    total = sum(len(group) for group in groups.values())
    present = sum(sum(group.values()) for group in groups.values())
    refused = sum(1 for group in groups.values() for name, there in group.items() if there and name in reasons)
    text = ["# Coverage of the HIP host API", "",
            "Made by `scripts/api_coverage.py` from the tables of functions that AMD's library exports and the symbols of",
            "`libhiplz.so`; a test compares the two.", "",
            f"HIP 6.4: **{present - len(new & symbols)} of {total - len(new)}** functions are exported. "
            f"HIP 7, with {len(new)} that it added, all up to 7.2 and some of later versions:",
            f"**{present} of {total}**. {present - refused} of them do what HIP documents, {refused} return a documented error on",
            "every device, for the reason given. A function that is not exported is a link error. What HIP 7 added is in italics.",
            "",
            "| group | exported | of |", "| --- | --- | --- |"]
    text += [f"| {name} | {sum(group.values())} | {len(group)} |" for name, group in sorted(groups.items())]
    for name, group in sorted(groups.items()):
        there = sorted(symbol for symbol, exported in group.items() if exported)
        absent = sorted(symbol for symbol, exported in group.items() if not exported)
        text += ["", f"## {name}", ""]
        if there:
            text.append("Exported: " + ", ".join(f"*`{symbol}`*" if symbol in new else f"`{symbol}`" for symbol in there) + ".")
        always = [symbol for symbol in there if symbol in reasons]
        if always:
            text += ["", "| always an error | reason |", "| --- | --- |"]
            text += [f"| `{symbol}` | {reasons[symbol]} |" for symbol in always]
        if absent:
            text += [""] if there else []
            text.append("Not exported: " + ", ".join(f"`{symbol}`" for symbol in absent) + ".")
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", help="libhiplz.so")
    parser.add_argument("--check", action="store_true", help="compare with the document instead of writing it")
    options = parser.parse_args()
    text = render(options.library)
    if not options.check:
        DOCUMENT.write_text(text)
        return 0
    if DOCUMENT.exists() and DOCUMENT.read_text() == text:
        return 0
    print(f"{DOCUMENT.relative_to(ROOT)} is out of date: run scripts/api_coverage.py {options.library}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
