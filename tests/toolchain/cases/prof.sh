# SPDX-License-Identifier: MIT
# hiplz-prof: what its outputs hold of a program whose commands are known.
prof=$stage/bin/hiplz-prof
quiet "$hipcc" -O1 -Wno-deprecated-declarations "$programs/profiled.hip" -o profiled -lroctx64

# The program has its own exit code and its output to itself; the tables go to standard error.
code=0
"$prof" -d out -o run -f pftrace,json,csv --stats -- ./profiled 'exit 7' >stdout 2>stderr || code=$?
expect "$code" 7
[ ! -s stdout ] || fail "standard output is not the program's alone"
contains stderr '^Kernels'
contains stderr '^  scale '
contains stderr '^  increase<float> '
contains stderr '^Copies and fills'
contains stderr '^HIP calls'
lacks stderr 'regular end'
[ -z "$(ls -d out/.hiplz-prof-* 2>/dev/null)" ] || fail "the traces were left behind"
cat >check.py <<'PYTHON'
import collections, csv, json, sys
prefix, works = sys.argv[1], int(sys.argv[2])
events = json.load(open(prefix + "_timeline.json"))["traceEvents"]
slices = [e for e in events if e["ph"] == "X"]
kinds = collections.Counter(e["cat"] for e in slices)
assert kinds["kernel"] == 10 * works, kinds
assert kinds["copy HtoD"] == kinds["copy DtoH"] == kinds["fill"] == kinds["host function"] == works, kinds
assert kinds["api"] > 20 and kinds["roctx"] >= works and kinds["compile"] >= 2, kinds
assert all(e["ts"] >= 0 and e["dur"] >= 0 for e in slices)
# Arrows: each command's begins inside of a call and ends where the command begins.
calls = [e for e in slices if e["cat"] == "api"]
starts = {e["id"]: e for e in events if e["ph"] == "s"}
ends = {e["id"]: e for e in events if e["ph"] == "f"}
assert starts.keys() == ends.keys() and len(starts) >= 14 * works
for key, start in starts.items():
    assert any(c["tid"] == start["tid"] and c["ts"] <= start["ts"] <= c["ts"] + c["dur"] for c in calls), start
    assert start["ts"] <= ends[key]["ts"], (start, ends[key])
# Commands of a stream follow each other, and run after their submission and before the host has seen them.
tracks = collections.defaultdict(list)
for e in slices:
    if e["pid"] > 4194304 and e["cat"] != "node":
        tracks[e["pid"], e["tid"]].append(e)
for track in tracks.values():
    track.sort(key=lambda e: e["ts"])
    for one, two in zip(track, track[1:]):
        assert one["ts"] + one["dur"] <= two["ts"] + 0.001, (one, two)
syncs = [c for c in calls if c["name"] == "hipStreamSynchronize"]
assert len(syncs) == works
last = max(e["ts"] + e["dur"] for track in tracks.values() for e in track if e["cat"] == "host function")
assert any(last <= c["ts"] + c["dur"] for c in syncs)
host = next(e for e in slices if e["cat"] == "host function")
assert host["dur"] >= 1000
kernel = next(e for e in slices if e["name"] == "scale")
assert kernel["args"]["grid"] == [256, 1, 1] and kernel["args"]["block"] == [256, 1, 1], kernel
copy = next(e for e in slices if e["cat"] == "copy HtoD")
assert copy["args"]["bytes"] == 262144
memory = [e for e in events if e["ph"] == "C" and e["name"] == "device memory"]
assert max(e["args"]["bytes"] for e in memory) >= 262144 and memory
names = {e["args"]["name"] for e in events if e["ph"] == "M" and "name" in e["args"]}
assert any(n.startswith("profiled (") for n in names) and any(n.startswith("device 0: ") for n in names), names
summary = json.load(open(prefix + "_summary.json"))
kernels = {k["name"]: k for k in summary["kernels"]}
assert kernels["scale"]["count"] == kernels["increase<float>"]["count"] == 5 * works
assert kernels["scale"]["block"] == [256, 1, 1] and 0 < kernels["scale"]["occupancy"] <= 1
assert kernels["scale"]["min_ns"] <= kernels["scale"]["average_ns"] <= kernels["scale"]["max_ns"]
copies = {c["direction"]: c for c in summary["copies"]}
assert copies["HtoD"]["bytes"] == copies["DtoH"]["bytes"] == copies["fill"]["bytes"] == 262144 * works
assert {c["name"]: c["count"] for c in summary["calls"]}["hipLaunchKernel"] == 10 * works
device = summary["devices"][0]
assert device["busy_ns"] <= device["span_ns"]
# Compilations and memory are those of the timeline.
compiled = collections.Counter()  # a kernel's time is without that of loading its module
compilations = [e for e in slices if e["cat"] == "compile"]
def what(e): return "loading modules" if e["name"].startswith("load") else e["name"].removeprefix("compile ")
for e in compilations:
    compiled[what(e)] += e["dur"]
    around = [o for o in compilations if o is not e and o["tid"] == e["tid"] and o["ts"] <= e["ts"] < o["ts"] + o["dur"]]
    if around:
        compiled[what(around[-1])] -= e["dur"]
