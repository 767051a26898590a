# SPDX-License-Identifier: MIT
# Downloads Kokkos 4.7 into $folder, once, and unpacks it as $folder/source. Sourced by kokkos.sh and lammps.sh, not run.
archive=$folder/pygenten-0.1.5.tar.gz
place=https://files.pythonhosted.org/packages/a2/ed/4045abd9fb41ae47bd656505f7609d7c8b13464a00f77cf8c05b5241376b
[ -f "$archive" ] || curl -fsSL -o "$archive" "$place/pygenten-0.1.5.tar.gz"
echo "e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7  $archive" | sha256sum --check --quiet
if [ ! -d "$folder/source" ]; then
  rm -rf "$folder/unpacked"
  mkdir "$folder/unpacked"
  tar -x -f "$archive" -C "$folder/unpacked" --strip-components=3 pygenten-0.1.5/tpls/kokkos
  mv "$folder/unpacked" "$folder/source"
fi
