#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FileCheck for tests whose expectations are written with LLVM 15's typed pointers, run on the output of an LLVM that has
opaque ones: in the lines that FileCheck reads, every pointer type becomes ptr, in names of intrinsics too, and casts of constants between
pointers become the constants. Such an LLVM has no bitcasts between pointers: an expectation of one has to have a prefix with TYPED in it,
for LLVM 15 alone, or the test fails. None is dropped.

usage: opaque_check.py FILECHECK FILE [option of FileCheck...]; the output to be checked comes from the standard input."""
import re
import subprocess
import sys
import tempfile

DIRECTIVE = re.compile(r"\s*(?:;|#|//)\s*[A-Z]+(?:-(?:NEXT|SAME|NOT|DAG|LABEL|COUNT-\d+))?: ")
SCALAR = r"(?:i\d+|half|float|double|void|%[A-Za-z][\w.]*|ptr(?: addrspace\(\d\))?)"
VECTOR = rf"(?:<\d+ x {SCALAR}>|\[\d+ x {SCALAR}\]|{SCALAR})"
STRUCT = rf"(?:\{{ {VECTOR}(?:, {VECTOR})* \}}|{VECTOR})"
PARAMETERS = rf"\((?:{VECTOR}(?:, {VECTOR})*)?(?:(?:, )?\.\.\.)?\)"
POINTER = re.compile(rf"(?<![\w.%]){STRUCT}(?: {PARAMETERS})?(?:(?: addrspace\(\d\))?\*)+")
OUTERMOST = re.compile(r"( addrspace\(\d\))?\*$")
CAST = re.compile(r"\bbitcast \(?(ptr(?: addrspace\(\d\))?) (\S+) to \1\)?")
LEFT = re.compile(r"\bbitcast \(?ptr\b")
INTRINSIC = re.compile(r"@llvm\.[\w.]+")


def rewrite(line):
    directive = DIRECTIVE.match(line)
    if not directive or "TYPED" in directive[0]:
        return line
    while (changed := POINTER.sub(lambda found: "ptr" + (OUTERMOST.search(found[0])[1] or ""), line)) != line:
        line = changed
    line = INTRINSIC.sub(lambda found: re.sub(r"\.p(\d)i\d+", r".p\1", found[0]), line)
    line = CAST.sub(r"\2", line) if "bitcast (" in line else line
    if LEFT.search(line):
        sys.exit(f"opaque_check.py: only typed pointers are cast so; this needs the prefix TYPED: {line.strip()}")
    return line


def main():
    tool, source, *options = sys.argv[1:]
    with open(source) as tests, tempfile.NamedTemporaryFile("w", suffix=".txt") as rewritten:
        rewritten.writelines(map(rewrite, tests))
        rewritten.flush()
        return subprocess.run([tool, rewritten.name, *options], check=False).returncode


sys.exit(main())
