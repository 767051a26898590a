#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The workflow of the public CI against what it runs.

check_workflow.py SOURCE BUILD CMAKE CTEST [LAYER...]

Every label of a test is a layer of tests/run.sh and has a line in docs/contributing.md; the workflow runs tests/run.sh as it
is, and each layer that this leaves out by its name. Scripts, shell functions, presets and build targets that the workflow
names exist. The build was told to leave out each LAYER. Prints each difference; exits with 1 if there is one.
"""
import json
import pathlib
import re
import subprocess
import sys


def commands(workflow):
    """The lines of the workflow that a shell gets: `run: command`, and blocks behind `run: |`."""
    lines, indent = [], None
    for line in workflow.splitlines():
        depth = len(line) - len(line.lstrip())
        if indent is not None and line.strip() and depth > indent:
            lines.append(line.strip())
            continue
        indent = None
        match = re.match(r"\s*(?:- )?run: (.*)", line)
        if match and match.group(1) in ("|", ">"):
            indent = depth
        elif match:
            lines.append(match.group(1))
    return lines


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    source, build, cmake, ctest = pathlib.Path(sys.argv[1]), *sys.argv[2:5]
    lines = commands((source / ".github/workflows/ci.yml").read_text())
    run = (source / "tests/run.sh").read_text()
    common = (source / "scripts/common.sh").read_text()
    contributing = (source / "docs/contributing.md").read_text()
    errors = [] if len(lines) > 5 else ["ci.yml: no commands found"]

    usual = [name for names in re.findall(r"for name in ([a-z ]+);", run) for name in names.split()]
    usual += re.findall(r"count_layer ([a-z]+) \"\$preset\"", run)
    others = re.findall(r'"\$layer" = ([a-z]+) \]', run)
    layers = set(usual) | set(others)
    labels = {line.strip() for line in output(ctest, "--test-dir", build, "--print-labels").splitlines()
              if line.startswith("  ")} - {"fast"} | set(sys.argv[5:])  # fast: a choice from the layers, not one of them
    documented = set(re.findall(r"^\| `([a-z]+)` \|", contributing, re.MULTILINE))
    for what, names in (("labels of tests", labels), ("docs/contributing.md", documented)):
        if names != layers:
            errors.append(f"layers of tests/run.sh: {sorted(layers)}; {what}: {sorted(names)}")

    if not any(re.search(r"bash tests/run\.sh --all *$", line) for line in lines):
        errors.append("ci.yml does not run tests/run.sh with all its layers")
    named = {layer for line in lines for layer in re.findall(r"tests/run\.sh.* --layer=([a-z]+)", line)}
    for layer in sorted(set(others) - named):
        errors.append(f"ci.yml does not run the layer {layer}")
    for layer in sorted(named - layers):
        errors.append(f"ci.yml runs the layer {layer}, which tests/run.sh does not know")

    presets = {preset["name"] for preset in json.loads((source / "CMakePresets.json").read_text())["configurePresets"]}
    targets = set(re.findall(r"^(?:\.\.\. )?([\w.-]+)(?::| *\(|$)", output(cmake, "--build", build, "--target", "help"),
                             re.MULTILINE))
    for line in lines:
        for script in re.findall(r"(?:bash|source) ([\w./-]+\.sh)", line):
            if not (source / script).is_file():
                errors.append(f"ci.yml: there is no {script}")
        for preset in re.findall(r"--preset ([\w-]+)", line):
            if preset not in presets:
                errors.append(f"ci.yml: there is no preset {preset}")
        for names in re.findall(r"--target ([\w. -]+)", line):
            for target in names.split(" -")[0].split():
                if target not in targets:
                    errors.append(f"ci.yml: there is no target {target}")
        if "source scripts/common.sh" in line:
            for function in re.findall(r"; *([a-z_]+)", line):
                if f"\n{function}() {{" not in common:
                    errors.append(f"ci.yml: scripts/common.sh has no {function}")
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
