#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests header libraries of AMD's users as Debian packages them, without installing the packages: they are unpacked.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/ecosystem.sh BUILD FOLDER [RELEASE]
Downloads the header libraries of a Debian release, 12 or 13 (default: 12), unpacks them into FOLDER/RELEASE, adds their tests
to the configured build folder BUILD, and builds and runs them (ctest label "ecosystem"). Debian 12 has rocPRIM, rocRAND and
VkFFT, which take about 10 minutes on two cores; Debian 13 has hipCUB and rocThrust as well, 30 minutes. Needs no root and no
Debian of that release: the packages are headers. DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a build folder and a folder for the packages are needed" >&2; exit 1; }
build=$1
release=${3:-12}
case $release in
  12) suite=bookworm packages="librocprim-dev librocrand-dev libvkfft-dev" ;;
  13) suite=trixie packages="librocprim-dev libhipcub-dev librocthrust-dev librocrand-dev libvkfft-dev" ;;
  *) echo "$0: there is no list of packages for Debian $release" >&2; exit 1 ;;
esac
source "$(dirname "$0")/unpack_packages.sh"
mkdir -p "$2/$release"
folder=$(cd "$2/$release" && pwd)
# shellcheck disable=SC2086 # words are wanted
unpack_packages "$suite" "$folder" $packages
cmake -S "$(dirname "$0")/../.." -B "$build" -DHIPLZ_ECOSYSTEM="$folder" > /dev/null
cmake --build "$build" --target ecosystem_programs neo_accept
ctest --test-dir "$build" -L '^ecosystem$' --output-on-failure
