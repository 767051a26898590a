# SPDX-License-Identifier: MIT
"""Builds and runs programs of other projects, one at a time, and writes a table of what became of each.

hecbench.sh and cuda_samples.sh start it. A program passes if it builds, ends with 0 within the time limit and does not say
that its results are wrong. The table is written line by line, and programs that stand in it are not built again, so that an
interrupted run goes on where it stopped.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

# Words of programs about their own results. Those with a count of zero are good news.
GOOD_NEWS = re.compile(
    r"(assertion .*|.*as expected.*|\b(no|0|zero|without( any)?)\s+(\w+\s+)?(fail\w*|errors?|mismatch\w*|difference\w*)"
    r"|\b(fail\w*|errors?|mismatch\w*)( count| rate)?\s*[:=]\s*0+(\.0+(e[-+]?0+)?)?%?(?![.\d]))",
    re.I,
)
BAD_NEWS = re.compile(
    r"\b(fail(ed|s|ure)?|mismatch(es|ed)?|incorrect(ly)?|wrong|does not match|not equal|do not match|invalid result)\b"
    r"|^\s*(CUDA|HIP)?\s*error\b|test error|verification error",
    re.I | re.M,
)
CHECKED = re.compile(r"\b(pass(ed|es)?|success\w*|ok|correct(ly|ness)?|verif\w+|match(es|ed)?|equal|valid\w*)\b|^result", re.I | re.M)

# Libraries that every system has, or that the runtime replaces.
ORDINARY_LIBRARIES = {"m", "stdc++", "pthread", "gomp", "dl", "rt", "cudart", "cuda", "nvrtc", "hiprtc", "amdhip64", "cudadevrt"}


class Outcome:
    """How a command ended."""

    def __init__(self, status, output, seconds):
        self.status, self.output, self.seconds = status, output, seconds


def run(command, folder, limit, environment=None):
    """Runs a command in a process group of its own and ends all of it after `limit` seconds (status None)."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        output = process.communicate(timeout=limit)[0]
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, status = process.communicate()[0], None
    return Outcome(status, output.decode(errors="replace"), time.monotonic() - start)


def first_line(pattern, text):
    """The first line of a text in which a pattern is found, shortened."""
    for line in text.splitlines():
        if re.search(pattern, line, re.I):
            return line.strip()[:200]
    return ""


def why_not_built(outcome):
    if outcome.status is None:
        return "the compiler takes too long"
    errors = r"(fatal )?error:|undefined (reference|symbol)|cannot find -l|No rule to make|PLEASE submit|: refused|not supported"
    lines = outcome.output.strip().splitlines()
    return first_line(errors, outcome.output) or (lines[-1][:200] if lines else "no output")


def judge(outcome, waived=()):
    """What a finished program's exit code and words say: a verdict and a cause."""
    if outcome.status is None:
        return "time", "no end in %.0f s" % outcome.seconds
    words = GOOD_NEWS.sub("", outcome.output)
    bad = first_line(BAD_NEWS.pattern, words)
    if outcome.status in waived:
        return "waived", first_line("waiv|not support|requires|skip|need", outcome.output) or "the program does not say why"
    if outcome.status:
        how = "signal %d" % -outcome.status if outcome.status < 0 else "exit code %d" % outcome.status
        lines = outcome.output.strip().splitlines()
        return "fails", how + ": " + (bad or (lines[-1].strip()[:200] if lines else "no output"))
    if bad:
        return "wrong", bad
    return "passes" if CHECKED.search(words) else "runs", ""


class Table:
    """The results, a line per program: name, verdict, seconds to build, seconds to run, cause."""

    def __init__(self, path, again, wanted):
        self.path, self.rows = path, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    row = line.rstrip("\n").split("\t")
                    self.rows[row[0]] = row
        self.rows = {name: row for name, row in self.rows.items() if row[1] not in again or not wanted(name)}

    def add(self, name, verdict, built=0.0, ran=0.0, cause=""):
        self.rows[name] = [name, verdict, "%.1f" % built, "%.1f" % ran, cause.replace("\t", " ")]
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.writelines("\t".join(row) + "\n" for _, row in sorted(self.rows.items()))
        os.replace(self.path + ".new", self.path)
        print("%-8s %-40s %s" % (verdict, name, cause), flush=True)

    def counts(self):
        verdicts = [row[1] for row in self.rows.values()]
        return ", ".join("%d %s" % (verdicts.count(verdict), verdict) for verdict in sorted(set(verdicts)))