told = {c["name"]: c["ns"] / 1000 for c in summary["compilations"]}
assert {"scale", "increase<float>", "loading modules"} <= told.keys() and told.keys() == compiled.keys(), (told, compiled)
assert all(told[name] > 0 and abs(told[name] - compiled[name]) < 0.01 for name in told), (told, compiled)
assert device["most_memory"] == max(e["args"]["bytes"] for e in memory)
PYTHON
python3 check.py out/run 1 || fail "the outputs are not what the program did"
python3 - <<'PYTHON' || fail "the CSV files are not what the program did"
import csv
rows = lambda name: list(csv.DictReader(open(f"out/run_{name}.csv")))
kernels = rows("kernel_trace")
assert len(kernels) == 10 and all(int(r["Start_Timestamp"]) <= int(r["End_Timestamp"]) for r in kernels)
assert {r["Kernel_Name"] for r in kernels} == {"scale", "increase<float>"}
assert kernels[0]["Grid_Size_X"] == "65536" and kernels[0]["Workgroup_Size_X"] == "256"
calls = {r["Correlation_Id"]: r for r in rows("hip_api_trace")}
assert all(calls[r["Correlation_Id"]]["Function"] == "hipLaunchKernel" for r in kernels)
assert {r["Direction"] for r in rows("memory_copy_trace")} == {"HtoD", "DtoH", ""}
assert {r["Function"] for r in rows("marker_api_trace")} >= {"first", "whole run", "results are there"}
stats = {r["Name"]: r for r in rows("kernel_stats")}
assert stats["scale"]["Calls"] == "5" and abs(sum(float(r["Percentage"]) for r in stats.values()) - 100) < 0.01
PYTHON

# The timeline keeps the rules that Perfetto's importer has for its JSON form, whose program is in no registry of packages: events
# in the order of their times, slices that nest, arrows that begin and end in a slice, numbers that fit.
cat >rules.py <<'PYTHON'
import collections, json, sys
def nanoseconds(value):
    assert type(value) in (int, float) and value >= 0, value
    return round(value * 1000)
for path in sys.argv[1:]:
    trace = json.load(open(path))
    assert trace["displayTimeUnit"] == "ns"
    events = trace["traceEvents"]
    owners, names, flows, open_ranges = {}, set(), collections.defaultdict(str), set()
    for e in events:
        assert e["ph"] in "XMCistfbe" and len(e["ph"]) == 1, e
        for key in "pid", "tid":
            assert type(e[key]) is int and 0 <= e[key] < 2**32, e
        assert owners.setdefault(e["tid"], e["pid"]) == e["pid"], ("a track in two groups", e)
        if e["ph"] == "M":
            assert "ts" not in e and e["name"] in ("process_name", "thread_name", "thread_sort_index"), e
            if e["name"].endswith("name"):
                assert type(e["args"]["name"]) is str and e["args"]["name"], e
                names.add((e["pid"], e["tid"] if e["name"] == "thread_name" else None))
    stacks = collections.defaultdict(list)
    for e in sorted((e for e in events if e["ph"] != "M"), key=lambda e: nanoseconds(e["ts"])):
        now, track = nanoseconds(e["ts"]), (e["pid"], e["tid"])
        stack = stacks[track]
        while stack and stack[-1] <= now:
            stack.pop()
        assert type(e["name"]) is str and e["name"], e
        if e["ph"] == "X":
            end = now + nanoseconds(e["dur"])
            assert not stack or end <= stack[-1], ("overlaps the slice around it", e)
            stack.append(end)
            assert (e["pid"], None) in names and track in names, ("a slice in a track without a name", e)
        elif e["ph"] == "C":
            assert e["args"] and all(type(v) in (int, float) for v in e["args"].values()), e
            assert (e["pid"], None) in names, e
        elif e["ph"] == "i":
            assert e["s"] == "t", e
        elif e["ph"] in "sf":
            assert type(e["id"]) is int and stack, ("an arrow from or to nothing", e)
            assert e["ph"] == "s" or e["bp"] == "e", e
            flows[e["id"], e["cat"], e["name"]] += e["ph"]
        elif e["ph"] == "b":
            open_ranges.add((e["cat"], e["id"]))
        elif e["ph"] == "e":
            open_ranges.remove((e["cat"], e["id"]))
    assert all(flow == "sf" for flow in flows.values()) and not open_ranges
    print(path, len(events), len(flows))
