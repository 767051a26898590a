# SPDX-License-Identifier: MIT
# hipconfig prints single values without a newline.
config=$stage/bin/hipconfig
value() { "$config" "$1" >value; wc -l <value | tr -d ' ' >lines; expect "$(cat lines)" 0; cat value; }
expect "$(value --path)" "$stage"
expect "$(value -p)" "$stage"
expect "$(value --rocmpath)" "$stage"
expect "$(value -R)" "$stage"
expect "$(value --platform)" spirv
expect "$(HIP_PLATFORM=amd "$config" -P)" amd
expect "$(value --compiler)" clang
expect "$(value -c)" clang
expect "$(value --runtime)" hiplz
expect "$(value -r)" hiplz
expect "$(value --cpp_config)" " -D__HIP_PLATFORM_SPIRV__= -I$stage/include"
expect "$(value -v | cut -d. -f1-2)" 7.2
folder=$(value --hipclangpath)
[ -x "$folder/clang++" ] || fail "no clang++ in $folder"
expect "$(value -l)" "$folder"
expect "$(value --cxx)" "$folder/clang++"
"$config" --full >table
for name in HIP_PATH HIP_PLATFORM HIP_COMPILER HIP_RUNTIME HIP_CLANG_PATH CPP_CONFIG; do contains table "^$name *:"; done
expect "$("$config")" "$(cat table)"
"$config" --check >check || fail "$(cat check)"
contains check 'complete'
fails "$config" --no-such-option
contains fails.log 'unknown option --no-such-option'
# The host options compile host code with any compiler.
printf '#include <hip/hip_runtime_api.h>\nint main() { int n; return hipGetDeviceCount(&n) == hipSuccess ? 0 : 1; }\n' >host.cpp
if [ -z "${HIPLZ_SANITIZE:-}" ] && command -v g++ >/dev/null; then
  g++ $("$config" -C) -c host.cpp
  g++ host.o $("$hipcc" --ldflags) -o host
  runs ./host
  quiet "$hipcc" host.o -o host_by_hipcc
  runs ./host_by_hipcc
  # Objects with kernels need no particular program to link them.
  quiet "$hipcc" -c -I"$programs" "$programs/square.hip"
  g++ square.o $("$hipcc" --ldflags) -o square
  runs ./square
fi
