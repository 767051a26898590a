# SPDX-License-Identifier: MIT
"""compare_code.py [--spills] OCLOC HIPCC SOURCES [TARGET...]: what Intel's compiler makes of the same kernels in HIP and in OpenCL C.

The tables of docs/performance.md, one for each set of kernels: for each kernel and target, instructions of HIP divided by those of
OpenCL, for the same number of work-items; then messages (to memory, for barriers) for 32 work-items, of both; then sizes of
sub-groups and bytes that a thread spills, where they are not alike. Both round divisions and square roots correctly. Another table says
what that costs HIP's kernels, as the instructions with and without it. Then the functions once more with -ffast-math, beside
-cl-fast-relaxed-math. --spills leaves out what only the table of costs needs, a third of the time. Exit code 77: there is no ocloc; 1: something does not compile, or spills where the same kernel in OpenCL C does
not.
"""
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MAGIC = b"\x03\x02\x23\x07"
WARP = 32
TARGETS = ["skl", "adls", "tgllp", "pvc"]
ROUNDING = "-cl-fp32-correctly-rounded-divide-sqrt"
MARK = b"hiplz_correctly_rounded_divide_sqrt"  # of modules for which the runtime asks for it
# Sets of kernels, SET.hip and SET.cl, the targets that have all that they need, and whether fast mathematics is compared.
SETS = [("kernels", TARGETS, False), ("functions", ["skl", "pvc"], False), ("calls", TARGETS, False),
        ("functions", ["skl", "pvc"], True)]


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")


def listings(ocloc, target, source, options, folder):
    """Of each kernel: (size of a sub-group, instructions, sends, bytes spilled) of the code that was chosen."""
    folder.mkdir()
    # The compiler's listings; it tries several sizes, and the last one that it writes for a kernel is the one it takes.
    environment = {"PATH": "/usr/bin:/bin", "IGC_ShaderDumpEnable": "1", "IGC_DumpToCustomDir": f"{folder}/"}
    run(ocloc, "compile", "-file", source, *options, "-device", target, "-out_dir", folder / "binary", env=environment)
    found = {}
    entry = lambda path: int(re.search(r"_entry_(\d+)", path.name).group(1))
    for listing in sorted(folder.glob("*.asm"), key=lambda path: (entry(path), path.stat().st_mtime_ns)):
        text = listing.read_text(errors="replace")
        name = re.search(r"^//\.kernel(?:_name)? \"?(\w+)", text, re.M) or re.search(r"^\.kernel \"?(\w+)", text, re.M)
        size = re.search(r"_simd(\d+)_", listing.name)
        if not name or not size:
            sys.exit(f"{listing}: no name or size")
        instructions = int(re.search(r"^//\.instCount (\d+)", text, re.M).group(1))
        messages = r"^\s*(?:\([^)]*\)\s*)?(?:sends?|sendg?c?|load|store|atomic\w*|fence)[.\s(]"
        sends = len(re.findall(messages, text, re.M))
        spilled = re.search(r"^//\.spill size (\d+)", text, re.M)
        found[name.group(1)] = (int(size.group(1)), instructions, sends, int(spilled.group(1)) if spilled else 0)
    return found


def spirv(hipcc, source, output, *options):
    """Compiles a HIP file. Returns the options for its SPIR-V."""
    run(hipcc, "-O3", "--genco", *options, source, "-o", output.with_suffix(".co"))
    bundle = output.with_suffix(".co").read_bytes()
    output.write_bytes(bundle[bundle.index(MAGIC):])
    return ["-spirv_input"] + (["-options", ROUNDING] if MARK in bundle else [])


def compare(ocloc, hipcc, sources, name, targets, fast, temporary, has_costs):
    """Prints the table of a set of kernels. Returns whether none spills that does not in OpenCL C, and what rounding costs."""
    temporary.mkdir()
    options = spirv(hipcc, sources / f"{name}.hip", temporary / f"{name}.spv", *(["-ffast-math"] if fast else []))
    has_costs = has_costs and not fast
    inexact = has_costs and spirv(hipcc, sources / f"{name}.hip", temporary / f"{name}-inexact.spv",
                                  "-fno-hip-fp32-correctly-rounded-divide-sqrt")
    rows, costs, ratios, good = {}, {}, {target: [] for target in targets}, True
    for target in targets:
        hip = listings(ocloc, target, temporary / f"{name}.spv", options, temporary / f"{name}-hip-{target}")
        cheap = hip if not has_costs else listings(ocloc, target, temporary / f"{name}-inexact.spv", inexact,
                                                   temporary / f"{name}-inexact-{target}")
        arithmetic = "-cl-fast-relaxed-math" if fast else ROUNDING
        opencl = listings(ocloc, target, sources / f"{name}.cl", ["-options", f"-I {sources} {arithmetic}"],
                          temporary / f"{name}-opencl-{target}")
        if hip.keys() != opencl.keys() or not hip:
            sys.exit(f"{target}: kernels of one side only: {sorted(hip.keys() ^ opencl.keys())}")
        for kernel, (size, count, sends, spilled) in hip.items():
            other_size, other_count, other_sends, other_spilled = opencl[kernel]
            ratios[target].append(count / size / (other_count / other_size))
            cell = f"{ratios[target][-1]:.2f}; {sends * WARP // size}/{other_sends * WARP // other_size}"
            if size != other_size:
                cell += f"; width {size}/{other_size}"
            if spilled or other_spilled:
                cell += f"; spilled {spilled}/{other_spilled}"
            rows.setdefault(kernel.removeprefix("of_"), []).append(cell)
            costs.setdefault(kernel.removeprefix("of_"), []).append(count / size / (cheap[kernel][1] / cheap[kernel][0]))
            if spilled and not other_spilled:
                print(f"{kernel} spills on {target}, and not in OpenCL C", file=sys.stderr)
                good = False
    print(f"| {'fast ' if fast else ''}{name} | {' | '.join(targets)} |\n| --- |{' --- |' * len(targets)}")
    for kernel, cells in rows.items():
        print(f"| {kernel} | {' | '.join(cells)} |")
    means = [math.exp(sum(map(math.log, ratios[target])) / len(ratios[target])) for target in targets]
    print(f"| geometric mean | {' | '.join(f'{mean:.2f}' for mean in means)} |\n")
    return good, costs


def main():
    has_costs = "--spills" not in sys.argv[1:]
    sys.argv[1:] = [argument for argument in sys.argv[1:] if argument != "--spills"]
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    ocloc, hipcc, sources = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    if not shutil.which(ocloc):
        print("SKIP: there is no ocloc (package intel-opencl-icd)")
        return 77
    wanted = sys.argv[4:] or TARGETS
    with tempfile.TemporaryDirectory() as temporary:
        outcomes = []
        for number, (name, every, fast) in enumerate(SETS):
            targets = [target for target in every if target in wanted]
            if not targets:
                continue
            folder = pathlib.Path(temporary) / str(number)
            outcomes.append(compare(ocloc, hipcc, sources, name, targets, fast, folder, has_costs))
            costs = {kernel: row for kernel, row in outcomes[-1][1].items() if max(row) >= 1.01}
            if costs:
                print(f"| correct rounding, {name} | {' | '.join(targets)} |\n| --- |{' --- |' * len(targets)}")
                for kernel, row in costs.items():
                    print(f"| {kernel} | {' | '.join(f'{cost:.2f}' for cost in row)} |")
                print()
    return 0 if all(good for good, costs in outcomes) else 1


sys.exit(main())
