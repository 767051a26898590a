# SPDX-License-Identifier: MIT
# hiplz-info shows the devices, says why there is no GPU, and speaks JSON.
info=$stage/bin/hiplz-info
quiet "$info" >table
contains table '^device 0'
contains table '^driver 0'
contains table 'warp size +32'
quiet "$info" --json >info.json
python3 - <<'PYTHON' || fail "the JSON lacks something"
import json, os, re
info = json.load(open("info.json"))
device = info["devices"][0]
assert device["name"] and device["memory"] > 0 and device["warp_size"] == 32 and device["threads_per_block"] >= 256
assert device["architecture"] == "gfx1099" and device["code"] == "spirv64"
assert info["drivers"][device["driver"]]["devices"] >= 1
assert isinstance(info["drivers"][0]["extensions"], list)
assert info["HIPLZ"]["version"]
for driver in info["drivers"]:
    assert os.path.isfile(driver["file"]) and os.path.basename(driver["file"]).startswith("libze_"), driver
    assert re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", driver["UUID"])
for device in info["devices"]:
    assert re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", device["UUID"])
    assert device.get("printf_buffer", 1) > 0 and ("PCI" in device) == (device["kind"] != "CPU")
gpus = [d for d in info["devices"] if d["kind"] == "GPU"]
assert gpus or info["remarks"]["no_GPU"]
PYTHON
quiet "$info" --extensions >extensions
contains extensions 'extensions +'
HIPLZ_DEVICES=cpu quiet "$info" >cpu
contains cpu 'HIPLZ_DEVICES=cpu'
contains cpu 'kind +CPU'
contains cpu 'file +/.*libze_hiplz_cpu\.so'
# Without a device, whatever the reason, it says so.
code=0
HIPLZ_DEVICES=none "$info" >none 2>&1 || code=$?
expect "$code" 1
contains none 'no device +hipErrorNoDevice'
code=0
ZE_ENABLE_ALT_DRIVERS=/no/such/driver.so "$info" >no_driver 2>&1 || code=$?
expect "$code" 1
contains no_driver 'no device +hipErrorNoDevice'
if [ ! -e /dev/dri ]; then
  code=0
  HIPLZ_DEVICES=gpu "$info" >no_gpu 2>&1 || code=$?
  expect "$code" 1
  contains no_gpu 'no GPU +The machine has no GPU'
  contains no_gpu 'no device +hipErrorNoDevice'
fi

# The cache: where it is and how much it holds.
mkdir -p cache/modules
head -c 3072 /dev/zero >cache/modules/entry
HIPLZ_CACHE_DIR=$PWD/cache quiet "$info" >cache.log
contains cache.log "cache +$PWD/cache\$"
contains cache.log 'cache size +3 KiB'
contains cache.log 'cache entries +1$'
HIPLZ_CACHE_DIR=$PWD/no_cache quiet "$info" >cache.log
contains cache.log 'cache size +0 bytes'
HIPLZ_CACHE=0 quiet "$info" >cache.log
contains cache.log 'cache +off'
fails "$info" --no-such-option
