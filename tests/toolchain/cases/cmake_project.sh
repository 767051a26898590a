# SPDX-License-Identifier: MIT
# The CMake sample with clang, with hipcc and with the prefix's clang++ as the compiler; host code alone with g++.
[ -z "${HIPLZ_SANITIZE:-}" ] || export LDFLAGS="-fsanitize=$HIPLZ_SANITIZE"
cp -r "$samples/cmake_project" project
built=0
for compiler in "$clang" "$hipcc" "$stage/lib/hiplz/clang/clang++"; do
  build=build-$((built += 1))
  cmake -S project -B "$build" -G Ninja "-DCMAKE_PREFIX_PATH=$stage" "-DCMAKE_CXX_COMPILER=$compiler" >cmake.log 2>&1 &&
    cmake --build "$build" >build.log 2>&1 || { cat cmake.log build.log >&2; fail "cmake failed with $compiler"; }
  lacks build.log 'warning'
  runs "$build/app"
  contains run.log '^RESULT name=cmake_project .*check=PASS'
done
if command -v g++ >/dev/null; then
  cmake -S project -B build-gcc -G Ninja "-DCMAKE_PREFIX_PATH=$stage" -DCMAKE_CXX_COMPILER=g++ >cmake.log 2>&1
  fails cmake --build build-gcc
  contains fails.log 'hip-device-needs-clang'
  quiet ninja -C build-gcc CMakeFiles/app.dir/main.cpp.o >/dev/null
fi