def mirror(source, target, copied):
    """Makes a folder with a link to each entry of `source`, but a copy of the entry `copied`."""
    os.makedirs(target, exist_ok=True)
    for entry in os.listdir(source):
        link = os.path.join(target, entry)
        if entry != copied and not os.path.lexists(link):
            os.symlink(os.path.join(source, entry), link)
    place = os.path.join(target, copied)
    if os.path.islink(place):
        os.unlink(place)
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(os.path.join(source, copied), place, symlinks=True)
    return place


# Names that programs have for the number of their repetitions, in their sources and in their options.
REPETITIONS = r"(?:\w*repeat\w*|n?_?reps?|\w*iter(?:s|ations?)?|n_?times|(?:num_?)?(?:runs|trials))"
# Where a word of the arguments becomes a number: repeat = atoi(argv[2]).
TAKEN = re.compile(
    r"\b%s\s*=\s*(?:\([\w ]+\)\s*)?(?:std::)?(?:ato\w+|sto\w+|strto\w+)\s*\(\s*argv\s*\[\s*(\d+)\s*\]" % REPETITIONS, re.I
)
OPTION = re.compile(r"(?:^|(?<=\s))(--?%s(?:=|\s+))(\d+)(?=\s|$)" % REPETITIONS, re.I)


def repetition_places(sources):
    """The places among a program's arguments at which its sources say that there is the number of repetitions."""
    places = {int(place) for place in TAKEN.findall(sources)}
    if not places:
        for usage in re.findall(r"(?i)usage:?([^\n]*)", sources):
            words = re.findall(r"<([^<>]*)>", usage)
            places |= {at for at, word in enumerate(words, 1) if re.fullmatch("(number of |# of |# )?" + REPETITIONS, word, re.I)}
    return places


def with_fewer_repetitions(commands, places, wanted, choose=min):
    """Commands of a shell, one a line, in which a number of repetitions above `wanted` becomes `wanted`, and no other number.

    `choose` gets the number and `wanted` and returns the new number.
    """
    changed = []
    for command in commands.splitlines():
        words = list(re.finditer(r"\S+", command))
        start = next((at for at, word in enumerate(words) if word.group().startswith("./")), len(words))
        for place in sorted(places, reverse=True):
            behind_option = start + place > 1 and start + place <= len(words) and words[start + place - 1].group().startswith("-")
            if start + place < len(words) and words[start + place].group().isdigit() and not behind_option:
                word = words[start + place]
                command = command[: word.start()] + str(choose(int(word.group()), wanted)) + command[word.end() :]
        changed.append(OPTION.sub(lambda found: found.group(1) + str(choose(int(found.group(2)), wanted)), command))
    return "\n".join(changed)


def run_hecbench(arguments, command, place):
    if arguments.repeat is None:
        return run(command + ["run"], place, arguments.limit, arguments.environment)
    places = repetition_places("\n".join(read_all(place, (".cu", ".cpp", ".cc", ".c", ".hip", ".h", ".hpp"))))
    listed = run(command + ["-n", "run"], place, 60, arguments.environment).output
    return run(["sh", "-ec", with_fewer_repetitions(listed, places, arguments.repeat)], place, arguments.limit, arguments.environment)


def hecbench(arguments, table):
    source = os.path.join(arguments.clone, "src")
    compiler = os.path.join(arguments.stage, "bin", "cucc" if arguments.kind == "cuda" else "hipcc")
    for folder in sorted(os.listdir(source)):
        name, _, kind = folder.rpartition("-")
        makefile = os.path.join(source, folder, "Makefile")
        if kind != arguments.kind or not arguments.wanted(name) or name in table.rows or not os.path.exists(makefile):
            continue
        with open(makefile, encoding="utf-8", errors="replace") as file:
            text = re.sub(r"(?m)#.*", "", file.read())
        libraries = sorted(set(re.findall(r"(?<![\w-])-l(\w[\w+]*)", text)) - ORDINARY_LIBRARIES)
        if libraries or re.search(r"\bmpi(cc|cxx|run|exec)\b", text):
            table.add(name, "library", cause="needs " + (", ".join(libraries) or "MPI"))
            continue
        place = mirror(source, os.path.join(arguments.out, "src"), folder)
        command = ["make", "CC=" + compiler, "NVCC=" + compiler, "ARCH=sm_60", "LAUNCHER="]
        run(command + ["clean"], place, 60, arguments.environment)
        built = run(command, place, arguments.build_limit, arguments.environment)
        if built.status == 0:
            ran = run_hecbench(arguments, command, place)
        save(arguments, name, built, ran if built.status == 0 else None)
        if built.status != 0:
            table.add(name, "build", built.seconds, cause=why_not_built(built))
        else:
            verdict, cause = judge(ran)
            table.add(name, verdict, built.seconds, ran.seconds, cause)
        shutil.rmtree(place, ignore_errors=True)


