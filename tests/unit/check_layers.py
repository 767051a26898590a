#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The layers of the project, as src/layers.txt declares them.

check_layers.py SOURCE [BUILD]

SOURCE is the root of the source tree: which folder of src includes which. BUILD is a build tree of it: src/api calls no
function of Level Zero, src/lz none of the HIP API, and src/cpu has nothing of HIP. In src/lz, only the owners of handles and
memory give them back. Prints each violation; exits with 1 if there is one.
"""
import pathlib
import re
import subprocess
import sys

SOURCES = {".h", ".hpp", ".c", ".cpp", ".def", ".inc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)

# Symbols that objects of a folder may not refer to, or, in the last column, may not define either.
LEVEL_ZERO = re.compile(r"ze[lst]?[A-Z]\w*$")
HIP = re.compile(r"(__)?hip[A-Z]\w*$")
CALLS = [("api", LEVEL_ZERO, "Level Zero", False), ("lz", HIP, "the HIP API", False), ("cpu", HIP, "HIP", True),
         ("driver", HIP, "HIP", True), ("opencl", HIP, "HIP", True)]
# Headers that the sources of a folder may not include.
HEADERS = [("cpu", re.compile(r"hip/|hiplz/"), "HIP"), ("driver", re.compile(r"hip/|hiplz/"), "HIP"),
           ("opencl", re.compile(r"hip/|hiplz/"), "HIP"), ("base", re.compile(r"hip/|level_zero/"), "HIP or Level Zero")]

# The functions that end handles and memory, and the files of the runtime that own some and so may name them.
ENDS = re.compile(r"\bze[A-Z]\w*(?:Destroy|Free|CloseIpcHandle)\b")
OWNERS = {"lz/core/ze_handle.h", "lz/core/ze_memory.cpp", "lz/core/ze_memory.h", "lz/core/ze_calls.def",
          "lz/memory/physical_memory.cpp", "lz/memory/virtual_memory.cpp", "lz/memory/ipc.cpp"}


class Layers:
    """What src/layers.txt says."""

    def __init__(self, path):
        self.order = []  # folders, lowest first
        self.allowed = {}  # folder: folders
        self.exceptions = set()  # (file, folder)
        self.errors = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            exception = re.fullmatch(r"(\S+) -> (\S+): .+", line)
            rule = re.fullmatch(r"(\S+):((?: \S+)*)", line)
            if exception:
                self.exceptions.add(exception.groups())
            elif rule:
                folder, below = rule.group(1), set(rule.group(2).split())
                for name in sorted(below - set(self.order)):
                    self.errors.append(f"{path}:{number}: {folder} may include {name}, which does not stand before it")
                self.order.append(folder)
                self.allowed[folder] = below
            else:
                self.errors.append(f"{path}:{number}: neither a folder nor an exception")

    def folder(self, path):
        """The folder of the list that a path relative to src belongs to; None if there is none."""
        for parent in path.parents:
            if str(parent) in self.allowed:
                return str(parent)
        return None


def check_includes(source, layers):
    src = source / "src"
    files = [path for path in sorted(src.rglob("*")) if path.suffix in SOURCES and path.is_file()]
    errors = [] if len(files) > 100 else [f"{src}: only {len(files)} sources"]
    for path in files:
        relative = path.relative_to(src)
        folder = layers.folder(relative)
        if folder is None:
            errors.append(f"src/{relative}: its folder is not in src/layers.txt")
            continue
        text = path.read_text(errors="replace")
        if relative.parts[0] == "lz" and str(relative) not in OWNERS:
            for match in ENDS.finditer(text):
                where = f"src/{relative}:{text.count(chr(10), 0, match.start()) + 1}"
                errors.append(f"{where}: {match.group()} belongs to an owner (lz/core/ze_handle.h, lz/core/ze_memory.h)")
        for match in INCLUDE.finditer(text):
            kind, name = match.groups()
            where = f"src/{relative}:{text.count(chr(10), 0, match.start()) + 1}"
            for top, forbidden, what in HEADERS:
                if relative.parts[0] == top and forbidden.match(name):
                    errors.append(f"{where}: {name} is of {what}, which {top} must not know")
            if kind == "<":
                continue
            # From the root of the sources, else beside the file.
            target = src / name if (src / name).is_file() else (path.parent / name).resolve()
            if not target.is_file() or src.resolve() not in target.resolve().parents:
                continue
            to = layers.folder(target.resolve().relative_to(src.resolve()))
            if to is None or to == folder or to in layers.allowed[folder] or (str(relative), to) in layers.exceptions:
                continue
            errors.append(f"{where}: {folder} must not include {name}")
    return errors


def check_calls(build, nm):
    errors = []
    for folder, forbidden, what, defined in CALLS:
        objects = sorted((build / "src" / folder).rglob("*.o"))
        if not objects:
            print(f"src/{folder} has not been built")
            continue
        listing = subprocess.run([nm, "-A", "--no-sort", *(() if defined else ("-u",)), *objects], check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
        seen = 0
        for line in listing.splitlines():
            seen += 1
            path, rest = line.split(":", 1)
            symbol = rest.split()[-1]
            if forbidden.match(symbol):
                errors.append(f"{path}: {symbol} is of {what}, which src/{folder} must not call")
        if seen == 0:
            errors.append(f"{nm} lists no symbols of src/{folder}")
    return errors


def main():
    source = pathlib.Path(sys.argv[1])
    layers = Layers(source / "src" / "layers.txt")
    errors = layers.errors + check_includes(source, layers)
    if len(sys.argv) > 2:
        errors += check_calls(pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "nm")
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
