#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints every entry of the dispatch tables of Level Zero with its version and what the CPU device's driver has there: the function
("have") or one that returns "unsupported feature". The tables are in tests/driver/dispatch_tables.txt."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
DDI = ROOT / "src/cpu/ddi"


def main():
    later = dict()
    for macro, name in re.findall(r"^(HIPLZ_LATER\w*)\(\w+, (\w+),", (DDI / "later_functions.def").read_text(), re.M):
        later[name] = macro == "HIPLZ_LATER"
    unsupported = set()  # (table, entry) of version 1.4
    for table, body in re.findall(r"zeGet(\w+)ProcAddrTable\((.*?)\n}\n", (DDI / "tables.cpp").read_text(), re.S):
        unsupported |= {(table, entry) for entry in re.findall(r"unsupported\(entries\.(\w+)\)", body)}
    have = total = 0
    for line in (ROOT / "tests/driver/dispatch_tables.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        function, entry, minor = line.split()
        layer, table = re.fullmatch(r"(ze[sert]?)Get(\w+)ProcAddrTable", function).groups()
        name = layer + ("" if table == "Global" else table.removesuffix("Exp")) + entry[3:]
        if layer in ("zes", "zet"):
            there = False
        elif name in later:
            there = later[name]
        else:
            there = (table, entry) not in unsupported
        total += 1
        have += there
        print(f"{'have' if there else 'unsupported':12} 1.{minor:3} {name}")
    print(f"{have} of {total}")


main()
