# SPDX-License-Identifier: MIT
# The clang++ of `hipconfig --hipclangpath` compiles HIP without being told where it is, and C++ as the stock clang does. It is
# also where ROCm has its compilers, under their names.
folder=$("$stage/bin/hipconfig" --hipclangpath)
quiet "$folder/clang++" "$programs/square.hip" -o square
runs ./square
cp "$programs/square.hip" square.cpp
quiet "$folder/clang++" -x hip "-I$programs" -c square.cpp -o square.o
quiet "$folder/clang++" --offload-arch=gfx90a square.o "-L$stage/lib" -lhiplz "-Wl,-rpath,$stage/lib" $clang_link -o linked
runs ./linked
printf 'int main() {\n#ifdef __HIP__\n  return 1;\n#endif\n}\n' >plain.cpp
quiet "$folder/clang++" plain.cpp -o plain
runs ./plain
lacks <(readelf -d plain) 'libhiplz'
# hipcc does not run it in turn, whatever names it.
HIP_CLANG_PATH=$folder quiet "$hipcc" "$programs/square.hip" -o square2
HIPLZ_CLANG=$folder/clang++ fails timeout 20 "$hipcc" "$programs/square.hip" -o square3
contains fails.log 'HIPLZ_CLANG is .*, but there is no such program'
"$folder/clang++" -v -print-targets >targets 2>&1
contains targets "Found HIP installation: $stage,"
expect "$("$stage/bin/rocm_agent_enumerator")" generic
quiet "$stage/llvm/bin/amdclang++" -x hip --offload-arch=gfx90a "-I$programs" square.cpp "-L$stage/lib" -lamdhip64 \
  "-Wl,-rpath,$stage/lib" -o as_rocm
runs ./as_rocm
for compiler in "$stage/llvm/bin/clang++" "$stage/bin/amdclang++"; do
  quiet "$compiler" plain.cpp -o plain
  runs ./plain
done
printf 'int main(void) { return sizeof(\x27a\x27) == sizeof(int) ? 0 : 1; }\n' >plain.c
printf 'int main(void) { int class = 0; return class; }\n' >word_of_cpp.c
for compiler in "$stage/llvm/bin/clang" "$stage/llvm/bin/amdclang" "$stage/bin/amdclang"; do
  quiet "$compiler" plain.c word_of_cpp.c -c
  quiet "$compiler" plain.o -o plain
  runs ./plain
done
PATH=$stage/llvm/bin:$PATH quiet "$hipcc" "$programs/square.hip" -o square4
