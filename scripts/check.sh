#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rules that a text can break, checked: formatting, licence lines, length, spaces, shell scripts, old names of LLVM, comments without a
# subject, the version, and what clang-tidy finds. The test suite runs it without clang-tidy (abi.source_rules).
usage() {
  cat <<'TEXT'
usage: bash scripts/check.sh [--all | --no-tidy] [--fix] [--base=COMMIT] [--build=FOLDER] [--help]
Checks formatting, licence lines, length of files, trailing space and shell scripts of the whole tree, and runs clang-tidy
over the C++ sources that differ from `main`. Ends with 0 only if nothing was found.
  --all            clang-tidy over every source (about an hour of one core)
  --no-tidy        no clang-tidy
  --fix            format sources and remove trailing space instead of complaining
  --base=COMMIT    what "changed" is compared with (main)
  --build=FOLDER   where compile_commands.json is, for clang-tidy (build/release)
TEXT
}
set -uo pipefail
shopt -s lastpipe # so that what report counts at the end of a pipe is counted here
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
tidy=changed fix=no base=main build=build/release
for option in "$@"; do
  case "$option" in
    --all) tidy=all ;;
    --no-tidy) tidy=none ;;
    --fix) fix=yes ;;
    --base=*) base=${option#--base=} ;;
    --build=*) build=${option#--build=} ;;
    --help|-h) usage; exit 0 ;;
    *) usage >&2; echo "check.sh: unknown option $option" >&2; exit 2 ;;
  esac
done

# Longer than 500 lines, with a reason:
#   special_coefficients.h tables that scripts/math_coefficients.py writes
#   graph_nodes.hip       one scenario for each kind of node, with the helpers that they share
#   uninitialized.hip     a kernel with a defect and its clean twin for each kind of finding
long_files=(lib-device/special_coefficients.h tests/device/graph_nodes.hip tests/check/uninitialized.hip)
longest=500

found=0
# report HEADING: prints the lines of standard input under the heading, if there are any, and counts them.
report() {
  local lines
  lines=$(cat)
  [ -n "$lines" ] || return 0
  printf '== %s\n%s\n' "$1" "$lines"
  found=$((found + $(printf '%s\n' "$lines" | wc -l)))
}

# The files of the project, also in a copy that git knows nothing of.
mapfile -t files < <(git ls-files --cached --others --exclude-standard 2>/dev/null | sort -u)
[ "${#files[@]}" -gt 0 ] || mapfile -t files < <(find . \( -name build -o -name .git \) -prune -o -type f -print | sed 's|^\./||' | sort)
matching() { # matching PATTERN: the files with such names that exist
  local file
  for file in "${files[@]}"; do
    [[ $file =~ $1 && -f $file ]] && printf '%s\n' "$file"
  done
}
mapfile -t sources < <(matching '\.(h|hpp|cpp|c|hip|cu|cuh)$')
mapfile -t code < <(matching '(\.(h|hpp|cpp|c|hip|cu|cuh|cl|inc|def|sh|py|cmake)|/complex|CMakeLists\.txt|Makefile|/rocm_agent_enumerator)$')
mapfile -t commented < <(printf '%s\n' "${code[@]}"; matching '(\.(ll|test|map|txt|tsv|in)|/pipeline)$')
mapfile -t scripts < <(matching '\.sh$')
mapfile -t texts < <(matching '\.(h|hpp|cpp|c|hip|cu|cuh|cl|inc|def|sh|py|cmake|md|txt|ll|in|map|json|yml)$')

# Versions of clang-format disagree, so only one counts; a distribution without it leaves the check to the others.
if command -v clang-format-15 >/dev/null; then
  if [ "$fix" = yes ]; then
    printf '%s\n' "${sources[@]}" | xargs clang-format-15 -i
  fi
  printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 40 clang-format-15 --dry-run --ferror-limit=1 2>&1 |
    sed -n 's/: code should be clang-formatted.*/: not formatted (scripts\/check.sh --fix)/p' | sort -u | report "clang-format"
else
  echo "clang-format-15 is not installed: formatting is not checked"
fi

