#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a bare Debian 12 or 13 to running HIP samples: packages, build, installation into build/install, then every sample
# compiled with the installed hipcc (saxpy also with plain clang++) and run on the default device.
common=$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh
[ -e "$common" ] || { echo "this script works in a clone of the repository: git clone, then bash samples/run.sh" >&2; exit 1; }
source "$common"

usage() {
  cat <<'TEXT'
usage: bash samples/run.sh [--no-install] [--preset=release|debug|asan|tsan] [--help]
Installs the packages that HIPLZ needs, builds it, installs it into build/install, compiles the samples with the
installed hipcc, runs them on the default device and prints a table. HIPLZ_DEVICES=gpu or cpu chooses the device.
  --no-install  do not install packages; stop with their names if some are missing
  --preset=P    the CMake preset to build (release)
TEXT
}

for option in "$@"; do
  parse_common_option "$option" || { usage >&2; stop "unknown option $option"; }
done
if [ "$preset" != release ]; then prefix=$root/build/install-$preset; fi

ensure_packages
configure -DHIPLZ_BUILD_TESTS=OFF -DHIPLZ_BUILD_BENCHMARKS=OFF
build_targets
install_prefix

work=$root/build/samples
mkdir -p "$work"
table=$work/table
: >"$table"
failures=0

# run_sample NAME COMMAND...: runs it and adds its RESULT line to the table.
run_sample() {
  local name=$1 log=$work/$1.log line
  shift
  if (cd "$work" && "$@") >"$log" 2>&1 && line=$(grep '^RESULT ' "$log" | tail -n 1) && [ -n "$line" ]; then
    printf '%s|%s\n' "$name" "${line#RESULT }" >>"$table"
    [[ $line == *check=PASS* ]] || failures=$((failures + 1))
  else
    printf '%s|failed: see build/samples/%s.log\n' "$name" "$name" >>"$table"
    failures=$((failures + 1))
  fi
}

# compile NAME COMMAND...: compiles a sample; a failure is shown and counted.
compile() {
  local name=$1
  shift
  (cd "$work" && "$@") >"$work/$name.compile.log" 2>&1 && return
  printf '%s|does not compile: see build/samples/%s.compile.log\n' "$name" "$name" >>"$table"
  failures=$((failures + 1))
  return 1
}

hipcc=$prefix/bin/hipcc
say "samples: compiling with $hipcc"
for source in "$root"/samples/*.hip; do
  name=$(basename "$source" .hip)
  case "$name" in *_kernels | mpi_*) continue ;; esac
  libraries=()
  if [ "$name" = level_zero ]; then libraries=(-lze_loader); fi
  if [ "$name" = profiling ]; then libraries=(-lroctx64); fi
  compile "$name" "$hipcc" -O3 -std=c++17 "$source" -o "$work/$name" "${libraries[@]}" || continue
  case "$name" in
    module_api)
      compile module_api "$hipcc" --genco -O3 "$root/samples/module_api_kernels.hip" -o "$work/module_api_kernels.co" || continue
      run_sample module_api "$work/module_api" "$work/module_api_kernels.co" ;;
    *) run_sample "$name" "$work/$name" ;;
  esac
done

# MPI is not among the packages that HIPLZ needs.
if command -v mpicxx.openmpi >/dev/null && command -v mpirun.openmpi >/dev/null; then
  compile mpi_halo env "OMPI_CXX=$hipcc" mpicxx.openmpi -O3 "$root/samples/mpi_halo.hip" -o "$work/mpi_halo" &&
    run_sample mpi_halo mpirun.openmpi --allow-run-as-root --oversubscribe -n 4 "$work/mpi_halo"
else
  say "samples: Open MPI (libopenmpi-dev, openmpi-bin) is not installed; mpi_halo is left out"
fi

clang=$(command -v "clang++-$llvm" || command -v clang++)
compile saxpy_clang "$clang" -x hip --offload=spirv64 "--hip-path=$prefix" "-B$prefix/lib/hiplz/bin" -isystem "$prefix/include" -O3 \
  "$root/samples/saxpy.hip" "-L$prefix/lib" -lhiplz "-Wl,-rpath,$prefix/lib" -o "$work/saxpy_clang" &&
  run_sample saxpy_clang "$work/saxpy_clang"

cp -r "$root/samples/makefile_project" "$root/samples/cmake_project" "$root/samples/cuda_project" "$root/samples/level_zero_driver" "$root/samples/common.h" "$work/"
compile makefile_project make -C makefile_project clean all "HIPCC=$hipcc" &&
  run_sample makefile_project "$work/makefile_project/app"
compile cuda_project make -C cuda_project clean all "NVCC=$prefix/bin/cucc" &&
  run_sample cuda_project "$work/cuda_project/app"
compile level_zero_driver make -C level_zero_driver clean all "CLANG=$clang" "LLVM_SPIRV=llvm-spirv-$llvm" &&
  run_sample level_zero_driver env "ZE_ENABLE_ALT_DRIVERS=$prefix/lib/libze_hiplz_cpu.so.1" \
    "$work/level_zero_driver/app" "$work/level_zero_driver/scale.spv"
compile cmake_project sh -c "cmake -S cmake_project -B cmake_project/build -G Ninja -DCMAKE_PREFIX_PATH='$prefix' \
  && cmake --build cmake_project/build" && run_sample cmake_project "$work/cmake_project/build/app"

echo
awk -F'|' '
  function field(text, key,   at, rest) {
    at = index(text, key "=")
    if (!at) return ""
    rest = substr(text, at + length(key) + 1)
    if (substr(rest, 1, 1) == "\"") { rest = substr(rest, 2); return substr(rest, 1, index(rest, "\"") - 1) }
    return index(rest, " ") ? substr(rest, 1, index(rest, " ") - 1) : rest
  }
  BEGIN { printf "%-18s %-44s %-6s %s\n", "sample", "device", "check", "figure" }
  /check=/ { printf "%-18s %-44s %-6s %s %s\n", $1, substr(field($2, "device"), 1, 44), field($2, "check"), field($2, "figure"), field($2, "unit"); next }
  { printf "%-18s %s\n", $1, $2 }' "$table"
echo
[ "$failures" = 0 ] || stop "$failures of $(wc -l <"$table") samples failed"
say "all $(wc -l <"$table") samples passed"
