#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds HeCBench's CUDA or HIP programs from a clone, unchanged, runs them with their own arguments and checks, and writes a table.
set -euo pipefail
if [ $# -lt 4 ]; then
  cat <<TEXT
usage: bash tests/distro/hecbench.sh cuda|hip CLONE PREFIX OUT [--names=REGEX] [--limit=SECONDS] [--build-limit=SECONDS]
                                     [--again=VERDICT,...] [--flags=OPTIONS] [--repeat=N]
CLONE is a folder with HeCBench, which stays as it is. PREFIX is an installed prefix, or stage in a build folder. OUT gets results.tsv
(name, verdict, seconds to build, seconds to run, cause) and a log per program in logs. Programs that are in results.tsv are not built
again, unless --again names their verdict. --flags are more options for the compiler, such as -isystem and a folder.
--names is a regular expression for whole names without -cuda or -hip: '[a-k].*'. --repeat=1 lets programs repeat their work once and
not as often as a GPU needs for a measurement. Which argument that is, a program's sources say (repeat = atoi(argv[2]), a usage with
<repeat>, an option --repeat); all other arguments, such as sizes, stay as they are.
Verdicts: passes (built, exit code 0, its words say that the results are right), runs (the same without a check of its own),
wrong (its words say that results are wrong), fails (another exit code), time (no end within the limit: a limit of 120 seconds is the
default, and most programs are made for a GPU), build (does not build), library (needs a library that is not part of a runtime).
TEXT
  exit 1
fi
exec python3 "$(dirname "$0")/foreign_programs.py" hecbench "$@"
