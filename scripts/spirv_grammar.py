#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/spirv/grammar.def, the operands of SPIR-V's instructions.

usage: spirv_grammar.py [--check] [GRAMMAR]

GRAMMAR is spirv.core.grammar.json of spirv-headers (by default /usr/include/spirv/unified1/spirv.core.grammar.json). The file in the tree
comes from the one of Debian sid (1.6.1+1.4.363). --check compares the instructions of GRAMMAR, which may be older or newer, with the file
in the tree instead; it prints those that differ and exits with 1 if there are any. Extensions do not count, some of which were changed
later, nor operands that may be missing at the end of an instruction.

The letters are explained in src/spirv/grammar.cpp.
"""
import argparse
import json
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).parent.parent / "src/spirv/grammar.def"
FIRST_OF_EXTENSIONS = 4000
IDS = {"IdRef", "IdScope", "IdMemorySemantics"}
LETTERS = {"IdResultType": "t", "IdResult": "r", "LiteralString": "s", "LiteralContextDependentNumber": "n",
           "LiteralSpecConstantOpInteger": "S", "MemoryAccess": "M", "PairIdRefIdRef": "i", "PairIdRefLiteralInteger": "q",
           "PairLiteralIntegerIdRef": "n"}


def signature(instruction, with_parameters):
    letters = ""
    for operand in instruction.get("operands", []):
        kind, quantifier = operand["kind"], operand.get("quantifier", "")
        letter = LETTERS.get(kind) or ("i" if kind in IDS else "l")
        letters += letter + ("?" if letter == "n" and quantifier == "*" else quantifier)
        if letter == "l" and kind in with_parameters:  # they are the last operands: ids of images, and where the name says so
            letters += "i*" if kind == "ImageOperands" or instruction["opname"].endswith("Id") else "l*"
    return letters


def signatures(path):
    grammar = json.loads(path.read_text())
    with_parameters = {kind["kind"] for kind in grammar["operand_kinds"]
                       if any(entry.get("parameters") for entry in kind.get("enumerants", []))}
    return {instruction["opcode"]: signature(instruction, with_parameters) for instruction in grammar["instructions"]}


def without_optional_end(letters):
    return re.sub(r"(.\?)+$", "", letters) if letters else letters


def read_table():
    found = {}
    for first, last, letters in re.findall(r'\{(\d+), (\d+), "([^"]*)"\}', TABLE.read_text()):
        found.update(dict.fromkeys(range(int(first), int(last) + 1), letters))
    return found


def write_table(found):
    rows = []  # [first, last, signature]
    for opcode, letters in sorted(found.items()):
        if rows and rows[-1][1] == opcode - 1 and rows[-1][2] == letters:
            rows[-1][1] = opcode
        else:
            rows.append([opcode, opcode, letters])
    text = ["// SPDX-License-Identifier: MIT", "// Opcodes, first and last, and their operands. Written by scripts/spirv_grammar.py.",
            "// clang-format off", ""]
    for row in rows:
        entry = '{%d, %d, "%s"},' % tuple(row)
        if len(text[-1]) + 1 + len(entry) > 130:
            text.append("")
        text[-1] += (" " if text[-1] else "") + entry
    TABLE.write_text("\n".join(text + ["// clang-format on", ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("grammar", nargs="?", type=pathlib.Path,
                        default=pathlib.Path("/usr/include/spirv/unified1/spirv.core.grammar.json"))
    arguments = parser.parse_args()
    found = signatures(arguments.grammar)
    if not arguments.check:
        write_table(found)
        return 0
    table = read_table()
    found = {opcode: letters for opcode, letters in found.items() if opcode < FIRST_OF_EXTENSIONS}
    wrong = [opcode for opcode, letters in found.items() if without_optional_end(table.get(opcode)) != without_optional_end(letters)]
    for opcode in wrong:
        print(f"opcode {opcode}: {arguments.grammar} has {found[opcode]!r}, {TABLE.name} {table.get(opcode)!r}")
    print(f"{len(found)} instructions compared")
    return 1 if wrong or len(found) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
