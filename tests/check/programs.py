#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs under all four tools and lists what is found, to tell true defects from false alarms (docs/checking.md). A program is an
executable, or a source file that is compiled with line numbers: .hip with hipcc, .cu with cucc. Programs that fail without checks are
left out. What programs do on purpose, or is known, is in expected_findings.txt: only what is not there, and what is there and has not been
found, is listed, and makes the result 1. By hand.
usage: programs.py BUILD [--tools=all] [--seconds=60] [--arguments=...] [--all] PROGRAM...
    programs.py build/release samples/*.hip tests/cuda/*.cu build/release/tests/device/*
    programs.py build/release build/release/bin/bench_compute --arguments='--rounds=1 --processor-time'"""
import argparse
import fnmatch
import json
import os
import shlex
import subprocess
import sys
import tempfile

OPTIONS = ["-std=c++17", "-O2", "-Xarch_device", "-Wp,-debug-info-kind=line-tables-only", "-rdynamic"]


EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected_findings.txt")


def expectations():
    """The patterns of each program in expected_findings.txt."""
    programs = {}
    with open(EXPECTED) as file:
        for line in file:
            if line.startswith("    "):
                programs[name].append(line.strip())
            elif line.strip() and not line.startswith("#"):
                name = line.partition(":")[0]
                programs[name] = []
    return programs


def described(report):
    return f"{report['tool']} {report['severity']}: {report['what']} in {report['kernel'] or 'the program'}"


def sifted(checked, reports, patterns):
    """The findings that no pattern allows, and the patterns that have found nothing. The exit code is the pattern `exit code N`. What
    depends on the order of threads has `maybe ` before its pattern."""
    optional = [pattern[6:] for pattern in patterns if pattern.startswith("maybe ")]
    patterns = [pattern.removeprefix("maybe ") for pattern in patterns]
    found = ["exit code " + checked] if checked != "0" else []
    found += [described(report) for report in reports]
    unexpected = [report for report in reports if not any(fnmatch.fnmatchcase(described(report), pattern) for pattern in patterns)]
    missing = [pattern for pattern in patterns if pattern not in optional and not any(fnmatch.fnmatchcase(each, pattern) for each in found)]
    if checked != "0" and "exit code " + checked not in patterns:
        missing.append("exit code 0")
    return unexpected, missing


def compiled(source, stage, folder):
    """The program of a source file, or None."""
    compiler, libraries = ("cucc", ["-lnvrtc", "-lcuda"]) if source.endswith(".cu") else ("hipcc", ["-lhiprtc"])
    program = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    options = OPTIONS if compiler == "hipcc" else ["-std=c++17", "-O2", "-lineinfo"]
    command = [os.path.join(stage, "bin", compiler), *options, "-I", os.path.dirname(source) or ".", source, "-o", program, *libraries]
    return program if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0 else None


def outcome(command, seconds):
    try:
        return str(subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds, check=False).returncode)
    except subprocess.TimeoutExpired:
        return "too slow"


def is_program(path):
    return path.endswith((".hip", ".cu")) or (os.path.isfile(path) and os.access(path, os.X_OK) and ".so" not in path)


def examine(program, options, stage, folder):
    """How the program ends with and without checks, and what is found; None if it fails anyway."""
    command = [program, *shlex.split(options.arguments)]
    plain = outcome(command, options.seconds)
    if plain != "0":
        return None
    path = os.path.join(folder, "findings.json")
    if os.path.exists(path):
        os.remove(path)
    checked = outcome([os.path.join(stage, "bin", "hiplz-check"), "--tool", options.tools, "--json", path, *command], 10 * options.seconds)
    reports = []
    if os.path.exists(path):
        with open(path) as file:
            reports = json.load(file)
    return checked, reports


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--tools", default="all")
    parser.add_argument("--arguments", default="")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--all", action="store_true", help="lists what is expected, too")
    options = parser.parse_intermixed_args()
    stage = os.path.abspath(os.path.join(options.build, "stage"))
    data = os.path.join(os.path.dirname(os.path.dirname(EXPECTED)), "data") # some programs of tests/device read these
    os.environ.update(HIPLZ_DEVICES="cpu", HIPLZ_TEST_FUNCTIONS=os.path.join(data, "host_functions.csv"),
                      HIPLZ_TEST_ENUMS=os.path.join(data, "enums.csv"))
    counts = {"clean": 0, "as expected": 0, "with other findings": 0, "left out": 0}
    expected = expectations()
    with tempfile.TemporaryDirectory(prefix="hiplz-check-programs-") as folder:
        os.environ["HIPLZ_CACHE_DIR"] = os.path.join(folder, "cache")
        for path in filter(is_program, options.programs):
            name = os.path.basename(path)
            program = compiled(path, stage, folder) if path.endswith((".hip", ".cu")) else os.path.abspath(path)
            result = examine(program, options, stage, folder) if program else None
            if result is None:
                counts["left out"] += 1
                print(f"{name:32}" + ("fails without checks" if program else "does not compile"), flush=True)
                continue
            checked, reports = result
            unexpected, missing = sifted(checked, reports, expected.get(os.path.splitext(name)[0], []))
            verdict = "with other findings" if unexpected or missing else "as expected" if reports or checked != "0" else "clean"
            counts[verdict] += 1
            print(f"{name:32}" + ("clean" if verdict == "clean" else f"{verdict}: exit code {checked}, {len(reports)} findings"), flush=True)
            for report in reports if options.all else unexpected:
                print(f"    {report['tool']} {report['severity']}: {report['what']}\n        in {report['kernel']} at {report['place']}"
                      + (f"\n        and {report['other']}" if report["other"] else "") + f" ({report['count']})", flush=True)
            for pattern in missing:
                print(f"    not found: {pattern}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return counts["with other findings"] > 0


if __name__ == "__main__":
    sys.exit(main())
