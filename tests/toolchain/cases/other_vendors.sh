# SPDX-License-Identifier: MIT
# Options of other vendors' builds do no harm and are mentioned under -v; options for host code stay with host code.
cp "$programs/square.hip" "$programs/check.h" .
quiet "$hipcc" -c square.hip --offload-arch=gfx90a --offload-arch=gfx1100:xnack- --amdgpu-target=gfx900 \
  --cuda-gpu-arch=sm_70 -munsafe-fp-atomics -mllvm -amdgpu-early-inline-all=true --rocm-path=/opt/rocm \
  -mllvm=-amdgpu-function-calls=false -Xarch_device -mllvm=-amdgpu-function-calls=false -mno-xnack -mno-sram-ecc \
  -ffp-contract=fast-honor-pragmas -fgpu-approx-transcendentals -Werror \
  --hip-version=6.4 -parallel-jobs=4 --offload-compress -fgpu-flush-denormals-to-zero --gpu-max-threads-per-block=1024
"$hipcc" -v -fsyntax-only square.hip --offload-arch=gfx90a 2>notes
contains notes 'hipcc: note: --offload-arch=gfx90a is ignored'
for options in -fsanitize=address "--coverage -fcf-protection -mfpmath=sse" "-fprofile-instr-generate -fcoverage-mapping" \
  "-finstrument-functions -fpatchable-function-entry=2" "-use_fast_math --hipcc-func-supp -use-sharedlib" \
  "-O2 -g -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fstack-clash-protection -ffile-prefix-map=$PWD=. -fPIE -pg -flto" \
  "-m64 -mavx2 -mtune=native -mcmodel=medium -fno-exceptions -fno-rtti -ffunction-sections -fopenmp -gsplit-dwarf" \
  "-std=gnu++20 -march=native -ffast-math -fPIC -pthread -fopenmp -fvisibility=hidden"; do
  quiet "$hipcc" $options -Wall -Werror -c square.hip
done
# The libraries of C++ in any order with HIP's headers, as GNU C++.
printf '#include <%s>\n' complex cmath random thread vector string algorithm hip/hip_runtime.h >headers.hip
printf '__global__ void kernel(float *x) { *x = sinf(*x); }\n' >>headers.hip
quiet "$hipcc" -std=gnu++17 -c headers.hip
# Variables that lead AMD's tools to another installation lead nowhere.
HIP_PATH=/no ROCM_PATH=/no HIP_DEVICE_LIB_PATH=/no DEVICE_LIB_PATH=/no HIP_PLATFORM=amd HIP_COMPILER=clang HIP_RUNTIME=rocclr \
  quiet "$hipcc" square.hip -o square
runs ./square
HIPCC_VERBOSE=1 "$hipcc" -c square.hip 2>"command"
contains command '^hipcc-cmd: .*clang.* -c .*square.hip'
