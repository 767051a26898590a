#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# opencl_pocl_inside.sh SOURCES BUILD [PROGRAM...]: the part of opencl_pocl.sh that runs in the Debian, on the PLATFORM.
set -euo pipefail
sources=$1 build=$2
shift 2
export HIPLZ_DEVICES=opencl HIPLZ_OPENCL_PLATFORM="${PLATFORM:-Portable Computing Language}" HIPLZ_CACHE_DIR=/root/hiplz-cache
export LD_LIBRARY_PATH=$build/stage/lib
export RUSTICL_ENABLE=llvmpipe RUSTICL_FEATURES=fp64,fp16 # Mesa's has no devices otherwise

"$build/stage/bin/hiplz-info" | grep -E 'libze_hiplz_opencl|sub-group sizes|flags|name' || { echo "no device of $HIPLZ_OPENCL_PLATFORM is used" >&2; exit 1; }

programs=("$@")
if [ $# = 0 ]; then
  for source in "$sources"/tests/device/*.hip; do
    programs+=("$(basename "$source" .hip)")
  done
fi
# Tests that no implementation of OpenCL for processors can pass, and those about Intel's: on_opencl.cmake has the reasons.
declare -A left_out=()
while read -r program names; do
  left_out[$program]="${left_out[$program]:-} ${names//,/ }"
done < <(sed -n -E 's/^  "([a-z0-9_]+):?([A-Za-z0-9_,]*) .*/\1 \2/p' "$sources/tests/device/on_opencl.cmake")
passed=0 failed=0
run() { # NAME COMMAND...
  local name=$1 output status=0
  shift
  output=$(timeout "$TIMEOUT" "$@" 2>&1) || status=$?
  if [ "$status" = 0 ] || [ "$status" = 77 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s: %s\n' "$name" "$([ "$status" = 124 ] && echo 'takes too long' || echo "exits with $status")"
    tail -n "${LINES_OF_FAILURES:-4}" <<<"$output" | cut -c1-300 | sed 's/^/    /'
  fi
}
for program in "${programs[@]}"; do
  file=$build/tests/device/$program
  [ -x "$file" ] || file=$build/stage/samples/$program
  [ -x "$file" ] || continue
  [ $# != 0 ] || [ -z "${left_out[$program]+yes}" ] || [ -n "${left_out[$program]// /}" ] || continue
  scenarios=
  [ "${file#"$build/tests"}" = "$file" ] || scenarios=$(HIPLZ_DEVICES=none timeout 20 "$file" --list 2>/dev/null || true)
  # A program without scenarios takes no options, and has run.
  ! grep -q -x passed <<<"$scenarios" || scenarios=
  if grep -q -E '^[A-Za-z0-9_]+$' <<<"$scenarios" && [ "$(grep -c -v -E '^[A-Za-z0-9_]+$' <<<"$scenarios")" = 0 ]; then
    for scenario in $scenarios; do
      [[ " ${left_out[$program]:-} " != *" $scenario "* ]] || continue
      run "$program:$scenario" "$file" --test="$scenario"
    done
  else
    run "$program" "$file"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
