# SPDX-License-Identifier: MIT
# Shared by samples/run.sh and tests/run.sh: options, packages, and the steps from a bare machine to an installed
# HIPLZ. Every step says what it does, does nothing when it is done already, and stops with a sentence when it cannot.
# Sourced, not run.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=release
install_packages=yes
prefix=$root/build/install

# The LLVM that has a translator in the distribution and that HIPLZ is tested with there.
distribution=$(. /etc/os-release && printf '%s' "${ID:-}${VERSION_ID:-}")
case $distribution in
  debian13) llvm=19 ;;
  *) llvm=15 ;;
esac

say() { printf '== %s\n' "$*"; }
stop() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# How to get what this script is part of, for the help.
how_to_clone() {
  local url
  url=$(git -C "$root" remote get-url origin 2>/dev/null) || url='<address of this repository>'
  printf 'It belongs to a clone of the repository:\n  git clone --depth 1 %s hiplz && cd hiplz\n' "$url"
}

# Options that both commands have; prints help from the caller's function `usage`.
parse_common_option() {
  case "$1" in
    --help|-h) usage; how_to_clone; exit 0 ;;
    --no-install) install_packages=no ;;
    --preset=*) preset=${1#--preset=} ;;
    *) return 1 ;;
  esac
}

# The packages of scripts/packages.txt for this distribution: `packages` or, with "tests", those of the second part too.
packages() {
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$root/scripts/packages.txt" |
    awk -v all="${1:-}" -v llvm="$llvm" -v distribution="$distribution" '
      /^tests:/ { if (all == "") exit; next }
      NF == 1 || $2 == distribution { sub("LLVM", llvm, $1); print $1 }'
}

missing_packages() {
  local package
  for package in $(packages "${1:-}"); do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || printf '%s\n' "$package"
  done
}

# apt COMMAND...: apt-get as root. A machine that has just started may be installing updates: while somebody holds the locks of
# the package system this waits, 15 minutes at most, and says for whom.
apt() {
  local as_root="" log=$root/build/apt.log waits=0 lock
  [ "$(id -u)" = 0 ] || as_root=sudo
  until $as_root env DEBIAN_FRONTEND=noninteractive apt-get "$@" >"$log" 2>&1; do
    lock=$(grep -E -m 1 'Could not get lock|Unable to (acquire|lock)|lock was locked by' "$log") || return 1
    [ "$waits" -lt 450 ] || return 1
    [ "$waits" != 0 ] || say "packages: waiting for the lock of the package system: ${lock#E: }"
    waits=$((waits + 1))
    sleep 2
  done
}

ensure_packages() {
  command -v dpkg-query >/dev/null ||
    stop "this script installs Debian packages and finds no dpkg here; build with cmake as docs/installing.md shows"
  local missing
  missing=$(missing_packages "${1:-}")
  [ -n "$missing" ] || { say "packages: all installed"; return; }
  [ "$install_packages" = yes ] ||
    stop "these packages are missing and --no-install forbids installing them:" $missing
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    stop "packages are missing; run this as root or install sudo:" $missing
  say "packages: installing $(echo "$missing" | wc -l)"
  apt update -q ||
    stop "apt-get update failed; build/apt.log says why: $(tail -n 1 "$root/build/apt.log")"
  apt install -y -q --no-install-recommends $missing ||
    stop "apt-get could not install the packages: $(grep '^E:' "$root/build/apt.log" | tail -n 1) (build/apt.log)"
}

# progress: shows how far a build or a test run is whose output it reads: on a terminal in a line that moves, elsewhere in a
# line a minute.
progress() {
  local line all start=$SECONDS next=60 shown="" finished
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] || $line =~ ^\ *([0-9]+)/([0-9]+)\ Test\  ]] || continue
    finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    if [ -t 1 ]; then
      printf '\r\033[K   %d of %d, %d s' "$finished" "$all" $((SECONDS - start))
      shown=yes
    elif [ $((SECONDS - start)) -ge "$next" ]; then
      next=$((SECONDS - start + 60))
      printf '   %d of %d, %d s\n' "$finished" "$all" $((SECONDS - start))
    fi
  done
  [ -z "$shown" ] || printf '\r\033[K'
}

# configure NAME=VALUE...: the CMake project in build/$preset.
configure() {
  say "configure: preset $preset, LLVM $llvm"
  (cd "$root" && cmake --preset "$preset" -DHIPLZ_LLVM_VERSION="$llvm" -DCMAKE_C_COMPILER="clang-$llvm" \
    -DCMAKE_CXX_COMPILER="clang++-$llvm" "$@" >"build/configure-$preset.log" 2>&1) ||
    { tail -n 20 "$root/build/configure-$preset.log" >&2; stop "cmake failed; see build/configure-$preset.log"; }
}

# build_targets TARGET...: builds them, or everything.
build_targets() {
  local begin=$SECONDS
  say "build: ${*:-everything}"
  (cd "$root" && cmake --build --preset "$preset" ${1:+--target "$@"} 2>&1) | tee "$root/build/build-$preset.log" | progress ||
    { grep -E -A12 'FAILED|error:' "$root/build/build-$preset.log" | head -n 60 >&2
      stop "the build failed; see build/build-$preset.log"; }
  say "built in $((SECONDS - begin)) s"
}

install_prefix() {
  say "install: $prefix"
  (cd "$root" && cmake --install "build/$preset" --prefix "$prefix" >build/install.log 2>&1) ||
    { tail -n 20 "$root/build/install.log" >&2; stop "the installation failed; see build/install.log"; }
}

mkdir -p "$root/build"
