#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Proves that docs/installing.md names what building with CMake takes: runs the commands of its chapter "With CMake", as they
# stand there, on a bare Debian 12.
usage() {
  cat <<'TEXT'
usage: bash tests/distro/debian12_by_hand.sh FOLDER [--configure-only]
Makes a Debian 12 in FOLDER, clones this checkout's HEAD into it, and there installs packages, configures, builds, installs and
compiles a program as docs/installing.md says, without the test suite; with it, it only configures. Run as root. FOLDER must
hold no Debian with other packages installed, for these could hide a package that the list lacks.
TEXT
}
source "$(dirname "${BASH_SOURCE[0]}")/bare_debian.sh"

make_debian bookworm "$1"
# The commands of the chapter, the lines of a long one joined.
mapfile -t commands < <(sed -n '/^## With CMake/,/^The presets/p' "$source_tree/docs/installing.md" | sed -n 's/^    //p' |
  sed -e ':join' -e '/\\$/{N;s/\\\n */ /;bjoin' -e '}')
[ "${#commands[@]}" = 5 ] || { echo "docs/installing.md has ${#commands[@]} commands where 5 are due" >&2; exit 1; }
install() { inside "${1/apt-get install/DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends}"; }
inside "apt-get update -q"
install "${commands[0]}"
inside "${commands[2]} -DHIPLZ_BUILD_TESTS=OFF"
if [ "${2:-}" != --configure-only ]; then
  inside "${commands[3]}"
  inside "${commands[4]}"
  inside "/opt/hiplz/bin/hipcc tests/toolchain/programs/square.hip -o square && ./square"
fi
install "${commands[1]}"
inside "rm -rf build/release && ${commands[2]}"
echo "docs/installing.md names all packages"
