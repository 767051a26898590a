#!/usr/bin/env bash
# Proves the two commands of the README on a bare machine: makes a Debian 12 folder with debootstrap that holds nothing but
# git and apt, clones this checkout's HEAD into it, and times samples/run.sh and tests/run.sh there.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: bash tests/distro/bare_debian12.sh FOLDER [--samples-only]
Run as root. FOLDER is created (or reused if it holds a Debian already; packages installed by an earlier run then stay).
TEXT
}

[ $# -ge 1 ] && [ "$1" != --help ] || { usage; exit 0; }
folder=$1
only=${2:-}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ "$(id -u)" = 0 ] || { echo "this needs root, for debootstrap and chroot" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }

if [ ! -e "$folder/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=git,ca-certificates bookworm "$folder" "$mirror"
fi
for setting in /etc/apt/apt.conf.d/99*; do
  [ ! -e "$setting" ] || cp "$setting" "$folder/etc/apt/apt.conf.d/"
done
cp /etc/resolv.conf "$folder/etc/resolv.conf"
mounted=()
cleanup() { for at in "${mounted[@]}"; do umount -l "$at" || true; done; }
trap cleanup EXIT
for kind in proc sys dev; do
  mountpoint -q "$folder/$kind" && continue
  mount --rbind "/$kind" "$folder/$kind"
  mount --make-rslave "$folder/$kind"
  mounted+=("$folder/$kind")
done
rm -rf "$folder/hiplz"
git clone -q "$source_tree" "$folder/hiplz"

inside() {
  local start=$SECONDS
  chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} bash -c "cd /hiplz && $1"
  echo "=== $1: $((SECONDS - start)) s"
}
inside "bash samples/run.sh"
[ "$only" = --samples-only ] || inside "bash tests/run.sh"
