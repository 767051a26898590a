# SPDX-License-Identifier: MIT
"""Wall time of whole processes: a C program that does nothing, and a small HIP program with a cold and a warm cache."""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def run(program, environment):
    start = time.perf_counter()
    subprocess.run([program], env=environment, check=True)
    return (time.perf_counter() - start) * 1e3


def report(name, times):
    print(f"{name:28} median {statistics.median(times):8.2f} ms   min {min(times):8.2f}   max {max(times):8.2f}")


def main():
    folder = sys.argv[1]
    cache = tempfile.mkdtemp(prefix="hiplz-startup-")
    environment = dict(os.environ, HIPLZ_CACHE_DIR=cache)
    nothing = os.path.join(folder, "bench_nothing")
    saxpy = os.path.join(folder, "bench_startup")
    cold = []
    try:
        for _ in range(5):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(run(saxpy, environment))
        pairs = [(run(nothing, environment), run(saxpy, environment)) for _ in range(40)]
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    report("nothing", [first for first, _ in pairs])
    report("small HIP program, cold", cold)
    report("small HIP program, warm", [second for _, second in pairs])
    report("warm over nothing", [second - first for first, second in pairs])


if __name__ == "__main__":
    main()
