# SPDX-License-Identifier: MIT
# The .deb packages: made, looked into, truly installed (where this may be root: with dpkg in a copy of this system that is
# gone afterwards), used without a word about where HIPLZ is, and removed.
[ -z "${HIPLZ_SANITIZE:-}" ] || { echo "SKIP: packages hold release builds"; exit 77; }
for tool in cpack dpkg-deb dpkg-shlibdeps; do
  command -v $tool >/dev/null || { echo "SKIP: no $tool"; exit 77; }
done
build=$(dirname "$stage")
cpack --config "$build/CPackConfig.cmake" -B packages -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip >cpack.log 2>&1 || fail "$(cat cpack.log)"
expect "$(ls packages/*.deb | sed -e 's,.*/,,' -e 's,_.*,,' | tr '\n' ' ')" "hiplz-cpu hiplz-dev hiplz-rtc libhiplz1 "

field() { dpkg-deb -f packages/"$1"_*.deb "$2" >field; }
field libhiplz1 Depends; contains field 'libc6 .*libze1'
field hiplz-cpu Depends; contains field 'libllvm[0-9]+.*libllvmspirvlib'
field hiplz-rtc Depends; contains field 'libhiplz1 \(= .*libclang-cpp'
field hiplz-dev Depends; contains field 'libhiplz1 \(= .*hiplz-rtc \(= .*clang-tools-[0-9]+.*llvm-spirv-[0-9]+.*libze-dev'
field hiplz-dev Conflicts; contains field '^hipcc '
field libhiplz1 Description; contains field '^HIP on oneAPI Level Zero$'

# Together they are what `cmake --install` installs, and each file is in one of them. What they have outside the prefix are
# documents and the files of pkg-config.
for package in packages/*.deb; do dpkg-deb --fsys-tarfile "$package" | tar -t; done | grep -v '/$' | sort >all
grep '^\./opt/hiplz' all | sed 's,^\./opt/hiplz,.,' >packed
for package in libhiplz1 hiplz-cpu hiplz-rtc hiplz-dev; do
  printf '%s\n' ./usr/share/doc/$package/{changelog.gz,copyright} ./usr/share/lintian/overrides/$package
done >outside
printf '%s\n' ./usr/share/pkgconfig/{hip,hiplz,hiprtc}.pc >>outside
diff <(grep -v '^\./opt/hiplz' all) <(sort outside) >difference || fail "outside of the prefix: $(cat difference)"
dpkg-deb --fsys-tarfile packages/libhiplz1_*.deb | tar -xO ./usr/share/doc/libhiplz1/changelog.gz | gzip -d >changelog
contains changelog "^hiplz \($(dpkg-deb -f packages/libhiplz1_*.deb Version)\) "
dpkg-deb --fsys-tarfile packages/libhiplz1_*.deb | tar -xO ./usr/share/doc/libhiplz1/copyright >copyright
contains copyright '^License: Expat'
expect "$(uniq -d packed)" ""
cmake --install "$build" --prefix "$PWD/installed" >install.log 2>&1 || fail "$(tail -n 3 install.log)"
(cd installed && find . ! -type d | sort) >installed.list
diff packed installed.list >difference || fail "packages and installation differ: $(cat difference)"
dpkg-deb --fsys-tarfile packages/libhiplz1_*.deb | tar -t >runtime
for file in lib/libhiplz.so.1 lib/libhiprtc.so.1 lib/hiplz/amdhip64/libamdhip64.so.{5,6,7} bin/hiplz-info; do
  contains runtime "/opt/hiplz/$file\$"
done
contains packed 'lib/hiplz/libhiplz_rtc_compiler.so'

cp "$programs/square.hip" "$programs/check.h" .
mkdir -p project
printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(square LANGUAGES CXX HIP)' 'add_executable(square ../square.hip)' \
  >project/CMakeLists.txt
cat >compile_at_run_time.cpp <<'C'
#include <hip/hiprtc.h>
int main() {
  hiprtcProgram program;
  return hiprtcCreateProgram(&program, "__global__ void f(int *p) { *p = threadIdx.x; }", "f.hip", 0, nullptr, nullptr) ||
         hiprtcCompileProgram(program, 0, nullptr);
}
C
cat >inside.sh <<'C'
set -eux
cd "$1"
export HIPLZ_CACHE=0
if dpkg -s hipcc; then dpkg -r hipcc; fi
dpkg -i packages/*.deb
hipconfig --check
hipcc square.hip -o square
./square
g++ -c -I/opt/hiplz/include -x c++ compile_at_run_time.cpp -o compile.o
g++ compile.o -L/opt/hiplz/lib -lhiprtc -o compile_at_run_time
./compile_at_run_time
hipcc -c square.hip -o square.o
g++ square.o -L/opt/hiplz/lib -lamdhip64 -o square_amd
./square_amd
if command -v pkg-config; then
  g++ -x c++ compile_at_run_time.cpp -x none $(pkg-config --cflags --libs hip hiprtc) -o by_pkg_config
  ./by_pkg_config
fi
hiplz-info >info
[ "$(readlink -f /usr/bin/rocm_agent_enumerator)" = /opt/hiplz/bin/rocm_agent_enumerator ]
[ "$(rocm_agent_enumerator)" = generic ]
LD_LIBRARY_PATH=/opt/hiplz/lib/hiplz/amdhip64 python3 -c '
import ctypes
for version in "5", "6", "7":
    assert ctypes.CDLL("libamdhip64.so." + version).hipGetDeviceCount(ctypes.byref(ctypes.c_int())) == 0'
cmake -S project -B project/build -G Ninja
cmake --build project/build
project/build/square
dpkg -r hiplz-dev hiplz-cpu hiplz-rtc libhiplz1
[ ! -e /opt/hiplz ]
[ ! -e /usr/bin/hipcc ] && [ ! -e /usr/bin/hiplz-info ] && [ ! -e /usr/bin/rocm_agent_enumerator ]
ldconfig -p | (! grep hiplz)
C
cat >install.sh <<'C'
set -e
mkdir system
mount -t tmpfs none system
mkdir system/changed system/work system/root
mount -t overlay none -o "lowerdir=/,upperdir=$PWD/system/changed,workdir=$PWD/system/work" system/root 2>overlay.log || exit 77
for folder in proc sys dev; do mount --rbind /$folder system/root/$folder; done
mkdir -p "system/root$PWD" # where the tree is on a file system of its own, it is not there
mount --bind "$PWD" "system/root$PWD"
exec chroot system/root bash "$PWD/inside.sh" "$PWD" >inside.log 2>&1
C
code=77
if [ "$(id -u)" = 0 ] && ! [ -e /opt/hiplz ] && unshare -m true 2>unshare.log; then
  code=0
  unshare -m --propagation private sh install.sh || code=$?
fi
if [ $code = 77 ]; then # what can be shown without root
  mkdir root
  for package in packages/*.deb; do dpkg-deb -x "$package" root; done
  quiet root/opt/hiplz/bin/hipcc square.hip -o square
  runs ./square
elif [ $code != 0 ]; then
  cat inside.log >&2
  fail "the installed packages do not work"
fi
