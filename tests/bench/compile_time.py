# SPDX-License-Identifier: MIT
"""Processor time of compiling one small kernel with hipcc, beside a C++ file that includes what every kernel file includes."""
import os
import statistics
import subprocess
import sys
import tempfile

KERNEL = "#include <hip/hip_runtime.h>\n__global__ void kernel(int *x) { *x += threadIdx.x; }\n"
PLAIN = "#include <cmath>\n#include <cstdio>\n#include <cstring>\n#include <new>\nvoid function(int *x) { *x += 1; }\n"


def compile_once(command):
    """Milliseconds of the processor, of the command and of everything that it starts."""
    before = os.times()
    subprocess.run(command, check=True)
    after = os.times()
    return 1e3 * (after.children_user + after.children_system - before.children_user - before.children_system)


def main():
    hipcc, clang = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix="hiplz-compile-") as folder:
        kernel, plain, output = (os.path.join(folder, name) for name in ("small.hip", "plain.cpp", "out.o"))
        for path, text in ((kernel, KERNEL), (plain, PLAIN)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        commands = {
            "clang++, C++ headers alone": [clang, "-O3", "-c", plain, "-o", output],
            "hipcc, one small kernel": [hipcc, "-c", kernel, "-o", output],
        }
        times = {name: [] for name in commands}
        for _ in range(9):
            for name, command in commands.items():
                times[name].append(compile_once(command))
    for name, taken in times.items():
        print(f"{name:28} median {statistics.median(taken):6.0f} ms   min {min(taken):6.0f}   max {max(taken):6.0f}")


if __name__ == "__main__":
    main()
