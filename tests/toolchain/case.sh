# SPDX-License-Identifier: MIT
# case.sh CASE STAGE FOLDER CLANG: runs one of cases/*.sh in a fresh folder, with these at hand:
#   $stage, $hipcc, $clang, $programs, $samples   the prefix, its hipcc, the stock clang++, and sources
#   quiet COMMAND...          it succeeds and writes nothing to standard error
#   fails COMMAND...          it fails; its output is in fails.log
#   expect ACTUAL EXPECTED    equal texts
#   contains FILE PATTERN     a line of the file matches
#   lacks FILE PATTERN        no line does
#   runs COMMAND...           the program ends with 0 (under the sanitizers' libraries if the runtime needs them)
set -eu
case=$1 stage=$2 work=$3 clang=$4
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/programs
samples=$here/../../samples
hipcc=$stage/bin/hipcc
rm -rf "$work"
mkdir -p "$work"
cd "$work"
unset HIPCC_VERBOSE HIPCC_COMPILE_FLAGS_APPEND HIPCC_LINK_FLAGS_APPEND HIPLZ_CLANG HIPLZ_OCLOC HIPLZ_OFFLOAD_ARCH
unset HIP_CLANG_PATH HIP_PLATFORM
# A runtime built with a sanitizer can only be loaded by programs that have it too.
if [ -n "${HIPLZ_SANITIZE:-}" ]; then
  export HIPCC_LINK_FLAGS_APPEND="-fsanitize=$HIPLZ_SANITIZE"
  clang_link="-fsanitize=$HIPLZ_SANITIZE"
else
  clang_link=
fi

fail() {
  printf '%s: %s\n' "$(basename "$case")" "$*" >&2
  exit 1
}
quiet() {
  "$@" 2>quiet.log || { cat quiet.log >&2; fail "failed: $*"; }
  [ ! -s quiet.log ] || { cat quiet.log >&2; fail "not silent: $*"; }
}
fails() { if "$@" >fails.log 2>&1; then fail "succeeded: $*"; fi; }
expect() { [ "$1" = "$2" ] || fail "got '$1' where '$2' was due"; }
contains() { grep -q -E -e "$2" "$1" || { head -n 40 "$1" >&2; fail "$1 lacks '$2'"; }; }
lacks() { ! grep -q -E -e "$2" "$1" || { grep -E -e "$2" "$1" >&2; fail "$1 contains '$2'"; }; }
runs() {
  local code=0
  "$@" >run.log 2>&1 || code=$?
  [ $code = 0 ] || { cat run.log >&2; fail "exit code $code of: $*"; }
}

. "$case"
