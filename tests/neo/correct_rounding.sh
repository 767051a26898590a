#!/bin/bash
# SPDX-License-Identifier: MIT
# correct_rounding.sh HIPCC SOURCE: divisions and square roots of float are rounded correctly, unless
# -fno-hip-fp32-correctly-rounded-divide-sqrt says otherwise, in what the runtime has compiled and in native code made ahead of time.
# Intel's compiler lists its code: the operations of correct rounding (invm, rsqtm) are seen there.
set -euo pipefail
hipcc=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export IGC_ShaderDumpEnable=1

# expect HOW WHETHER COMMAND...: whether the command makes Intel's compiler round correctly.
expect() {
  local found=no status=0
  IGC_DumpToCustomDir=$folder/$1/ HIPLZ_CACHE_DIR=$folder/cache-$1 "${@:3}" >log 2>&1 || status=$?
  [ $status = 0 ] || { cat log; exit $status; }
  compgen -G "$folder/$1/*.asm" >/dev/null || { echo "$1: there is no listing"; exit 1; }
  ! grep -qE 'math\.(invm|rsqtm)' "$folder/$1"/*.asm || found=yes
  [ "$found" = "$2" ] || { echo "$1: rounded correctly: $found, expected: $2"; exit 1; }
}
run() {
  "$hipcc" "$source" "$@" -o program
  ./program
}
no=-fno-hip-fp32-correctly-rounded-divide-sqrt
expect by_default yes run
expect not_asked_for no run $no
expect asked_for_again yes run $no -fhip-fp32-correctly-rounded-divide-sqrt
expect fast no run -ffast-math
expect native yes "$hipcc" --offload-arch=skl --genco "$source" -o native.co
expect native_fast no "$hipcc" --offload-arch=skl --genco $no "$source" -o native.co
