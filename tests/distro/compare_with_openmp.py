# SPDX-License-Identifier: MIT
"""Compares HeCBench's HIP programs with their OpenMP versions, both on this machine's processors.

hecbench.sh starts it. A program's HIP version is built with hipcc, its OpenMP version with clang++ for the host (-fopenmp
-march=native, no offload). Both run with the same arguments, in turns. The first run of the HIP program fills the cache of
compiled kernels and is not measured. The programs' own times are compared where both print them, because a process also
creates its data, checks them and starts a runtime. A program whose kernels last microseconds repeats them more often, so
that the first launch does not decide. A ratio that looks bad is measured three times and the best time of each counts.
Beside it stands the ratio of processor time, which other processes on the machine disturb less: of the additional repetitions,
or of whole processes where the sources do not say which argument is their number.
HIP programs without an OpenMP version are only built.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import signal
import sys

from foreign_programs import ORDINARY_LIBRARIES, judge, mirror, read_all, repetition_places, run, why_not_built, with_fewer_repetitions

COLUMNS = ("name", "hip", "openmp", "measured", "hip_ms", "openmp_ms", "ratio", "cpu_ratio", "hip_cpu_ms", "openmp_cpu_ms", "results", "build_s", "cause")
SOURCES = (".cu", ".cpp", ".cc", ".c", ".hip", ".h", ".hpp")
MILLISECONDS = {"n": 1e-6, "u": 1e-3, "m": 1.0, "": 1e3}
UNIT = r"(?:([num]?)s(?:ecs?|econds?)?|(nano|micro|milli)seconds?)\b"
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
TIME = re.compile(r"(?<![\w.])(%s)\s*[(\[]?\s*%s" % (NUMBER, UNIT), re.I)
TIME_AFTER_UNIT = re.compile(r"[(\[]\s*%s\s*[)\]]\W*(%s)" % (UNIT, NUMBER), re.I)
# Lines about time that are not about kernels, and lines that no two runs share.
NOT_KERNELS = re.compile(r"\b(host|cpu|serial|sequential|reference|offload\w*|transfer|total|init\w*|alloc\w*|setup|copy|copies|memcpy)\b", re.I)
VOLATILE = re.compile(
    r"time|second|flop|/s\b|bandwidth|throughput|elapsed|took|speed|device|performance|cycles|clock|0x[0-9a-f]{6,}|threads|teams|team\b", re.I
)
# An OpenMP version that spreads its work by hand over the threads of a team, or over teams, does only part of it with fewer of them than
# a GPU has.
TEAMS = re.compile(r"omp_get_(thread|team)_num|omp\s+barrier")
SUSPICIOUS = 2.5


def times(output):
    """The times that a program prints: a list of (label, milliseconds), those of kernels alone if there are any."""
    found = []
    for line in output.splitlines():
        match, number = TIME.search(line), 1
        if not match:
            match, number = TIME_AFTER_UNIT.search(line), 3
        if match:
            prefix = next((group for at, group in enumerate(match.groups(), 1) if at != number and group is not None), "")
            label = re.sub(r"[^a-z]+", " ", (line[: match.start()] + " " + line[match.end() :]).lower()).strip()
            found.append((label, float(match.group(number)) * MILLISECONDS[prefix[:1].lower()]))
    kernels = [one for one in found if not NOT_KERNELS.search(one[0])]
    return kernels or [one for one in found if not re.search(r"\b(host|cpu|serial|sequential|reference)\b", one[0])]


def common_times(hip, openmp):
    """Pairs of times that both programs print, as (label, milliseconds, milliseconds)."""
    left, right = times(hip), times(openmp)
    if len(left) == len(right) and ([one[0] for one in left] == [one[0] for one in right] or len(left) == 1):
        return [(label, here, there) for (label, here), (_, there) in zip(left, right)]
    pairs, rest = [], list(right)
    for label, here in left:
        match = next((one for one in rest if one[0] == label), None)
        if match:
            rest.remove(match)
            pairs.append((label, here, match[1]))
    return pairs


def compare_results(hip, openmp):
    """Compares what the programs print beside times: "same", "close" (numbers within a thousandth), "differ" or "-" (nothing)."""
    left, right = ([line.strip() for line in text.splitlines() if line.strip() and not VOLATILE.search(line)] for text in (hip, openmp))
    left, right = ([line for line in lines if not TIME.search(line)] for lines in (left, right))
    if left == right:
        return "same" if left else "-"
    numbers = [[float(word) for line in lines for word in re.findall(r"(?<![\w.])%s(?![\w.])" % NUMBER, line, re.I)] for lines in (left, right)]
    words = [[re.sub(NUMBER, "", line, flags=re.I) for line in lines] for lines in (left, right)]
    if words[0] == words[1] and len(numbers[0]) == len(numbers[1]):
        if all(abs(a - b) <= 1e-3 * max(abs(a), abs(b)) + 1e-6 for a, b in zip(*numbers)):
            return "close"
    return "differ"


def processor_time():
    """Seconds of processor time of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Best:
    """The best times of one program's versions over several runs, and the ratio of the worst kernel that matters."""

    def __init__(self):
        self.pairs, self.walls, self.processors = {}, [float("inf")] * 2, [float("inf")] * 2

    def add(self, hip, openmp):
        for at, one in enumerate((hip, openmp)):
            self.walls[at] = min(self.walls[at], one.seconds * 1e3)
            self.processors[at] = min(self.processors[at], one.processor)
        for at, (label, here, there) in enumerate(common_times(hip.output, openmp.output)):
            known = self.pairs.get((at, label), (float("inf"), float("inf")))
            self.pairs[at, label] = (min(known[0], here), min(known[1], there))

    def result(self):
        """Returns the kind of measurement, milliseconds of HIP and of OpenMP, their ratio, and the kernel that compares worst."""
        total = sum(here for here, _ in self.pairs.values())
        there = sum(there for _, there in self.pairs.values())
        if not total or not there:
            return "process", self.walls[0], self.walls[1], self.walls[0] / self.walls[1], ""
        ratio, label = total / there, ""
        for (_, name), (here, other) in self.pairs.items():
            if here >= total / 10 and other and here / other > ratio:
                ratio, label = here / other, name
        return "kernels" if len(self.pairs) > 1 else "kernel", total, there, ratio, label


