#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/lz/core/ze_calls.def, the list of the Level Zero functions that the runtime calls, from its sources and from
Level Zero's header. Run it after using a function for the first time; the test abi.level_zero_calls says when."""
import argparse
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "src/lz/core/ze_calls.def"

HEAD = """\
// SPDX-License-Identifier: MIT
// Made by scripts/ze_calls.py: HIPLZ_ZE(function, names of its parameters, parameters, arguments). A star marks what the
// function writes.
"""


def parameters(body):
    """(type, name, whether the function writes one value through it) of each parameter."""
    found = []
    for line in body.splitlines():
        code, _, comment = line.partition("///<")
        code = code.strip().rstrip(",")
        if not code or code == "void":
            continue
        kind, name = re.fullmatch(r"(.*\W)(\w+)", code).groups()
        written = re.match(r"\s*\[(in,)?out\]", comment) and "range(" not in comment
        simple = re.fullmatch(r"((?!ze_ipc)ze_\w+_handle_t|uint32_t|uint64_t|size_t|ze_bool_t|void\*)\s*\*\s*", kind)
        found.append((kind.strip(), name, bool(written and simple)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--header", default="/usr/include/level_zero/ze_api.h")
    header = pathlib.Path(parser.parse_args().header).read_text()
    used = set()
    for folder in ("src/lz", "src/api"):
        for source in (ROOT / folder).rglob("*"):
            if source.suffix in (".cpp", ".h"):
                used.update(re.findall(r"\bze[A-Z]\w+\b", source.read_text()))
    lines = []
    for name, body in re.findall(r"^(ze[A-Z]\w+)\(\n(.*?)^    \);", header, re.M | re.S):
        if name in used:
            known = parameters(body)
            names = " ".join("*" * written + name for _, name, written in known)
            typed = ", ".join(f"{kind} {name}" for kind, name, _ in known)
            given = ", ".join(name for _, name, _ in known)
            lines.append(f'HIPLZ_ZE({name}, "{names}", ({typed}), ({given}))\n')
    LIST.write_text(HEAD + "".join(sorted(set(lines))))


if __name__ == "__main__":
    main()
