#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what a library exports against the tables of HIP's functions: each symbol under the version node that AMD's library
has it in, and nothing else but hiplz*, chipStar's four functions, and functions that AMD's headers declare and its library lacks, under HIPLZ_1.

usage: check_exports.py TABLE LIBRARY [TABLE_OF_OTHER_FUNCTIONS ...] [--all]

With --all it must export every function of the other tables.
"""
import csv
import subprocess
import sys

with open(sys.argv[1], newline="") as file:
    rows = list(csv.DictReader(file))
nodes = {row["symbol"]: row["version_node"] for row in rows if row["version_node"]}
nodes.update(dict.fromkeys(["hipGetBackendNativeHandles", "hipInitFromNativeHandles", "hipGetNativeEventFromHipEvent",
                            "hipGetHipEventFromNativeEvent"], "HIPLZ_1"))
nodes.update({row["name"]: "HIPLZ_1" for row in rows if row["kind"] == "declared-not-exported"})
others = {}
for table in sys.argv[3:]:
    if table != "--all":
        with open(table, newline="") as file:
            others.update({row["symbol"]: row["version_node"] for row in csv.DictReader(file) if row["version_node"]})
nodes.update(others)
lines = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", sys.argv[2]], check=True,
                       capture_output=True, text=True).stdout.splitlines()
wrong = []
exported = set()
for line in lines:
    kind, versioned = line.split()[-2:]
    if kind == "A":  # the nodes themselves
        continue
    name, _, node = versioned.partition("@@")
    exported.add(name)
    expected = "HIPLZ_1" if name.startswith("hiplz") else nodes.get(name)
    if node != expected:
        wrong.append(f"{versioned}: expected {'no such symbol' if expected is None else expected}")
if "--all" in sys.argv:
    wrong += [f"{name} is missing" for name in sorted(others.keys() - exported)]
print("\n".join(wrong))
sys.exit(1 if wrong or not exported else 0)
