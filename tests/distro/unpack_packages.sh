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

# unpack_source SUITE FOLDER PACKAGE: the source of a package as its authors released it, without Debian's changes, in
# FOLDER/PACKAGE-source. Fails if the mirror has it no longer.
unpack_source() {
  local suite=$1 folder=$2 package=$3 mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian} place name sum
  if [ ! -f "$folder/sources" ]; then
    curl -fsSL "$mirror/dists/$suite/main/source/Sources.xz" | xz -d > "$folder/sources.part"
    mv "$folder/sources.part" "$folder/sources"
  fi
  read -r place sum name < <(awk -v package="$package" '
    /^Package: / { mine = $2 == package }
    mine && /^Directory: / { place = $2 }
    mine && length($1) == 64 && $3 ~ /[.]orig[.]tar[.]/ { sum = $1; name = $3 }
    mine && /^$/ { print place, sum, name; exit }' "$folder/sources")
  [ -f "$folder/$name" ] || curl -fsSL -o "$folder/$name" "$mirror/$place/$name"
  echo "$sum  $folder/$name" | sha256sum --check --quiet
  mkdir -p "$folder/$package-source"
  tar -x -f "$folder/$name" -C "$folder/$package-source" --strip-components=1
}

# unpack_newer_loader FOLDER: the Level Zero loader of Debian sid with its layers, and the C and C++ libraries that it needs. Sets
# `loader` to the folder with the libraries, which has the dynamic linker too.
unpack_newer_loader() {
  unpack_packages sid "$1" libze1 libc6 libstdc++6 libgcc-s1
  loader=$(cd "$1/usr/lib/x86_64-linux-gnu" && pwd)
}
