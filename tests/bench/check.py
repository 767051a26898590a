# SPDX-License-Identifier: MIT
"""check.py BENCH_COMPUTE [--filter=TEXT] [TOOLS...]: how many times longer the kernels of bench_compute take with checks.

For each tool of HIPLZ_CHECK (all four unless some are named) the ratio of the time with the tool and the time without, on the same device,
their geometric mean and the largest. Each kernel runs by itself, without checks and with each tool in turns, because machines are shared,
and the best of each counts. A kernel that takes longer than LIMIT seconds with a tool is said to; it does not count."""
import csv
import math
import os
import subprocess
import sys
import tempfile

TOOLS = ["memcheck", "initcheck", "synccheck", "racecheck"]
ROUNDS = 2
LIMIT = 600


def run(program, kernel, cache, tools):
    """The rows of the table for kernels whose name contains this one."""
    environment = dict(os.environ, HIPLZ_DEVICES="cpu", HIPLZ_CACHE_DIR=cache)
    environment.pop("HIPLZ_CHECK", None)
    if tools:
        environment["HIPLZ_CHECK"] = tools
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as file:
        subprocess.run([program, "--filter=" + kernel, "--rounds=1", "--processor-time", "--hip", "--csv=" + file.name], env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=LIMIT)
        return list(csv.DictReader(file))


def rate(program, kernel, cache, tools):
    """Work per second of one kernel; 0 if it takes too long."""
    try:
        return next(float(row["hip"]) for row in run(program, kernel, cache, tools) if row["kernel"] == kernel)
    except subprocess.TimeoutExpired:
        return 0


def main():
    program, arguments = sys.argv[1], sys.argv[2:]
    wanted = "".join(each.split("=", 1)[1] for each in arguments if each.startswith("--filter="))
    tools = [each for each in arguments if not each.startswith("--")] or TOOLS
    ratios = {tool: [] for tool in tools}
    print(f"{'kernel':32}" + "".join(f"{tool:>12}" for tool in tools))
    with tempfile.TemporaryDirectory(prefix="hiplz-check-bench-") as cache:
        for kernel in [row["kernel"] for row in run(program, wanted, cache, "")]:
            best = dict.fromkeys(["", *tools], 0.0)
            for _ in range(ROUNDS):
                for tool in best:
                    best[tool] = max(best[tool], rate(program, kernel, cache, tool))
            for tool in tools:
                if best[tool]:
                    ratios[tool].append(best[""] / best[tool])
            print(f"{kernel:32}" + "".join(f"{ratios[tool][-1]:12.2f}" if best[tool] else f"{'too slow':>12}" for tool in tools), flush=True)
    print(f"{'geometric mean':32}" + "".join(f"{math.exp(sum(map(math.log, each)) / len(each)):12.2f}" for each in ratios.values()))
    print(f"{'largest':32}" + "".join(f"{max(each):12.2f}" for each in ratios.values()))


if __name__ == "__main__":
    main()