class Comparison:
    def __init__(self, arguments):
        self.arguments, self.path = arguments, os.path.join(arguments.out, "compared.tsv")
        self.source = os.path.join(arguments.clone, "src")
        self.done = set()
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.done = {line.split("\t")[0] for line in file}
        with open(arguments.arguments, encoding="utf-8") as file:
            self.given = dict(line.strip().split(" ", 1) for line in file if " " in line.strip())

    def add(self, name, **values):
        row = [name] + [str(values.get(column, "")).replace("\t", " ") for column in COLUMNS[1:]]
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("\t".join(row) + "\n")
        print("%-30s %s" % (name, " ".join(word for word in row[1:] if word)), flush=True)

    def build(self, name, kind, variables, file="Makefile"):
        place = mirror(self.source, os.path.join(self.arguments.out, "src"), name + "-" + kind)
        makefile = pathlib.Path(place, file)
        makefile.write_bytes(makefile.read_bytes().replace(b"-qopenmp", b"-fopenmp")) # Intel's spelling, which clang refuses
        command = ["make", "-f", file, "LAUNCHER="] + variables
        run(command + ["clean"], place, 60, self.arguments.environment)
        return place, command, run(command, place, self.arguments.build_limit, self.arguments.environment)

    def build_openmp(self, name):
        folder = os.path.join(self.source, name + "-omp")
        file = "Makefile.aomp" if os.path.exists(os.path.join(folder, "Makefile.aomp")) else "Makefile"
        place, _, built = self.build(name, "omp", ["CC=%s -fopenmp -march=native" % self.arguments.openmp, "DEVICE=cpu"], file)
        return place, built

    def command(self, name, place, make):
        """The commands that run a program once, and the places of the number of repetitions."""
        places = repetition_places("\n".join(read_all(place, SOURCES)))
        if name in self.given:
            words = self.given[name]
            return (words if words.startswith("./") else "./main " + words), places
        listed = run(make + ["-n", "run"], place, 60, self.arguments.environment).output
        return with_fewer_repetitions(listed, places, 1), places

    def run(self, commands, place):
        before = processor_time()
        limited = "ulimit -t %d\n%s\n:" % (self.arguments.limit, commands)
        outcome = run(["taskset", "-c", self.arguments.cores, "sh", "-ec", limited], place, 20 * self.arguments.limit, self.arguments.environment)
        outcome.processor = processor_time() - before
        if outcome.status in (128 + signal.SIGXCPU, 128 + signal.SIGKILL):
            outcome.status = None
        return outcome

    def compare(self, name):
        with open(os.path.join(self.source, name + "-hip", "Makefile"), encoding="utf-8", errors="replace") as file:
            text = re.sub(r"(?m)#.*", "", file.read())
        libraries = sorted(set(re.findall(r"(?<![\w-])-l(\w[\w+]*)", text)) - ORDINARY_LIBRARIES)
        if libraries or re.search(r"\bmpi(cc|cxx|run|exec)\b", text):
            return self.add(name, hip="library", cause="needs " + (", ".join(libraries) or "MPI"))
        compiler = os.path.join(self.arguments.stage, "bin", "hipcc")
        place, make, built = self.build(name, "hip", ["CC=" + compiler, "NVCC=" + compiler, "HIPCC=" + compiler])
        log = open(os.path.join(self.arguments.out, "logs", name + ".log"), "w", encoding="utf-8")
        log.write(built.output)
        seconds = "%.1f" % built.seconds
        if built.status != 0:
            return self.add(name, hip="build", build_s=seconds, cause=why_not_built(built))
        if not os.path.isdir(os.path.join(self.source, name + "-omp")):
            return self.add(name, hip="builds", openmp="-", build_s=seconds)
        commands, places = self.command(name, place, make)
        hip = self.run(commands, place)
        log.write("\n--- HIP, first run: %s\n%s" % (commands, hip.output))
        verdict, cause = judge(hip)
        openmp_place, openmp_built = self.build_openmp(name)
        if openmp_built.status != 0:
            log.write("\n--- OpenMP, build\n" + openmp_built.output)
            return self.add(name, hip=verdict, openmp="build", build_s=seconds, cause=why_not_built(openmp_built))
        log.close()
        return self.measure(name, commands, places, place, openmp_place, seconds, hip if verdict == "time" else None)

    def measure(self, name, commands, places, place, openmp_place, build_seconds, endless):
        log = open(os.path.join(self.arguments.out, "logs", name + ".log"), "a", encoding="utf-8")
        best, exact, again = Best(), lambda _, wanted: wanted, False
        rounds, done, first = 1, 0, None
        while done < rounds:
            openmp = self.run(commands, openmp_place)
            if endless and judge(openmp)[0] == "time":
                hip = endless
                hip_verdict, openmp_verdict, cause, openmp_cause = "time", "time", "", "no end within the limit"
                break
            hip = self.run(commands, place)
            log.write("\n--- HIP: %s\n%s\n--- OpenMP\n%s" % (commands, hip.output, openmp.output))
            (hip_verdict, cause), (openmp_verdict, openmp_cause) = judge(hip), judge(openmp)
            if hip_verdict in ("time", "fails") or openmp_verdict in ("time", "fails"):
                if done or not first:
                    break
                # Too many repetitions.
                (hip, openmp), rounds = first, 1
                (hip_verdict, cause), (openmp_verdict, openmp_cause) = judge(hip), judge(openmp)
            if not again and places and max(hip.processor, openmp.processor) < 0.25 * self.arguments.limit:
                wanted = 10 if max(hip.processor, openmp.processor) > 0.1 * self.arguments.limit else 50
                first, again, commands = (hip, openmp), True, with_fewer_repetitions(commands, places, wanted, exact)
                continue
            best.add(hip, openmp)
            done += 1
            log.write("\n--- seconds %.2f %.2f, of processors %.2f %.2f\n" % (hip.seconds, openmp.seconds, hip.processor, openmp.processor))
            if done == 1 and best.result()[3] > SUSPICIOUS:
                rounds = self.arguments.rounds
        results = compare_results(hip.output, openmp.output)
        if TEAMS.search("\n".join(read_all(openmp_place, SOURCES))):
            openmp_cause = "; ".join(word for word in (openmp_cause, "numbers the threads of a team") if word)
        values = {"hip": hip_verdict, "openmp": openmp_verdict, "build_s": build_seconds, "cause": "; ".join(word for word in (cause, openmp_cause) if word)}
        if done:
            measured, here, there, ratio, label = best.result()
            values.update(measured=measured, hip_ms="%.4g" % here, openmp_ms="%.4g" % there, ratio="%.2f" % ratio, results=results)
            spent = best.processors
            if first and first[0] is not hip:
                # The cost of additional repetitions includes neither the start of a runtime nor the program's data and checks.
                spent = [all_of - one.processor for all_of, one in zip(spent, first)]
            values.update(hip_cpu_ms="%.1f" % (spent[0] * 1e3), openmp_cpu_ms="%.1f" % (spent[1] * 1e3))
            if min(spent) > 0.01:
                values["cpu_ratio"] = "%.2f" % (spent[0] / spent[1])
            values["cause"] = "; ".join(word for word in (values["cause"], label) if word)
        elif hip_verdict == "time" and openmp_verdict in ("passes", "runs"):
            values["openmp_cpu_ms"] = "%.1f" % (openmp.processor * 1e3)
        self.add(name, **values)


