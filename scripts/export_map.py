#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the version scripts of libhiplz.so and of the libraries in src/amdhip64 from the tables of HIP's functions: each
function gets the version node that it has in AMD's library, so that programs linked against that library find it. With
--check it says whether the files are up to date instead."""
import argparse
import collections
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests/data/host_functions.csv"
TABLE_7 = ROOT / "tests/data/hip_7/host_functions.csv"  # what HIP 7.2 added, and of later versions what HIPLZ has

HEAD = "# Made by scripts/export_map.py from the table of HIP's functions; do not edit.\n"
ALL = """\
# Names that the library does not define are without effect. The last node has what HIPLZ adds to HIP: include/hiplz,
# and functions that AMD's headers declare but its library does not have.
"""
SOME = """\
# A program asks for nodes by library, so all of them must be here. The functions that are not listed are found in libhiplz
# under the same nodes.
"""
# Symbols that HIP 5's library had in its first node and HIP 6's has not: C++ names, and calls of roctracer.
ONLY_5 = """
        _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc _Z22hipCreateSurfaceObjectPyPK15hipResourceDesc
        _Z23hipDestroySurfaceObjectP13__hip_surface _Z23hipDestroySurfaceObjecty
        _ZN8hip_impl22hipLaunchKernelGGLImplEmRK4dim3S2_jP12ihipStream_tPPv
        hipEnableActivityCallback hipInitActivityCallback hipRegisterActivityCallback hipRegisterApiCallback
        hipRemoveActivityCallback hipRemoveApiCallback""".split()
# The functions that a library of another major version defines itself: its last node, functions of the table, others.
SHIMS = {
    "src/amdhip64/exports_5.map": ("hip_5.6", """
        hipDriverGetVersion hipDrvMemcpy2DUnaligned hipDrvMemcpy3D hipDrvMemcpy3DAsync hipDrvPointerGetAttributes
        hipGraphNodeGetType hipMemCreate hipMemGetAllocationGranularity
        hipMemGetAllocationPropertiesFromHandle hipMemcpyParam2D hipMemcpyParam2DAsync hipPointerGetAttribute
        hipPointerGetAttributes hipRuntimeGetVersion hipSignalExternalSemaphoresAsync hipWaitExternalSemaphoresAsync""".split(), ONLY_5),
    "src/amdhip64/exports_7.map": ("hip_7.15", [], []),
}


def number(node):
    return [int(part) for part in node.removeprefix("hip_").split(".")]


def rows(table):
    with open(table, newline="") as file:
        return list(csv.DictReader(file))


def functions_by_node():
    nodes = collections.defaultdict(set)
    for row in [*rows(TABLE), *rows(TABLE_7)]:
        if row["version_node"]:
            nodes[row["version_node"]].add(row["symbol"])
    return dict(sorted(nodes.items(), key=lambda item: number(item[0])))


# include/hip/hip_interop.h
CHIPSTAR = {"hipGetBackendNativeHandles", "hipInitFromNativeHandles", "hipGetNativeEventFromHipEvent", "hipGetHipEventFromNativeEvent"}


def only_declared():
    """What AMD's headers declare and none of its libraries has."""
    exported = {row["symbol"] for row in rows(TABLE_7)}
    return {row["name"] for row in rows(TABLE)
            if row["kind"] == "declared-not-exported" and "::" not in row["name"]} - exported


def render(nodes):
    text, before = "", ""
    for node, names in nodes.items():
        text += f"{node} {{\n"
        text += "  global:\n" + "".join(f"    {name};\n" for name in sorted(names)) if names else ""
        text += "  local:\n    *;\n" if not before else ""
        text += f"}}{before};\n"
        before = f" {node}"
    return text


def maps():
    nodes = functions_by_node()
    yield "src/api/exports.map", HEAD + ALL + render({**nodes, "HIPLZ_1": {"hiplz*", *CHIPSTAR, *only_declared()}})
    for path, (last, names, others) in SHIMS.items():
        some = {node: there.intersection(names) for node, there in nodes.items() if number(node) <= number(last)}
        some[next(iter(some))].update(others)
        if path.endswith("_7.map"):
            some["HIPLZ_1"] = {"hiplzHipVersion"}
        yield path, HEAD + SOME + render(some)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    outdated = []
    for path, text in maps():
        if not options.check:
            (ROOT / path).write_text(text)
        elif (ROOT / path).read_text() != text:
            outdated.append(path)
    for path in outdated:
        print(f"{path} is out of date: run scripts/export_map.py", file=sys.stderr)
    return 1 if outdated else 0


if __name__ == "__main__":
    sys.exit(main())
