#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests header libraries of AMD's users as Debian packages them, without installing the packages: they are unpacked.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/distro/ecosystem.sh BUILD FOLDER
Downloads librocprim-dev, librocrand-dev and libvkfft-dev with apt-get, unpacks them into FOLDER, adds their tests to the
configured build folder BUILD, and builds and runs them (ctest label "ecosystem"). Takes about 10 minutes on two cores; needs
no root.
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# = 2 ] || { echo "$0: a build folder and a folder for the packages are needed" >&2; exit 1; }
build=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
(cd "$folder" && apt-get download -q librocprim-dev librocrand-dev libvkfft-dev)
for package in "$folder"/*.deb; do
  dpkg-deb -x "$package" "$folder"
done
cmake -S "$(dirname "$0")/../.." -B "$build" -DHIPLZ_ECOSYSTEM="$folder" > /dev/null
cmake --build "$build" --target rocprim rocrand vkfft
ctest --test-dir "$build" -L '^ecosystem$' --output-on-failure
