# SPDX-License-Identifier: MIT
# The CPU device as a Level Zero driver by itself: the sample in C, and what hiplz-info --level-zero says of it.
llvm=$("$clang" --version | sed -n 's/.*version \([0-9]*\).*/\1/p')
cp -r "$samples/level_zero_driver" .
make -C level_zero_driver clean all "CLANG=$clang" "LLVM_SPIRV=llvm-spirv-$llvm" >make.log 2>&1 || { cat make.log; fail "make failed"; }
if [ -z "${HIPLZ_SANITIZE:-}" ]; then # a driver with a sanitizer wants programs with it
  export ZE_ENABLE_ALT_DRIVERS=$stage/lib/libze_hiplz_cpu.so.1
  level_zero_driver/app level_zero_driver/scale.spv >sample.log || fail "the sample failed"
  contains sample.log '^RESULT name=level_zero_driver device=".+" check=PASS'
  ! level_zero_driver/app /no/such/file >missing.log 2>&1 || fail "it ran without a kernel"
  unset ZE_ENABLE_ALT_DRIVERS
fi

info=$stage/bin/hiplz-info
HIPLZ_DEVICES=cpu quiet "$info" --level-zero >queries
for line in '^Level Zero driver 0' '^Level Zero device 0' 'API version +1\.' 'group items +1024' 'group size +1024 x 1024 x 1024' \
  'SPIR-V +1\.3' 'sub-group sizes +32' 'queues +[1-9]' 'access to shared memory +0xf' 'memory export +0x3' 'status +0x0$' \
  'image sizes +16384 x 16384 x 2048' '8_8_8_8 UINT, SINT, UNORM linear, SNORM linear$' 'sub-devices +0$' 'PCI address +ffff:00:00.0'; do
  contains queries "$line"
done
lacks queries '^ +zeD' # a query that has failed
HIPLZ_DEVICES=cpu quiet "$info" --level-zero --json >queries.json
python3 - <<'PYTHON' || fail "the JSON lacks something"
import json
info = json.load(open("queries.json"))
driver, device = info["Level_Zero_drivers"][0], info["Level_Zero_devices"][0]
assert "ZE_extension_float_atomics 1.0" in driver["extensions"]
assert device["driver"] == 0 and device["largest_allocation"] > 0 and device["kernel_arguments"] >= 1024
PYTHON
