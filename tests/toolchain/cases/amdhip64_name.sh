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

# Markers of programs that were linked against AMD's libroctx64, also that of ROCm 5.2 and older.
mkdir old
for version in 1 4; do
  printf 'int roctxRangePushA(const char *name) { (void)name; return -7; }\n' >stub.c
  quiet cc -shared -fPIC -Wl,-soname,libroctx64.so.$version stub.c -o old/libroctx64.so.$version
  printf 'int roctxRangePushA(const char *);\nint main(void) { return roctxRangePushA("range") != 0; }\n' >marks.c
  quiet cc marks.c old/libroctx64.so.$version $clang_link -o marks_$version
  LD_LIBRARY_PATH="$stage/lib/hiplz/amdhip64" runs ./marks_$version
done
