# SPDX-License-Identifier: MIT
# hiplz-prof --roofline: what kernels do is counted exactly, on both halves of the CPU device's compiler, and they are placed under
# the roofs.
prof=$stage/bin/hiplz-prof
quiet "$hipcc" -O1 "$programs/counted.hip" -o counted
cat >check.py <<'PYTHON'
import csv, json, sys
prefix = sys.argv[1]
rows = {r["Kernel_Name"]: {k: int(v) for k, v in r.items() if k != "Kernel_Name"}
        for r in csv.DictReader(open(prefix + "_counts.csv"))}
def kernel(name):
    found = [row for mangled, row in rows.items() if f"Z{len(name)}{name}" in mangled]
    assert len(found) == 1, (name, list(rows))
    return found[0]
def check(name, launches, work_items, **expected):
    row = dict(kernel(name))
    row.pop("integer_operations")  # the index; see below
    row.pop("global_lines_loaded"), row.pop("global_lines_stored")  # see below
    want = dict.fromkeys(row, 0) | {"launches": launches, "work_items": work_items} | expected
    assert row == want, (name, {k: (row[k], want[k]) for k in row if row[k] != want[k]})
# The grids are 16 blocks of 64, 10 of 100 and 200 of 5; of saxpy there are two of 4 blocks of 256 in a graph as well.
n, items = 3 * 1000, 1024 + 1000 + 1000
loaded, stored = "global_bytes_loaded", "global_bytes_stored"
check("saxpy", 5, items + 2 * 1024, float_operations=2 * 5000, **{loaded: 8 * 5000, stored: 4 * 5000})
check("earlyReturn", 3, items, float_operations=n * 3 // 4, **{loaded: 3 * n, stored: 3 * n})
rounds = 3 * sum(i % 7 for i in range(1000))
check("divergentLoop", 3, items, float_operations=2 * rounds, **{loaded: 4 * n, stored: 4 * n})
check("doubles", 3, items, double_operations=3 * n, special_functions=n, **{loaded: 8 * n, stored: 8 * n})
check("halves", 3, items, half_operations=4 * n, **{loaded: 2 * n, stored: 2 * n})
check("special", 3, items, float_operations=3 * n, special_functions=2 * n, **{loaded: 4 * n, stored: 4 * n})
check("atomics", 3, items, atomics=n, **{loaded: 8 * n, stored: 4 * n})
check("integers", 3, items, **{loaded: 4 * n, stored: 4 * n})
check("moreIntegers", 3, items, **{loaded: 4 * n, stored: 4 * n})
assert kernel("moreIntegers")["integer_operations"] - kernel("integers")["integer_operations"] == 3 * n
check("recursion", 3, items, float_operations=5 * n, **{loaded: 4 * n, stored: 4 * n})
check("pointers", 3, items, float_operations=n // 2 + 2 * (n // 2), **{loaded: 12 * n, stored: 4 * n})
check("structure", 3, items, float_operations=n, **{loaded: 4 * n, stored: 4 * n})
check("constants", 3, items, float_operations=n, **{loaded: 8 * n, stored: 4 * n})
check("dynamicShared", 3, items, barriers=items, shared_bytes_stored=4 * items, shared_bytes_loaded=4 * n,
      **{loaded: 4 * n, stored: 4 * n})
pairs = 1000 * 1000
check("nbody", 1, 1000, float_operations=19 * pairs, special_functions=pairs,
      **{loaded: 16 * pairs + 12 * 1000, stored: 16 * 1000})  # own.w is not read
threads, steps = 24 * 24, 24
check("tiles", 1, threads, float_operations=2 * steps * threads, barriers=2 * 3 * threads,
      shared_bytes_loaded=8 * steps * threads, shared_bytes_stored=8 * 3 * threads,
      **{loaded: 8 * 3 * threads, stored: 4 * threads})
assert len(rows) == 16, list(rows)
# The lines of 64 bytes that a launch touches, each once however often it is accessed: 1000 floats are in 63, doubles in 125.
once = {name: (3 * 63, 3 * 63) for name in ("earlyReturn", "divergentLoop", "special", "integers", "moreIntegers", "recursion",
                                          "structure", "dynamicShared")}
lines = once | {
    "saxpy": (5 * 2 * 63, 5 * 63), "doubles": (3 * 125, 3 * 125), "halves": (3 * 32, 3 * 32), "nbody": (250, 250),
    "tiles": (36, 36),                     # a matrix of 24 times 24 is squared
    "atomics": (3 * (63 + 1), 3 * 1),      # one counter
    "pointers": (3 * (63 + 1), 3 * 63),    # and a table of functions
    "constants": (3 * (63 + 1), 3 * 63)}   # and a table of constants
assert len(lines) == 16
for name, expected in lines.items():
    row = kernel(name)
    assert (row["global_lines_loaded"], row["global_lines_stored"]) == expected, (name, row, expected)

placed = json.load(open(prefix + "_roofline.json"))
assert placed["roofs"]["device"] == "A device" and placed["notes"] == []
kernels = {k["name"]: k for k in placed["kernels"]}
assert len(kernels) == 16
for k in kernels.values():
    seconds = k["total_ns"] / 1e9
    assert abs(k["gop_s"] * seconds - k["operations"] / 1e9) < 1e-9 + 1e-6 * k["operations"] / 1e9, k
    assert k["memory_bytes"] == 64 * (k["counts"]["global_lines_loaded"] + k["counts"]["global_lines_stored"]), k
    assert abs(k["gb_s"] * seconds - k["bytes"] / 1e9) < 1e-9 + 1e-6 * k["bytes"] / 1e9, k
saxpy = kernels["saxpy"]
assert saxpy["launches"] == 5 and saxpy["type"] == "float" and abs(saxpy["intensity"] - 1 / 6) < 1e-6, saxpy
# A memory that nobody is slower than, and a cache that nobody is faster than.
assert saxpy["roof"] == "L1" and 0 < saxpy["share"] < 1, saxpy
assert kernels["nbody"]["roof"] == "float mad" and kernels["doubles"]["type"] == "double"
assert kernels["integers"]["type"] == "int" and kernels["halves"]["type"] == "half"
table = {r["Kernel_Name"]: r for r in csv.DictReader(open(prefix + "_roofline.csv"))}
assert table.keys() == kernels.keys()
assert int(table["saxpy"]["Operations"]) == 10000 and int(table["saxpy"]["Bytes"]) == 60000
for picture, roof in ("_roofline.svg", "L1 1000000000 GB/s"), ("_roofline_memory.svg", "memory 1e-06 GB/s"):
    text = open(prefix + picture).read()
    assert roof in text and "nbody: " in text and "nan" not in text and "inf" not in text, picture
assert "L1" not in open(prefix + "_roofline_memory.svg").read()
PYTHON
for half in 1 0; do
  HIPLZ_CPU_VECTORIZE=$half "$prof" -d out -o run$half -f csv,json --roofline --roofs "$programs/roofs.json" -- \
    ./counted >stdout 2>stderr || { cat stderr >&2; fail "the program failed"; }
  expect "$(cat stdout)" "done" # once: the run that counts has no output
  contains stderr 'running the program a second time'
  contains stderr '^Roofline'
  contains stderr '^  nbody .* float mad '
  python3 check.py out/run$half || fail "HIPLZ_CPU_VECTORIZE=$half: the roofline is not what the program did"
done
cmp out/run1_counts.csv out/run0_counts.csv || fail "the two halves count differently"

# Counts of an earlier run, with times of this one; no second run.
"$prof" -d out -o given -f json --roofs "$programs/roofs.json" --counts out/run1_counts.csv -- ./counted 1 >stdout 2>stderr
lacks stderr 'a second time'
contains out/given_roofline.json '"name":"saxpy"'
[ ! -e out/given_counts.csv ] || fail "counts that were given were written again"
fails "$prof" --counts stdout -- ./counted
contains fails.log 'is not a table of counts'
fails "$prof" --roofs stdout --roofline -- ./counted
lacks fails.log '^done'

# Traces that were kept have the counts.
"$prof" -d out -o kept -f none --keep-traces --no-summary --roofline --roofs "$programs/roofs.json" -- ./counted \
  >stdout 2>stderr
"$prof" -d again -o read -f json --no-summary --roofline --roofs "$programs/roofs.json" --read out/kept_traces 2>stderr
cmp again/read_counts.csv out/run1_counts.csv || fail "the counts were not kept"

# A folder that nobody can write to is no reason to fail.
HIPLZ_CPU_COUNTS=/nowhere ./counted >stdout 2>stderr || fail "without a folder for counts the program fails"
contains stderr 'operations of .* are not counted: /nowhere'
expect "$(cat stdout)" "done"

# Roofs of a run that was saved, if it was one whose figures mean something.
export XDG_DATA_HOME=$PWD/data
mkdir -p data/hiplz/roofline bin
device=$("$stage/bin/hiplz-info" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["devices"][0]["name"])')
save() { sed "s/A device/$device/; s/\"quick\"/\"$1\"/" "$programs/roofs.json" >data/hiplz/roofline/00112233-4455-6677-8899-aabbccddeeff.json; }
save quick
roofs() { "$1" -d out -o roofs -f json --no-summary --counts out/run1_counts.csv -- ./counted 1 >stdout 2>stderr || { cat stderr >&2; fail "failed"; }; }
roofs "$prof"
lacks stderr 'measuring the roofs'
contains out/roofs_roofline.json '"date":"2024-01-02T03:04:05Z"'
contains out/roofs_roofline.json '"roof":"L1"'

# Without one the tool measures: hiplz-roofline beside it, for some seconds. This one takes the smallest run there is instead.
save smoke
cp "$prof" bin/
cat >bin/hiplz-roofline <<EOF
#!/bin/sh
printf '%s\n' "\$@" >asked
env | grep -E '^HIPLZ_(PROF|CPU_COUNTS)' >>asked
for argument in "\$@"; do [ "\$argument" = --quick ] && argument=--smoke; set -- "\$@" "\$argument"; shift; done
exec "$stage/bin/hiplz-roofline" "\$@"
EOF
chmod +x bin/hiplz-roofline
roofs bin/hiplz-prof
contains stderr 'measuring the roofs of device 0'
contains asked '^--quick$'
lacks asked '^HIPLZ_'
contains out/roofs_roofline.json '"mode":"smoke"'
python3 -c '
import json
for kernel in json.load(open("out/roofs_roofline.json"))["kernels"]:
    assert kernel["roof"] and kernel["share"] > 0, kernel' || fail "no kernel is under the roofs that were measured"

# If that fails there are rates, but nothing to compare them with.
printf '#!/bin/sh\nexit 3\n' >bin/hiplz-roofline
roofs bin/hiplz-prof
contains stderr 'there are no roofs'
lacks out/roofs_roofline.json '"roof":'
contains out/roofs_roofline.json '"gop_s":'
