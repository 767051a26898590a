#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that Level Zero drivers export what the loader and gdb look up, and nothing else. Every other name, the instances of
the C++ library's templates above all, is one that the dynamic linker looks up in all libraries of a process when it starts.

usage: check_driver_exports.py LIBRARY ...
"""
import re
import subprocess
import sys

failed = False
for library in sys.argv[1:]:
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout.splitlines()
    names = {line.split()[-1] for line in lines}
    unexpected = sorted(name for name in names if not re.match(r"(zes?|zer|zet)Get\w+ProcAddrTable$|__jit_debug_", name))
    for name in unexpected:
        print(f"{library} exports {name}")
    if "zeGetGlobalProcAddrTable" not in names:
        print(f"{library} does not export zeGetGlobalProcAddrTable")
        failed = True
    failed = failed or bool(unexpected)
sys.exit(failed)