def save(arguments, name, built, ran):
    with open(os.path.join(arguments.out, "logs", name + ".log"), "w", encoding="utf-8") as file:
        file.write(built.output)
        if ran:
            file.write("\n--- run ---\n" + ran.output)


# Libraries and features in a sample's CMakeLists.txt, with the reason why it is not built.
OUTSIDE = (
    (r"OpenGL|GLUT|EGL|Vulkan|D3D|NvSci|FreeImage|CUDA::nvjpeg", "graphics"),
    (r"CUDA::(cublas|cufft|cusolver|cusparse|npp|nvJitLink|nvjpeg)", "library"),
)


def sample_plan(folder):
    """The programs of a sample's CMakeLists.txt, (name, sources) each, its folders of headers, and its text."""
    with open(os.path.join(folder, "CMakeLists.txt"), encoding="utf-8") as file:
        text = re.sub(r"(?m)#.*", "", file.read())
    text = text.replace("${CMAKE_CURRENT_SOURCE_DIR}", folder)
    programs = []
    for name, sources in re.findall(r"add_executable\s*\(\s*(\S+)\s+([^)]*)\)", text):
        files = [source for source in sources.split() if re.search(r"\.(cu|c|cpp|cc)$", source)]
        programs.append((name, [os.path.normpath(os.path.join(folder, file)) if file.startswith("..") else file for file in files]))
    includes = set(re.findall(r"(?:\.\./)+Common(?:/\w+)?", text)) | {"."}
    for block in re.findall(r"target_include_directories\s*\(([^)]*)\)", text):
        includes |= {word for word in block.split()[1:] if os.path.isdir(os.path.join(folder, word))}
    return programs, sorted(includes), text


def samples(arguments, table):
    root = os.path.join(arguments.clone, "Samples")
    compiler = os.path.join(arguments.stage, "bin", "cucc")
    with open(os.path.join(arguments.clone, "test_args.json"), encoding="utf-8") as file:
        given = json.load(file)
    for group in sorted(os.listdir(root)):
        if not re.match(r"[0-6]_", group):
            continue
        for name in sorted(os.listdir(os.path.join(root, group))):
            folder = os.path.join(root, group, name)
            if os.path.isfile(os.path.join(folder, "CMakeLists.txt")) and arguments.wanted(name) and name not in table.rows:
                sample(arguments, table, compiler, folder, given.get(name, {}))


