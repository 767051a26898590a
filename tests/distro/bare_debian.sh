# SPDX-License-Identifier: MIT
# The common part of the proofs on bare Debians: makes a folder with debootstrap that holds nothing but git and apt, clones this
# checkout's HEAD into it, and times commands there. Sourced by a script that defines `usage`, not run.
set -euo pipefail

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mounted=()
cleanup() { for at in "${mounted[@]}"; do umount -l "$at" || true; done; }

# make_debian SUITE FOLDER: what is there already is used again, but for the clone.
make_debian() {
  folder=$2
  [ "$(id -u)" = 0 ] || { echo "this needs root, for debootstrap and chroot" >&2; exit 1; }
  command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }
  if [ ! -e "$folder/etc/debian_version" ]; then
    debootstrap --variant=minbase --include=git,ca-certificates "$1" "$folder" "$mirror"
  fi
  local setting kind
  for setting in /etc/apt/apt.conf.d/99*; do
    [ ! -e "$setting" ] || cp "$setting" "$folder/etc/apt/apt.conf.d/"
  done
  cp /etc/resolv.conf "$folder/etc/resolv.conf"
  trap cleanup EXIT
  for kind in proc sys dev; do
    mountpoint -q "$folder/$kind" && continue
    mount --rbind "/$kind" "$folder/$kind"
    mount --make-rslave "$folder/$kind"
    mounted+=("$folder/$kind")
  done
  rm -rf "$folder/hiplz"
  git clone -q "$source_tree" "$folder/hiplz"
}

# inside COMMAND: runs it in the clone, with an environment as bare as the machine, and says how long it took.
inside() {
  local start=$SECONDS status=0
  chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} bash -c "cd /hiplz && $1" || status=$?
  echo "=== $1: $((SECONDS - start)) s"
  return "$status"
}

case "${1:---help}" in
  --help|-h) usage; exit 0 ;;
  -*) usage >&2; exit 1 ;;
esac
