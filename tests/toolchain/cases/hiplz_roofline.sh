# SPDX-License-Identifier: MIT
# hiplz-roofline writes what it measures as JSON, CSV and pictures that can be read back, keeps it for hiplz-info, and refuses bad
# options before it measures. The run is the smallest there is; no figure is looked at but for being one.
roofline=$stage/bin/hiplz-roofline
export XDG_DATA_HOME=$PWD/data
quiet "$roofline" --smoke --json result.json --csv result.csv --svg pictures --save >text
contains text 'Peak throughput'
contains text 'UHD Graphics 630'
python3 - <<'PYTHON' || fail "the outputs lack something"
import csv, json, pathlib, xml.etree.ElementTree as tree
result = json.load(open("result.json"))
assert result["schema"] == 1 and result["mode"] == "smoke" and result["seconds"] > 0 and result["energy_source"]
device = result["device"]
assert device["name"] and device["units"] >= 1 and device["kind"] in ("CPU", "GPU")
samples = result["samples"]
sections = {"throughput", "special", "atomics", "bandwidth", "strided", "shared", "mixed", "latency", "copies", "overhead"}
assert {sample["section"] for sample in samples} == sections, {sample["section"] for sample in samples} ^ sections
for sample in samples:
    assert sample["value"] > 0 and sample["median_s"] > 0 and sample["repetitions"] >= 1 and sample["spread"] >= 0, sample
    assert sample["best_s"] <= sample["median_s"] and sample["unit"] in ("Gop/s", "GB/s", "ns", "us"), sample
kinds = {(peak["operation"], peak["type"]) for peak in result["peaks"]}
types = ("int", "half", "float") + (("double",) if device["doubles"] else ())
assert kinds == {(operation, kind) for operation in ("add", "mad") for kind in types}, kinds
for peak in result["peaks"]:
    assert peak["gop_s"] == samples[peak["sample"]]["value"], peak
    assert ("formula" in peak) == ("theoretical_gop_s" in peak)
if device["kind"] == "CPU":
    assert result["reference"]["gop_s"] > 0 and result["reference"]["share"] > 0
assert result["levels"][-1]["name"] == "memory"
assert not result["notes"], result["notes"]
rows = list(csv.DictReader(open("result.csv")))
assert len(rows) == len(samples)
assert [row["section"] for row in rows] == [sample["section"] for sample in samples]
assert all(float(row["value"]) > 0 for row in rows)
pictures = {path.name for path in pathlib.Path("pictures").iterdir()}
assert {"roofline.svg", "roofline-cache-aware.svg", "bandwidth.svg", "latency.svg", "copies.svg"} <= pictures, pictures
for path in pathlib.Path("pictures").iterdir():
    root = tree.parse(path).getroot()
    assert root.tag.endswith("svg") and root.iter(), path
PYTHON

# A result of a file: nothing is measured, the pictures are the same, and there is no difference to itself.
ZE_ENABLE_ALT_DRIVERS=/no/such/driver.so quiet "$roofline" --load result.json --json again.json --svg again --compare result.json >comparison
cmp result.json again.json || fail "JSON that was read and written again differs"
diff -r pictures again || fail "the pictures of a result that was read differ"
contains comparison '^0 of [1-9][0-9]* measurements'

# One section; what was saved is what hiplz-info shows.
quiet "$roofline" --smoke --sections overhead,copies --quiet --csv some.csv >nothing
expect "$(cat nothing)" ""
expect "$(tail -n +2 some.csv | cut -d, -f1 | sort -u | tr '\n' ' ')" "copies overhead "
quiet "$stage/bin/hiplz-info" >info
contains info 'roofline +peak float [0-9.e+]+ GFLOP/s'
contains info 'measured .*smoke'
quiet "$stage/bin/hiplz-info" --json >info.json
python3 -c 'import json; assert any("peak float" in line for line in json.load(open("info.json"))["devices"][0]["roofline"])' ||
  fail "hiplz-info --json lacks the summary"
XDG_DATA_HOME=$PWD/none quiet "$stage/bin/hiplz-info" >info
lacks info roofline

# Bad arguments are reported before anything is measured.
fails "$roofline" --no-such-option
fails "$roofline" --sections nonsense
fails "$roofline" --quick --smoke
fails "$roofline" --smoke --device 99
contains fails.log 'no device 99'
fails "$roofline" --smoke --device -1
fails "$roofline" --smoke --json /no/such/folder/a.json
contains fails.log '/no/such/folder/a.json: cannot be written'
lacks fails.log 'Peak throughput'
fails "$roofline" --smoke --svg /dev/null/pictures
contains fails.log '/dev/null/pictures: cannot write'
fails "$roofline" --load /no/such/file
contains fails.log '/no/such/file: cannot be read'
echo '{"schema": 1}' >broken.json
fails "$roofline" --load broken.json
contains fails.log 'broken.json: not a result'
fails "$roofline" --smoke --compare broken.json
HIPLZ_DEVICES=none fails "$roofline" --smoke
contains fails.log 'there is no device'
HOME='' XDG_DATA_HOME='' fails "$roofline" --load result.json --save
contains fails.log 'neither XDG_DATA_HOME nor HOME'

# A device whose events have no times, as Intel's driver without a GPU, does not end the run: notes say what is missing.
if [ -z "${HIPLZ_SANITIZE:-}" ] && ldconfig -p | grep -q libze_intel_gpu.so.1; then
  NEOReadDebugKeys=1 SetCommandStreamReceiver=1 ProductFamilyOverride=skl HardwareInfoOverride=1x3x8 \
    AUBDumpSubCaptureMode=2 UseAubStream=0 NEO_CACHE_PERSISTENT=0 HIPLZ_DEVICES=gpu \
    "$roofline" --smoke --sections atomics,overhead --json timeless.json >text
  contains text "the clock's drift is not known"
  python3 - <<'PYTHON' || fail "what the device cannot do is not told"
import json
result = json.load(open("timeless.json"))
assert result["drift"] is None and any(note.startswith("drift of the clock: ") for note in result["notes"]), result["notes"]
assert {sample["section"] for sample in result["samples"]} == {"overhead"}
assert sum(note.startswith("atomics ") for note in result["notes"]) == 8, result["notes"]
PYTHON
fi
