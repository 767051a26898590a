# SPDX-License-Identifier: MIT
"""check.py BENCH_COMPUTE [TOOLS...]: how many times longer kernels of bench_compute take with checks.

For each tool of HIPLZ_CHECK (memcheck, racecheck, synccheck) the ratio of the time with the tool and the time without, on the same device,
and their geometric mean. Both run alternately, because machines are shared, and the best of each counts."""
import csv
import math
import os
import subprocess
import sys
import tempfile

KERNELS = ["nbody", "matmul", "transpose", "histogram", "spmv", "black-scholes", "stencil 3d", "softmax"]
ROUNDS = 2


def rates(program, kernel, cache, tools):
    """Work per second of the kernels whose name contains this one, by name."""
    environment = dict(os.environ, HIPLZ_DEVICES="cpu", HIPLZ_CACHE_DIR=cache)
    environment.pop("HIPLZ_CHECK", None)
    if tools:
        environment["HIPLZ_CHECK"] = tools
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as file:
        subprocess.run([program, "--filter=" + kernel, "--rounds=1", "--processor-time", "--csv=" + file.name], env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return {row["kernel"]: float(row["hip"]) for row in csv.DictReader(file)}


def best(program, kernel, cache, tools):
    rounds = [rates(program, kernel, cache, tools) for _ in range(ROUNDS)]
    return {name: max(each[name] for each in rounds) for name in rounds[0]}


def main():
    program, tools = sys.argv[1], sys.argv[2:] or ["memcheck", "synccheck", "racecheck"]
    ratios = {tool: [] for tool in tools}
    print(f"{'kernel':24}" + "".join(f"{tool:>12}" for tool in tools))
    with tempfile.TemporaryDirectory(prefix="hiplz-check-bench-") as cache:
        for kernel in KERNELS:
            plain = best(program, kernel, cache, "")
            checked = {tool: best(program, kernel, cache, tool) for tool in tools}
            for name in plain:
                for tool in tools:
                    ratios[tool].append(plain[name] / checked[tool][name])
                print(f"{name:24}" + "".join(f"{ratios[tool][-1]:12.2f}" for tool in tools), flush=True)
    print(f"{'geometric mean':24}" + "".join(f"{math.exp(sum(map(math.log, each)) / len(each)):12.2f}" for each in ratios.values()))


if __name__ == "__main__":
    main()
