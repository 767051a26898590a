#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds HeCBench's CUDA or HIP programs from a clone, unchanged, runs them with their own arguments and checks, and writes a table.
# With `compare`, measures its HIP programs against their OpenMP versions on this machine's processors.
set -euo pipefail
if [ $# -lt 4 ]; then
  cat <<TEXT
usage: bash tests/distro/hecbench.sh cuda|hip CLONE PREFIX OUT [--names=REGEX] [--limit=SECONDS] [--build-limit=SECONDS]
                                     [--again=VERDICT,...] [--flags=OPTIONS] [--repeat=N]
       bash tests/distro/hecbench.sh compare CLONE PREFIX OUT [--names=REGEX] [--limit=SECONDS] [--build-limit=SECONDS]
                                     [--flags=OPTIONS] [--arguments=FILE] [--openmp=COMPILER] [--rounds=N] [--part=I/N]
                                     [--cores=LIST]
CLONE is a folder with HeCBench, which stays as it is. PREFIX is an installed prefix, or stage in a build folder. OUT gets results.tsv
(name, verdict, seconds to build, seconds to run, cause) and a log per program in logs. Programs that are in results.tsv are not built
again, unless --again names their verdict. --flags are more options for the compiler, such as -isystem and a folder.
--names is a regular expression for whole names without -cuda or -hip: '[a-k].*'. --repeat=1 lets programs repeat their work once and
not as often as a GPU needs for a measurement. Which argument that is, a program's sources say (repeat = atoi(argv[2]), a usage with
<repeat>, an option --repeat); all other arguments, such as sizes, stay as they are.
Verdicts: passes (built, exit code 0, its words say that the results are right), runs (the same without a check of its own),
wrong (its words say that results are wrong), fails (another exit code), time (no end within the limit: a limit of 120 seconds is the
default, and most programs are made for a GPU), build (does not build), library (needs a library that is not part of a runtime).
compare writes OUT/compared.tsv: the verdicts of the HIP and the OpenMP version, what was measured (kernels: times that both print;
process: the whole process), milliseconds of each and their ratio, the ratio of processor time and its milliseconds, how their results
compare, seconds to build HIP, and a cause or the slowest kernel. --arguments is a file with a line per program, its name and its
arguments, or commands that begin with ./main (hecbench_arguments.txt beside this script has small ones); programs that are not in it
repeat their work once. --limit is in seconds of processor time. --openmp is the compiler of the OpenMP versions (clang++). --cores are
the processors that programs may use: with a single one, other processes on the machine disturb the ratio least. --part=1/3 takes
every third program from the second one on.
TEXT
  exit 1
fi
if [ "$1" = compare ]; then
  exec python3 "$(dirname "$0")/compare_with_openmp.py" "${@:2}"
fi
exec python3 "$(dirname "$0")/foreign_programs.py" hecbench "$@"
