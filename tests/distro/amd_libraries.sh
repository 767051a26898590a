#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Libraries that Debian ships compiled for AMD's GPUs, unchanged, on the CPU device: rocRAND and rocSPARSE.
# usage: bash tests/distro/amd_libraries.sh PREFIX FOLDER
# PREFIX is an installed prefix, or stage in a build folder. The packages are unpacked below FOLDER, nothing is installed.
set -euo pipefail
[ $# = 2 ] || { sed -n '3,5s/^# //p' "$0"; exit 1; }
prefix=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
cd "$2"
for library in rocrand rocsparse; do
  [ -e "root/usr/include/$library" ] && continue
  apt-get download -q "lib$library-dev" "$(apt-cache depends "lib$library-dev" | sed -n "s/.*Depends: \(lib${library}[0-9].*\)/\1/p")"
  for package in "./lib$library"*.deb; do dpkg-deb -x "$package" root; done
done
libraries=$PWD/root/usr/lib/x86_64-linux-gnu
status=0
for library in rocrand rocsparse; do
  "$prefix/bin/hipcc" -O2 -w -Iroot/usr/include "-Iroot/usr/include/$library" "$here/amd_libraries/$library.hip" -o "$library" \
    -L"$libraries" "-l$library" -Wl,--allow-shlib-undefined
  LD_LIBRARY_PATH=$prefix/lib/hiplz/amdhip64:$prefix/lib:$libraries "./$library" || status=1
done
exit "$status"
