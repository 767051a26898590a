#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs check_calls, check_order and check_warps under hiplz-check with options that choose, suppress, keep and format findings.
usage: options.py HIPLZ_CHECK CALLS ORDER WARPS"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def run(tool, *arguments):
    result = subprocess.run([tool, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return result.returncode, result.stderr


def summary(text):
    match = re.search(r"(\d+) errors, (\d+) warnings", text)
    return (int(match.group(1)), int(match.group(2))) if match else None


def calls(tool, program, folder):
    path = lambda name: os.path.join(folder, name)
    code, text = run(tool, "--tool=memcheck", "--save", path("saved"), "--sarif", path("sarif"), "--gen-suppressions", path("supp"),
                     "--error-exitcode=9", program, "bad")
    errors, warnings = summary(text)
    expect(code == 9 and errors == 6 and warnings == 2, f"all: {code}, {errors} errors, {warnings} warnings")
    with open(path("sarif")) as file:
        sarif = json.load(file)
    results = sarif["runs"][0]["results"]
    expect(sarif["version"] == "2.1.0" and len(results) == 8, f"SARIF has {len(results)} results")
    expect({each["ruleId"] for each in results} == {"memcheck"}, "SARIF: rules")
    expect(sorted({each["level"] for each in results}) == ["error", "warning"], "SARIF: levels")

    code, text = run(tool, "--read", path("saved"))
    expect(code == 0 and summary(text) == (6, 2), f"--read: {code}, {summary(text)}")
    code, text = run(tool, "--read", path("saved"), "--print-level=error", "--prefix=@@", "--show-backtrace=no")
    expect(summary(text) == (6, 0) and "warning:" not in text, "--print-level=error")
    expect(all(line.startswith("@@ ") for line in text.splitlines()), "--prefix")
    expect("    allocated by\n" not in text, "--show-backtrace=no")
    code, text = run(tool, "--read", path("saved"), "--report-api-errors=no")
    expect(summary(text) == (6, 0), f"--report-api-errors=no: {summary(text)}")
    code, text = run(tool, "--read", path("saved"), "--color=yes")
    expect("\033[1;31m" in text and "\033[1;33m" in text, "--color=yes")
    code, text = run(tool, "--read", path("saved"), "--num-callers-host=0", "--print-limit=1")
    expect("    allocated by\n" not in text and "7 more are not printed" in text, "--print-limit, --num-callers-host")

    code, text = run(tool, "--tool=memcheck", "--suppressions", path("supp"), "--error-exitcode=9", program, "bad")
    expect(code == 0 and summary(text) == (0, 0), f"everything is suppressed: {code}, {text}")
    with open(path("one"), "w") as file:
        file.write("# one\n[memcheck]\nwhat = hipMemcpy failed: *\n")
    code, text = run(tool, "--read", path("saved"), "--suppressions", path("one"))
    expect(summary(text) == (4, 2), f"two calls are suppressed: {summary(text)}")
    with open(path("wrong"), "w") as file:
        file.write("[memcheck]\nnonsense = x\n")
    code, text = run(tool, "--read", path("saved"), "--suppressions", path("wrong"))
    expect(code == 1 and "wrong:2:" in text, f"a wrong file of suppressions: {code}, {text}")
    foreign = ["--padding", "32", "--check-device-heap", "yes", "--racecheck-report=all", "--check-optix", "--track-unused-memory=no",
               "--launch-timeout", "0", "--force-blocking-launches", "no", "--demangle", "full", "--report-api-errors", "explicit"]
    code, text = run(tool, "--tool=memcheck", *foreign, program, "bad")
    expect(summary(text) == (6, 2), f"options of compute-sanitizer: {code}, {text}")
    for option in ("--print-level=loud", "--track-unused-memory", "--check-device-heap=no", "--generate-coredump=yes", "--launch-skip=x", "--kernel-regex=abc", "--kernel-regex=kregex=(", "--nonsense"):
        code, text = run(tool, option, program, "clean")
        expect(code == 1 and text.startswith("hiplz-check: "), f"{option} is refused: {code}, {text}")


def kernels(tool, program):
    def found(*options):
        code, text = run(tool, "--tool=racecheck", *options, program, "bad")
        return set(re.findall(r"=====     in (?:void )?(\w+)", text)), text

    names, text = found("--kernel-regex=kns=secondReads", "--kernel-name=kne=besideFill")
    expect(names == {"secondReads", "besideFill"}, f"--kernel-regex: {names}")
    expect("launched by" in text, "the host's stack of the launch")
    names, _ = found("--kernel-regex-exclude=kregex=^(void )?(second|first)")
    expect("secondReads" not in names and "afterEarlyEvent" in names, f"--kernel-regex-exclude: {names}")
    names, text = found("--kernel-regex=kns=executed") # of both the one that was submitted last is named first
    expect(names == {"executedFirst"} and "write of 4 bytes and write" in text, f"the order of names: {names}")
    names, _ = found("--kernel-name=kne=executedFirst")
    expect(names == {"executedFirst"}, f"--kernel-name of the one that is named first: {names}")
    names, _ = found("-s", "1000")
    expect(not names, f"--launch-skip: {names}")
    names, text = found("--racecheck-detect-level=error")
    expect("secondReads" in names and "warning:" not in text, f"--racecheck-detect-level: {names}")


def launches(tool, program): # the first ones of warps.hip, each with one defect at least
    def found(*options):
        _, text = run(tool, "--tool=synccheck", *options, program, "bad")
        return set(re.findall(r"=====     in (?:void )?(\w+)", text))

    names = found("--launch-skip=1", "--launch-count=2")
    expect(names == {"sumInBranch", "ballotInBranch"}, f"--launch-skip, --launch-count: {names}")
    names = found("--launch-count", "1")
    expect(names == {"shuffleInBranch"}, f"--launch-count alone: {names}")
    names = found("--kernel-name=kregex=^(void )?(votes|sync|partOfTileV)", "--launch-skip", "1")
    expect(names == {"syncInBranch", "partOfTileVotes"}, f"--launch-skip with names: {names}")
    names = found("--kernel-regex=kns=InBranch", "--kernel-name-exclude=kns=votes", "--launch-skip=2", "--launch-count=2")
    expect(names == {"ballotInBranch"}, f"--kernel-name-exclude: {names}") # votesInBranch is the fourth launch that counts


def processes(tool, program, folder):
    log = os.path.join(folder, "log.%p")
    child = ["sh", "-c", program + " bad; exit 3"]
    code, text = run(tool, "--tool=memcheck", *child)
    expect(code == 3 and summary(text) == (6, 2) and "has ended with exit code 3" in text, f"of a child: {code}, {text}")
    code, text = run(tool, "--tool=memcheck", "--check-exit-code=no", "--target-processes=all", *child)
    expect(summary(text) == (6, 2) and "has ended with" not in text, f"--check-exit-code=no: {text}")
    code, text = run(tool, "--tool=memcheck", "--target-processes=application-only", *child)
    expect(summary(text) == (0, 0), f"--target-processes=application-only, of a child: {text}")
    code, text = run(tool, "--tool=memcheck", "--target-processes=application-only", "--log-file", log, "--xml", program, "bad")
    files = [name for name in os.listdir(folder) if re.fullmatch(r"log\.[0-9]+", name)]
    expect(not text and len(files) == 1, f"--log-file with %p: {text}, {files}")
    if files:
        root = xml.etree.ElementTree.parse(os.path.join(folder, files[0])).getroot()
        severities = sorted(each.findtext("severity") or each.get("severity") or "" for each in root)
        expect(severities == ["error"] * 6 + ["warning"] * 2, f"--xml: {severities}")
    for option, variable in ((["--force-blocking-launches"], "1"), ([], "")):
        code, text = run(tool, *option, "sh", "-c", f'test "$HIP_LAUNCH_BLOCKING" = "{variable}"')
        expect(code == 0, f"{option}: {code}")
    code, text = run(tool, "--quiet", "true")
    expect(code == 0 and not text, f"--quiet: {text}")
    code, text = run(tool, "true")
    expect(summary(text) == (0, 0), f"nothing is found: {text}")
    for option, answer in (("--help", "--target-processes"), ("--version", "hiplz-check ")):
        told = subprocess.run([tool, option], stdout=subprocess.PIPE, text=True)
        expect(told.returncode == 0 and answer in told.stdout, f"{option}: {told}")


def debugger(tool, program):
    if not shutil.which("gdb"):
        print("there is no gdb to test --break with")
        return
    result = subprocess.run([tool, "--tool=synccheck", "--break", program, "bad"], input="backtrace 12\nkill\nquit\n",
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    expect("SIGTRAP" in result.stdout and "hiplz::cpu::check::note" in result.stdout, f"--break: {result.stdout[-2000:]}")


def main():
    tool, of_calls, of_order, of_warps = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        calls(tool, of_calls, folder)
        processes(tool, of_calls, folder)
    kernels(tool, of_order)
    launches(tool, of_warps)
    debugger(tool, of_warps)
    print("\n".join(failures) or "all options work")
    return bool(failures)


sys.exit(main())
