# SPDX-License-Identifier: MIT
"""Runs LAMMPS' benchmarks with its serial build, Kokkos' OpenMP back end and Kokkos' HIP back end, and compares results and times.

tests/distro/lammps.sh starts it. For the results, each input runs once with each build, with two more lines: thermodynamic output
every ten steps and with 15 digits. Each number is compared with that of the serial build. At step 0 it is a sum of the same terms
in another order. Later the paths of atoms diverge from such rounding errors, faster and faster, and OpenMP's build shows how far
that goes without HIPLZ. The benchmark chain pushes its atoms at random; Kokkos' version of that has a random number generator of
its own, so for the results, but not for the times, that one part is the serial one in all builds, and the host sorts the atoms: random
numbers go to atoms in their order, and Kokkos' sort on a device leaves the order within a bin to chance, with OpenMP too.
For the times, the inputs run as they are, OpenMP and HIP in turns. LAMMPS measures its loop itself ("Loop time"). The processor time
beside it, which other processes on the machine disturb less, is that of the process without that of one that runs no steps.
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys

BENCHMARKS = ("lj", "eam", "chain", "rhodo")
# Options to visit each pair of atoms once, as on processors. On GPUs, LAMMPS visits it twice unless it is told; the dihedral angles of
# rhodo refuse to be computed that way.
ONCE = ["newton", "on", "neigh", "half"]
AT_START = 1e-9
# Lines in front of the one that runs the simulation, so that the numbers can be compared closely.
CLOSELY = "thermo 10\nthermo_modify format float %.15g\n"


def builds(name, folder, threads, sort):
    openmp = [folder / "openmp/lmp", "-k", "on", "t", str(threads), "-sf", "kk", "-pk", "kokkos", "sort", "host"]
    hip = [folder / "hip/lmp", "-k", "on", "g", "1", "-sf", "kk", "-pk", "kokkos", "sort", sort]
    commands = {"serial": [folder / "serial/lmp"], "openmp": openmp, "hip": hip, "hip, pairs once": hip + ONCE}
    if name == "rhodo":
        del commands["hip"]
    return commands


def run(command, arguments, bench):
    """Runs LAMMPS in the folder of its benchmarks: its output, and the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(
        [*command, *arguments], cwd=bench, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, OMP_PROC_BIND="false")
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = process.stdout.decode(errors="replace")
    if process.returncode != 0 or "Loop time" not in output:
        raise SystemExit("%s ends with %d:\n%s" % (" ".join(map(str, command)), process.returncode, output[-3000:]))
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def thermodynamics(output):
    """The thermodynamic output as a list of (step, {name: number}), from either of LAMMPS' two forms."""
    table = []
    names = None
    for line in output.splitlines():
        words = line.split()
        heading = re.match(r"-+ Step\s+(\d+) -+", line)
        if line.startswith("Loop time"):
            names = None
        elif heading:
            table.append((int(heading.group(1)), {}))
            names = []
        elif words[:1] == ["Step"]:
            names = words
        elif names == [] and "=" in line:
            table[-1][1].update((name, float(value)) for name, value in re.findall(r"(\w+)\s*=\s*(\S+)", line))
        elif names and len(words) == len(names):
            table.append((int(words[0]), dict(zip(names[1:], map(float, words[1:])))))
    return table


def deviations(expected, got):
    """The largest deviation at each step, relative to the number or to 1 if that is more."""
    if [(step, list(numbers)) for step, numbers in expected] != [(step, list(numbers)) for step, numbers in got] or len(got) < 2:
        raise SystemExit("these are not the same steps and columns: %s and %s" % (expected, got))
    return [max(abs(other[name] - number) / max(abs(number), 1.0) for name, number in numbers.items()) for (_, numbers), (_, other) in zip(expected, got)]


def changed(bench, name, kind, *changes):
    """The path of a changed input: each change is a pattern that a line begins with, and what stands for it then."""
    text = (bench / ("in." + name)).read_text()
    for pattern, replacement in changes:
        text = re.sub("^" + pattern, replacement.replace("\\n", "\n"), text, flags=re.M)
    path = bench / ("in.%s.%s" % (name, kind))
    path.write_text(text)
    return path


def closely(bench, name):
    return changed(bench, name, "closely", (r"(fix\s.*langevin)", r"suffix off\n\1"), (r"(run\s)", CLOSELY + r"\1"))


def compare_results(name, bench, commands):
    expected = None
    controls = None
    right = True
    for build, command in commands.items():
        output, _ = run(command, ["-in", closely(bench, name), "-log", "none"], bench)
        table = thermodynamics(output)
        if build == "serial":
            expected = table
            continue
        found = deviations(expected, table)
        verdict = ""
        if build == "openmp":
            controls = found
        elif found[0] > AT_START or found[-1] > 100 * max(*controls, AT_START):
            verdict, right = "  WRONG", False
        print("%-6s %-16s deviates from serial by %.1e at step 0, %.1e in the middle, %.1e at step %d%s"
              % (name, build, found[0], found[len(found) // 2], found[-1], table[-1][0], verdict), flush=True)
    return right


def compare_times(name, bench, commands, rounds):
    del commands["serial"]
    arguments = ["-in", "in." + name, "-log", "none"]
    idle = ["-in", changed(bench, name, "idle", (r"run\s.*", "run 0")), "-log", "none"]
    for build, command in commands.items():
        if build.startswith("hip"):  # compiles kernels
            run(command, arguments, bench)
    loops, processors = {}, {}
    for _ in range(rounds):
        for build, command in commands.items():
            output, processor = run(command, arguments, bench)
            loops.setdefault(build, []).append(float(re.search(r"Loop time of (\S+)", output).group(1)))
            processors.setdefault(build, []).append(processor)
    for build, command in commands.items():
        loop = min(loops[build])
        processor = min(processors[build]) - min(run(command, idle, bench)[1] for _ in range(rounds))
        if build == "openmp":
            best = loop, processor
        print("%-6s %-16s loop %.3f s, processor time %.3f s; OpenMP's over these: %.2f, %.2f"
              % (name, build, loop, processor, best[0] / loop, best[1] / processor), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("benchmarks", nargs="*", default=BENCHMARKS)
    options = parser.parse_intermixed_args()
    bench = options.folder / "lammps/bench"
    threads = len(os.sched_getaffinity(0))
    right = [compare_results(name, bench, builds(name, options.folder, threads, "host")) for name in options.benchmarks]
    for name in options.benchmarks if options.rounds else ():
        compare_times(name, bench, builds(name, options.folder, threads, "device"), options.rounds)
    sys.exit(not all(right))


main()
