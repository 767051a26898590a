# SPDX-License-Identifier: MIT
# Meson with hipcc for its C++ compiler: the version is clang's (languages are offered by it), and the project can be built.
command -v meson >/dev/null || { echo "SKIP: no meson"; exit 77; }
[ -z "${HIPLZ_SANITIZE:-}" ] || export LDFLAGS="-fsanitize=$HIPLZ_SANITIZE"
cp "$programs/square.hip" square.cpp
cp "$programs/check.h" .
printf '%s\n' "project('square', 'cpp', default_options: ['cpp_std=c++20', 'warning_level=2'])" \
  "executable('square', 'square.cpp')" >meson.build
CXX=$hipcc meson setup build >setup.log 2>&1 || { cat setup.log >&2; fail "meson cannot set the project up"; }
contains setup.log "C\+\+ compiler .*\(clang $("$clang" -dumpversion) "
ninja -C build >build.log 2>&1 || { cat build.log >&2; fail "the project cannot be built"; }
lacks build.log 'warning'
runs build/square
