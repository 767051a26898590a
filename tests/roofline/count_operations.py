# SPDX-License-Identifier: MIT
"""count_operations.py PRODUCT OCLOC OBJECT...      what Intel's compiler makes of the throughput kernels
   count_operations.py cpu ROOFLINE OBJDUMP         what the CPU device's compiler makes of them

The loops of hiplz-roofline must consist of the operations that they claim to measure: as many as their names say, none that is
computed in advance, and little else. Exit code 77: the compiler, or the instruction, is not there; 1: a kernel is not as it should
be, with its name.
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

UNROLLED = 16  # kUnrolled of kernels.h
WITHOUT_DOUBLES = ("adls", "tgllp")
NAME = re.compile(r"(add|mad)_(int|half|float|double)_x(\d+)_c(\d+)$")


def spirv_of(path):
    """The SPIR-V in the offload bundle of a HIP object."""
    data = path.read_bytes()
    start = data.index(b"__CLANG_OFFLOAD_BUNDLE__")
    entries = struct.unpack_from("<Q", data, start + 24)[0]
    at = start + 32
    for _ in range(entries):
        offset, size, length = struct.unpack_from("<QQQ", data, at)
        triple = data[at + 24 : at + 24 + length].decode()
        at += 24 + length
        if "spirv" in triple:
            return data[start + offset : start + offset + size]
    sys.exit(f"{path}: no SPIR-V")


def listings(ocloc, product, module, folder):
    """The listing of each kernel and the size of its sub-groups. Of several sizes that the compiler tries, it takes the last."""
    (folder / "kernels.spv").write_bytes(module)
    environment = {"PATH": "/usr/bin:/bin", "IGC_ShaderDumpEnable": "1", "IGC_DumpToCustomDir": f"{folder}/"}
    done = subprocess.run([ocloc, "compile", "-file", folder / "kernels.spv", "-spirv_input", "-device", product,
                           "-out_dir", folder / "binary"], capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{product} does not accept the kernels:\n{done.stdout}{done.stderr}")
    found = {}
    for listing in sorted(folder.glob("*.asm"), key=lambda path: path.stat().st_mtime_ns):
        text = listing.read_text(errors="replace")
        name = re.search(r'^//?\.kernel(?:_name)? "?(\w+)', text, re.M) or re.search(r'^\.kernel "?(\w+)', text, re.M)
        found[name.group(1)] = (int(re.search(r"_simd(\d+)_", listing.name).group(1)), text)
    return found


def gpu_operations(text, operation, kind, simd):
    """How often each work-item does the operation: instructions times the lanes that each of them has."""
    suffix = {"int": "u?d", "half": "hf", "float": "f", "double": "df"}[kind]
    # An operation: (16|M0) destination sources; the type is behind each register.
    pattern = re.compile(rf"^\s*(?:\([^)|]*\)\s*)?{operation}\S*\s*\((\d+)\|M\d+\)\s+\S+:{suffix}\s", re.M)
    return sum(int(lanes) for lanes in pattern.findall(text)) / simd


def check_gpu(product, ocloc, objects):
    if not shutil.which(ocloc):
        print("SKIP: there is no ocloc (package intel-opencl-icd)")
        return 77
    failed, seen = [], 0
    for path in objects:
        if "double" in path.name and product in WITHOUT_DOUBLES:
            continue
        with tempfile.TemporaryDirectory() as folder:
            kernels = listings(ocloc, product, spirv_of(path), pathlib.Path(folder))
        if not kernels:
            sys.exit(f"{path}: no kernels")
        for name, (simd, text) in sorted(kernels.items()):
            match = NAME.match(name)
            if not match:
                continue
            operation, kind, width, chains = match.group(1), match.group(2), int(match.group(3)), int(match.group(4))
            if operation == "mad" and kind == "int":  # a product and a sum, as each GPU has them
                continue
            seen += 1
            wanted = UNROLLED * width * chains
            # At the end the chains are summed up, and integers are added up for addresses, too.
            most = wanted + (chains * width + 12 if operation == "add" else 0)
            found = gpu_operations(text, operation, kind, simd)
            # From generation 12 on the compiler may write the sum of integers of the end as add3.
            loops = re.search(r"^\s*(?:\([^)]*\)\s*)?(?:while|jmpi|goto)\b", text, re.M)
            if not wanted <= found <= most or not loops:
                failed.append(f"{name}: {found:g} of {operation}.{kind} for each work-item, not {wanted} to {most}"
                              + ("" if loops else ", and no loop"))
    print(f"{product}: {seen} kernels")
    print("\n".join(failed))
    return 1 if failed or not seen else 0


def cpu_loop(lines, operation):
    """Of the innermost loop with most of these operations: how many it has, and how many instructions."""
    address = {int(match.group(1), 16): index for index, line in enumerate(lines) if (match := re.match(r"\s*([0-9a-f]+):", line))}
    loops = []  # first and last line
    for index, line in enumerate(lines):
        jump = re.search(r"\bj[a-z]+\s+0x([0-9a-f]+)", line)
        start = address.get(int(jump.group(1), 16)) if jump else None
        if start is not None and start < index:
            loops.append((start, index))
    best = (0, 1)
    for start, end in loops:
        if not any(start <= other[0] and other[1] <= end for other in loops if other != (start, end)):
            body = lines[start : end + 1]
            best = max(best, (sum(1 for line in body if operation.search(line)), len(body)))
    return best


def check_cpu(roofline, objdump):
    if " fma " not in pathlib.Path("/proc/cpuinfo").read_text():
        print("SKIP: the processor has no fused multiply-add")
        return 77
    failed, seen = [], set()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HIPLZ_DEVICES": "cpu", "HIPLZ_CACHE": "0", "HIPLZ_DUMP": folder}
        subprocess.run([roofline, "--smoke", "--quiet", "--sections", "throughput"], check=True, env=environment)
        for path in pathlib.Path(folder).glob("*object.o"):
            listing = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
            symbols = subprocess.run([objdump, "-t", path], check=True, capture_output=True, text=True).stdout
            name = re.search(r"(?:add|mad)_(?:int|half|float|double)_x\d+_c\d+", symbols + listing)
            if not name:
                continue
            operation, kind, width, chains = NAME.match(name.group(0)).groups()
            if (operation, kind) == ("mad", "int") or kind == "half":  # several instructions, or not on every processor
                continue
            pattern = {
                ("mad", "float"): r"\bvfn?m(?:add|sub)\d+ps\b", ("mad", "double"): r"\bvfn?m(?:add|sub)\d+pd\b",
                ("add", "float"): r"\bv?addps\b", ("add", "double"): r"\bv?addpd\b", ("add", "int"): r"\bv?paddd\b",
            }[operation, kind]
            lines = [line for line in listing.splitlines() if re.match(r"\s*[0-9a-f]+:", line)]
            count, instructions = cpu_loop(lines, re.compile(pattern))
            seen.add(name.group(0))
            # A warp is one or several registers, and one or several of them are in the loop: a multiple of the chains' operations.
            if count == 0 or count % (UNROLLED * int(width) * int(chains)) or count < 0.8 * instructions:
                failed.append(f"{name.group(0)}: {count} of {instructions} instructions of the loop are {operation}.{kind}")
    print(f"cpu: {sorted(seen)}")
    print("\n".join(failed))
    return 1 if failed or len(seen) < 5 else 0


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    if sys.argv[1] == "cpu":
        return check_cpu(sys.argv[2], sys.argv[3])
    return check_gpu(sys.argv[1], sys.argv[2], [pathlib.Path(path) for path in sys.argv[3:]])


sys.exit(main())
