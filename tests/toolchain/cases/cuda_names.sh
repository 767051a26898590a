# SPDX-License-Identifier: MIT
# The tables of CUDA's names: each name on the right side is one of HIP's headers, and none stands on the left twice.
cuda=$stage/include/hiplz/cuda
cat >all.hip <<'EOF'
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_gl_interop.h>
#include <hip/hip_math_constants.h>
#include <hip/hiprtc.h>
#include <hip/library_types.h>
EOF
# The declarations, without comments, and the macros; the headers of CUDA ask for HIP 6.
{ "$hipcc" -DHIPLZ_HIP_VERSION=6 --cuda-host-only -E -P all.hip | grep -o '[A-Za-z_][A-Za-z_0-9]*'
  "$hipcc" -DHIPLZ_HIP_VERSION=6 --cuda-host-only -E -dM all.hip | awk '{ sub(/\(.*/, "", $2); print $2 }'
} | sort -u >known
cat "$cuda"/names/*.h "$cuda"/cuComplex.h "$cuda"/cuda_{bf16,fp8,fp16}.h "$cuda"/math_constants.h |
  sed -e ':join' -e '/\\$/N' -e 's/\\\n//' -e 't join' | awk '$1 == "#define" && NF == 3 { print $2, $3 }' >pairs
[ "$(wc -l <pairs)" -gt 1500 ] || fail "only $(wc -l <pairs) names were found"
expect "$(awk '{ print $2 }' pairs | sort -u | comm -23 - known)" ""
expect "$(awk '{ print $1 }' pairs | sort | uniq -d)" ""
# Each function of HIP's has a name of CUDA's, in a table or as what a function of the driver API calls, but for these: HIP's
# own, those that forms/ and macros call, the compiler's.
own='hip(CreateChannelDesc|FreeHost|HostMalloc|LaunchByPtr|Link[A-Z][A-Za-z]*|MallocHost|MemPtrGetInfo|MemcpyWithStream'
own="$own|StreamGetDevice|ExternalMemoryGetMappedMipmappedArray|GetStreamDeviceId|GetProcAddress|(Ext|Hcc)[A-Z][A-Za-z]*"
own="$own|(ApiName|KernelName)[A-Za-z]*|GetPCH|(Push|Pop)CallConfiguration|[A-Za-z0-9_]*(_spt|R0[06]00))"
printf '#include <hip/hip_runtime_api.h>\n' >api.c
"$hipcc" -DHIPLZ_HIP_VERSION=6 -E -P api.c | grep -oE 'hip[A-Z][A-Za-z0-9_]* *\(' | tr -d ' (' | sort -u >functions
{ awk '{ print $2 }' pairs; grep -ohE '\bhip[A-Z][A-Za-z0-9_]*' "$cuda"/{driver,forms}/*.h "$cuda"/nvrtc.h; } | sort -u >called
expect "$(comm -23 functions called | grep -vxE "$own")" ""
