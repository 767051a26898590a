#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles a source and checks that, of the symbols that match a pattern, the object refers to exactly those of a list.

usage: check_symbols.py LIST PATTERN COMPILER ARGUMENT... SOURCE
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

expected = set(Path(sys.argv[1]).read_text().split())
with tempfile.TemporaryDirectory() as folder:
    output = Path(folder) / "object.o"
    subprocess.run([*sys.argv[3:], "-c", "-o", output], check=True)
    lines = subprocess.run(["nm", "-u", output], check=True, capture_output=True, text=True).stdout.splitlines()
# Since LLVM 18 clang names the device code after the compilation, and leaves its handle, too, to the link.
names = {re.sub("^__hip_fatbin_.*", "__hip_fatbin", line.split()[-1]) for line in lines}
found = {name for name in names if re.search(sys.argv[2], name) and not name.startswith("__hip_gpubin_handle")}
for name in sorted(expected - found):
    print(f"{name} is expected and not referred to")
for name in sorted(found - expected):
    print(f"{name} is referred to and not expected")
sys.exit(0 if expected == found and expected else 1)
