#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Part of level_zero_tests.sh: runs GoogleTest programs case by case, survives crashes and endless cases, and writes a table.

A program runs all of its cases; when one crashes or takes too long, the program is started again with those behind it."""
import collections
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import time

CASE_SECONDS = float(os.environ.get("CASE_SECONDS", 60))
PROGRAM_SECONDS = float(os.environ.get("PROGRAM_SECONDS", 3600))
DEVICES = {"test_p2p": "20"}  # for programs that want more than others
TWO_DRIVERS = {"test_copy"}
KINDS = ("passed", "failed", "skipped", "crashed", "endless", "not reached")
END = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+)(?:,.*)? \(\d+ ms\)")
NOISE = re.compile(r"^\[(?:warning|info|error|debug)\] *|^\[[-=\d: .TZ]+\] *|^\[?\d{4}-[-\d]+[ T][\d:.]+\]? *")


def cases_of(program):
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, timeout=300,
                             cwd=program.parent, errors="replace").stdout
    names, suite = [], ""
    for line in listing.splitlines():
        name = line.split("#")[0].rstrip()
        if re.fullmatch(r"  \S+", name):
            names.append(suite + name.strip())
        elif re.fullmatch(r"\S+\.", name):
            suite = name
    return [name for name in names if ".DISABLED_" not in name and not name.startswith("DISABLED_")]


def environment_of(program):
    return os.environ | ({"HIPLZ_CPU_DEVICES": DEVICES[program.name]} if program.name in DEVICES else {})


def reason_of(lines, kind):
    """What a case says about itself: the first failure, the text of the skip, or the last line."""
    for index, line in enumerate(lines):
        if kind == "failed" and re.search(r": Failure$|: error", line):
            return " ".join([re.sub(r".*/", "", line.strip())] + [part.strip() for part in lines[index + 1:index + 4]])
        if kind == "skipped" and line.rstrip().endswith(": Skipped"):
            text = " ".join(part.strip() for part in lines[index + 1:index + 3] if part.strip())
            if text:
                return text
    rest = [NOISE.sub("", line.strip()) for line in lines if line.strip() and not line.rstrip().endswith(": Skipped")]
    return rest[-1] if rest else ""


class Run:
    """One start of a program with some of its cases."""

    def __init__(self, program, cases, deadline, flags, environment):
        flags.write_text("--gtest_filter=" + ":".join(cases) + "\n")
        self.deadline = deadline
        self.process = subprocess.Popen([program, f"--gtest_flagfile={flags}", "--gtest_color=no"], cwd=program.parent,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env=environment, start_new_session=True)

    def lines(self):
        """Yields lines; None when the case or the program takes too long."""
        selector = selectors.DefaultSelector()
        selector.register(self.process.stdout, selectors.EVENT_READ)
        rest, since = b"", time.monotonic()
        while True:
            now = time.monotonic()
            limit = min(since + CASE_SECONDS, self.deadline)
            if now >= limit or not selector.select(limit - now):
                yield None
                return
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                if line.startswith(b"[ RUN"):
                    since = time.monotonic()
                yield line.decode(errors="replace")

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def run(program, results, folder):
    """Outcome and reason of each case. What a program skips for want of a second driver is tried again with two."""
    with open(results / (program.name + ".txt"), "w") as file:
        outcomes = run_cases(program, cases_of(program), environment_of(program), folder, file)
        skipped = [case for case, (kind, _) in outcomes.items() if kind == "skipped"]
        if program.name in TWO_DRIVERS and skipped:
            drivers = os.environ["ZE_ENABLE_ALT_DRIVERS"] + "," + str(folder / "second/lib/libze_hiplz_cpu.so.1")
            environment = environment_of(program) | {"ZE_ENABLE_ALT_DRIVERS": drivers}
            outcomes |= run_cases(program, skipped, environment, folder, file)
    return outcomes


def run_cases(program, todo, environment, folder, file):
    outcomes = {}
    deadline = time.monotonic() + PROGRAM_SECONDS

    def note(case, kind, reason):
        outcomes[case] = (kind, reason)
        file.write(f"{kind}\t{case}\t{reason}\n")
        file.flush()

    while todo and time.monotonic() < deadline:
        current, text, late = None, [], False
        attempt = Run(program, todo, deadline, folder / "flags.txt", environment)
        for line in attempt.lines():
            if line is None:
                late = True
                break
            if line.startswith("[ RUN      ] "):
                current, text = line[13:].split()[0], []
            elif current and (end := END.search(line)) and end[2] == current:
                kind = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[end[1]]
                note(current, kind, reason_of(text, kind) if kind != "passed" else "")
                current = None
            elif current and len(text) < 2000:
                text.append(line)
        attempt.end()
        before = len(todo)
        if current:
            if late and time.monotonic() >= deadline:
                break
            code = attempt.process.returncode
            note(current, "endless" if late else "crashed", reason_of(text, "failed") if late else f"status {code}")
        todo = [case for case in todo if case not in outcomes]
        if len(todo) == before:
            break
    for case in todo:
        if case not in outcomes:
            note(case, "not reached", "")
    return outcomes


def group(case):
    """A test without its parameters."""
    parts = case.split("/")
    names = [part for part in parts if "." in part] or [case]
    return names[0]


def table(all_outcomes):
    lines = ["| program | cases | " + " | ".join(KINDS) + " |", "| --- |" + " --- |" * (len(KINDS) + 1)]
    total = collections.Counter()
    for program, outcomes in sorted(all_outcomes.items()):
        count = collections.Counter(kind for kind, _ in outcomes.values())
        total += count
        lines.append(f"| {program} | {len(outcomes)} | " + " | ".join(str(count[kind]) for kind in KINDS) + " |")
    lines.append(f"| all | {sum(total.values())} | " + " | ".join(str(total[kind]) for kind in KINDS) + " |")
    ran = sum(total.values()) - total["skipped"]
    if ran:
        lines += ["", f"Of what is not skipped {100 * total['passed'] / ran:.2f} % pass."]
    for kind in KINDS[1:]:
        groups = collections.defaultdict(list)
        for program, outcomes in all_outcomes.items():
            for case, (outcome, reason) in outcomes.items():
                if outcome == kind:
                    key = reason if kind == "skipped" else group(case)
                    groups[(program, key)].append((case, reason))
        if groups:
            lines += ["", f"## {kind}", "", "| program | cases | what | first case | its message |",
                      "| --- | --- | --- | --- | --- |"]
        for (program, key), members in sorted(groups.items(), key=lambda item: -len(item[1])):
            case, reason = members[0]
            cells = [program, str(len(members)), key, case, "" if kind == "skipped" else reason]
            lines.append("| " + " | ".join(cell.replace("|", "/")[:200] for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def read(results):
    all_outcomes = {}
    for path in results.glob("*.txt"):
        rows = (line.rstrip("\n").split("\t", 2) for line in path.read_text().splitlines())
        all_outcomes[path.stem] = {case: (kind, reason) for kind, case, reason in rows}
    return all_outcomes


def main():
    installed, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    wanted = sys.argv[3:]
    results = folder / "results"
    results.mkdir(exist_ok=True)
    for program in sorted(path for path in installed.iterdir() if path.is_file() and os.access(path, os.X_OK)):
        if wanted and program.name not in wanted:
            continue
        begin = time.monotonic()
        count = collections.Counter(kind for kind, _ in run(program, results, folder).values())
        print(f"{program.name}: " + ", ".join(f"{count[kind]} {kind}" for kind in KINDS if count[kind]) +
              f" ({time.monotonic() - begin:.0f} s)", flush=True)
    (folder / "table.md").write_text(table(read(results)))
    print(f"the table is in {folder / 'table.md'}")


main()
