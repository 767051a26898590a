# SPDX-License-Identifier: MIT
"""How long the CPU device's compiler takes for each kernel that programs launch: median, 90th percentile and largest.
usage: compile_times.py PROGRAM ...

The programs are run one after the other without a cache, and their compilers say under HIPLZ_LOG=debug where the processor time goes. It
is that of a kernel alone, from the start of its compiler to the code; the start is half of it for a small kernel. A program that takes longer
than two minutes is stopped, and counts with what it has compiled until then. Modules are not counted, nor are kernels that are compiled in the
process that takes their module apart."""
import os
import re
import subprocess
import sys

LINE = re.compile(r"compiler: ([a-z ]+): ([0-9.]+) ms$")
PATIENCE = 120


def said_by(program):
    environment = dict(os.environ, HIPLZ_LOG="debug", HIPLZ_CACHE="0", HIPLZ_DEVICES="cpu")
    with subprocess.Popen([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=os.path.dirname(program)) as run:
        try:
            return run.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            run.kill()
            return run.communicate()[1]


def compilations(text):
    """The phases of each compiler."""
    phases = []
    for line in text.decode(errors="replace").splitlines():
        if found := LINE.search(line):
            phase, milliseconds = found[1], float(found[2])
            if phase == "start":
                phases.append({})
            if phases:
                phases[-1][phase] = phases[-1].get(phase, 0) + milliseconds
    return phases


def main():
    times = []
    for program in sys.argv[1:]:
        for phases in compilations(said_by(os.path.abspath(program))):
            if "take apart" not in phases and "generate code" in phases:
                times.append((sum(phases.values()), os.path.basename(program)))
    if not times:
        sys.exit("no kernel was compiled")
    times.sort()
    at = lambda share: times[min(int(len(times) * share), len(times) - 1)][0]
    print(f"{len(times)} kernels: median {at(0.5):.0f} ms, 90th percentile {at(0.9):.0f} ms, 99th {at(0.99):.0f} ms, "
          f"largest {times[-1][0]:.0f} ms ({times[-1][1]})")


if __name__ == "__main__":
    main()
