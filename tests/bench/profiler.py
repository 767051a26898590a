# SPDX-License-Identifier: MIT
"""What hiplz-prof costs a program: nanoseconds a launch, and the share of the time with kernels of 20 us.

profiler.py STAGE: the stage or prefix, with bench/bench_profiler in it. Runs with and without the profiler take turns.
"""
import os
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 15


def run(command):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    launch, busy = map(float, output.split())
    return launch, busy


def main():
    stage = sys.argv[1]
    program = os.path.join(stage, "bench", "bench_profiler")
    with tempfile.TemporaryDirectory(prefix="hiplz-bench-") as folder:
        profiled = [os.path.join(stage, "bin", "hiplz-prof"), "-d", folder, "-f", "none", "--no-summary", "--", program]
        run([program])  # the cache
        pairs = [(run([program]), run(profiled)) for _ in range(ROUNDS)]
    for index, name, unit in ((0, "a launch", "ns"), (1, "a kernel of 20 us and its launch", "us")):
        plain = statistics.median(pair[0][index] for pair in pairs)
        with_profile = statistics.median(pair[1][index] for pair in pairs)
        difference = statistics.median(pair[1][index] - pair[0][index] for pair in pairs)
        print(f"{name:34} {plain:9.2f} {unit}   profiled {with_profile:9.2f} {unit}   more {difference:8.2f} {unit} "
              f"({100 * difference / plain:.1f} %)")


if __name__ == "__main__":
    main()