PYTHON
follows_rules() { python3 rules.py "$@" >rules.log || fail "Perfetto would not read this as it is meant: $*"; }
follows_rules out/run_timeline.json

# Graphs: a launch and its nodes.
quiet_prof() { "$prof" -d out --no-summary "$@" 2>stderr || { cat stderr >&2; fail "failed: $*"; }; }
quiet_prof -o graph -f json,pftrace -- ./profiled graph
python3 - <<'PYTHON' || fail "the graph is not in the profile"
import json
events = json.load(open("out/graph_timeline.json"))["traceEvents"]
assert sum(e["ph"] == "X" and e["cat"] == "graph" for e in events) == 4
summary = json.load(open("out/graph_summary.json"))
assert summary["graphs"]["count"] == 4
# Ten kernels of the stream and three of each launch, a fill each.
kernels = {k["name"]: k["count"] for k in summary["kernels"]}
assert kernels == {"scale": 5, "increase<float>": 5 + 3 * 4}, kernels
assert {c["direction"]: c["count"] for c in summary["copies"]}["fill"] == 1 + 4
graphs = [e for e in events if e["ph"] == "X" and e["cat"] == "graph"]
nodes = [e for e in events if e["ph"] == "X" and e["cat"] == "node"]
assert len(nodes) == 4 * 4, nodes
for node in nodes:
    inside = [g for g in graphs if g["pid"] == node["pid"] and g["ts"] <= node["ts"] and
              node["ts"] + node["dur"] <= g["ts"] + g["dur"] + 0.001]
    assert len(inside) == 1, (node, graphs)
for graph in graphs:
    own = sorted((n["ts"], n["dur"], n["name"]) for n in nodes if graph["ts"] <= n["ts"] < graph["ts"] + graph["dur"])
    assert [n[2] for n in own] == ["fill"] + 3 * ["increase<float>"], own
    assert all(a[0] + a[1] <= b[0] + 0.001 for a, b in zip(own, own[1:])), own
PYTHON

follows_rules out/graph_timeline.json

# Two processes with streams of their own.
quiet_prof -o two -f pftrace -- ./profiled fork
follows_rules out/two_timeline.json

# Only what was asked for.
quiet_prof -o some -f csv --kernel-trace -- ./profiled once
[ -e out/some_kernel_trace.csv ] && [ ! -e out/some_hip_api_trace.csv ] && [ ! -e out/some_memory_copy_trace.csv ] ||
  fail "--kernel-trace: $(ls out)"

# hipProfilerStop and hipProfilerStart.
quiet_prof -o pause -f csv,json,pftrace -- ./profiled pause
python3 - <<'PYTHON' || fail "the idle gaps are not those of the timeline"
import json
slices = [e for e in json.load(open("out/pause_timeline.json"))["traceEvents"] if e["ph"] == "X"]
device = json.load(open("out/pause_summary.json"))["devices"][0]
# Neither waits nor functions of the host keep a device busy.
commands = sorted((e["ts"], e["ts"] + e["dur"]) for e in slices
                  if e["pid"] > 4194304 and e["cat"] not in ("node", "wait", "host function"))
gaps, end = [], commands[0][1]
for begin, until in commands[1:]:
    if begin > end + 5:
        gaps.append((1000 * (begin - end), end, begin))
    end = max(end, until)
gaps.sort(reverse=True)
assert gaps[0][0] > 1e6, gaps  # a function of the host sleeps
assert sum(gap[0] > 15e3 for gap in gaps) <= device["gaps"] <= len(gaps), (device, gaps)
told = device["longest_gaps"]
assert len(told) == min(5, device["gaps"]) and all(abs(a["ns"] - b[0]) < 3000 for a, b in zip(told, gaps)), (told, gaps)
# Meanwhile is the call that takes most of it, if that is a tenth.
calls = [e for e in slices if e["cat"] == "api"]
for gap, (length, begin, until) in zip(told, gaps):
    parts = sorted(((min(until, c["ts"] + c["dur"]) - max(begin, c["ts"]), c["name"]) for c in calls), reverse=True)
    (most, name), (second, _) = parts[:2]
    if most > 1.02 * second and abs(1000 * most / length - 0.1) > 0.002:
        assert gap["meanwhile"] == (name if 1000 * most > length / 10 else "no HIP call"), (gap, parts[:3])
PYTHON
contains out/pause_marker_api_trace.csv '"to be seen"'
lacks out/pause_marker_api_trace.csv 'not to be seen'
expect "$(grep -c KERNEL_DISPATCH out/pause_kernel_trace.csv)" 20

