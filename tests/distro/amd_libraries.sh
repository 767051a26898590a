#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Libraries that Debian ships compiled for AMD's GPUs, unchanged, on the CPU device: rocRAND so far.
# usage: bash tests/distro/amd_libraries.sh PREFIX FOLDER
# PREFIX is an installed prefix, or stage in a build folder. The packages are unpacked below FOLDER, nothing is installed.
set -euo pipefail
[ $# = 2 ] || { sed -n '3,5s/^# //p' "$0"; exit 1; }
prefix=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
mkdir -p "$2"
cd "$2"
if [ ! -e root/usr/include/rocrand ]; then
  apt-get download -q librocrand1 librocrand-dev
  for package in ./*.deb; do dpkg-deb -x "$package" root; done
fi
libraries=$PWD/root/usr/lib/x86_64-linux-gnu
"$prefix/bin/hipcc" -O2 -w -Iroot/usr/include -Iroot/usr/include/rocrand "$here/amd_libraries/rocrand.hip" -o rocrand \
  -L"$libraries" -lrocrand -Wl,--allow-shlib-undefined
LD_LIBRARY_PATH=$prefix/lib/hiplz/amdhip64:$prefix/lib:$libraries ./rocrand
