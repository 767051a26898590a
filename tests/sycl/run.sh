#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SYCL programs on the CPU device, alone and together with HIP, with Intel's runtime from PyPI and both of its Level Zero adapters.
set -euo pipefail
case "${1:---help}" in
  -*)
    cat <<'TEXT'
usage: bash tests/sycl/run.sh PREFIX FOLDER [SCENARIO]
Installs Intel's SYCL runtime (intel-sycl-rt, intel-cmplr-lib-ur, dpctl) from PyPI into a Python environment in FOLDER, 2 GB, and
unpacks the Level Zero loader of Debian sid there: the runtime calls functions that older loaders lack. Then compiles the programs
beside this script for the installed prefix PREFIX (build/release/stage is one) and runs them, or the scenarios whose names
contain SCENARIO, with each of the runtime's two Level Zero adapters. What FOLDER has already is used as it is. The exit code
is 77 if the packages cannot be had. Needs no root. CXX names a host compiler other than clang++-15, CLANG and LLVM_SPIRV the
compiler and the translator of the kernels (clang-15, llvm-spirv-15).
TEXT
    [ "${1:---help}" = --help ]; exit ;;
esac
[ $# -ge 2 ] || { echo "$0: a prefix and a folder for the packages are needed" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
source "$here/../distro/unpack_packages.sh"

sycl=$folder/python
if [ ! -f "$sycl/include/sycl/sycl.hpp" ] || [ ! -d "$folder/sid/usr/lib/x86_64-linux-gnu" ]; then
  if ! { python3 -m venv "$sycl" && "$sycl/bin/pip" install -q intel-sycl-rt dpctl; } ||
    ! (unpack_newer_loader "$folder/sid"); then
    echo "$0: skipped: the packages cannot be had"
    exit 77
  fi
fi
loader=$folder/sid/usr/lib/x86_64-linux-gnu

clang=${CLANG:-clang-15}
"$clang" -x cl -cl-std=CL2.0 -target spir64 -Xclang -finclude-default-header -O1 -emit-llvm -c "$here/kernels.cl" \
  -o "$folder/kernels.bc"
"${LLVM_SPIRV:-llvm-spirv-15}" --spirv-max-version=1.3 "$folder/kernels.bc" -o "$folder/kernels.spv"
# The host side needs no SYCL compiler. Its libraries are of a newer C library than the linker sees here.
for program in sycl_test interop_test; do
  "${CXX:-clang++-15}" -std=c++17 -w -D__HIP_PLATFORM_SPIRV__ -DKERNELS="\"$folder/kernels.spv\"" -isystem "$sycl/include" \
    -isystem "$prefix/include" "$here/$program.cpp" -o "$folder/$program" -L"$sycl/lib" -lsycl -L"$prefix/lib" -lhiplz \
    -Wl,--allow-shlib-undefined -pthread
done

export HIPLZ_CPU_AS_GPU=1 HIPLZ_CACHE_DIR=$folder/cache ONEAPI_DEVICE_SELECTOR='level_zero:*'
export ZE_ENABLE_ALT_DRIVERS=$prefix/lib/libze_hiplz_cpu.so.1
libraries=$loader:$sycl/lib:$prefix/lib:/usr/lib/x86_64-linux-gnu
# The libraries are for this process alone, not for those that it starts, such as the driver's compiler.
start() { timeout 300 "$loader/ld-linux-x86-64.so.2" --library-path "$libraries" "$@"; }
failed=0
for adapter in 1 2; do
  export SYCL_UR_USE_LEVEL_ZERO_V2=$((adapter - 1))
  echo "== adapter $adapter"
  start "$(readlink -f "$sycl/bin/python3")" - "$sycl" <<'TEXT' || failed=1
import glob, sys
sys.path.append(glob.glob(sys.argv[1] + "/lib/python3*/site-packages")[0])
import dpctl
devices = dpctl.get_devices(backend="level_zero", device_type="gpu")
for device in devices:
    print("dpctl:", device.name, device.driver_version)
sys.exit(not devices)
TEXT
  start "$folder/sycl_test" "${@:3}" || failed=1
  start "$folder/interop_test" "${@:3}" || failed=1
done
exit $failed
