# hiplz-info shows the devices, says why there is no GPU, and speaks JSON.
info=$stage/bin/hiplz-info
quiet "$info" >table
contains table '^device 0'
contains table '^driver 0'
contains table 'warp size +32'
quiet "$info" --json >info.json
python3 - <<'PYTHON' || fail "the JSON lacks something"
import json
info = json.load(open("info.json"))
device = info["devices"][0]
assert device["name"] and device["memory"] > 0 and device["warp_size"] == 32 and device["threads_per_block"] >= 256
assert info["drivers"][device["driver"]]["devices"] >= 1
assert isinstance(info["drivers"][0]["extensions"], list)
assert info["HIPLZ"]["version"]
gpus = [d for d in info["devices"] if d["kind"] == "GPU"]
assert gpus or info["remarks"]["no_GPU"]
PYTHON
quiet "$info" --extensions >extensions
contains extensions 'extensions +'
HIPLZ_DEVICES=cpu quiet "$info" >cpu
contains cpu 'HIPLZ_DEVICES=cpu'
contains cpu 'kind +CPU'
code=0
HIPLZ_DEVICES=none "$info" >none 2>&1 || code=$?
expect "$code" 1
contains none 'no device +hipErrorNoDevice'
fails "$info" --no-such-option
