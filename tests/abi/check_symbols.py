#!/usr/bin/env python3
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
found = {name for name in (line.split()[-1] for line in lines) if re.search(sys.argv[2], name)}
for name in sorted(expected - found):
    print(f"{name} is expected and not referred to")
for name in sorted(found - expected):
    print(f"{name} is referred to and not expected")
sys.exit(0 if expected == found and expected else 1)
