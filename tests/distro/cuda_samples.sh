#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds NVIDIA's cuda-samples from a clone, unchanged, with cucc, runs them as their test_args.json says, and writes a table.
set -euo pipefail
if [ $# -lt 3 ]; then
  cat <<TEXT
usage: bash tests/distro/cuda_samples.sh CLONE PREFIX OUT [--names=REGEX] [--limit=SECONDS] [--build-limit=SECONDS]
                                         [--again=VERDICT,...] [--flags=OPTIONS]
CLONE is a folder with cuda-samples, which stays as it is. PREFIX is an installed prefix, or stage in a build folder. OUT gets
results.tsv (name, verdict, seconds to build, seconds to run, cause) and a log per sample in logs. Samples that are in results.tsv are
not built again, unless --again names their verdict. --flags are more options for the compiler, such as -isystem and a folder.
--names is a regular expression for whole names.
Verdicts: passes (built, exit code 0, no words about a failure), wrong (its words say that it failed), fails (another exit code), waived
(the sample says that it does not apply to the device), time (no end within the limit, 120 seconds by default), build (does not
build), outside (graphics, tensor cores or a library with a host API: not tried).
TEXT
  exit 1
fi
exec python3 "$(dirname "$0")/foreign_programs.py" samples cuda "$@"
