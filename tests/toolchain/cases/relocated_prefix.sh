# SPDX-License-Identifier: MIT
# A prefix that was copied elsewhere works by itself; so does hipcc through a symbolic link.
mkdir -p "elsewhere/a prefix"
moved="$PWD/elsewhere/a prefix"
cp -rL "$stage/." "$moved"
[ "$("$moved/bin/hipconfig" --path)" = "$moved" ] || fail "hipconfig does not see that it moved"
HIPCC_VERBOSE=1 "$moved/bin/hipcc" "$programs/square.hip" -o square 2>"command"
lacks command "$stage"
runs ./square
ldd square >libraries
contains libraries "$moved/lib/libhiplz.so.1"
ln -s "$moved/bin/hipcc" linked_hipcc
quiet ./linked_hipcc "$programs/square.hip" -o square2
runs ./square2
