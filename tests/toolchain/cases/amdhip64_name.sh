# SPDX-License-Identifier: MIT
# Makefiles and newer clang link with -lamdhip64: the program is the same as with -lhiplz.
quiet "$hipcc" -c "$programs/square.hip" -o square.o
quiet c++ square.o "-L$stage/lib" -lamdhip64 "-Wl,-rpath,$stage/lib" $clang_link -o square
runs ./square
readelf -d square >needed
contains needed 'NEEDED.*libhiplz\.so\.1'
lacks needed 'amdhip64'
quiet c++ square.o "-L$stage/lib" -lhiplz -lamdhip64 "-Wl,-rpath,$stage/lib" $clang_link -o both
runs ./both
[ "$(readlink -f "$stage/lib/libamdhip64.so")" = "$(readlink -f "$stage/lib/libhiplz.so")" ] || fail "two libraries"
