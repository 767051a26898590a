#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random C++ programs of csmith as kernels: a generator that nobody of this project wrote.

Each program becomes a class whose members are its global variables and functions. Every lane has an object, whose variables differ
from those of the other lanes, and the hash of each lane is compared with that of the same class on the host. There the program runs
under UBSan and a time limit, and once more without optimisation; programs that do not pass, or do not do the same twice, are left
out. Needs Debian's package csmith.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CSMITH = ["csmith", "--lang-cpp", "--cpp11", "--no-volatiles", "--no-volatile-pointers", "--no-argc"]
SIZES = [["--max-funcs", "3", "--max-block-depth", "3", "--max-block-size", "3"],
         ["--max-funcs", "5", "--max-block-depth", "4", "--max-block-size", "4"],
         ["--max-funcs", "4", "--max-block-depth", "3", "--max-block-size", "4", "--no-pointers"],
         ["--max-funcs", "4", "--max-block-depth", "4", "--max-block-size", "3", "--no-structs", "--no-unions"]]
HOST_FLAGS = ["-std=c++17", "-O1", "-w", "-Wno-c++11-narrowing", "-fwrapv", "-fno-strict-aliasing", "-fsanitize=undefined",
              "-fsanitize-trap=undefined"]
DEVICE_FLAGS = ["-std=c++17", "-w", "-Wno-c++11-narrowing", "-fwrapv", "-fno-strict-aliasing"]
# Optimisers take a loop that does nothing for one that ends, and UBSan does not see it: without optimisation such a program does not end.
PLAIN_FLAGS = [*DEVICE_FLAGS, "-O0"]


def ways_of_this_processor():
    flags = set(re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M).group(1).split())
    isas = ["x86-64-v2"] + ["avx2"] * ({"avx2", "fma"} <= flags) + ["avx512"] * ({"avx512f", "avx512vl", "avx512bw"} <= flags)
    return [f"{path}:{isa}" for path in ("vector", "scalar", "O0") for isa in reversed(isas)]


def as_class(text, seed):
    """The program as a class in a namespace of its own."""
    declarations, rest = text.split("/* --- GLOBAL VARIABLES --- */")
    declarations = declarations.split("/* --- Struct/Union Declarations --- */")[1]
    variables, rest = rest.split("/* --- FORWARD DECLARATIONS --- */") if "FORWARD DECLARATIONS" in rest else (rest, rest)
    functions = rest[rest.index("/* --- FUNCTIONS --- */"):].split("/************************ statistics")[0]
    if "FUNCTIONS --- */" in variables:
        variables = variables[:variables.index("/* --- FUNCTIONS --- */")]
    changes, scalar = [], re.compile(r"^static (u?int(?:8|16|32|64)_t)\s+(g_\d+)(?:\[\d+\])* =", re.M)
    for number, match in enumerate(scalar.finditer(variables)):
        changes.append(f"    change<{match[1]}>(&{match[2]}, sizeof {match[2]}, lane, {number});")
    functions = re.sub(r"^int main ?\([^)]*\)", "void main_of_program()", functions, flags=re.M)
    functions = re.sub(r"^\s*(platform_main_begin|crc32_gentab|platform_main_end)\(.*\);$|^\s*return 0;$(?=\s*})", "", functions,
                       flags=re.M) if "void main_of_program()" in functions else functions
    head, main = functions[:functions.index("void main_of_program()")], functions[functions.index("void main_of_program()"):]
    members = re.sub(r"^static ", "", variables + head, flags=re.M)
    main = re.sub(r"\breturn 0;", "", main)
    return "\n".join([f"namespace seed{seed} {{", declarations, "struct Program : Checked {", members, main,
                      "  void change_all(unsigned lane) {", *changes, "  }", "};", "}"])


