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
once more with the hipcc of the build folder BUILD, and runs both. Without sources these are the samples, the programs of tests/device that
need nothing of HIPLZ's, and those of tests/distro/amd_binaries/programs, which are compiled at -O0, -O1, -O2 and -O3. They all say by their exit status if they are
right; other programs must print the same. AMD_SID=FOLDER takes clang 21 and AMD's headers of the Debian sid in it (as root) instead. FOLDER/results.tsv has one line for each: name, and same, different (outputs are in FOLDER/run), not compiled (by clang with
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
if [ -n "${AMD_SID:-}" ]; then
  AMD_SID=$(cd "$AMD_SID" && pwd)
  mkdir -p "$AMD_SID/work"
  cp -rp "$root/samples" "$root/tests" "$AMD_SID/work/"
else
  unpack_amd "$folder/debian12"
fi
export root stage folder AMD_SID

# compile_for_amd NAME SOURCE OPTION...: makes NAME.amd in the current folder.
compile_for_amd() {
  local name=$1 source=$2
  shift 2
  if [ -z "${AMD_SID:-}" ]; then
    amdclang -include "$root/tests/distro/amd_binaries/hip_5.h" -x hip "$@" -I"$root" -I"$root/samples" "$source" -x none -o "$name.amd"
  else
    amdclang -x hip "$@" -I. -Isamples "${source#"$root"/}" -x none -o "$name.amd" && mv "$AMD_SID/work/$name.amd" .
  fi
}

# compare SOURCE LEVEL: prints the name and the result.
compare() {
  local source=$1 name result=same status=0 ours=0 options=("$2" -std=c++17 -rdynamic)
  name=$(basename "$source" .hip)
  case $name in hip_6_*) options+=(-DHIPLZ_HIP_VERSION=6) ;; esac # AMD's headers do not know it
  case $source in */amd_binaries/programs/*) name=$name$2 && options+=(-ffp-contract=off) ;; esac
  cd "$folder/run"
  export HIPLZ_CACHE_DIR=$folder/cache
  if ! compile_for_amd "$name" "$source" "${options[@]}" > "$name.amd.compiler" 2>&1; then
    result="not compiled"
  elif ! "$stage/bin/hipcc" -w "${options[@]}" -I"$root" -I"$root/samples" "$source" -o "$name.ours" > "$name.ours.compiler" 2>&1; then
    result="not compiled by hipcc"
  else
    LD_LIBRARY_PATH=$stage/lib/hiplz/amdhip64:$stage/lib timeout 300 "./$name.amd" > "$name.amd.output" 2> "$name.amd.errors" || status=$?
    LD_LIBRARY_PATH=$stage/lib timeout 300 "./$name.ours" > "$name.ours.output" 2> "$name.ours.errors" || ours=$?
    if [ "$status" != "$ours" ]; then
      result="different: exit status $status, not $ours"
    elif [[ $source != "$root"/samples/* && $source != "$root"/tests/* ]] && ! cmp -s "$name.amd.output" "$name.ours.output"; then
      result="different: output"
    elif [ "$status" != 0 ]; then
      result="different: both fail"
    fi
  fi
  rm -f "$name.amd" "$name.ours"
  printf '%s\t%s\n' "$name" "$result"
}
export -f amdclang compile_for_amd compare

all=0
if [ $# -eq 0 ]; then
  all=1
  for source in "$root"/samples/*.hip "$root"/tests/device/*.hip; do
    grep -qE '#include [<"](hiplz/|level_zero/|src/|machine_models/|hip/spirv/|ze_)|__HIPLZ|HIPLZ_TEST' "$source" || set -- "$@" "$source"
  done
fi
each_level() {
  for source; do echo "$source -O2"; done
  [ "$all" = 0 ] || for source in "$root"/tests/distro/amd_binaries/programs/*.hip; do
    for level in -O0 -O1 -O2 -O3; do echo "$source $level"; done
  done
}
each_level "$@" | xargs -P "${JOBS:-1}" -L 1 bash -c 'compare "$(realpath "$1")" "$2"' _ | tee "$folder/results.part"
sort "$folder/results.part" > "$folder/results.tsv"
cut -f2 "$folder/results.tsv" | cut -d: -f1 | sort | uniq -c
! grep -q 'different' "$folder/results.tsv"
