# SPDX-License-Identifier: MIT
# For scripts to include: this system's clang 15 as a compiler for gfx1030, with AMD's headers and libraries of Debian 12 (HIP 5.2), which are
# unpacked and not installed; or clang 21 with those of the Debian sid (HIP 6.4) that tests/distro/amdgcnspirv.sh has made, if AMD_SID names it.
. "$(dirname "${BASH_SOURCE[0]}")/unpack_packages.sh"

# unpack_amd FOLDER: unpacks them there, for amdclang.
unpack_amd() {
  unpack_packages bookworm "$1" libamdhip64-dev libamdhip64-5 rocm-device-libs lld-15
  amd=$(cd "$1/usr" && pwd)
  export amd
}

# amdclang OPTION...: compiles HIP for gfx1030, and links if it is not told otherwise. In a sid, files are in /work there.
amdclang() {
  if [ -n "${AMD_SID:-}" ]; then
    local libraries=$AMD_SID/usr/lib/x86_64-linux-gnu
    # shellcheck disable=SC2016 # for the inner shell
    chroot "$AMD_SID" bash -c 'cd /work && exec clang++-21 "$@"' - --offload-arch=gfx1030 -w -D__AMDGCN_WAVEFRONT_SIZE=32 \
      -DHIP_ENABLE_WARP_SYNC_BUILTINS "$@" "-Wl,--dynamic-linker=$libraries/ld-linux-x86-64.so.2" \
      "-Wl,--enable-new-dtags,-rpath,$libraries" -lamdhip64
    return
  fi
  PATH=$amd/lib/llvm-15/bin:$PATH clang++-15 --offload-arch=gfx1030 -w -nogpuinc -include __clang_hip_runtime_wrapper.h -isystem "$amd/include" \
    -D__HIP_PLATFORM_AMD__ --rocm-device-lib-path="$amd/lib/x86_64-linux-gnu/amdgcn/bitcode" "$@" \
    -L"$amd/lib/x86_64-linux-gnu" -lamdhip64 -lpthread -Wl,--allow-shlib-undefined
}
