#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Has Intel's OpenCL driver for GPUs compile the device code of tests and samples through the driver on OpenCL, without a GPU.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/opencl_neo.sh BUILD [TARGET...]
Takes the programs of tests/device and the samples that the build folder BUILD has, compiles all their modules through the driver on OpenCL
and Intel's OpenCL driver in capture mode, which executes nothing, and looks for their kernels and variables. Prints what is refused,
and counts for each TARGET (pvc and tgllp by default; the names are those of tests/neo/CMakeLists.txt). Needs Debian's intel-opencl-icd
and ocl-icd-libopencl1. JOBS is how many programs are compiled at once (1); PROGRAMS is a pattern for their names (*).
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
build=$(cd "$1" && pwd)
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shift
[ $# -ge 1 ] || set -- pvc tgllp
export NEOReadDebugKeys=1 SetCommandStreamReceiver=1 AUBDumpSubCaptureMode=2 UseAubStream=0 NEO_CACHE_PERSISTENT=0
export HIPLZ_OPENCL_SELF_TEST=0 HIPLZ_OPENCL_PLATFORM=Intel HIPLZ_CACHE=0 ZE_ENABLE_ALT_DRIVERS=$build/stage/lib/libze_hiplz_opencl.so.1
export accept=$build/stage/bin/neo_accept
[ -x "$accept" ] || { echo "$0: $accept has not been built" >&2; exit 1; }
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# shellcheck disable=SC2317 # called by xargs
compile() { # PROGRAM RESULTS
  local status=0
  timeout "${TIMEOUT:-600}" "$accept" "$1" >"$2/$(basename "$1")" 2>&1 || status=$?
  echo "$status" >"$2/$(basename "$1").status"
}
export -f compile

programs=()
for source in "$source_tree"/tests/device/${PROGRAMS:-*}.hip "$source_tree"/samples/${PROGRAMS:-*}.hip; do
  for folder in tests/device stage/samples; do
    program=$build/$folder/$(basename "$source" .hip)
    [ ! -x "$program" ] || programs+=("$program")
  done
done
failed=0
for target; do
  shape=$(sed -n -E "s/^set\(targets .*\b$target:([0-9]+x[0-9]+x[0-9]+).*/\1/p" "$source_tree/tests/neo/CMakeLists.txt")
  [ -n "$shape" ] || { echo "$0: tests/neo/CMakeLists.txt has no target $target" >&2; exit 1; }
  mkdir "$results/$target"
  (
    cd "$results" # the driver writes its captures where it is started
    printf '%s\0' "${programs[@]}" | ProductFamilyOverride=$target HardwareInfoOverride=$shape \
      xargs -0 -n 1 -P "${JOBS:-1}" bash -c 'compile "$1" "$0"' "$results/$target"
  )
  accepted=0 without=0 refused=0
  for status in "$results/$target"/*.status; do
    said=${status%.status} name=$(basename "$status" .status)
    if [ "$(cat "$status")" = 0 ]; then
      accepted=$((accepted + 1))
    elif [ "$(cat "$status")" = 77 ]; then
      echo "Intel's OpenCL driver is not installed, or has no device $target" >&2
      exit 1
    elif grep -q 'holds no SPIR-V' "$said"; then
      without=$((without + 1))
    else
      refused=$((refused + 1))
      echo "$target: $name: $([ "$(cat "$status")" = 124 ] && echo 'takes too long' || echo refused)"
      { grep -v '^module of' "$said" || true; } | tail -n 4 | cut -c1-300 | sed 's/^/    /'
    fi
  done
  read -r kernels variables < <(cat "$results/$target"/* | sed -n -E 's/^module of [0-9]+ bytes: ([0-9]+) kernels, ([0-9]+) variables$/\1 \2/p' |
    awk '{ kernels += $1; variables += $2 } END { print kernels + 0, variables + 0 }')
  echo "$target: $accepted programs accepted ($kernels kernels, $variables variables), $refused refused, $without without SPIR-V"
  failed=$((failed + refused))
done
[ "$failed" = 0 ]