for file in "${code[@]}"; do
  { IFS= read -r first; IFS= read -r second; } <"$file"
  [[ $first == '#!'* ]] && first=${second:-}
  [[ $first == *'SPDX-License-Identifier: MIT'* ]] || echo "$file: the first line is no SPDX-License-Identifier: MIT"
done | report "licence"

printf '%s\n' "${code[@]}" | xargs wc -l | while read -r lines file; do
  [[ $lines -le $longest || $file == total || " ${long_files[*]} " == *" $file "* ]] || echo "$file: $lines lines, more than $longest"
done | report "length"
for file in "${long_files[@]}"; do
  [ "$(cat "$file" 2>/dev/null | wc -l)" -gt "$longest" ] || echo "scripts/check.sh: $file is no exception any more"
done | report "length"

# Only those that have some: builds look at the times of files.
[ "$fix" = no ] || { printf '%s\n' "${texts[@]}" | xargs grep -lE '[[:space:]]+$' || true; } | xargs -r sed -i 's/[[:space:]]*$//'
printf '%s\n' "${texts[@]}" | xargs grep -nE '[[:space:]]+$' | cut -d: -f1,2 | sed 's/$/: trailing space/' | report "spaces"
printf '%s\n' "${texts[@]}" | xargs perl -ne 'print "$ARGV: no newline at the end\n" if eof and !/\n\z/' | report "spaces"

# Not looked for: variables of scripts that are sourced, and words that are split on purpose.
if command -v shellcheck >/dev/null; then
  printf '%s\n' "${scripts[@]}" | xargs shellcheck -S warning -f gcc -e SC1090,SC1091,SC2034,SC2046,SC2148,SC2154 |
    report "shellcheck"
else
  echo "shellcheck is not installed: scripts are not checked"
fi

# LLVM 19 does not have StringRef's old names; the base is LLVM 15, which has no others.
printf '%s\n' "${sources[@]}" | grep -E '^(src|llvm-passes|tests)/' | grep -v '/llvm_compat\.h$' |
  xargs grep -nE '(\.|->)(starts|ends)with(_insensitive)?\(' | sed 's/:[^:]*$//;s/$/: use startsWith and endsWith of llvm_compat.h/' | report "LLVM 19"

# A comment that begins like this hides its subject: "What a call returns." is "The result of a call."
printf '%s\n' "${commented[@]}" | xargs grep -nE '^[[:space:]]*(//+<?|;+|#|""")[[:space:]](What|Whether|Whoever)[[:space:]]' | cut -d: -f1,2 |
  sed 's/$/: begin the comment with the thing that it is about/' | report "comments"

version=$(sed -n 's/.*HIPLZ_VERSION_STRING "\(.*\)"/\1/p' include/hiplz/version.h)
grep -qE "^## $version( |\$)" CHANGELOG.md || echo "CHANGELOG.md: no entry for $version, the version of include/hiplz/version.h" | report "version"

if [ "$tidy" != none ]; then
  if ! command -v clang-tidy-15 >/dev/null || [ ! -f "$build/compile_commands.json" ]; then
    echo "clang-tidy needs the package clang-tidy-15 and $build/compile_commands.json (cmake --preset release)" | report "clang-tidy"
  else
    # Sources that have compile commands. A header is checked with each source that includes it.
    mapfile -t changed < <(
      if [ "$tidy" = all ]; then
        printf '%s\n' "${sources[@]}"
      else
        { git diff --name-only --diff-filter=d "$(git merge-base "$base" HEAD)"; git ls-files --others --exclude-standard; } | sort -u
      fi | grep -E '^(src|llvm-passes|tests)/.*\.cpp$' | while IFS= read -r file; do
        grep -qF "\"file\": \"$root/$file\"" "$build/compile_commands.json" && printf '%s\n' "$file"
      done)
    echo "clang-tidy: ${#changed[@]} sources"
    [ "${#changed[@]}" = 0 ] || printf '%s\n' "${changed[@]}" |
      nice xargs -P "$(nproc)" -n 1 clang-tidy-15 -p "$build" --quiet 2>/dev/null |
      grep -E '(warning|error): ' | sort -u | report "clang-tidy"
  fi
fi

[ "$found" = 0 ] && echo "nothing found" || echo "$found found"
[ "$found" = 0 ]
