#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# The device library for AMD's SPIR-V (lib-device/amd) against the list of what AMD's compiler, headers and library call by name
# (tests/data/amd-spirv/functions.tsv): each function is defined, or the list has a reason why it is not.
import re
import subprocess
import sys

nm, library, table = sys.argv[1:]
lines = subprocess.run([nm, "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines()
defined = {line.split()[-1] for line in lines}
rows = [line.rstrip("\n").split("\t") for line in open(table) if not line.startswith("#")]
listed = {row[0]: row[1] for row in rows}
failed = len(listed) != len(rows)
if failed:
    print("a name is listed twice")
for name, reason in listed.items():
    if (name in defined) == bool(reason):
        print(f"{name}: " + ("defined, though the list says: " + reason if reason else "not defined, and no reason is given"))
        failed = True
for name in sorted(defined - listed.keys()):
    if name.startswith(("__llvm_", "__ockl_", "__ocml_")) and re.sub(r"_v\d+(f\d+)$", r"_\1", name) not in listed:
        print(f"{name}: defined and not in the list")
        failed = True
print(f"{sum(not reason for reason in listed.values())} functions defined, {sum(bool(r) for r in listed.values())} refused")
sys.exit(failed)
