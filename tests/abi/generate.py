#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the tables of tests/data into sources that check include/hip.

usage: generate.py DATA_FOLDER OUTPUT_FOLDER 6 | 7

For HIP 7, the tables of DATA_FOLDER/hip_7 say what HIP 7.2 changed and added.

values.inc, layout.inc  static assertions for enumerators, macros, types and records, valid in C and in C++
prototypes.inc          a pointer of the documented type to each declared function; the object that results must refer
                        to exactly the symbols in prototypes.symbols, so that a name is neither renamed nor mangled
aliases.inc             the same for the names that macros turn into other functions, which depends on
                        HIP_API_PER_THREAD_DEFAULT_STREAM, with the symbols that must result
runtime.inc             statements that check what is no constant expression: the place of each bit-field, and macros
                        that are pointers

A row that is left out belongs to a header that is outside the host API; the list is OTHER_HEADERS.
"""
import csv
import re
import sys
from itertools import groupby
from pathlib import Path

OTHER_HEADERS = re.compile(
    r"fp4|fp6|fp16|fp8|_ocp_|_mx_|bf16|bfloat|math_constants|cooperative|prof_str|device_functions|amd_hip_atomic|warp_|ockl"
    r"|device_library|surface_functions|fetch_functions|indirect_functions|hip_assert|complex_builtins|\(clr|\(compiler\)")
# Helpers of AMD's implementation that no program uses, and what names the platform.
OTHER_MACROS = re.compile(
    r"^(DECLOP_|__MAKE_VECTOR|__NATIVE_VECTOR|select_impl_|launch_bounds_impl|__hip_img_chk__|__HIP_USE_NATIVE"
    r"|__HIP_API_SPT|__HIP_TEXTURE_ATTRIB|__HIP_PLATFORM_AMD__|__HIP_HAS_GET_PCH|__HIP_CLANG_ONLY__)")



SEVEN = sys.argv[3:] == ["7"]
# HIP 7 no longer has them; that they are there harms nobody.
REMOVED_BY_7 = {"USE_PEER_NON_UNIFIED", "HIP_BF16_AVX512_OP", "__noinline__"}


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def changes(folder, *kinds):
    """Rows about HIP 7.2; a few of the table's concern later versions alone."""
    return [row for row in table(folder / "hip_7/changes.csv")
            if row["what"] in kinds and row["since"] in ("7.0", "7.1", "7.2", "7.0-7.2")]


def rows(folder, name):
    result = table(folder / name)
    return changed_by_7(folder, name, result) if SEVEN else result


def changed_by_7(folder, name, result):
    if (folder / "hip_7" / name).exists():
        added = table(folder / "hip_7" / name)
        names = {row.get("symbol") for row in added if row.get("symbol")}
        result = [row for row in result if not names or row["symbol"] not in names and row["name"] not in names] + added
    gone = {row["name"] for row in changes(folder, "struct-removed")}
    result = [row for row in result if row.get("struct", row.get("name")) not in gone]
    values = {row["name"]: row["hip_7"] for row in changes(folder, "enum-value")}
    signatures = {row["name"]: row["hip_7"] for row in changes(folder, "function-signature")}
    for row in result:
        if row.get("enumerator") in values and values[row["enumerator"]].isdigit():
            row["value"] = values[row["enumerator"]]
        if name == "host_functions.csv" and row["name"] in signatures:
            row["parameters"] = re.fullmatch(r"\w+ \((.*)\)", signatures[row["name"]])[1]
        if row.get("struct") == "hipLaunchAttributeValue":
            row["struct_size"] = "64"
        if row.get("name") == "hipLaunchAttributeValue":
            row["size_bytes"] = "64"
        if name == "macros.csv" and row["name"] in VERSION_7:
            row["value"] = VERSION_7[row["name"]]
    return [row for row in result if name != "macros.csv" or row["name"] not in REMOVED_BY_7]


VERSION_7 = {"HIP_VERSION": "70253211", "HIP_VERSION_MAJOR": "7", "HIP_VERSION_MINOR": "2", "HIP_VERSION_PATCH": "53211"}


def added_macros(folder):
    for row in changes(folder, "macro-added") if SEVEN else []:
        name, value = row["name"], row["hip_7"]
        if row["note"] == "HIP language mode" or not name.isidentifier():
            continue
        if re.fullmatch(r"0x[0-9a-f]+", value):
            yield f"CHECK({name} == {value});"
        else:
            yield from [f"#ifndef {name}", f"#error {name} is missing", "#endif"]


def in_scope(row):
    return not OTHER_HEADERS.search(row["declared_in"])


def enumerators(data):
    for row in filter(in_scope, rows(data, "enums.csv")):
        yield f'CHECK({row["enumerator"]} == {row["value"]});'
    for name, group in groupby(filter(in_scope, rows(data, "enums.csv")), key=lambda row: row["enum_name"]):
        row = next(group)
        if not name.startswith("("):
            tag = row["tag"] or name
            yield f"CHECK(sizeof(enum {tag}) == 4);"
            yield f'CXX_CHECK((std::is_same<std::underlying_type<{tag}>::type, {row["underlying_type"]}>::value));'


