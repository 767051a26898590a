# SPDX-License-Identifier: MIT
# Macros that a program defines before it includes the headers change nothing in them, and are there again afterwards: all names of
# one or two characters but those of the standard library, and the names that the headers set aside (scripts/user_macros.py).
off=$stage/include/hip/spirv/user_macros_off.h
root=$here/../..
python3 "$root/scripts/user_macros.py" --check || fail "the list of names is out of date"
for header in cmath algorithm array chrono complex string tuple vector; do echo "#include <$header>"; done >standard.cpp
"$clang" -std=c++17 -E -P standard.cpp | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u >taken
for first in {a..z} {A..Z}; do
  echo "$first"
  for second in {a..z} {A..Z} {0..9} _; do echo "$first$second"; done
done | sort -u | comm -23 - taken >names
sed -n 's/^#pragma push_macro("\([A-Za-z].*\)")$/\1/p' "$off" >own
[ "$(wc -l <own)" -gt 100 ] || fail "the headers set few names aside"
sort -u names own | grep -vxE 'as|do|if|or' | sed 's/.*/#define & 3 +* ;/' >macros.h
[ "$(wc -l <macros.h)" -gt 3000 ] || fail "few macros"

for header in hip_runtime hip_fp16 hip_bf16 hip_bfloat16 hip_fp8 hip_fp6 hip_fp4 hip_ext_ocp hip_complex hip_cooperative_groups hiprtc hip_ext library_types; do
  echo "#include <hip/$header.h>"
done >headers.hip
echo '#include <hip/cooperative_groups/reduce.h>' >>headers.hip
quiet "$hipcc" -fsyntax-only -include macros.h headers.hip
for header in cuda_runtime cuda cuda_fp16 cuda_bf16 cuda_fp8 cuComplex nvrtc cooperative_groups; do echo "#include <$header.h>"; done >headers.cu
quiet "$stage/bin/cucc" -fsyntax-only -include macros.h headers.cu
printf '#include "names.h"\n#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n' >host.c
comm -23 names taken | grep -vxE 'as|do|if|or' | sed 's/.*/#define & 3 +* ;/' >names.h
for compiler in cc c++; do
  if command -v $compiler >/dev/null; then
    cp host.c host.cpp
    [ $compiler = cc ] && source=host.c || source=host.cpp
    quiet $compiler -fsyntax-only -D__HIP_PLATFORM_AMD__ -I "$stage/include" $source
  fi
done

cat >kept.hip <<'TEXT'
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
static_assert(N == 1024 && V == 3 && T + 1 == 8, "the program's macros");
__global__ void kernel(int *out) { *out = N + V; }
int main() {
  int *out, result = 0;
  if (hipMalloc(&out, sizeof(int)) != hipSuccess)
    return 2;
  kernel<<<1, 1>>>(out);
  return hipMemcpy(&result, out, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess || result != 1027;
}
TEXT
quiet "$hipcc" -DN=1024 -DV=3 -DT=7 kept.hip -o kept
runs ./kept