def sample(arguments, table, compiler, folder, given):
    name = os.path.basename(folder)
    programs, includes, text = sample_plan(folder)
    sources = " ".join(read_all(folder, (".cu", ".cuh", ".cpp", ".h")))
    if re.search(r"nvcuda::wmma|<mma\.h>", sources):
        return table.add(name, "outside", cause="tensor cores")
    if re.search(r"#include [<\"](mpi|curand|nvJitLink)\.h", sources):
        return table.add(name, "outside", cause="library")
    for pattern, reason in OUTSIDE:
        # A sample may look for OpenGL and not use it.
        if re.search(pattern, text) and (reason != "graphics" or re.search(r"GL/|helper_gl|vulkan|egl|nvsci|FreeImage|nvjpeg|d3d", sources, re.I)):
            return table.add(name, "outside", cause=reason)
    place = os.path.join(arguments.out, "samples", name)
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place)
    if "cooperative_groups" in text: # its CMake file copies the headers beside the program
        headers = os.path.join(arguments.stage, "include", "hiplz", "cuda")
        shutil.copytree(os.path.join(headers, "cooperative_groups"), os.path.join(place, "cooperative_groups"), dirs_exist_ok=True)
        shutil.copy(os.path.join(headers, "cooperative_groups.h"), place)
    options = ["-std=c++17", "-O2", "-lineinfo", "--extended-lambda"]
    options += ["-I" + os.path.normpath(os.path.join(folder, include)) for include in includes]
    options += sorted(set("-l" + library for library in re.findall(r"CUDA::(nvrtc|curand)", text)))
    built, ran = Outcome(0, "", 0), None
    for program, files in programs:
        kernels = [file for file in files if file.endswith(".cu")]
        relocatable = ["-rdc=true"] if len(kernels) > 1 else []
        openmp = ["-Xcompiler", "-fopenmp", "-lgomp"] if "OpenMP" in text else []
        step = run([compiler, *options, *relocatable, *openmp, *files, "-o", program, "-lpthread"], place, arguments.build_limit, arguments.environment)
        built = Outcome(built.status if step.status == 0 else step.status, built.output + step.output, built.seconds + step.seconds)
    for option, output, source in device_files(text):
        step = run([compiler, option, "-o", output, source], place, arguments.build_limit, arguments.environment)
        built = Outcome(built.status if step.status == 0 else step.status, built.output + step.output, built.seconds + step.seconds)
    verdict, cause = "passes", ""
    if built.status == 0 and not os.path.exists(os.path.join(place, programs[0][0])):
        built.status, built.output = 1, built.output + "\nerror: no program was written"
    if built.status != 0:
        verdict, cause = "build", why_not_built(built)
    for arguments_of_run in [] if built.status != 0 else [one.get("args", []) for one in given.get("runs", [given])]:
        once = run(["./" + programs[0][0], *arguments_of_run], place, arguments.limit, arguments.environment)
        ran = Outcome(once.status, (ran.output if ran else "") + once.output, (ran.seconds if ran else 0) + once.seconds)
        verdict, cause = judge(once, waived=(2,))
        if verdict == "runs":
            verdict = "passes" # a sample's exit code is its verdict
        if verdict != "passes":
            break
    save(arguments, name, built, ran)
    table.add(name, verdict, built.seconds, ran.seconds if ran else 0, cause)
    shutil.rmtree(place, ignore_errors=True)


def device_files(text):
    """The files of device code that a sample's CMake file makes: (option, output, source) each."""
    found = []
    for option, kind in (("-fatbin", "fatbin"), ("-cubin", "cubin"), ("-ptx", "ptx")):
        outputs = re.findall(r"\$\{CMAKE_CURRENT_BINARY_DIR\}/([\w.]+\.%s)" % kind, text)
        sources = re.findall(r"set\(\s*CUDA_KERNEL_SOURCE\s+\"?([^\s\")]+)", text)
        if outputs and sources and option in text:
            found.append((option, outputs[0], sources[0]))
    return found


def read_all(folder, endings):
    for place, _, files in os.walk(folder):
        for file in files:
            if file.endswith(endings):
                with open(os.path.join(place, file), encoding="utf-8", errors="replace") as text:
                    yield text.read()


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("collection", choices=["hecbench", "samples"])
    parser.add_argument("kind", choices=["cuda", "hip"])
    parser.add_argument("clone")
    parser.add_argument("stage")
    parser.add_argument("out")
    parser.add_argument("--names", default=".*", help="a regular expression that a program's whole name matches")
    parser.add_argument("--limit", type=float, default=120, help="seconds for a run")
    parser.add_argument("--build-limit", type=float, default=300, help="seconds for a build")
    parser.add_argument("--repeat", type=int, help="how often a program repeats at most, where its sources say which argument that is")
    parser.add_argument("--flags", default="", help="more options for the compiler")
    parser.add_argument("--again", default="", help="verdicts that are tried again, with commas")
    arguments = parser.parse_args()
    arguments.clone, arguments.stage, arguments.out = map(os.path.abspath, (arguments.clone, arguments.stage, arguments.out))
    arguments.wanted = re.compile(arguments.names).fullmatch
    # NVIDIA's compiler must not be found by accident, nor its headers through a variable.
    arguments.environment = {key: value for key, value in os.environ.items() if key not in ("CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH")}
    arguments.environment["LD_LIBRARY_PATH"] = os.path.join(arguments.stage, "lib") + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    arguments.environment["HIPCC_COMPILE_FLAGS_APPEND"] = arguments.flags
    os.makedirs(os.path.join(arguments.out, "logs"), exist_ok=True)
    table = Table(os.path.join(arguments.out, "results.tsv"), [verdict for verdict in arguments.again.split(",") if verdict], arguments.wanted)
    {"hecbench": hecbench, "samples": samples}[arguments.collection](arguments, table)
    print("%s: %s" % (table.path, table.counts()))


if __name__ == "__main__":
    sys.exit(main())