def count_of(cores):
    """The number of processors in a list such as 0,2-3."""
    ranges = [[int(end) for end in part.split("-")] for part in cores.split(",")]
    return sum(ends[-1] - ends[0] + 1 for ends in ranges)


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("clone")
    parser.add_argument("stage")
    parser.add_argument("out")
    parser.add_argument("--names", default=".*")
    parser.add_argument("--limit", type=float, default=30, help="seconds of processor time for a run")
    parser.add_argument("--build-limit", type=float, default=300)
    parser.add_argument("--flags", default="")
    small = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hecbench_arguments.txt")
    parser.add_argument("--arguments", default=small, help="a file with lines of a program's name and its arguments")
    parser.add_argument("--openmp", default="clang++", help="the compiler of the OpenMP versions")
    parser.add_argument("--rounds", type=int, default=3, help="how often a ratio that looks bad is measured")
    everything = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    parser.add_argument("--cores", default=everything, help="the processors on which programs run, as taskset takes them")
    parser.add_argument("--part", default="0/1", help="I/N: each N-th program, beginning with the I-th")
    arguments = parser.parse_args()
    arguments.clone, arguments.stage, arguments.out = map(os.path.abspath, (arguments.clone, arguments.stage, arguments.out))
    arguments.environment = {key: value for key, value in os.environ.items() if key not in ("CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH")}
    arguments.environment["LD_LIBRARY_PATH"] = os.path.join(arguments.stage, "lib") + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    # Many versions ask for hundreds of threads as a GPU has them; waiting threads leave the processor to others.
    arguments.environment["OMP_WAIT_POLICY"] = "passive"
    arguments.environment["OMP_NUM_THREADS"] = arguments.environment["OMP_THREAD_LIMIT"] = str(count_of(arguments.cores))
    arguments.environment["HIPCC_COMPILE_FLAGS_APPEND"] = arguments.flags
    os.makedirs(os.path.join(arguments.out, "logs"), exist_ok=True)
    comparison = Comparison(arguments)
    names = [folder[: -len("-hip")] for folder in sorted(os.listdir(comparison.source)) if folder.endswith("-hip")]
    names = [name for name in names if re.fullmatch(arguments.names, name)]
    names = [name for name in names if os.path.exists(os.path.join(comparison.source, name + "-hip", "Makefile"))]
    part, parts = map(int, arguments.part.split("/"))
    # Those with an OpenMP version first, and of these the ones whose arguments are given.
    names.sort(key=lambda name: (not os.path.isdir(os.path.join(comparison.source, name + "-omp")), name not in comparison.given))
    for name in names[part::parts]:
        if name in comparison.done:
            continue
        comparison.compare(name)
        for kind in ("-hip", "-omp"):
            shutil.rmtree(os.path.join(arguments.out, "src", name + kind), ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
