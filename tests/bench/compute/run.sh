#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# bench_compute beside Intel's OpenCL runtime for processors, which PyPI has; runs on AMD's processors too.
# usage: run.sh STAGE [options of bench_compute]   (STAGE: build/release/stage)
# The runtime is installed into a virtual environment in STAGE/../opencl. Without a network the comparison is left out.
set -euo pipefail
stage=$(realpath "${1:?usage: run.sh STAGE [options of bench_compute]}")
shift
venv=$stage/../opencl
if [ ! -e "$venv/lib/libintelocl.so" ]; then
  if ! { python3 -m venv "$venv" && "$venv/bin/pip" install -q intel-opencl-rt intel-cmplr-lib-rt; } >"$stage/../opencl.log" 2>&1; then
    echo "intel-opencl-rt cannot be installed; see $(realpath "$stage/../opencl.log")" >&2
    exec "$stage/bench/bench_compute" "$@"
  fi
fi
OCL_ICD_FILENAMES=$venv/lib/libintelocl.so HIPLZ_BENCH_OPENCL=$venv/lib/libOpenCL.so.1 LD_LIBRARY_PATH=$venv/lib \
  exec "$stage/bench/bench_compute" "$@"
