#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a bare Debian 12 to the .deb packages: build dependencies, build, cpack. For CI systems and package archives.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
usage: bash scripts/make_packages.sh FOLDER [--no-install] [--help]
Installs the packages that HIPLZ needs, builds it without its tests and writes its .deb packages into FOLDER.
  --no-install  do not install packages; stop with their names if some are missing
TEXT
}

folder=
for option in "$@"; do
  case "$option" in
    -*) parse_common_option "$option" || { usage >&2; stop "unknown option $option"; } ;;
    *) folder=$option ;;
  esac
done
[ -n "$folder" ] || { usage >&2; stop "name the folder that receives the packages"; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

ensure_packages
configure -DHIPLZ_BUILD_TESTS=OFF -DHIPLZ_BUILD_BENCHMARKS=OFF
build_targets
say "packages: $folder"
work=$root/build/packages
rm -rf "$work"
cpack --config "$root/build/$preset/CPackConfig.cmake" -B "$work" >"$root/build/cpack.log" 2>&1 ||
  { tail -n 20 "$root/build/cpack.log" >&2; stop "cpack failed; see build/cpack.log"; }
mv "$work"/*.deb "$folder/"
ls "$folder"/*.deb
