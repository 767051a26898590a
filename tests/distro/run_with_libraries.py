# SPDX-License-Identifier: MIT
"""run_with_libraries.py LIBRARIES BUILD PATTERN < tests: runs the tests of `ctest --show-only=json-v1` whose names match with the dynamic
linker and the libraries of a folder, which may be newer than those of the system.

A program that is started must have that dynamic linker in it, because it may start itself again; so copies are changed and
run. What else they start is a program of the system, which must not see the libraries, so tests whose program is not in the
folder BUILD are left out."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import threading


class Runner:
    def __init__(self, libraries):
        self.libraries = libraries
        self.copies = {}
        self.lock = threading.Lock()
        self.folder = os.path.join(libraries, "programs")
        os.makedirs(self.folder, exist_ok=True)

    def copy_of(self, program):
        with self.lock:
            if program not in self.copies:
                copy = os.path.join(self.folder, os.path.basename(program))
                paths = subprocess.run(["patchelf", "--print-rpath", program], check=True, capture_output=True, text=True)
                subprocess.run(["patchelf", "--set-interpreter", os.path.join(self.libraries, "ld-linux-x86-64.so.2"),
                                "--force-rpath", "--set-rpath", self.libraries + ":" + paths.stdout.strip(),
                                "--output", copy, program], check=True)
                self.copies[program] = copy
            return self.copies[program]

    def run(self, test):
        """The outcome of a test in a word, and what it has written."""
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        environment = dict(os.environ, LD_LIBRARY_PATH=self.libraries)
        environment.update(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        # Newer loaders take an immediate command list for closed if they follow the lifetime of handles.
        environment.pop("ZE_ENABLE_HANDLE_LIFETIME", None)
        environment["HIPLZ_CACHE_DIR"] = os.path.join(self.folder, "cache")
        try:
            done = subprocess.run([self.copy_of(test["command"][0])] + test["command"][1:], env=environment, text=True,
                                  errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                  cwd=properties.get("WORKING_DIRECTORY"), timeout=properties.get("TIMEOUT", 300))
        except subprocess.TimeoutExpired as error:
            return "timed out", str(error.stdout)
        if re.search(r"ZE_VALIDATION|\[validation", done.stdout):
            return "the validation layer complains", done.stdout
        outcome = "skipped" if done.returncode == properties.get("SKIP_RETURN_CODE") else "passed"
        return outcome if done.returncode == 0 or outcome == "skipped" else f"failed ({done.returncode})", done.stdout


def main():
    libraries, build, pattern = sys.argv[1:]
    build = os.path.realpath(build) + "/"
    tests, missing = [], 0
    for test in json.load(sys.stdin)["tests"]:
        if not re.search(pattern, test["name"]) or ".skl." in test["name"]:
            continue
        command = test.get("command", [])
        if command and not os.path.realpath(command[0]).startswith(build):
            continue
        if command and all(os.path.exists(part) for part in command if part.startswith("/")):
            tests.append(test)
        else:
            missing += 1
    runner = Runner(libraries)
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for test, (outcome, output) in zip(tests, pool.map(runner.run, tests)):
            counts[outcome] = counts.get(outcome, 0) + 1
            print(f"{test['name']:60} {outcome}", flush=True)
            if outcome not in ("passed", "skipped"):
                print("    " + "\n    ".join(output.splitlines()[-15:]), flush=True)
    passed, skipped = counts.get("passed", 0), counts.get("skipped", 0)
    print(f"{passed} passed, {len(tests) - passed - skipped} failed, {skipped} skipped, {missing} not built")
    return 0 if tests and passed + skipped == len(tests) else 1


if __name__ == "__main__":
    sys.exit(main())
