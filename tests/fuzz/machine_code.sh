#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random kernels as machine code: AMD's headers and a compiler for AMD's GPUs make it of what fuzz_kernels prints, at all levels of optimisation,
# and the CPU device translates it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" = --compile ]; then # SOURCE OUTPUT LEVEL
  options=(-w -x hip --cuda-device-only --no-gpu-bundle-output -ffp-contract=off -std=c++17 "$4")
  # At -O0 clang's optimiser of atomics makes instructions that gfx10 and gfx11 do not have.
  atomics=()
  if [ -n "${AMD_SID:-}" ]; then
    [ "$4" != -O0 ] || atomics=(-mllvm -amdgpu-atomic-optimizer-strategy=None)
    cp "$2" "$AMD_SID/tmp/kernels.hip"
    chroot "$AMD_SID" "clang++-${AMD_CLANG:-21}" "--offload-arch=${AMD_TARGET:-gfx1030}" -DHIP_ENABLE_WARP_SYNC_BUILTINS "${options[@]}" "${atomics[@]}" -c /tmp/kernels.hip -o /tmp/kernels.co
    mv "$AMD_SID/tmp/kernels.co" "$3"
  else
    . "$here/../distro/amd_compiler.sh"
    [ "$4" != -O0 ] || atomics=(-mllvm -amdgpu-atomic-optimizations=false)
    amdclang '-D__activemask()=__ballot(1)' "${options[@]}" "${atomics[@]}" -c "$2" -o "$3"
  fi
  exit
fi
if [ $# -lt 2 ]; then
  cat <<'TEXT'
usage: bash tests/fuzz/machine_code.sh BUILD FOLDER [OPTION...]
Unpacks AMD's headers and device library of Debian 12 (HIP 5.2) and lld 15 below FOLDER, and runs fuzz_kernels of the build folder BUILD with the
options (--help lists them): its kernels are compiled by clang 15 for gfx1030 at -O0 to -O3. AMD_SID=SID takes clang 21 and AMD's headers
of the Debian sid that tests/distro/amdgcnspirv.sh has made in SID (as root), and AMD_TARGET=gfx1100 that processor.
TEXT
  exit 1
fi
. "$here/../distro/amd_compiler.sh"
if [ -z "${AMD_SID:-}" ]; then
  unpack_amd "$2"
fi
exec "$1/tests/fuzz/kernels/fuzz_kernels" "--compiler=bash $here/machine_code.sh --compile" "${@:3}"
