#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program with planted defects under hiplz-check: every defect must be found on its line, by the tool and with the severity that the
line's comment names, nothing else may be found, and the clean twins must be clean. A comment may name a function of the host instead of
the line. usage: run.py HIPLZ_CHECK PROGRAM SOURCE [TOOLS]"""
import json
import os
import re
import subprocess
import sys
import tempfile

TOOLS = "memcheck,racecheck,synccheck"


def findings(tool, tools, program, mode, folder):
    path = os.path.join(folder, mode + ".json")
    result = subprocess.run([tool, "--tool", tools, "--error-exitcode=9", "--json", path, program, mode], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)
    with open(path) as file:
        return json.load(file), result


def expectations(source):
    expected = {}
    with open(source) as file:
        for number, line in enumerate(file, 1):
            if match := re.search(r"// finds: (\w+) (\w+)(?: in (.+))?$", line):
                expected[match.group(3) or number] = (match.group(1), match.group(2))
    return expected


def lines_of(reports, expected, name):
    found = {}
    for report in reports:
        sides = [report["place"], report["other"]] # a race is found on either line
        lines = [int(line) for side in sides for line in re.findall(rf"\b{re.escape(name)}:(\d+)", side)] # with inlined ones
        named = next((key for key in expected if isinstance(key, str) and key in report["place"]), report["place"])
        key = next((line for line in lines if line in expected), lines[0] if lines else named)
        found.setdefault(key, set()).add((report["tool"], report["severity"]))
    return found


def examine(tool, program, source, tools=TOOLS):
    """What is wrong with what the tools find, and the reports of the run with defects."""
    expected, failures = expectations(source), []
    with tempfile.TemporaryDirectory() as folder:
        reports, result = findings(tool, tools, program, "bad", folder)
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
            ofHost = report["what"].startswith("copy to the host of memory") or " failed: " in report["what"] \
                or "wrong direction" in report["what"]
            if not ofHost and (not report["kernel"] or not report["workItem"]) or report["count"] < 1:
                failures.append(f"a report without kernel, work-item or count: {report}")
        clean, result = findings(tool, tools, program, "clean", folder)
        if clean or result.returncode != 0:
            failures.append(f"clean twins: exit code {result.returncode}, {clean}")
    return failures, reports


def main():
    tool, program, source = sys.argv[1:4]
    failures, _ = examine(tool, program, source, *sys.argv[4:5])
    print(f"{len(expectations(source))} defects, {len(failures)} failures")
    print("\n".join(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
