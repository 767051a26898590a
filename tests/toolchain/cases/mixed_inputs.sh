# SPDX-License-Identifier: MIT
# Sources in HIP and C, objects and libraries in one command or in many; other names for HIP sources.
quiet "$hipcc" "$programs/parts_main.hip" "$programs/parts_library.hip" "$programs/parts_plain.c" -std=c++17 -o together
runs ./together

cp "$programs"/parts* "$programs/check.h" .
mv parts_main.hip main.cpp
mv parts_library.hip library.cu
quiet "$hipcc" -c main.cpp library.cu parts_plain.c '-DTEXT="a b"'
for object in main.o library.o parts_plain.o; do [ -s "$object" ] || fail "no $object"; done
quiet "$hipcc" -o objects main.o library.o parts_plain.o -lm
runs ./objects
quiet "$hipcc" main.o -O2 library.cu parts_plain.o -o mixed
runs ./mixed

# A static library with kernels, before and behind other inputs.
ar rcs libparts.a library.o parts_plain.o
quiet "$hipcc" main.o -L. -lparts -o archive
runs ./archive
quiet "$hipcc" -x hip main.cpp -x none ./libparts.a -o archive2
runs ./archive2
# The linker sees inputs in the order given: a library before the object that needs it is not searched again.
fails "$hipcc" -L. -lparts main.o -o wrong
contains fails.log 'undefined reference'
# A Makefile passes the standard of its C++ sources to its C sources, too.
quiet "$hipcc" -std=c++17 -c "$programs/parts_plain.c" -o plain.o
quiet "$stage/bin/cucc" -std=c++17 -O2 -c "$programs/parts_plain.c" -o plain.o
