# SPDX-License-Identifier: MIT
# hiplz-prof: programs that are killed, that fork and exec, ranks of MPI programs, and traces that cannot be written.
prof=$stage/bin/hiplz-prof
quiet "$hipcc" -O1 -Wno-deprecated-declarations "$programs/profiled.hip" -o profiled -lroctx64
count() { python3 -c '
import json, sys
events = json.load(open(sys.argv[1] + "_timeline.json"))["traceEvents"]
print(sum(e["ph"] == "X" and e.get("cat") == sys.argv[2] for e in events))' "$@"; }

# However a program ends, what it did before is in the profile.
for how in kill:137 segv:139 abort:134; do
  code=0
  (ulimit -c 0; "$prof" -d out -o "${how%:*}" -- ./profiled "${how%:*}") >stdout 2>stderr || code=$?
  expect "$code" "${how#*:}"
  contains stderr 'Note: .* did not come to a regular end'
  expect "$(count "out/${how%:*}" roctx)" 1
  [ "$(count "out/${how%:*}" api)" -gt 20 ] || fail "calls of a program that ended with ${how%:*} are lost"
done

# Waits for the program that works for ever.
until_at_work() {
  for _ in $(seq 400); do
    if [ -e at_work ]; then
      rm at_work
      return
    fi
    sleep 0.05
  done
  fail "the program does not come to its work"
}

# A signal to the tool ends the program, not the profile.
"$prof" -d out -o again -- ./profiled again >stdout 2>stderr &
tool=$!
until_at_work
kill -TERM $tool
code=0
wait $tool || code=$?
expect "$code" 143
[ "$(count out/again kernel)" -ge 10 ] || fail "the killed program's kernels are lost"

# If the tool itself is killed, the program runs on, and what it has recorded is there to be read.
mkdir orphan
"$prof" -d orphan -- ./profiled again >stdout 2>stderr &
tool=$!
until_at_work
kill -KILL $tool
wait $tool || :
trace=$(basename orphan/.hiplz-prof-*/*.hlzt)
program=${trace%%-*}
kill -0 "$program" || fail "the program went with the tool"
kill -KILL "$program"
"$prof" -d orphan -o orphan --read orphan/.hiplz-prof-* 2>stderr || fail "$(cat stderr)"
contains stderr 'did not come to a regular end'
[ "$(count orphan/orphan kernel)" -ge 10 ] || fail "the kernels of a program whose profiler was killed are lost"

# Processes have a trace each and share the timeline.
"$prof" -d out -o fork -- ./profiled fork 2>stderr || fail "$(cat stderr)"
expect "$(count out/fork kernel)" 20
"$prof" -d out -o late -- ./profiled 'late fork' 2>stderr || fail "$(cat stderr)"
contains out/late_timeline.json '"in the child"'
"$prof" -d out -o exec -- ./profiled exec 2>stderr || fail "$(cat stderr)"
expect "$(count out/exec kernel)" 20

# Ranks: a profile each, or one of all.
for rank in 0 1; do
  OMPI_COMM_WORLD_RANK=$rank "$prof" -d ranks -o 'r%rank%' --keep-traces -f json -- ./profiled once 2>stderr ||
    fail "$(cat stderr)"
  contains "ranks/r${rank}_summary.json" "rank $rank"
done
ls ranks/r1_traces/rank1-*.hlzt >/dev/null
"$prof" -d ranks -o all --read ranks/r0_traces ranks/r1_traces 2>stderr || fail "$(cat stderr)"
expect "$(count ranks/all kernel)" 20

# A torn trace is read as far as it goes.
mkdir torn
cp ranks/r0_traces/*.hlzt torn/
truncate -s -70000 torn/*.hlzt
"$prof" -d torn -o torn --read torn 2>stderr || fail "$(cat stderr)"
printf 'no trace' >torn/other.hlzt
"$prof" -d torn -o torn --read torn 2>stderr || fail "$(cat stderr)"
contains stderr 'other.hlzt is not a trace'

# A file that cannot be written is reported once, and the program runs nevertheless.
if "$prof" -d /proc/nowhere -- ./profiled once 2>stderr; then fail "wrote to /proc"; fi
mkdir strangers
chmod 777 strangers
HIPLZ_PROF=$PWD/strangers ./profiled once 2>stderr || fail "$(cat stderr)"
contains stderr 'the profile of process .* ends here: cannot write to .*strangers'
expect "$(grep -c profile stderr)" 1
expect "$(ls strangers)" ''
mkdir -m 700 limited
(ulimit -f 200; HIPLZ_PROF=$PWD/limited ./profiled threads) 2>stderr || fail "$(cat stderr)"
contains stderr 'the limit of file sizes is reached'
ls limited/*.hlzt >/dev/null
if mkdir disk && mount -t tmpfs -o size=256k,mode=700 tmpfs disk 2>/dev/null; then
  HIPLZ_PROF=$PWD/disk ./profiled threads 2>stderr || { umount disk; fail "$(cat stderr)"; }
  cp disk/*.hlzt limited/
  umount disk
  contains stderr 'ends here: no more space'
fi
"$prof" -d limited -o limited --read limited 2>stderr || fail "$(cat stderr)"

# A program with other rights than its user's writes no files for the user; the same program without them does.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  public=$(mktemp -d /tmp/hiplz-prof-test-XXXXXX)
  chmod 755 "$public"
  cp profiled "$public/plain"
  cp profiled "$public/privileged"
  chmod 4755 "$public/privileged"
  mkdir -m 700 "$public/traces"
  chown nobody "$public/traces"
  as_nobody() { HIPLZ_PROF=$public/traces HIPLZ_CACHE=0 setpriv --reuid=nobody --clear-groups "$@" >/dev/null 2>&1; }
  if as_nobody "$public/plain" once && [ -n "$(ls "$public/traces")" ]; then
    rm "$public"/traces/*
    as_nobody "$public/privileged" once || :
    expect "$(ls "$public/traces")" ''
  fi
  rm -r "$public"
fi
