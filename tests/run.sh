#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The test suite from a bare Debian 12 or 13: packages, build, the layers under CTest, a count for each layer.
common=$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh
[ -e "$common" ] || { echo "this script works in a clone of the repository: git clone, then bash tests/run.sh" >&2; exit 1; }
source "$common"

usage() {
  cat <<'TEXT'
usage: bash tests/run.sh [--rest|--asan|--all] [--no-install] [--preset=release|debug|asan|tsan] [--layer=NAME] [--tsan] [--help]
Installs the packages that HIPLZ and its tests need, builds HIPLZ and them, runs the tests and prints a count for each layer: unit, abi,
passes, driver, device, toolchain, and of neo the tests with Intel's compiler for skl. HIPLZ_DEVICES=gpu runs the device layer on an
Intel GPU. Exits with 0 only if no test failed.
  --rest        what that leaves out: the layers scalar, isa (other instruction sets), fuzz, and opencl (the device layer on OpenCL), the rest
                of neo, what takes long and seldom fails (later), and the benchmarks, which are built
  --asan        unit, driver and device under AddressSanitizer, with the HIP programs that the two above build
  --all         all three
  --no-install  do not install packages; stop with their names if some are missing
  --preset=P    the CMake preset to build (release)
  --layer=NAME  run only this layer, whole
  --tsan        run the tests with many threads under ThreadSanitizer as well
TEXT
}

layer=
first=yes rest=no asan=no tsan=no
for option in "$@"; do
  case "$option" in
    --layer=*) layer=${option#--layer=} ;;
    --rest) first=no rest=yes ;;
    --asan) first=no asan=yes ;;
    --all) rest=yes asan=yes ;;
    --tsan) tsan=yes ;;
    *) parse_common_option "$option" || { usage >&2; stop "unknown option $option"; } ;;
  esac
done

passed=0 failed=0 skipped=0

# count_layer LABEL PRESET [CTEST-OPTION...]: runs the tests with that label and adds up their results.
count_layer() {
  local begin=$SECONDS label=$1 directory=$root/build/$2 report=$root/build/junit-$2-$1.xml log=$root/build/test-$2-$1.log # of the last run
  say "tests: $label ($2)"
  rm -f "$report"
  ctest --test-dir "$directory" -L "^$label\$" -j "$(nproc)" --output-on-failure --no-tests=error \
    --output-junit "$report" "${@:3}" 2>&1 | tee "$log" | progress || true
  [ -s "$report" ] || { tail -n 20 "$log" >&2; stop "the $label tests did not run; see $log"; }
  local all fail skip
  all=$(grep -c '<testcase ' "$report" || true)
  fail=$(grep -c 'status="fail"' "$report" || true)
  skip=$(grep -c -E 'status="(notrun|disabled)"' "$report" || true)
  say "tested in $((SECONDS - begin)) s"
  printf '%-22s %4d passed, %d failed, %d skipped\n' "$label ($2)" $((all - fail - skip)) "$fail" "$skip"
  [ "$skip" = 0 ] || grep -E 'Skipped|SKIP:|Not Run' "$log" | sort -u | sed -n 1,5p
  if [ "$fail" != 0 ]; then
    sed -n '/The following tests FAILED/,$p' "$log"
    grep -E -B2 -A30 '\*\*\*(Failed|Exception|Timeout|Not Run)' "$log" | sed -n 1,200p
  fi
  passed=$((passed + all - fail - skip)) failed=$((failed + fail)) skipped=$((skipped + skip))
}

ensure_packages tests
# The layer opencl is skipped without it.
[ "$rest" = no ] || bash "$root/scripts/opencl_runtime.sh" || say "OpenCL: no runtime, so the layer opencl is skipped"
wanted=$preset
if [ "$layer" != threads ]; then
  # Precompiled headers and groups of sources save half of the build of the libraries; the first command, samples/run.sh, shows that nothing
  # needs them.
  others=OFF # nothing runs the benchmarks, but they have to build
  [ "$rest" = no ] && [ "$layer" != fuzz ] || others=ON
  later=ON
  [ "$rest" = yes ] || [ -n "$layer" ] || later=OFF
  configure -DHIPLZ_BUILD_TESTS=ON -DHIPLZ_BUILD_BENCHMARKS=$others -DHIPLZ_BUILD_FUZZERS=$others -DHIPLZ_BUILD_LATER=$later \
    -DHIPLZ_PRECOMPILED_HEADERS=ON -DHIPLZ_UNITY_BUILD=ON
  build_targets
fi
if [ -n "$layer" ] && [ "$layer" != threads ]; then
  count_layer "$layer" "$preset"
elif [ "$layer" != threads ] && [ "$first" = yes ]; then
  for name in unit abi passes driver device toolchain; do
    count_layer "$name" "$preset" --label-exclude '^later$'
  done
  count_layer neo "$preset" --tests-regex '^neo\.skl\.' --label-exclude '^later$'
fi

if [ -z "$layer" ] && [ "$rest" = yes ]; then
  for name in scalar isa fuzz later; do
    count_layer "$name" "$preset"
  done
  count_layer neo "$preset" --exclude-regex '^neo\.skl\.([^b]|b[^e])' # the first command had no bench_*
  count_layer opencl "$preset"
fi
if [ -z "$layer" ] && [ "$asan" = yes ] && [ "$wanted" = release ]; then
  preset=asan
  configure -DHIPLZ_BUILD_TESTS=ON -DHIPLZ_BUILD_BENCHMARKS=OFF -DHIPLZ_BUILD_FUZZERS=OFF -DHIPLZ_PRECOMPILED_HEADERS=ON \
    -DHIPLZ_UNITY_BUILD=ON -DHIPLZ_HIP_OBJECTS="$root/build/$wanted"
  # The programs of the three layers, but for those whose host code does nothing that others do not do.
  # shellcheck disable=SC2046 # words are wanted
  build_targets fuzz_machine_code $(printf '%s/all ' src/cpu src/rtc src/tools tests/unit tests/roofline tests/compiler tests/driver tests/device)
  # LLVM 15's leak check takes each thread's dynamic TLS block for one of glibc 2.19 when its address ends in 010, reads a size and
  # a start in front of it, and crashes in the pages that these name. The blocks come from malloc now and are found without it.
  export ASAN_OPTIONS=intercept_tls_get_addr=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
  # Tests of the code that compilers make, and of documents, have nothing in them that is instrumented, or nothing new.
  # The shadow memory of hiplz-check has not been tried there.
  made='^device\.(check_|inlined_|coverage_|amd_builtins_document$|cuda_|accuracy|rounding$)'
  for name in unit driver device; do
    count_layer "$name" asan --exclude-regex "$made"
  done
fi

if [ "$layer" = threads ] || { [ -z "$layer" ] && [ "$tsan" = yes ] && [ "$wanted" = release ]; }; then
  preset=tsan
  configure -DHIPLZ_BUILD_TESTS=ON -DHIPLZ_BUILD_BENCHMARKS=OFF
  build_targets thread_tests
  count_layer threads tsan
fi

printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]
