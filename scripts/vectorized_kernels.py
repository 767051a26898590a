#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the kernels that the vectoriser of the CPU device takes and those that it declines, with the reasons: the table of
docs/design/vectorizer.md. Runs programs with the library of a build and without caches; each kernel of a program counts once.

usage: vectorized_kernels.py [--jobs=N] [--list] BUILD [PROGRAM ...]

Without programs: all of tests/device, the benchmark of kernels, and what stands in BUILD/samples. What a program prints and how it
ends is of no interest here.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

KERNEL = re.compile(r"kernel (\S+)(?: \((.*?):(\d+)\))? is (vectorised|not vectorised: (.*))")
PLACE = re.compile(r" \([^()]*:\d+\)$")  # of a reason
SECONDS = 120


def programs_of(build):
    folders = [build / "tests/device", build / "samples"]
    found = [p for folder in folders if folder.is_dir() for p in sorted(folder.iterdir())
             if p.is_file() and not p.suffix and os.access(p, os.X_OK)]
    return found + [p for p in [build / "stage/bench/bench_compute"] if p.exists()]


def kernels_of(program, build):
    """{kernel: None if vectorised, else the reason}, in at least one of its layouts."""
    environment = dict(os.environ, HIPLZ_CACHE="0", HIPLZ_LOG="debug", LD_LIBRARY_PATH=str(build / "stage/lib"),
                       ZE_ENABLE_VALIDATION_LAYER="0")
    arguments = ["--rounds=1"] if program.name == "bench_compute" else []
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = subprocess.run([program, *arguments], env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=SECONDS, check=False)
            text = run.stderr
        except subprocess.TimeoutExpired as late:
            text = late.stderr or b""
    kernels = {}
    for line in text.decode(errors="replace").splitlines():
        if match := KERNEL.search(line):
            kernels.setdefault(match[1], None)
            if match[5]:
                kernels[match[1]] = match[5]
    return kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="every kernel that is declined")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path, nargs="*")
    options = parser.parse_args()
    build = options.build.resolve()
    programs = [p.resolve() for p in options.program] or programs_of(build)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            for kernels in pool.map(lambda program: kernels_of(program, build), programs):
                results.append(kernels)
        except KeyboardInterrupt:  # what has been counted is told
            pool.shutdown(wait=False, cancel_futures=True)
    total = sum(len(kernels) for kernels in results)
    reasons = collections.Counter()
    for program, kernels in zip(programs, results):
        for kernel, reason in kernels.items():
            if reason is None:
                continue
            reasons[PLACE.sub("", reason)] += 1
            if options.list:
                print(f"{program.name}: {kernel}: {reason}")
    if total == 0:
        sys.exit("no kernel was compiled: is the build complete?")
    declined = sum(reasons.values())
    print(f"{len(results)} programs, {total} kernels, {total - declined} vectorised "
          f"({100 * (total - declined) / total:.1f} %)")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")


main()
