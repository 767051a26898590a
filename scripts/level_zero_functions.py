#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints every entry of the dispatch tables of Level Zero with its version and what the CPU device's driver has there: the function
("have") or one that returns "unsupported feature". The tables are in tests/driver/dispatch_tables.txt."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
DDI = ROOT / "src/cpu/ddi"


def main():
    have_names = set(re.findall(r"^HIPLZ_(?:LATER_)?ENTRY\((\w+),", (DDI / "functions.def").read_text(), re.M))
    have = total = 0
    for line in (ROOT / "tests/driver/dispatch_tables.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        function, entry, minor = line.split()
        layer, table = re.fullmatch(r"(ze[sert]?)Get(\w+)ProcAddrTable", function).groups()
        name = layer + ("" if table == "Global" else table.removesuffix("Exp")) + entry[3:]
        there = name in have_names
        total += 1
        have += there
        print(f"{'have' if there else 'unsupported':12} 1.{minor:3} {name}")
    print(f"{have} of {total}")


main()
