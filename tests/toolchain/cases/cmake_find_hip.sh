# SPDX-License-Identifier: MIT
# find_package(HIP) with FindHIP.cmake: hip_add_executable, hip_add_library and what goes with them.
[ -z "${HIPLZ_SANITIZE:-}" ] || export LDFLAGS="-fsanitize=$HIPLZ_SANITIZE"
cmake -S "$here/projects/find_hip" -B build -G Ninja "-DPROGRAMS=$programs" "-DCMAKE_MODULE_PATH=$stage/lib/cmake/hip" \
  >cmake.log 2>&1 && cmake --build build -v >build.log 2>&1 || { cat cmake.log build.log >&2; fail "cannot be built"; }
contains cmake.log '^-- HIP 7\.2\.[0-9]+ spirv clang hiplz$'
lacks cmake.log 'Warning'
lacks build.log 'warning|no-such-option|DDEBUGGED'
contains build.log 'hipcc.* -O2 -DOPTIMIZED .*square.cpp'
contains build.log 'hipcc.* -ffast-math .*square.cpp'
for program in square app relocatable wrapped; do runs "build/$program"; done
cmake --build build >again.log
contains again.log 'no work to do'
cmake -S "$here/projects/find_hip" -B debug "-DPROGRAMS=$programs" "-DCMAKE_MODULE_PATH=$stage/lib/cmake/hip" \
  -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=Debug >cmake.log 2>&1 && make -C debug app VERBOSE=1 >build.log 2>&1 || fail "$(cat build.log)"
contains build.log 'hipcc.* -DDEBUGGED .*parts_main.hip'
lacks build.log 'OPTIMIZED'
runs debug/app
fails cmake -S "$here/projects/find_hip" -B new "-DPROGRAMS=$programs"
contains fails.log 'FindHIP.cmake|HIPConfig.cmake'
