# SPDX-License-Identifier: MIT
"""run_gtest_cases.py [OPTION...] OUT -- COMMAND...: runs a GoogleTest program, or one with Thrust's own framework (test_thrust_*), case by
case and appends a line for each to OUT:
passed, skipped, failed, crashed or timeout, the seconds, the name, and why.

The program runs on after a case, so that it starts once for many of them. One that takes too long or crashes ends it; it is started
again for the cases behind that one.
--filter=PATTERN  cases, as --gtest_filter has it       --limit=SECONDS   of a case (60)
--budget=SECONDS  of the program; the rest is left out  --every=N         every N-th case only"""
import argparse
import fnmatch
import os
import re
import selectors
import signal
import subprocess
import sys
import time


GTEST = re.compile(r"\[ +(?P<word>RUN|OK|FAILED|SKIPPED) +\] (?P<name>[\w/.\-]+)")
THRUST = re.compile(r"(?:Running|\[(?P<word>[A-Z ]+)\] +[\d.]+ ms) (?P<name>\w+)(?:\.\.\.)?$")
WORDS = {"OK": "passed", "PASS": "passed", "FAILED": "failed", "FAILURE": "failed", "ERROR": "failed", "KNOWN FAILURE": "skipped",
         "SKIPPED": "skipped"}


def is_thrust(command):
    return any(os.path.basename(word).startswith("test_thrust_") for word in command)


def cases_of(command, pattern):
    if is_thrust(command):
        listed = subprocess.run(command + ["--list"], text=True, errors="replace", stdout=subprocess.PIPE, timeout=600, check=False).stdout
        return [name for name in listed.split() if re.fullmatch(r"\w+", name) and fnmatch.fnmatchcase(name, pattern)]
    listed = subprocess.run(command + ["--gtest_list_tests", f"--gtest_filter={pattern}"], text=True, errors="replace",
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=600, check=False).stdout
    suite, names = "", []
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if re.fullmatch(r"[\w/]+\.", name):
            suite = name
        elif suite and re.fullmatch(r"  [\w/.\-]+", name):
            names.append(suite + name.strip())
    return names


class Lines:
    """The lines of a program's output, each with a limit of time."""

    def __init__(self, process):
        self.file = process.stdout
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.file, selectors.EVENT_READ)
        self.rest = b""
        os.set_blocking(self.file.fileno(), False)

    def next(self, until):
        """The next line; None at the end, False when the time is up."""
        while not re.search(rb"[\r\n]", self.rest):
            left = until - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                return False
            more = self.file.read(65536)
            if more == b"":
                return None
            self.rest += more or b""
        line, self.rest = re.split(rb"[\r\n]", self.rest, maxsplit=1)
        return line.decode(errors="replace")


def run(command, names, options, record):
    """Runs cases until one ends the program; returns those that are left."""
    # A list of names can be longer than a command line may be.
    names = names[:1000]
    chosen = ["--verbose"] + names if is_thrust(command) else ["--gtest_filter=" + ":".join(names)]
    process = subprocess.Popen(command + chosen, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    lines, done, current, said, begin = Lines(process), set(), None, [], time.monotonic()
    outcome = None
    while True:
        line = lines.next(begin + options.limit + (0 if current else 600))
        if not line and line is not None and line is not False:
            continue
        if line is None or line is False:
            outcome = "crashed" if line is None else "timeout"
            break
        found = (THRUST if is_thrust(command) else GTEST).match(line.strip())
        if not found:
            said.append(line.strip())
            continue
        if found["word"] in (None, "RUN"):
            current, said, begin = found["name"], [], time.monotonic()
        elif found["name"] == current:
            word = WORDS[found["word"]]
            record(word, time.monotonic() - begin, current, said if word == "failed" else [])
            done.add(current)
            current, begin = None, time.monotonic()
            if time.monotonic() > options.end:
                outcome = "budget"
                break
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    if current:
        reason = said + ([f"signal {-process.returncode}"] if outcome == "crashed" and process.returncode < 0 else [])
        record(outcome, time.monotonic() - begin, current, reason)
        done.add(current)
    elif not done:  # it does not even begin
        record("crashed", 0, names[0], said)
        done.add(names[0])
    return done


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--filter", default="*")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("out")
    split = sys.argv.index("--")
    options, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    options.end = time.monotonic() + options.budget
    program = os.path.basename(next(word for word in command if "test" in os.path.basename(word)))
    names = cases_of(command, options.filter)[::options.every]
    with open(options.out, "a", encoding="utf-8") as out:
        def record(word, seconds, name, said):
            why = next((line for line in said if re.search(r"rror|Expected|Which|refus|cannot|fault|signal", line)), said[0] if said else "")
            print(word, f"{seconds:.1f}", program, name, why[:200], sep="\t", file=out, flush=True)

        while names and time.monotonic() < options.end:
            done = run(command, names, options, record)
            names = [name for name in names if name not in done]
        for name in names:
            record("left", 0, name, [])


if __name__ == "__main__":
    main()
