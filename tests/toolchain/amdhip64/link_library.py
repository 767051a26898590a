#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the source and the version script of a library that has the names and version nodes of the table and does nothing,
to link programs against as if it were AMD's.

usage: link_library.py SOURCE MAP TABLE ...
"""
import collections
import csv
import sys

nodes = collections.defaultdict(set)
for table in sys.argv[3:]:
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            if row["version_node"]:
                nodes[row["version_node"]].add(row["symbol"])
with open(sys.argv[1], "w") as source, open(sys.argv[2], "w") as script:
    before = ""
    for node, names in sorted(nodes.items()):
        source.writelines(f"void {name}(void) {{ __builtin_trap(); }}\n" for name in sorted(names))
        script.write(f"{node} {{ global: {' '.join(name + ';' for name in sorted(names))} }}{before};\n")
        before = f" {node}"