# Many threads, with the name that one gives itself.
quiet_prof -o threads -f json,pftrace -- ./profiled threads
python3 - <<'PYTHON' || fail "not every thread is in the profile"
import json
events = json.load(open("out/threads_timeline.json"))["traceEvents"]
assert sum(e["ph"] == "X" and e["cat"] == "kernel" for e in events) == 50
assert len({e["tid"] for e in events if e["ph"] == "X" and e["name"] == "thread"}) == 4
assert any(e["ph"] == "M" and e["args"].get("name") == "worker of the test" for e in events)
PYTHON

follows_rules out/threads_timeline.json

# A wait for another stream.
quiet_prof -o waits -f pftrace,json -- ./profiled waits
follows_rules out/waits_timeline.json
python3 - <<'PYTHON' || fail "the wait is not in the profile"
import json
slices = [e for e in json.load(open("out/waits_timeline.json"))["traceEvents"] if e["ph"] == "X"]
waits = [e for e in slices if e["cat"] == "wait"]
assert len(waits) == json.load(open("out/waits_summary.json"))["waits"]["count"] == 1, waits
wait, = waits
slept = max((e for e in slices if e["cat"] == "host function"), key=lambda e: e["dur"])
assert slept["dur"] >= 20000 and wait["tid"] != slept["tid"]
kernel = max((e for e in slices if e["cat"] == "kernel"), key=lambda e: e["ts"])
assert kernel["tid"] == wait["tid"] and kernel["ts"] >= wait["ts"] + wait["dur"] - 0.001, (wait, kernel)
assert wait["ts"] + wait["dur"] >= slept["ts"] + slept["dur"] - 1000, (wait, slept)
assert kernel["ts"] >= slept["ts"] + slept["dur"] - 0.001, (slept, kernel)
PYTHON

# Names that the program gives with roctx, and ranges of all kinds.
quiet_prof -o names -f pftrace,csv -- ./profiled names
follows_rules out/names_timeline.json
python3 - <<'PYTHON' || fail "names and ranges of roctx are not in the profile"
import csv, json
events = json.load(open("out/names_timeline.json"))["traceEvents"]
names = [e["args"]["name"] for e in events if e["ph"] == "M" and "name" in e["args"]]
for given in "the first thread", "the first device", "the only stream (stream ", "no stream (null stream)":
    assert sum(given in name for name in names) == 1, (given, names)
ranges = [e["name"] for e in events if e["ph"] == "b"]
assert sorted(ranges) == ["one", "two", "whole run"] and sum(e["ph"] == "e" for e in events) == 3, ranges
rows = {r["Function"]: (int(r["Start_Timestamp"]), int(r["End_Timestamp"]))
        for r in csv.DictReader(open("out/names_marker_api_trace.csv"))}
assert {"outer", "inner", "one", "two"} <= rows.keys(), rows
assert rows["outer"][0] <= rows["inner"][0] <= rows["inner"][1] <= rows["outer"][1], rows
PYTHON

# A failing call is counted, and a hint says so.
"$prof" -d out -o fail -f none -- ./profiled fail 2>stderr || fail "the program failed"
contains stderr 'Hint: 1 of .* calls of hipMemcpy failed'

# A program that is not profiled records nothing and is not disturbed.
env -u HIPLZ_PROF ./profiled once

# The timeline as a picture: of the whole run, and of a range.
quiet_prof -o whole -f svg -- ./profiled names
quiet_prof -o range --range outer -- ./profiled names
python3 - <<'PYTHON' || fail "the picture does not show the timeline"
import re
import xml.etree.ElementTree as xml
svg = "{http://www.w3.org/2000/svg}"
whole, range_ = (xml.parse(f"out/{name}_timeline.svg").getroot() for name in ("whole", "range"))
titles = [text.text for text in whole.iter(svg + "text")]
assert "the only stream" in titles and "the first thread" in titles, titles
names = [title.text for title in whole.iter(svg + "title")]
assert any(name.startswith("increase<float>, ") for name in names) and any(name.startswith("hip") for name in names), names
ticks = [text for text in titles if re.fullmatch(r"[0-9.]+ (s|ms|us|ns)", text)]
assert ticks[0].startswith("0 ") and 3 <= len(ticks) <= 11, ticks
shown = [title.text for title in range_.iter(svg + "title")]
assert any(name.startswith("outer, ") for name in shown) and any(name.startswith("inner, ") for name in shown), shown
assert len(shown) < len(names)
PYTHON
"$prof" -d out -o none --range nothing -- ./profiled names 2>stderr && fail "a range that does not exist is no error"
contains stderr 'no range of roctxRangePush called "nothing"'
