#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs calls.hip under hiplz-check: each planted defect must be found, with the allocation that it is about, nothing else, and nothing in
the clean run. Then objects.hip, which leaks one object of each kind. usage: calls.py HIPLZ_CHECK CALLS OBJECTS"""
import json
import os
import subprocess
import sys
import tempfile

# The finding (its beginning), its severity, a part of the address, the stacks that it has.
EXPECTED = [
    ("hipMemcpy failed: hipErrorInvalidValue", "error", " is 0 bytes into 128 bytes of device memory", ("allocated",)),
    ("hipMemcpy failed: hipErrorInvalidValue", "error", " is 1 bytes into 64 bytes of device memory", ("allocated",)),
    ("hipMemset failed: hipErrorInvalidValue", "error", " is 0 bytes into 100 bytes of device memory", ("allocated",)),
    ("hipFree failed: hipErrorInvalidValue", "error", "128 bytes of device memory", ("allocated", "freed")),
    ("hipFree failed: hipErrorInvalidValue", "error", " is 8 bytes into 64 bytes of device memory", ("allocated",)),
    ("hipHostFree failed: hipErrorInvalidValue", "error", "", ()),
    ("hipSetDevice failed: hipErrorInvalidDevice", "warning", "", ()),
    ("hipMalloc failed: hipErrorOutOfMemory", "warning", "", ()),
    ("leak of 64 bytes", "error", "64 bytes of device memory", ("allocated",)),
    ("leak of 100 bytes", "error", "100 bytes of device memory", ("allocated",)),
    ("leak of 80 bytes", "error", "", ()),
    ("leak of 64 bytes", "error", "64 bytes of host memory", ("allocated",)),
]

# The leak, and the function that has made it.
OBJECTS = [
    ("a stream", "makeStream"), ("an event", "makeEvent"), ("an array", "makeArray"), ("a mipmapped array", "makeMipmappedArray"),
    ("a texture object", "makeTexture"), ("a surface object", "makeSurface"), ("a module", "makeModule"), ("a graph", "makeGraph"),
    ("a graph", "cloneGraph"), ("a graph", "captureGraph"), ("an executable graph", "makeExecutable"), ("a memory pool", "makePool"),
]


def objects(tool, program):
    reports, code = run(tool, program, "bad", ["--leak-check=full"])
    found = sorted((each["what"], each["allocated"][0].split("(")[0]) for each in reports)
    failures = [] if found == sorted(("leak of " + kind, maker) for kind, maker in OBJECTS) else [f"objects: {found}"]
    failures += [f"{each['count']} leaks in {each}" for each in reports if each["count"] != 1 or each["severity"] != "error"]
    if code != 9:
        failures.append(f"leaks of objects: exit code {code}")
    for mode, options in (("bad", []), ("clean", ["--leak-check=full"])):
        reports, code = run(tool, program, mode, options)
        if reports or code != 0:
            failures.append(f"objects, {mode} {options}: exit code {code}, {reports}")
    return failures


def run(tool, program, mode, options=()):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "json")
        result = subprocess.run([tool, "--tool=memcheck", "--error-exitcode=9", *options, "--json", path, program, mode],
                                stderr=subprocess.PIPE, text=True)
        with open(path) as file:
            return json.load(file), result.returncode


def main():
    tool, program, of_objects = sys.argv[1:]
    failures = objects(tool, of_objects)
    reports, code = run(tool, program, "bad", ["--leak-check=full"])
    if code != 9:
        failures.append(f"the exit code is {code} instead of 9")
    left = list(reports)
    for what, severity, address, stacks in EXPECTED:
        found = [each for each in left if each["what"].startswith(what) and each["severity"] == severity
                 and address in each["address"] and all(each[stack] for stack in stacks)]
        if found:
            left.remove(found[0])
        else:
            failures.append(f"not found: {severity} {what}, {address}")
    failures += [f"unexpected: {each}" for each in left]
    reports, code = run(tool, program, "bad")
    failures += [f"a leak without --leak-check: {each}" for each in reports if "leak" in each["what"]]
    reports, code = run(tool, program, "clean", ["--leak-check=full"])
    if [each["what"].split(",")[0] for each in reports] != ["hipMalloc failed: hipErrorOutOfMemory"] or code != 0:
        failures.append(f"clean: exit code {code}, {reports}")
    refused = subprocess.run([tool, "--tool=racecheck", "--leak-check=full", program, "clean"], stderr=subprocess.PIPE, text=True)
    if refused.returncode == 0 or "needs memcheck" not in refused.stderr:
        failures.append(f"leaks without memcheck: {refused.returncode}, {refused.stderr}")
    print(f"{len(EXPECTED) + len(OBJECTS)} defects, {len(failures)} failures")
    print("\n".join(failures))
    return bool(failures)


sys.exit(main())
