#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the programs with planted defects at -O0 to -O3 and examines them for every instruction set of the processor and on the scalar
path. With -g each defect must be found on its line (run.py). Without it, findings have no lines: the same kernels must have the same
findings. Prints a table. By hand: takes an hour.
usage: all_ways.py BUILD [--levels=0,1,2,3] [--ways=x86-64-v2,avx2,avx512,scalar] [--debug=with,without] [PROGRAM...]"""
import argparse
import os
import subprocess
import sys
import tempfile

import run

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = {name: run.TOOLS for name in ("defects", "patterns", "allocations", "order", "concurrent", "textures", "warps", "textbook")}
PROGRAMS.update({name: "initcheck" for name in ("uninitialized", "shuffles", "textbook_values", "partial_values")}, grid="synccheck",
                barriers="synccheck", divergence="synccheck", bounds="memcheck", shared_state="racecheck", stream_ordered="memcheck,racecheck")
LEVELS = {"partial_values": ["0"]} # hipcc leaves undefined values out at others


def ways():
    with open("/proc/cpuinfo") as file:
        flags = next(line for line in file if line.startswith("flags")).split()
    return ["x86-64-v2"] + ["avx2"] * ("avx2" in flags) + ["avx512"] * ("avx512vl" in flags) + ["scalar"]


def set_way(way):
    os.environ.pop("HIPLZ_CPU_ISA", None)
    os.environ["HIPLZ_CPU_VECTORIZE"] = "0" if way == "scalar" else "1"
    if way != "scalar":
        os.environ["HIPLZ_CPU_ISA"] = way


def by_kernel(reports):
    return {(report["kernel"], report["tool"], report["severity"]) for report in reports}


def without_lines(tool, program, tools, wanted):
    with tempfile.TemporaryDirectory() as folder:
        reports, result = run.findings(tool, tools, program, "bad", folder)
        clean, ended = run.findings(tool, tools, program, "clean", folder)
    found = by_kernel(reports)
    errors = {(kernel, tool, "warning") for kernel, tool, severity in wanted if severity == "error"} # lanes of a warp race as well
    failures = [f"missing: {each}" for each in sorted(wanted - found - errors)] + [f"unexpected: {each}" for each in sorted(found - wanted - errors)]
    if result.returncode != 9:
        failures.append(f"the exit code is {result.returncode} instead of 9")
    if clean or ended.returncode != 0:
        failures.append(f"clean twins: exit code {ended.returncode}, {clean}")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--levels", default="0,1,2,3")
    parser.add_argument("--ways", default=",".join(ways()))
    parser.add_argument("--debug", default="with,without")
    options = parser.parse_intermixed_args()
    stage = os.path.join(options.build, "stage")
    tool, compiler = os.path.join(stage, "bin", "hiplz-check"), os.path.join(stage, "bin", "hipcc")
    os.environ["HIPLZ_DEVICES"] = "cpu"
    chosen, failed = options.ways.split(","), []
    print(f"{'program':18}{'':12}" + "".join(f"{way:>12}" for way in chosen), flush=True)
    with tempfile.TemporaryDirectory(prefix="hiplz-all-ways-") as folder:
        os.environ["HIPLZ_CACHE_DIR"] = os.path.join(folder, "cache")
        for name in options.programs or PROGRAMS:
            source, tools = os.path.join(HERE, name + ".hip"), PROGRAMS[name]
            for level in LEVELS.get(name, options.levels.split(",")):
                wanted = {}
                for debug in options.debug.split(","):
                    flags = [f"-O{level}"] + ["-g"] * (debug == "with")
                    program = os.path.join(folder, name)
                    subprocess.run([compiler, "-std=c++17", *flags, "-rdynamic", source, "-o", program], check=True)
                    cells = []
                    for way in chosen:
                        set_way(way)
                        if debug == "with":
                            failures, reports = run.examine(tool, program, source, tools)
                            wanted[way] = by_kernel(reports)
                        else:
                            failures = without_lines(tool, program, tools, wanted.get(way, set()))
                        failed += [f"{name} {' '.join(flags)} {way}: {failure}" for failure in failures]
                        cells.append(str(len(failures)) if failures else "ok")
                    print(f"{name:18}{' '.join(flags):12}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
    print("\n".join(failed))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
