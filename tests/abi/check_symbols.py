#!/usr/bin/env python3
"""Compiles a source and checks that the object refers to exactly the symbols of a list.

usage: check_symbols.py LIST COMPILER ARGUMENT... SOURCE
"""
import subprocess
import sys
import tempfile
from pathlib import Path

expected = set(Path(sys.argv[1]).read_text().split())
with tempfile.TemporaryDirectory() as folder:
    output = Path(folder) / "object.o"
    subprocess.run([*sys.argv[2:], "-c", "-o", output], check=True)
    lines = subprocess.run(["nm", "-u", output], check=True, capture_output=True, text=True).stdout.splitlines()
found = {line.split()[-1] for line in lines}
for name in sorted(expected - found):
    print(f"{name} is declared in the tables and not referred to")
for name in sorted(found - expected):
    print(f"{name} is referred to and not in the tables")
sys.exit(0 if expected == found and expected else 1)
