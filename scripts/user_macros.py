#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes include/hip/spirv/user_macros_off.h and user_macros_on.h: programs define macros such as N or V before they include the
headers, or with -D, and these must not change what the headers declare. The headers' names are not all reserved ones, so each
header that programs include sets such macros aside. With --check: fails if the two files are not what would be written."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "include"
FOLDER = ROOT / "hip" / "spirv"
KEYWORDS = {"as", "do", "if", "or"}
# Longer names that programs like to define; those that the headers use are taken.
COMMON = """
    all any args array base begin bits block buffer bytes class_ cols column columns count data delta depth desc device dim dims dst
    elements end event extent factor first flags float_t global grid group half_t head height host index input int_t kernel lane lanes
    last layer left length level limit lower mask max median members middle min mode name next number object offset op order other output
    padding parent part pitch place power ptr range rank real result right rows scale shared shift sign size slot small source src
    start state step steps stream sum swap tail target texture threads tile top total type unit units upper value values vector
    vec warps weight width word words
    Add Args Base Bits Class Depth Flags Float Format From Function Group Height Int Kind Label Lanes Mask Max Min Name Pair Parent
    Pointer Raw Scalar State Sub Two Width Word
    ASSIGN CONDITION DIV FABS FUNC GET LOAD MAKE MAX MIN MUL NAME OP SET SQRT STORE SUB TYPE VALUE VOLATILE
""".split()


def text_of(path):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.S)
    return re.sub(r'"(\\.|[^"\n])*"', " ", text)


def names():
    used, own = set(), set()
    for path in sorted(ROOT.rglob("*")):
        if path.is_file() and not path.name.startswith("user_macros_"):
            text = text_of(path)
            own |= set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M))
            used |= set(re.findall(r"\b[A-Za-z]\w*\b", text))
    short = {name for name in used if len(name) <= 2} - KEYWORDS
    return sorted(name for name in (short | used & set(COMMON)) - own)


def files():
    found = names()
    head = "// SPDX-License-Identifier: MIT\n// Written by scripts/user_macros.py. "
    off = head + "Sets the program's macros with names of the headers aside; user_macros_on.h brings them back.\n"
    on = head + "Brings back the macros that user_macros_off.h has set aside.\n"
    off += "// Within another header that has done so nothing is left to do: the macro counts as 0 in the outermost header, else as 1.\n"
    off += '#pragma push_macro("__HIPLZ_USER_MACROS_OFF")\n#ifndef __HIPLZ_USER_MACROS_OFF\n#define __HIPLZ_USER_MACROS_OFF 0\n'
    off += "".join(f'#pragma push_macro("{name}")\n#undef {name}\n' for name in found)
    off += "#else\n#undef __HIPLZ_USER_MACROS_OFF\n#define __HIPLZ_USER_MACROS_OFF 1\n#endif\n"
    on += "#if __HIPLZ_USER_MACROS_OFF == 0\n"
    on += "".join(f'#pragma pop_macro("{name}")\n' for name in found)
    on += '#endif\n#pragma pop_macro("__HIPLZ_USER_MACROS_OFF")\n'
    return {FOLDER / "user_macros_off.h": off, FOLDER / "user_macros_on.h": on}


def main():
    stale = [path for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path} is out of date: run scripts/user_macros.py", file=sys.stderr)
        return 1 if stale else 0
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
    return 0


sys.exit(main())
