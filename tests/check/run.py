#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program with planted defects (planted.h) under hiplz-check: every planted defect must be found on its line, by the tool and with the severity that the line's
comment names, nothing else may be found, and the clean twins must be clean. usage: run.py HIPLZ_CHECK PROGRAM SOURCE"""
import json
import os
import re
import subprocess
import sys
import tempfile


def findings(tool, program, mode, folder):
    path = os.path.join(folder, mode + ".json")
    result = subprocess.run([tool, "--error-exitcode=9", "--json", path, program, mode], stderr=subprocess.PIPE, text=True)
    with open(path) as file:
        return json.load(file), result


def lines_of(reports, expected, name):
    found = {}
    for report in reports:
        sides = [report["place"], report["other"]] # a race is found on either line
        lines = [int(match.group(1)) for side in sides if (match := re.search(rf"\b{re.escape(name)}:(\d+)", side))]
        key = next((line for line in lines if line in expected), lines[0] if lines else report["place"])
        found.setdefault(key, set()).add((report["tool"], report["severity"]))
    return found


def main():
    tool, program, source = sys.argv[1:]
    expected = {}
    with open(source) as file:
        for number, line in enumerate(file, 1):
            if match := re.search(r"// finds: (\w+) (\w+)$", line):
                expected[number] = (match.group(1), match.group(2))
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        reports, result = findings(tool, program, "bad", folder)
        found = lines_of(reports, expected, os.path.basename(source))
        if result.returncode != 9:
            failures.append(f"the exit code is {result.returncode} instead of 9")
        for line, what in expected.items():
            if what not in found.get(line, set()):
                failures.append(f"line {line}: {what} is not found, but {found.get(line)}")
        for line, kinds in found.items():
            allowed = {expected[line], (expected[line][0], "warning")} if line in expected else set() # lanes of a warp race as well
            if not kinds <= allowed:
                failures.append(f"line {line}: {kinds} is found, expected is {expected.get(line)}")
        for report in reports:
            if not report["kernel"] or not report["workItem"] or report["count"] < 1:
                failures.append(f"a report without kernel, work-item or count: {report}")
        reports, result = findings(tool, program, "clean", folder)
        if reports or result.returncode != 0:
            failures.append(f"clean twins: exit code {result.returncode}, {reports}")
    print(f"{len(expected)} defects, {len(failures)} failures")
    print("\n".join(failures))
    return bool(failures)


sys.exit(main())
