# SPDX-License-Identifier: MIT
# Exit codes and messages of clang come through; hipcc adds nothing and leaves nothing behind.
printf 'int main() { return undeclared; }\n' >bad.hip
code=0
"$hipcc" bad.hip -o bad 2>messages || code=$?
expect "$code" 1
contains messages "bad.hip:1:.*undeclared"
lacks messages 'hipcc'
[ ! -e bad ] || fail "an output of a failed compilation"
fails "$hipcc" missing.hip
contains fails.log "no such file or directory: 'missing.hip'"
fails "$hipcc"
contains fails.log 'no input files'
fails "$hipcc" "$programs/square.hip" -o
fails "$hipcc" -c "$programs/square.hip" --no-such-option
contains fails.log 'no-such-option'
fails env HIPLZ_CLANG=/no/such/clang "$hipcc" --version
contains fails.log 'needs clang [0-9]+.*; HIPLZ_CLANG is /no/such/clang, but there is no such program'
# Another version of clang is refused before it runs: the link-time passes would not load into its opt.
mkdir old
printf '#!/bin/sh\necho "Debian clang version 14.0.6"\n' >old/clang++
printf '#!/bin/sh\necho "g++ (Debian 12.2.0-14) 12.2.0"\n' >old/g++
chmod +x old/*
fails env HIPLZ_CLANG="$PWD/old/clang++" "$hipcc" "$programs/square.hip" -o square
contains fails.log '^hipcc: this HIPLZ needs clang [0-9]+.*HIPLZ_CLANG is .*old/clang\+\+, but it is clang 14.0.6$'
fails env HIPLZ_CLANG="$PWD/old/g++" "$hipcc" "$programs/square.hip" -o square
contains fails.log 'but it is g\+\+ \(Debian 12.2.0-14\) 12.2.0$'
fails env HIPLZ_CLANG="$PWD/old/clang++" "$stage/lib/hiplz/clang/clang++" -c "$programs/parts_plain.c"
contains fails.log '^clang\+\+ of HIPLZ: this HIPLZ needs clang'
HIP_CLANG_PATH=$PWD/old quiet "$hipcc" -fsyntax-only "$programs/square.hip"
# Options for AMD's GPUs are accepted; one of them would change results.
quiet "$hipcc" -mprintf-kind=buffered -mprintf-kind=hostcall -fsyntax-only "$programs/square.hip"
"$hipcc" -mwavefrontsize64 -fsyntax-only "$programs/square.hip" 2>warning.log
expect "$(cat warning.log)" 'hipcc: warning: -mwavefrontsize64 is ignored: warps have 32 lanes on every device'
# An undefined device function is reported with its caller.
cat >undefined.hip <<'END'
#include <hip/hip_runtime.h>
__device__ int elsewhere(int);
__device__ int caller(int x) { return elsewhere(x) + 1; }
__global__ void k(int *p) { *p = caller(*p); }
int main() {}
END
fails "$hipcc" undefined.hip -o undefined
contains fails.log "undefined.hip:3:39: error: the device function 'elsewhere\(int\)' is used but not defined: if it is in another file, compile and link with -fgpu-rdc \(in device function 'caller(\(int\))?'\)"
lacks fails.log 'compiling for \.'
# More static shared memory than any device has.
printf '#include <hip/hip_runtime.h>\n__global__ void big(int *p) {\n  __shared__ int s[50000];\n  s[threadIdx.x] = *p;\n  __syncthreads();\n  *p = s[*p];\n}\nint main() {}\n' >shared.hip
fails "$hipcc" shared.hip -o shared
contains fails.log "shared.hip:2: error: the kernel's __shared__ variables have 200000 bytes; no device has more than 131072 for a block"
# A construct that the device does not have is refused with its line, at every level of optimisation and when device code is linked later.
printf '#include <hip/hip_runtime.h>\n__global__ void lane(int *out) {\n  asm("mov.u32 %%%%0, %%%%%%%%laneid;" : "=r"(*out));\n}\nint main() {}\n' >lane.hip
contains lane.hip '%%laneid'
for options in -O0 -O2 "-O2 -g" "-fgpu-rdc --hip-link"; do
  fails "$hipcc" $options lane.hip -o lane
  contains fails.log "lane.hip:3:[0-9]*: error: inline assembly is not supported on the device: 'mov.u32' is an instruction of NVIDIA's GPUs"
  lacks fails.log 'PLEASE submit'
done
cp "$programs/square.hip" "$programs/parts_plain.c" "$programs"/*.h .
for step in -c -S; do
  fails "$hipcc" $step square.hip parts_plain.c -o both
  contains fails.log 'cannot specify -o when generating multiple output files'
done

# A device that takes the output stays one, whatever the compilation is and however it ends (who is no root has no devices
# to lose).
if [ "$(id -u)" = 0 ] && mknod device c 1 3 2>mknod.log; then
  for source in bad.hip square.hip; do
    for options in "" --genco "-fgpu-rdc -c"; do
      "$hipcc" $options $source -o device >device.log 2>&1 || true
      [ -c device ] || fail "hipcc $options $source -o device replaces the device"
    done
  done
fi
mkfifo pipe
cat pipe >piped.o &
quiet "$hipcc" -fgpu-rdc -c square.hip -o pipe
wait
quiet "$hipcc" -fgpu-rdc --hip-link piped.o -o piped
runs ./piped

# Temporary files and folders go, whatever happens, also those of clang; the signal that ends hipcc ends its compilation.
mkdir temporary
export TMPDIR=$PWD/temporary
fails "$hipcc" -S bad.hip
fails "$hipcc" bad.hip
quiet "$hipcc" square.hip -o square
quiet "$hipcc" -S "$programs/square.hip"
quiet "$hipcc" -c "$programs/parts_plain.c" "$programs/square.hip"
quiet "$hipcc" -fgpu-rdc --hip-link square.hip -o square
quiet "$hipcc" --genco square.hip -o square.co
quiet "$hipcc" --version >version
expect "$(find temporary -mindepth 1)" ""
mkfifo endless.hip
for signal in TERM INT HUP; do
  env --default-signal "$hipcc" -c endless.hip 2>signal.log &
  exec 7>endless.hip # until clang reads
  kill -$signal $!
  code=0
  wait $! || code=$?
  exec 7>&-
  expect "$code" $((128 + $(kill -l $signal)))
  expect "$(find temporary -mindepth 1)" ""
done
fails env TMPDIR=/no/such/folder "$hipcc" -S "$programs/square.hip"
contains fails.log '/no/such/folder'
