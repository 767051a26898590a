# SPDX-License-Identifier: MIT
# hiplz-prof: what rocprofv3's options choose of a program, and what kernels are called.
prof=$stage/bin/hiplz-prof
quiet "$hipcc" -O1 -Wno-deprecated-declarations "$programs/profiled.hip" -o profiled -lroctx64
# choose NAME OPTION...: outputs of that name; kernels NAME: what the CSV file has, with counts
choose() {
  local name=$1
  shift
  "$prof" -d out -o "$name" -f csv,json,pftrace --stats "$@" -- ./profiled "${how:-once}" 2>"$name.log" ||
    { cat "$name.log" >&2; fail "failed: $*"; }
}
kernels() {
  python3 -c '
import collections, csv, json, sys
name = "out/" + sys.argv[1]
rows = [row["Kernel_Name"] for row in csv.DictReader(open(name + "_kernel_trace.csv"))]
counts = collections.Counter(rows)
# All outputs have the same.
stats = {row["Name"]: int(row["Calls"]) for row in csv.DictReader(open(name + "_kernel_stats.csv"))}
summary = {kernel["name"]: kernel["count"] for kernel in json.load(open(name + "_summary.json"))["kernels"]}
events = json.load(open(name + "_timeline.json"))["traceEvents"]
slices = collections.Counter(e["name"] for e in events if e["ph"] == "X" and e["name"] in counts and e["cat"] in ("kernel", "node"))
assert counts == stats == summary == slices, (counts, stats, summary, slices)
print(*(f"{kernel}:{count}" for kernel, count in sorted(counts.items())), sep=" ")' "$1"
}

choose mangled -M
expect "$(kernels mangled)" '_Z5scalePffi:5 _Z8increaseIfEvPT_i:5'
choose truncated --truncate-kernels
expect "$(kernels truncated)" 'increase:5 scale:5'
contains truncated.log '^  increase '
choose included --kernel-include-regex '^incr'
expect "$(kernels included)" 'increase<float>:5'
choose excluded --kernel-exclude-regex 'float>$'
expect "$(kernels excluded)" 'scale:5'
choose range --kernel-iteration-range '[2-3]' 5
expect "$(kernels range)" 'increase<float>:3 scale:3'
how=graph choose nodes --kernel-iteration-range '[6-9]'
expect "$(kernels nodes)" 'increase<float>:4'
how=threads choose renamed --kernel-rename
expect "$(kernels renamed)" 'first:10 thread:40'
choose alone --kernel-rename --kernel-trace
expect "$(kernels alone)" 'first:10'
[ ! -e out/alone_marker_api_trace.csv ] || fail "markers that nobody asked for"
lacks out/alone_timeline.json '"roctx"'
python3 -c 'import csv; assert all(int(r["Thread_Id"]) for r in csv.DictReader(open("out/alone_kernel_trace.csv")))' ||
  fail "kernels without a thread"

# A device is no idler for kernels that are left out.
python3 - <<'PYTHON' || fail "what is left out counts as idle"
import json
all_, some = (json.load(open(f"out/{name}_summary.json"))["devices"][0] for name in ("mangled", "range"))
assert some["busy_ns"] > 0 and some["span_ns"] > 0
commands = [e for e in json.load(open("out/range_timeline.json"))["traceEvents"]
            if e["ph"] == "X" and e["cat"] in ("kernel", "fill", "copy HtoD", "copy DtoH")]
assert some["busy_ns"] > 1000 * sum(e["dur"] for e in commands), (some, commands)
PYTHON

# Only parts of a run. Of the period before the first second nothing is there, or everything.
how=pause choose regions --selected-regions
expect "$(kernels regions)" 'increase<float>:5 scale:5'
contains out/regions_marker_api_trace.csv '"to be seen"'
lacks out/regions_marker_api_trace.csv '"first"'
contains out/regions_timeline.json 'device 0: '
choose period -P 0:3600:1
expect "$(kernels period)" 'increase<float>:5 scale:5'
"$prof" -d out -o late -f csv,json -P 3600:1:0 -- ./profiled once 2>late.log
[ ! -e out/late_kernel_trace.csv ] && [ ! -e out/late_hip_api_trace.csv ] || fail "the period was not kept: $(ls out/late*)"

# Tables.
"$prof" -d out -o tables -f none -u usec --summary-output-file tables.txt -- ./profiled once 2>stderr
lacks stderr '^Kernels'
contains tables.txt '^Kernels'
contains tables.txt '^  scale .* [0-9.]+ us +5 .* us '
lacks tables.txt ' ms '
"$prof" -f none -d out --summary-output-file stdout -- ./profiled once >stdout 2>stderr
contains stdout '^Kernels'
fails "$prof" -f none -d out --summary-output-file /no/such/folder/tables -- ./profiled once
contains fails.log '/no/such/folder/tables'
"$prof" -f none -d out --summary=false -- ./profiled once 2>stderr
lacks stderr '^Kernels'

# A library for the program.
printf '#include <unistd.h>\n__attribute__((constructor)) static void loaded(void) { (void)!write(1, "preloaded\\n", 10); }\n' >pre.c
cc -shared -fPIC pre.c -o pre.so
"$prof" -f none -d out --no-summary --preload "$PWD/pre.so" -- ./profiled once >stdout 2>stderr
expect "$(cat stdout)" preloaded
