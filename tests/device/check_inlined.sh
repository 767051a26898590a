#!/bin/bash
# SPDX-License-Identifier: MIT
# check_inlined.sh CLANG SOURCE FLAGS...: compiles the device side of a HIP source, optimised and not, and fails if a call
# of the device library is left: everything that the headers and the library offer must end in SPIR-V instructions.
set -eu
clang=$1 source=$2
shift 2
status=0
for level in -O0 -O2; do
  ir=$("$clang" "$@" "$level" --cuda-device-only -emit-llvm -S "$source" -o -)
  # Functions that stay declared: the translator's built-ins, LLVM's intrinsics, and what a link-time pass replaces or takes away: printf, and the
  # mark of shuffles that may leave the warp.
  undefined=$(grep -o '^declare [^@]*@[A-Za-z0-9_.]*' <<<"$ir" | sed 's/.*@//' |
    grep -vE '^(llvm\..*|_Z[0-9]+__spirv_.*|printf|__hiplz_beyond_warp)$' || true)
  # Functions of ours that stay defined: the two that LLVM may call later on its own account, and the one for hiplz-check, which is empty.
  defined=$(grep -o '^define [^@]*@[A-Za-z0-9_.]*' <<<"$ir" | sed 's/.*@//' |
    grep -E '^[a-z]|__hiplz' | grep -vxE 'ldexpf?|_Z18__hiplz_keep_ldexpdi|_Z14__hiplz_expectyi' || true)
  for name in $undefined $defined; do
    echo "$source at $level: $name is not inlined"
    status=1
  done
done
exit $status
