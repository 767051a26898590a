#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that the distribution's compiler has built for gfx1030 with AMD's headers run on the CPU device by the swap of libraries alone, and
# do what the same sources do when HIPLZ's hipcc has built them.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/amd_binaries.sh BUILD FOLDER [SOURCE.hip...]
Unpacks AMD's headers, library and device library of Debian 12 (HIP 5.2) and lld 15 below FOLDER, compiles each source with clang 15 for gfx1030, and
once more with the hipcc of the build folder BUILD, and runs both. Without sources these are the samples and the programs of tests/device that
need nothing of HIPLZ's. Samples and tests say by their exit status if they are right; other programs must
print the same. FOLDER/results.tsv has one line for each: name, and same, different (outputs are in FOLDER/run), not compiled (by clang with
AMD's headers). DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian; JOBS=n runs n programs at a time.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for AMD's packages are needed" >&2; exit 1; }
root=$(cd "$(dirname "$0")/../.." && pwd)
stage=$(cd "$1/stage" && pwd)
mkdir -p "$2/run"
folder=$(cd "$2" && pwd)
shift 2
. "$root/tests/distro/amd_compiler.sh"
unpack_amd "$folder/debian12"
export root stage folder

# Prints the name and the result.
compare() {
  local source=$1 name result=same status=0 ours=0 options=(-O2 -std=c++17 -I"$root" -I"$root/samples" -rdynamic)
  name=$(basename "$source" .hip)
  cd "$folder/run"
  export HIPLZ_CACHE_DIR=$folder/cache
  if ! amdclang -include "$root/tests/distro/amd_binaries/hip_5.h" -x hip "${options[@]}" "$source" -x none -o "$name.amd" > "$name.amd.compiler" 2>&1; then
    result="not compiled"
  elif ! "$stage/bin/hipcc" -w "${options[@]}" "$source" -o "$name.ours" > "$name.ours.compiler" 2>&1; then
    result="not compiled by hipcc"
  else
    LD_LIBRARY_PATH=$stage/lib/hiplz/amdhip64:$stage/lib timeout 300 "./$name.amd" > "$name.amd.output" 2> "$name.amd.errors" || status=$?
    LD_LIBRARY_PATH=$stage/lib timeout 300 "./$name.ours" > "$name.ours.output" 2> "$name.ours.errors" || ours=$?
    if [ "$status" != "$ours" ]; then
      result="different: exit status $status, not $ours"
    elif [[ $source != "$root"/samples/* && $source != "$root"/tests/device/* ]] && ! cmp -s "$name.amd.output" "$name.ours.output"; then
      result="different: output"
    elif [ "$status" != 0 ]; then
      result="different: both fail"
    fi
  fi
  rm -f "$name.amd" "$name.ours"
  printf '%s\t%s\n' "$name" "$result"
}
export -f amdclang compare

if [ $# -eq 0 ]; then
  for source in "$root"/samples/*.hip "$root"/tests/device/*.hip; do
    grep -qE '#include [<"](hiplz/|level_zero/|src/|machine_models/|hip/spirv/|ze_)|__HIPLZ|HIPLZ_TEST' "$source" || set -- "$@" "$source"
  done
fi
printf '%s\n' "$@" | xargs -P "${JOBS:-1}" -I{} bash -c 'compare "$(realpath "$1")"' _ {} | tee "$folder/results.part"
sort "$folder/results.part" > "$folder/results.tsv"
cut -f2 "$folder/results.tsv" | cut -d: -f1 | sort | uniq -c
! grep -q 'different' "$folder/results.tsv"
