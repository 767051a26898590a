#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the built-in functions of AMD's compiler in docs/amd-builtins.md: those that hip/spirv/amd_*.h define, and those that
they refuse, with the reason. With --check it only compares. The first argument is a Clang."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/amd-builtins.md"
GROUPS = {
    "amd_builtins.h": "Indices, barriers, time and advice",
    "amd_lane_builtins.h": "Lanes of a warp",
    "amd_memory_builtins.h": "Memory order and atomics",
    "amd_math_builtins.h": "Floating-point numbers",
    "amd_integer_builtins.h": "Bits, bytes, dot products and packed conversions",
}
# A function, or a macro, whose name stands for a function with constant arguments.
DECLARATION = re.compile(r"(?:always_inline\)\) *|#define )(.*?) *__builtin_amdgcn_(\w+)\(([^)]*)\)")
HEAD = """# Built-in functions of AMD's compiler

Made by `scripts/amd_builtins.py` from the headers. Device code may call these `__builtin_amdgcn_` functions although neither
`__AMDGCN__` nor a macro of an architecture (`__gfx90a__`) is defined; a wave is a warp of 32 lanes. What they do is what AMD's
ISA manuals say, with these rules where the manuals leave something open:

- A lane that is not active gives 0 to who reads it, or what the function is given for the case (`update_dpp`, `permlane16`);
  `readlane` of such a lane is not defined.
- A fence takes the order, the scope and the kind of memory that it names, no more. They must be constants.
- Approximations of the hardware (`rcpf`, `sinf`, `logf`) are as exact as HIP's own functions.
- Waits for counters, priorities and advice to the scheduler do nothing: who uses a value waits for it.

`tests/device/amd_builtins.hip` and `amd_functions.hip` compare them with models of the manuals' descriptions.
"""


def preprocessed(clang):
    command = [clang, "-x", "c++", "-std=c++17", "-E", "-dD", "-I", str(ROOT / "include"), "-D__HIPCC__=1",
               str(ROOT / "include/hip/spirv/amd_builtins.h")]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def builtins(text):
    """{header: [names]} and {reason: [names]}, in the order of the headers."""
    here, refused, header = {group: [] for group in GROUPS}, {}, ""
    for line in text.splitlines():
        line = line.replace("__hiplz::", "")
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            header = pathlib.Path(marker[1]).name
        if header in here:
            for result, name, parameters in DECLARATION.findall(line):
                here[header].append((f"{result} " if result else "") + f"{name}({parameters})")
        elif header == "amd_refused.h":
            for reason, name in re.findall(r'unavailable\("not supported by HIPLZ: " "(.*?)"\)\)\) int __builtin_amdgcn_(\w+)', line):
                refused.setdefault(reason.replace('" "', ""), []).append(name)  # adjacent literals are one
    return here, refused


def document(clang):
    here, refused = builtins(preprocessed(clang))
    text = HEAD
    for header, title in GROUPS.items():
        text += f"\n## {title}\n\n| function |\n| --- |\n"
        text += "".join(f"| `{name}` |\n" for name in here[header])
    text += "\n## Refused\n\nA call ends the compilation with the reason.\n\n| function | reason |\n| --- | --- |\n"
    for reason, names in refused.items():
        text += "".join(f"| `{name}` | {reason} |\n" for name in names)
    return text


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    text = document(arguments[0] if arguments else "clang++-15")
    if "--check" not in sys.argv:
        DOCUMENT.write_text(text)
    elif DOCUMENT.read_text() != text:
        sys.exit(f"{DOCUMENT.relative_to(ROOT)} differs from the headers; run scripts/amd_builtins.py")


main()