class Fuzzer:
    def __init__(self, options):
        self.options = options
        self.hipcc = pathlib.Path(options.build).resolve() / "stage/bin/hipcc"
        self.ways = [way for way in ways_of_this_processor()
                     if not options.ways or any(part in way for part in options.ways.split(","))]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="csmith."))
        self.done = self.runs = self.left_out = self.wrong = 0

    def call(self, command, limit, **environment):
        """The exit code and the output; 124 after a time-out."""
        try:
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit, text=True, errors="replace",
                                    env={**os.environ, **environment}, cwd=self.folder)
            return result.returncode, result.stdout
        except subprocess.TimeoutExpired:
            return 124, "no end in time\n"

    def generated(self, seed):
        code, text = self.call([*CSMITH, *SIZES[seed % len(SIZES)], "--seed", str(seed)], 20)
        if code or len(text) > self.options.most:
            return None
        return as_class(text, seed)

    def source(self, classes):
        cases = [f'  if (seed == {seed}) return printAll<seed{seed}::Program>();' for seed in classes]
        begin = "#ifdef __HIP__\n#pragma clang force_cuda_host_device begin\n#endif"
        return "\n".join([f'#include "{HERE}/runtime.h"', begin, *classes.values(), begin.replace("begin", "end"),
                          "int main(int, char **arguments) {", "  const int seed = std::atoi(arguments[1]);", *cases, "  return 2;", "}\n"])

    def compiled(self, name, compiler, flags, classes):
        path = self.folder / f"{name}.{'hip' if compiler == self.hipcc else 'cpp'}"
        path.write_text(self.source(classes))
        return self.call([compiler, *flags, path, "-o", self.folder / name], 600)

    def batch(self, seeds):
        classes = {}
        for seed in seeds:
            program = self.generated(seed)
            if program and self.compiled("one", self.options.clang, [*HOST_FLAGS, "-fsyntax-only"], {seed: program})[0] == 0:
                classes[seed] = program
        for name, flags in (("host", HOST_FLAGS), ("plain", PLAIN_FLAGS)):
            code, text = self.compiled(name, self.options.clang, flags, classes)
            if code:
                raise SystemExit(f"the host's compiler refuses seeds {list(classes)}:\n{text[:2000]}")
        wanted = {}
        for seed in classes:
            code, text = self.call([self.folder / "host", str(seed)], 5)
            if code == 0 and (code, text) == self.call([self.folder / "plain", str(seed)], 10):
                wanted[seed] = text
        classes = {seed: classes[seed] for seed in wanted}
        self.done += len(classes)
        self.left_out += len(seeds) - len(classes)
        if not classes:
            return
        for level in ("-O2", "-O0"):
            ways = [way for way in self.ways if way.startswith("O0") == (level == "-O0")]
            if not ways:
                continue
            code, text = self.compiled(f"device{level}", self.hipcc, [*DEVICE_FLAGS, level], classes)
            if code:
                self.report(list(classes)[0], f"hipcc {level}", "", text, classes)
                continue
            for way in ways:
                for seed in classes:
                    path, isa = way.split(":")
                    code, text = self.call([self.folder / f"device{level}", str(seed)], 300, HIPLZ_CPU_ISA=isa, HIPLZ_CACHE="0",
                                           HIPLZ_CPU_VECTORIZE=str(int(path == "vector")))
                    self.runs += 1
                    if text != wanted[seed]:
                        self.report(seed, way, wanted[seed], text, classes)

    def report(self, seed, way, wanted, found, classes):
        self.wrong += 1
        lines = [(a, b) for a, b in zip(wanted.splitlines(), found.splitlines()) if a != b]
        print(f"seed {seed}, {way}: {len(lines)} of {len(wanted.splitlines())} lanes differ: "
              f"{lines[0] if lines else found[:400]}", flush=True)
        path = pathlib.Path(self.options.keep) / f"csmith-{seed}.hip"
        path.write_text(self.source({seed: classes[seed]}))

    def run(self):
        begin, seed = time.monotonic(), self.options.seeds[0]
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            while seed <= self.options.seeds[1] and time.monotonic() - begin < self.options.seconds:
                last = min(seed + self.options.batch - 1, self.options.seeds[1])
                self.batch(range(seed, last + 1))
                seed = last + 1
        except KeyboardInterrupt:  # what it has found until then counts
            pass
        finally:
            shutil.rmtree(self.folder)
        print(f"seeds {self.options.seeds[0]} to {seed - 1}: {self.done} programs, {self.runs} runs of them, {self.wrong} with a wrong result, "
              f"{self.left_out} left out, {time.monotonic() - begin:.0f} s")
        return self.wrong != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build folder")
    parser.add_argument("--seeds", default="1-1000000", help="from the first to the last one (%(default)s)",
                        type=lambda text: [int(part) for part in text.split("-")])
    parser.add_argument("--seconds", type=float, default=600, help="no batch begins after that (%(default)s)")
    parser.add_argument("--batch", type=int, default=6, help="programs that are compiled together (%(default)s)")
    parser.add_argument("--most", type=int, default=60000, help="longest program, in bytes (%(default)s)")
    parser.add_argument("--ways", default="", help="of vector:ISA, scalar:ISA, O0:ISA, or parts of these names, with commas (all)")
    parser.add_argument("--keep", default=".", help="folder for programs that fail (%(default)s)")
    parser.add_argument("--clang", default="clang++-15", help="the host's compiler (%(default)s)")
    options = parser.parse_args()
    if not shutil.which("csmith"):
        print("csmith is missing: apt-get install csmith")
        return 77  # skipped, for CTest
    return Fuzzer(options).run()


if __name__ == "__main__":
    sys.exit(main())