def macros(data):
    for row in filter(in_scope, rows(data, "macros.csv")):
        name, kind, value, condition = row["name"], row["kind"], row["value"], row["condition"]
        if OTHER_MACROS.match(name) or kind in ("config-input", "compiler-predefined"):
            continue
        if kind == "alias-device-variable" or condition.startswith("HIP_API_PER_THREAD"):
            continue
        lines = []
        if kind == "value" and row["value_type"] in ("int32", "uint32"):
            lines.append(f"CHECK({name} == {value});")
        elif kind == "value" and row["value_type"] == "pointer":
            continue
        elif kind == "value" and row["value_type"] == "string":
            lines.append(f"CHECK(sizeof({name}) == sizeof({value}));")
        elif kind == "alias-enumerator":
            lines.append(f"CHECK({name} == {value});")
        elif kind == "alias-type":
            lines.append(f'CHECK(sizeof({name}) == sizeof({row["expansion"]}));')
            lines.append(f'CXX_CHECK((std::is_same<{name}, {row["expansion"]}>::value));')
        else:
            lines += [f"#ifndef {name}", f"#error {name} is missing", "#endif"]
        if condition.startswith("HIP device"):
            yield from ["#ifdef __HIP_DEVICE_COMPILE__", *lines, "#endif"]
        elif condition:
            yield from ["#ifdef __HIP__", *lines, "#endif"]
        elif name == "__noinline__":  # a keyword in HIP mode
            yield from ["#ifndef __HIP__", *lines, "#endif"]
        elif name.startswith("__HIP_ARCH_HAS"):
            yield from ["#ifndef __HIP_DEVICE_COMPILE__", *lines, "#endif"]
        else:
            yield from lines


def typedefs(data):
    for row in filter(in_scope, rows(data, "typedefs.csv")):
        name, underlying = row["name"], row["underlying"]
        if row["declared_in"] == "amd_hip_runtime.h":
            yield from ["#ifdef __HIP__", f"CXX_CHECK((std::is_same<{name}, {underlying}>::value));", "#endif"]
            continue
        if "(forward declaration)" in underlying:
            yield f"struct {name};"
            continue
        if row["size_bytes"]:
            yield f'CHECK(sizeof({name}) == {row["size_bytes"]});'
        yield f"CXX_CHECK((std::is_same<{name}, {underlying}>::value));"


def records(data):
    known = {row["name"] for row in rows(data, "typedefs.csv")}
    named = known | {row["struct"] for row in rows(data, "structs.csv")}
    named |= {row["enum_name"] for row in rows(data, "enums.csv")}
    for record, group in groupby(filter(in_scope, rows(data, "structs.csv")), key=lambda row: row["struct"]):
        group = list(group)
        first = group[0]
        name = record if record in known else f'{first["kind"]} {first["tag"] or record}'
        yield f'CHECK(sizeof({name}) == {first["struct_size"]});'
        yield f'CHECK(ALIGNOF({name}) == {first["struct_align"]});'
        for row in group:
            if row["bit_width"]:
                continue
            field, kind = row["field"], row["type"]
            yield f'CHECK(offsetof({name}, {field}) == {row["offset_bytes"]});'
            yield f'CHECK(sizeof((({name}*)0)->{field}) == {row["size_bytes"]});'
            tag = re.match(r"(?:const )?(?:struct|union|enum) (\w+)", kind)
            nested = "." in field or "{" in kind or (tag and tag[1] not in named)
            if not nested:
                yield f"CXX_CHECK((std::is_same<decltype({record}::{field}), {kind}>::value));"


def runtime(data):
    for row in filter(in_scope, rows(data, "structs.csv")):
        if row["bit_width"]:
            record, field = row["struct"], row["field"]
            yield f'CHECK_BITS({record}, {field}, {row["bit_offset"]}, {row["bit_width"]});'
    for row in filter(in_scope, rows(data, "macros.csv")):
        if row["kind"] == "value" and row["value_type"] == "pointer":
            yield f'CHECK_POINTER({row["name"]}, {row["value"]});'


def functions(data):
    for row in rows(data, "host_functions.csv"):
        if row["kind"] in ("exported", "declared-not-exported") and "::" not in row["name"]:
            yield row


def prototype(row, name):
    parameters = row["parameters"].replace(";", ",") or "void"
    return f'{row["return_type"]} (*pointerTo_{name})({parameters}) = {name};'


def aliases(data):
    known = {row["name"]: row for row in functions(data)}
    for row in rows(data, "macros.csv"):
        if row["kind"] == "alias-function":
            yield known[row["expansion"]], row["name"]


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines))


def main():
    data, output = Path(sys.argv[1]), Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    write(output / "values.inc", [*enumerators(data), *macros(data), *added_macros(data)])
    write(output / "layout.inc", [*typedefs(data), *records(data)])
    write(output / "runtime.inc", runtime(data))
    declared = list(functions(data))
    write(output / "prototypes.inc", (prototype(row, row["name"]) for row in declared))
    write(output / "prototypes.symbols", sorted(row["name"] for row in declared))
    renamed = list(aliases(data))
    write(output / "aliases.inc", (prototype(row, name) for row, name in renamed))
    write(output / "aliases.symbols", sorted(row["name"] for row, _ in renamed))


main()
