# SPDX-License-Identifier: MIT
# Native code for Intel's GPUs, made ahead of time by ocloc, beside the SPIR-V. Which code runs is seen under Intel's driver
# in capture mode, where commands are accepted and not executed.
cp "$programs/square.hip" "$programs/check.h" "$programs"/rdc_*.hip .

# A target that cannot be had is refused with a sentence, before anything is compiled.
fails "$hipcc" --offload-arch=pvc:fast square.hip
contains fails.log 'pvc:fast: native code is made for the names of single devices'
fails env HIPLZ_OCLOC=/no/such/ocloc "$hipcc" --offload-arch=pvc square.hip
contains fails.log 'hipcc: native code .* is made by ocloc, which was not found'
HIPLZ_OCLOC=/no/such/ocloc quiet "$hipcc" --offload-arch=gfx90a -c square.hip
command -v ocloc >/dev/null || exit 77

native() { grep -a -c "hip-spirv64-intel-native--$2" "$1" || true; }

quiet "$hipcc" --offload-arch=pvc,gfx90a:xnack- --offload-arch=adl-s square.hip -o square
expect "$(native square pvc)$(native square adl-s)$(native square '')" 111
HIPLZ_DEVICES=cpu HIPLZ_LOG=debug runs ./square # the CPU device takes the SPIR-V
lacks run.log 'native code'

# Without names, with names of others, and where nothing is compiled to the end, there is none; the environment names some.
quiet "$hipcc" --offload-arch=gfx90a square.hip -o portable
expect "$(native portable '')" 0
quiet "$hipcc" --offload-arch=pvc -fgpu-rdc -c rdc_kernel.hip rdc_function.hip
expect "$(native rdc_kernel.o '')" 0
HIPLZ_OFFLOAD_ARCH=adl-s quiet "$hipcc" --genco square.hip -o square.co
expect "$(native square.co adl-s)" 1
quiet "$hipcc" --offload-arch=pvc -S square.hip
quiet "$hipcc" square.s -o from_assembly
expect "$(native from_assembly pvc)" 1

# Linked device code, also of archives; plain objects keep their native code in archives.
ar rcs libfunction.a rdc_function.o
quiet "$hipcc" --offload-arch=tgllp -fgpu-rdc rdc_kernel.o -L. -lfunction -o linked
expect "$(native linked tgllp)" 1
runs ./linked
quiet "$hipcc" --offload-arch=pvc -c square.hip
ar rcs libsquare.a square.o
quiet "$hipcc" -Wl,--whole-archive libsquare.a -Wl,--no-whole-archive -o from_archive
expect "$(native from_archive pvc)" 1
runs ./from_archive
# A file without kernels does no harm.
printf 'int main() { return 0; }\n' >empty.hip
quiet "$hipcc" --offload-arch=pvc empty.hip -o empty
runs ./empty

# A name that ocloc does not know; temporary files go, whatever happens.
fails "$hipcc" --offload-arch=no-such-gpu square.hip
contains fails.log 'hipcc: .*ocloc cannot make native code for no-such-gpu:'
mkdir temporary
for command in "-c square.hip" "-c missing.hip" "--offload-arch=no-such-gpu -c square.hip"; do
  TMPDIR=$PWD/temporary "$hipcc" --offload-arch=pvc $command >/dev/null 2>&1 || true
done
expect "$(find temporary -type f -o -name 'hipcc-*')" ""

# Intel's driver takes the code for its device and no other; damaged and foreign code gives way to the SPIR-V.
[ -z "${HIPLZ_SANITIZE:-}" ] && ldconfig -p | grep -q libze_intel_gpu.so.1 || exit 0
cat >launch.hip <<'EOF'
#include <hip/hip_runtime.h>
__device__ int step = 1;
__global__ void add(int *values) { values[threadIdx.x] += step; }
int main(int count, char **files) { // of code objects to load instead
  hipModule_t module;
  hipFunction_t function;
  if (count > 1)
    return hipModuleLoad(&module, files[1]) == hipSuccess &&
                   hipModuleGetFunction(&function, module, "_Z3addPi") == hipSuccess &&
                   hipModuleUnload(module) == hipSuccess
               ? 0
               : 3;
  int *values = nullptr, *symbol = nullptr;
  if (hipMalloc(&values, 128) != hipSuccess || hipGetSymbolAddress((void **)&symbol, HIP_SYMBOL(step)) != hipSuccess)
    return 1;
  add<<<1, 32>>>(values);
  return hipDeviceSynchronize() == hipSuccess && hipFree(values) == hipSuccess ? 0 : 2;
}
EOF
on() { # on PRODUCT SHAPE PROGRAM ARGUMENTS
  local product=$1 shape=$2 program=./$3
  shift 3
  runs env NEOReadDebugKeys=1 SetCommandStreamReceiver=1 AUBDumpSubCaptureMode=2 UseAubStream=0 NEO_CACHE_PERSISTENT=0 \
    ZE_ENABLE_ALT_DRIVERS=libze_intel_gpu.so.1 ProductFamilyOverride=$product HardwareInfoOverride=$shape \
    HIPLZ_DEVICES=gpu HIPLZ_LOG=debug HIPLZ_CACHE_DIR="$PWD/cache" "$program" "$@"
}
quiet "$hipcc" --offload-arch=xe-hpc,tgllp launch.hip -o launch
on pvc 1x8x8 launch
contains run.log 'runs the native code for xe-hpc'
on tgllp 1x6x16 launch
contains run.log 'runs the native code for tgllp'
quiet "$hipcc" --genco --offload-arch=tgllp,pvc launch.hip -o launch.co
on pvc 1x8x8 launch launch.co
contains run.log 'launch.co: .* runs the native code for pvc'
[ ! -e cache ] || expect "$(find cache -type f | wc -l | tr -d ' ')" 0

quiet "$hipcc" --offload-arch=tgllp launch.hip -o foreign
on pvc 1x8x8 foreign
contains run.log 'accepts none of the native code, which is for tgllp \(ZE_RESULT_ERROR_[A-Z_]*\); compiling the SPIR-V'

cat >damaging_ocloc <<'EOF'
#!/bin/sh
ocloc "$@" || exit
for file; do :; done
head -c 1000 "$file" >"$file.part" && mv "$file.part" "$file"
EOF
chmod +x damaging_ocloc
HIPLZ_OCLOC=./damaging_ocloc quiet "$hipcc" --offload-arch=pvc launch.hip -o damaged
expect "$(native damaged pvc)" 1
on pvc 1x8x8 damaged
contains run.log 'accepts none of the native code, which is for pvc'
