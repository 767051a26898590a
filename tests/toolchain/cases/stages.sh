# SPDX-License-Identifier: MIT
# The steps before the linker: preprocessing, dependencies, assembly; standard input; what is asked of clang itself.
cp "$programs/square.hip" "$programs/check.h" .
quiet "$hipcc" -E square.hip -o square.i
contains square.i 'void square\(int'
quiet "$hipcc" -E -dM -x c++ - </dev/null >macros
contains macros '__cplusplus'
printf 'int main() { return 0; }\n' | quiet "$hipcc" -x c++ - -o standard_input
runs ./standard_input

quiet "$hipcc" -MM square.hip >rule
expect "$(cat rule)" "square.o: square.hip check.h"
quiet "$hipcc" -MD -MF square.dep -MT target -c square.hip
contains square.dep '^target: '
contains square.dep 'hip/hip_runtime.h'
quiet "$hipcc" -MMD -c square.hip
contains square.d '^square.o: '

# Assembly carries the device code with it.
quiet "$hipcc" -S square.hip
quiet "$hipcc" square.s -o from_assembly
runs ./from_assembly

quiet "$hipcc" -fsyntax-only square.hip
quiet "$hipcc" -O0 -g square.hip -o debug
runs ./debug
quiet "$hipcc" -c -emit-llvm --cuda-device-only square.hip -o square.bc
[ -s square.bc ] || fail "no bitcode"

"$hipcc" -### square.hip >/dev/null 2>commands
contains commands '"-cc1" "-triple" "spirv64"'
contains commands '-lhiplz'
[ ! -e a.out ] || fail "-### has linked"

"$hipcc" --version >version
contains <(head -n 1 version) 'clang version'
contains version '^HIP version: 7\.2\.[0-9]+'
contains version 'clang version'
expect "$("$hipcc" --short-version)" "$("$stage/bin/hipconfig" --version)"
"$hipcc" --help >help
contains help 'HIPCC_COMPILE_FLAGS_APPEND'
"$clang" -c $("$hipcc" --cxxflags) square.hip -o flags.o
"$clang" flags.o $("$hipcc" --ldflags) $clang_link -o flags
runs ./flags

# Kernels may hand on what only some threads have set.
for option in -O1 -O2 -O3; do
  quiet "$hipcc" $option "$programs/partly_set.hip" -o partly_set
  runs ./partly_set
done
