# SPDX-License-Identifier: MIT
# For scripts to include: packages of a Debian release, unpacked and not installed, so that no Debian of that release is needed.

# unpack_packages SUITE FOLDER PACKAGE...: what is there already is not downloaded again, apart from other versions of it.
# DEBIAN_MIRROR names another mirror than http://deb.debian.org/debian.
unpack_packages() {
  local suite=$1 folder=$2 mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian} package name sum file
  shift 2
  mkdir -p "$folder"
  # Where the packages of the release are is in its index, each package a paragraph.
  if [ ! -f "$folder/packages" ]; then
    curl -fsSL "$mirror/dists/$suite/main/binary-amd64/Packages.xz" | xz -d > "$folder/packages.part"
    mv "$folder/packages.part" "$folder/packages"
  fi
  for package in "$@"; do
    read -r name sum < <(awk -v package="$package" '
      /^Package: / { mine = $2 == package }
      mine && /^Filename: / { name = $2 }
      mine && /^SHA256: / { print name, $2; exit }' "$folder/packages")
    file=$folder/$(basename "$name")
    [ -f "$file" ] || curl -fsSL -o "$file" "$mirror/$name"
    echo "$sum  $file" | sha256sum --check --quiet
    dpkg-deb -x "$file" "$folder"
  done
}

# unpack_newer_loader FOLDER: the Level Zero loader of Debian sid with its layers, and the C and C++ libraries that it needs. Sets
# `loader` to the folder with the libraries, which has the dynamic linker too.
unpack_newer_loader() {
  unpack_packages sid "$1" libze1 libc6 libstdc++6 libgcc-s1
  loader=$(cd "$1/usr/lib/x86_64-linux-gnu" && pwd)
}
