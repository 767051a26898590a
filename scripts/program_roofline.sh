#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws docs/program-roofline.svg: the kernels of some samples under the roofs of the CPU device, by hiplz-prof. The argument is the
# prefix (build/release/stage); what follows goes to hiplz-prof, for example --roofs FILE.
set -eu
prefix=$(cd "$1" && pwd)
shift
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
programs=
for name in saxpy matmul nbody reduction histogram; do
  "$prefix/bin/hipcc" -O3 "$root/samples/$name.hip" -o "$folder/$name"
  programs="$programs $folder/$name;"
done
"$prefix/bin/hiplz-prof" -d "$folder" -o run -f none --roofline "$@" -- sh -c "$programs"
cp "$folder/run_roofline.svg" "$root/docs/program-roofline.svg"
