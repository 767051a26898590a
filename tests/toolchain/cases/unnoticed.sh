# SPDX-License-Identifier: MIT
# Mistakes that would go unnoticed are reported in one line on standard error: a failed launch whose error nobody has asked for, and a second HIP
# runtime in the process. Both lines can be turned off.
quiet "$hipcc" "$programs/failed_launch.hip" -o failed_launch
./failed_launch 2>lost || fail "$(cat lost)"
contains lost '^hiplz: kernel demo::large was not launched: hipErrorInvalidConfiguration, .*4096 threads.*hipGetLastError.*HIPLZ_LOG=info'
expect "$(wc -l <lost)" 1
./failed_launch bounded 2>lost
contains lost '^hiplz: kernel demo::bounded was not launched: hipErrorLaunchFailure, a launch with 512 threads in a block; its __launch_bounds__ are 128;'
for way in asked returned; do
  ./failed_launch $way 2>lost || fail "$way: $(cat lost)"
  expect "$(cat lost)" ""
done
HIPLZ_LOST_ERRORS=0 ./failed_launch 2>lost
expect "$(cat lost)" ""
HIPLZ_DEVICES=none ./failed_launch 2>lost && fail "a launch without a device"
contains lost '^hiplz: a kernel was not launched: hipErrorNoDevice, there is no device: HIPLZ_DEVICES=none'

[ -z "${HIPLZ_SANITIZE:-}" ] || exit 0 # it would have to be loaded first
# Something that AMD's library may be taken for: it has functions of its own.
mkdir -p other
echo 'extern "C" int hipMalloc() { return 1; } extern "C" int ofOther() { return 2; }' >other.cpp
quiet c++ -shared -fPIC other.cpp -Wl,-soname,libamdhip64.so.9 -o other/libamdhip64.so.9
LD_PRELOAD=$PWD/other/libamdhip64.so.9 ./failed_launch asked 2>foreign || true
contains foreign "^hiplz: another HIP runtime is in this process beside HIPLZ: $PWD/other/libamdhip64.so.9,"
LD_PRELOAD=$PWD/other/libamdhip64.so.9 HIPLZ_FOREIGN_HIP=0 ./failed_launch asked 2>foreign || true
expect "$(cat foreign)" ""
# Ours are no others.
LD_PRELOAD=$stage/lib/hiplz/amdhip64/libamdhip64.so.6 ./failed_launch asked 2>foreign || fail "$(cat foreign)"
expect "$(cat foreign)" ""
