# SPDX-License-Identifier: MIT
"""Runs test cases of Catch2 programs one by one, for hip_tests.sh.

run_catch_cases.py FOLDER CLONE CHAPTER SECONDS   runs the cases of a chapter and replaces its lines in FOLDER/results.tsv
run_catch_cases.py FOLDER --table CAUSES          prints the counts of FOLDER/results.tsv and a cause for each failure

A line of CAUSES is a regular expression for names of cases, a tab, and the cause."""
import collections
import json
import os
import re
import signal
import subprocess
import sys

NOT_BUILT = "not built"


def disabled_patterns(folder):
    """AMD's list. A `*` in it stands for anything; lines that are remarks match no case."""
    with open(os.path.join(folder, "disabled.json"), encoding="utf-8") as file:
        return [re.compile(each.replace("*", ".*")) for each in json.load(file)["DisabledTests"] if not re.search(r"[()\[\]]", each)]


def run(command, folder, seconds, environment=None):
    """The exit code, or None after the time limit, and the output. Processes that the command has started end with it."""
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        code = None
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return code, output if code is not None else process.communicate()[0]


def declared_cases(source):
    """The names of a source file's cases as far as its text has them, for a program that could not be built."""
    if not os.path.exists(source):
        return []
    with open(source, encoding="utf-8", errors="replace") as file:
        return re.findall(r'^\s*(?:HIP_)?(?:TEMPLATE_)?(?:LIST_)?TEST_CASE\w*\(\s*"?(\w+)', file.read(), re.MULTILINE)


class Chapter:
    def __init__(self, folder, clone, chapter, seconds):
        self.folder, self.chapter, self.seconds = folder, chapter, seconds
        self.programs = os.path.join(folder, "build", "catch_tests", "unit", chapter)
        self.sources = os.path.join(clone, "catch", "unit", chapter)
        self.disabled = disabled_patterns(folder)
        self.environment = dict(os.environ, HIP_CATCH_EXCLUDE_FILE=os.path.join(folder, "disabled.json"))
        os.makedirs(os.path.join(folder, "logs"), exist_ok=True)

    def is_disabled(self, case):
        return any(each.fullmatch(case) for each in self.disabled)

    def cases(self):
        """Each case as (name, program, where it is declared); the program is None if it could not be built."""
        with open(os.path.join(self.folder, "build", "build.ninja"), encoding="utf-8") as file:
            rules = re.findall(rf"^build catch_tests/unit/{re.escape(self.chapter)}/([^/\s]+): CXX_EXECUTABLE_LINKER\S* (.*)$",
                               file.read(), re.MULTILINE)
        known = set()
        for target, objects in rules:
            if "Main_Object.dir" not in objects:
                continue # a program that a test starts
            sources = frozenset(re.findall(r"/([^/\s]+)\.o\b", objects.split("|")[0]))
            if sources in known:
                continue # AMD's build files of `module` make five programs of the same sources
            known.add(sources)
            program = os.path.join(self.programs, target)
            if os.path.exists(program):
                _, output = run([program, "--list-test-names-only"], self.programs, 60, self.environment)
                # Lines of the test's own log come before the names.
                for case in output.splitlines():
                    if re.match(r"\w+( - .*)?$", case.strip()):
                        yield case.strip(), program, target
            else:
                for source in sorted(sources):
                    for case in declared_cases(os.path.join(self.sources, source)):
                        yield case, None, source

    def outcome(self, case, program, target):
        if self.is_disabled(case):
            return "disabled"
        if not program:
            return NOT_BUILT
        # In Catch's patterns for names a comma separates and brackets are tags.
        pattern = re.sub(r"([,\[\\])", r"\\\1", case)
        code, output = run([program, pattern], self.programs, self.seconds, self.environment)
        log = os.path.join(self.folder, "logs", re.sub(r"[^\w.-]", "_", case) + ".txt")
        with open(log, "w", encoding="utf-8") as file:
            file.write(f"{target}: {case}\n{output[-200000:]}\nexit code: {code}\n")
        if code is None:
            return "timed out"
        if code:
            return "failed"
        if "No test cases matched" in output:
            return "failed"
        return "skipped" if "HIP_SKIP_THIS_TEST" in output else "passed"

    def run(self):
        results = os.path.join(self.folder, "results.tsv")
        kept = []
        if os.path.exists(results):
            with open(results, encoding="utf-8") as file:
                kept = [line for line in file if line.split("\t")[0] != self.chapter]
        counts = collections.Counter()
        for case, program, target in self.cases(): # one by one: some share the name of a socket or a file
            outcome = self.outcome(case, program, target)
            kept.append(f"{self.chapter}\t{outcome}\t{case}\t{target}\n")
            counts[outcome] += 1
        with open(results, "w", encoding="utf-8") as file:
            file.writelines(kept)
        print(f"{self.chapter}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())), flush=True)


def print_table(folder, causes_file):
    with open(causes_file, encoding="utf-8") as file:
        causes = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    chapters = collections.defaultdict(collections.Counter)
    failures = collections.defaultdict(list)
    with open(os.path.join(folder, "results.tsv"), encoding="utf-8") as file:
        for line in file:
            chapter, outcome, case, _ = line.rstrip("\n").split("\t")
            failed = outcome not in ("passed", "skipped", "disabled")
            chapters[chapter]["failed" if failed else outcome] += 1
            if failed:
                cause = next((text for pattern, text in causes if re.fullmatch(pattern, case)), "cause not known")
                failures[cause].append(f"{chapter}: {case} ({outcome})")
    columns = ("run", "passed", "failed", "skipped", "disabled")
    print(f"{'chapter':26}" + "".join(f"{each:>10}" for each in columns))
    total = collections.Counter()
    for chapter, counts in chapters.items():
        counts["run"] = counts["passed"] + counts["failed"]
        total.update(counts)
        print(f"{chapter:26}" + "".join(f"{counts[each]:10}" for each in columns))
    print(f"{'all':26}" + "".join(f"{total[each]:10}" for each in columns))
    if total["run"]:
        print(f"{100 * total['passed'] / total['run']:.1f} % of those that were run and not skipped passed")
    for cause, cases in sorted(failures.items(), key=lambda each: -len(each[1])):
        print(f"\n{cause} ({len(cases)})")
        for case in cases:
            print(f"  {case}")


if __name__ == "__main__":
    if sys.argv[2] == "--table":
        print_table(sys.argv[1], sys.argv[3])
    else:
        Chapter(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])).run()
