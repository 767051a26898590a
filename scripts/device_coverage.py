#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls every function of the device side of HIP 6.4 and 7.2, and counts in docs/device-coverage.md what exists.

  --generate FOLDER     writes the programs that call every signature of the tables in tests/data, apart from those
                        that scripts/device_missing.csv lists; each call stands on a line of its own
  --probe COMPILER ...  compiles all calls, the missing ones too, and prints those that the compiler rejects; with --update
                        it writes them to device_missing.csv (rows with a reason stay), with --check it fails if the list differs
  --document            writes docs/device-coverage.md from the table and the list; with --check it only compares

A call has arguments of exactly the declared types, and its type must be the declared result (or an integer of the same
size and sign). Templates are instantiated
with one set of types. Calls that would end the kernel, or that need a texture, stand behind a condition that is false."""
import argparse
import collections
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = {"6.4": ROOT / "tests/data/device_functions.csv", "7.2": ROOT / "tests/data/hip_7/device_functions.csv"}
MISSING = ROOT / "scripts/device_missing.csv"
DOCUMENT = ROOT / "docs/device-coverage.md"
FIELDS = ["category", "name", "signature", "reason"]

# Which categories share a program: compile time stays bounded and balanced.
PROGRAMS = {
    "half": ["half", "half2"],
    "bfloat16": ["bfloat16"],
    "fp8": ["fp8"],
    "fp4": ["fp4"],
    "fp6": ["fp6"],
    "ocp": ["ocp-fp"],
    "math": ["math-float", "intrinsics-rounding", "math-generic", "math-int"],
    "math_double": ["math-double"],
    "bits": ["type-cast-conversion", "bit-manipulation", "complex"],
    "vectors": ["vector-types", "special"],
    "threads": ["atomics", "atomics-system", "block-sync", "clock", "malloc", "memory-fence", "printf/assert/abort",
                "warp-shuffle", "warp-sync", "warp-vote"],
    "groups": ["cooperative-groups"],
    "images": ["texture", "surface"],
}

# Arguments for the parameters of templates; by function, else for all.
TEMPLATE = {
    "T": "float", "U": "float", "V": "float*", "MaskT": "unsigned long long", "CGTy": "cooperative_groups::thread_block",
    "ParentCGTy": "cooperative_groups::thread_block", "parent": "cooperative_groups::thread_block", "size": "16",
    "tileSize": "16", "n": "4", "rank": "4", "rankT": "2", "rankU": "4", "readMode": "hipReadModeElementType",
    "__T": "int", "__T1": "int", "__T2": "double", "__T3": "int", "__Cmp": "Less", "pattern": "0x1f", "dpp_ctrl": "0x111",
    "BinaryOp": "Combine", "WfReduce": "Combine", "row_mask": "15", "truncate_t": "hip_bfloat16::truncate_t", "bank_mask": "15", "bound_ctrl": "true",
}
INTEGER_OPERATORS = ("%", "&", "^", "|", "~", "<<", ">>")
# Objects that only functions make, and the expression that does.
MADE = {
    "cooperative_groups::coalesced_group": "cooperative_groups::coalesced_threads()",
    "cooperative_groups::grid_group": "cooperative_groups::this_grid()",
    "cooperative_groups::multi_grid_group": "cooperative_groups::this_multi_grid()",
    "cooperative_groups::thread_block": "cooperative_groups::this_thread_block()",
    "cooperative_groups::thread_group": "cooperative_groups::thread_group(cooperative_groups::this_thread())",
}
TILE = "cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block())"
MADE["cooperative_groups::tiled_group"] = f"cooperative_groups::tiled_partition(cooperative_groups::tiled_group({TILE}), 8)"
NEVER = re.compile(r"abort|__assert|__cxa_|__trap|^free$|operator delete|multi_grid|grid_group|tex[123C]|surf[123C]"
                   r"|__local_to_generic|__get_dynamicgroupbaseptr|binary_partition|__gws")


class Call(collections.namedtuple("Call", "version category name signature both statement row")):
    key = property(lambda self: (self.category, self.name, self.signature))


def split_top(text, separator):
    """Splits at the separators outside of all brackets."""
    parts, depth, start, i = [], 0, 0, 0
    while i < len(text):
        if text[i] in "<([{":
            depth += 1
        elif text[i] in ">)]}":
            depth -= 1
        elif depth == 0 and text.startswith(separator, i):
            parts.append(text[start:i])
            i += len(separator)
            start = i
            continue
        i += 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def concrete(type_name, mapping):
    """The type with the parameters of templates replaced."""
    result = re.sub(r"(?<![:\w])[A-Za-z_]\w*", lambda m: mapping.get(m.group(0), m.group(0)), type_name)
    if "__promote<" in result:
        return "double"
    result = re.sub(r"\btexture<([^,]*), (\d+), ", r"texture<\1, \2, ", result)
    return result.strip()


def plain(type_name):
    text = re.sub(r"\bconst\b|\bvolatile\b", "", type_name).replace("&&", "").replace("&", "").strip()
    return re.sub(r"\s+", " ", text)


def argument(parameter):
    text = parameter.strip()
    default = None
    if " = " in text:
        text, default = text.rsplit(" = ", 1)
        if default.strip() != "1":
            return default.strip()
    base = plain(text)
    if text == "...":
        return None
    if base in MADE:
        return MADE[base]
    if base.startswith("cooperative_groups::thread_block_tile"):
        return TILE
    if base.startswith("texture<"):
        dimension = re.match(r"texture<[^,]*, (\d+)", base).group(1)
        return "textureOf" + dimension
    if text.endswith("*"):
        return f"m.pointer<{re.sub(r' ?[*]$', '', text).strip()}>()"
    if text.endswith("&&"):
        return f"static_cast<{base}&&>(m.reference<{base}>())"
    if text.endswith("&") and not text.startswith("const "):
        return f"m.reference<{re.sub(r' ?&$', '', text).strip()}>()"
    return f"m.value<{base}>()"


def call_of(row, signature):
    """The statement that calls one signature."""
    name, category = row["name"], row["category"]
    group = "cooperative_groups::"
    mapping = dict(TEMPLATE)
    match = re.match(r"template<", signature)
    body = signature
    if match:
        depth = 0
        for i, char in enumerate(signature):
            depth += {"<": 1, ">": -1}.get(char, 0)
            if char == ">" and depth == 0:
                break
        body = signature[i + 1:].strip()
    scope = ""
    simple = name
    if name.startswith(group):
        inner = name[len(group):]
        pieces = split_top(inner, "::")
        scope, simple = group + "::".join(pieces[:-1]) if len(pieces) > 1 else "", pieces[-1]
    elif "::" in name and not name.startswith("std::"):
        pieces = split_top(name.replace("operator<<", "operator@@").replace("operator>>", "operator##")
                           .replace("operator<", "operator@").replace("operator>", "operator#"), "::")
        pieces = [p.replace("@", "<").replace("#", ">") for p in pieces]
        scope, simple = "::".join(pieces[:-1]), pieces[-1]
    elif name.startswith("std::"):
        simple = name[5:]
    operator = re.match(r"operator(\W+)$", simple)
    integral = operator and (operator.group(1).rstrip("=") in INTEGER_OPERATORS)
    if integral and ("HIP_vector" in signature):
        mapping["T"] = mapping["U"] = "int"
    if simple in ("__match_any", "__match_all", "max", "min") and category != "math-double":
        mapping["T"] = "int"
    if scope:
        scope = concrete(scope, mapping)
    if row["qualifiers"] == "type":
        return f"m.keep(sizeof({group + concrete(name[len(group):], mapping) if name.startswith(group) else name}));"
    if row["qualifiers"] == "device variable":
        return f"m.keep({name});" if name == "warpSize" else f"m.keep({name}.x + {name}.y + {name}.z);"

    body = re.sub(r"^static ", "", body)
    if body.endswith(" const"):
        body = body[:-6]
    depth = 0
    for i in range(len(body) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(body[i], 0)
        if depth == 0:
            opening = i
            break
    parameters = [concrete(p, mapping) for p in split_top(body[opening + 1:-1], ",")]
    if name.startswith(group):
        names = (r"(?<![:\w])(coalesced_group|thread_block_tile|thread_block|thread_group|tiled_group|grid_group"
                 r"|multi_grid_group)\b")
        parameters = [re.sub(names, group + r"\1", p) for p in parameters]
    head = body[:opening].strip()
    # Conversion operators and constructors have no result of their own.
    conversion = re.match(r"operator (?!new|delete)(\w.*)$", simple)
    class_name = scope.split("::")[-1] if not scope.startswith(group) else scope
    obj = None
    if scope:
        base = re.sub(r"^cooperative_groups::(thread_block_tile(_base|_type)?|tile_base|parent_group_info)(<.*)?$", "TILE", scope)
        obj = TILE if base == "TILE" else MADE.get(scope, f"m.reference<{scope}>()")
    arguments = [a for a in (argument(p) for p in parameters) if a is not None]
    listed = ", ".join(arguments)
    if conversion:
        target = {"type-parameter-0-0": "int" if "is_integral" in signature else "float",
                  "decltype(data)": "_Float16_2"}.get(conversion.group(1))
        target = target or concrete(conversion.group(1), mapping)
        if target == "HIP_vector_type":  # which the signature says in full
            target = re.match(r"operator (.*)\(\)", signature).group(1)
        if target.startswith("thread_block_tile"):
            target = "cooperative_groups::" + target
        return f"m.keep(static_cast<{target}>({obj}));"
    if scope and re.match(r"(HIP_vector_type|[\w]+)$", re.sub(r"<.*", "", class_name).split("::")[-1]) and \
            simple == re.sub(r"<.*", "", class_name.split("::")[-1]):
        values = []
        for p, a in zip(parameters, arguments):
            if p.startswith("decltype(data)"):
                a = "m.value<_Float16_2>()" if scope == "__half2" else "m.value<_Float16>()"
            elif "Us..." in p:
                a = ", ".join(["m.value<float>()"] * 4)
            values.append(a)
        if " = " in signature and scope == "dim3":
            values = ["m.value<uint32_t>()"] * 3
        inner = ", ".join(values)
        return f"m.keep({scope}({inner}));" if values else f"{{ {scope} made; m.touch(made); m.keep(made); }}"
    result = re.sub(r"(?:\w+::)*" + re.escape(simple) + "$", "", head).strip() if operator is None else \
        head[:head.rindex("operator")].strip()
    result = concrete(result, mapping)
    volatile = result.startswith("volatile ")
    result = plain(result)
    if "__hip_tex_ret_t" in result or "__hip_tex2dgather_ret_t" in result:
        result = "float4" if "gather" in result else "float"
    if name.startswith(group):
        result = re.sub(r"(?<![:\w])(coalesced_group|thread_block_tile|thread_block|thread_group|tiled_group|grid_group"
                        r"|multi_grid_group)\b", group + r"\1", result)
    if operator and operator.group(1) not in ("()",):
        op = operator.group(1)
        operands = ([obj] if scope and not (len(arguments) == 2 and op not in ("++", "--")) else []) + arguments
        if volatile:
            operands[0] = f"m.reference<volatile {scope}>()"
        if op in ("++", "--"):
            expression = f"{operands[0]}{op}" if len(operands) == 2 else f"{op}{operands[0]}"
        elif op == "[]":
            expression = f"{operands[0]}[{operands[1]}]"
        elif len(operands) == 1:
            expression = f"{op}{operands[0]}"
        else:
            expression = f"{operands[0]} {op} {operands[1]}"
    elif simple.startswith("operator "):
        expression = f"::{simple}({listed})"
    elif scope:
        expression = f"{obj}.{simple}({listed})"
    else:
        explicit = ""
        if re.match(r"(tex|surf)[123C]", simple) and "hipTextureObject_t" in signature and not parameters[0].endswith("*"):
            explicit = "<float>"
        elif simple == "tiled_partition" and match:
            explicit = "<16>"
        elif simple == "__hipMapVector":
            explicit = "<float, 2>"
        elif simple == "__hipMapFrom":
            explicit, listed, result = "<float>", "m.value<float4>()", "float"
        elif simple == "__hipMapTo":
            explicit, listed, result = "<float4>", "m.value<float>()", "float4"
        elif simple.startswith("__hip_ds_swizzle"):
            explicit = "<0x1f>"
        elif simple.startswith("__hip_move_dpp"):
            explicit = "<0x111, 15, 15, true>"
        if simple in ("printf",):
            listed = '"%d", m.value<int>()'
        if simple == "_hip_compare":
            listed = "m.reference<float*>(), m.reference<float*>(), -1"
        expression = f"{name if name.startswith(('std::', group)) else '::' + name}{explicit}({listed})"
        if name in ("abort",):
            expression = f"{name}({listed})"
    if result == "void":
        return f"{expression};"
    return f"CALL(({result}), {expression});"


def calls():
    found = []
    for version, table in TABLES.items():
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        for number, row in enumerate(rows):
            for signature in split_signatures(row["signatures"]):
                statement = call_of(row, signature)
                if NEVER.search(row["name"]):
                    statement = f"if (m.never) {{ {statement} }}"
                both = "host" in row["qualifiers"]
                found.append(Call(version, row["category"], row["name"], signature, both, statement, number))
    unknown = {c.category for c in found} - {c for group in PROGRAMS.values() for c in group}
    if unknown:
        sys.exit(f"no program for the categories {unknown}")
    return found


def split_signatures(text):
    """The signatures of a row, which ` | ` separates (the operator of that name has no blank before it)."""
    return text.split(" | ") if text else [""]


def read_missing():
    if not MISSING.exists():
        return {}
    with open(MISSING, newline="") as file:
        return {(r["category"], r["name"], r["signature"]): r["reason"] for r in csv.DictReader(file)}


def source_of(program, selected):
    """The text of a program, and the call on each of its lines."""
    lines = [f"// Made by scripts/device_coverage.py from the tables in tests/data.",
             '#include "tests/device_coverage/call.h"']
    where = {}
    names = []
    for index, call in enumerate(selected):
        qualifier = "__host__ __device__" if call.both else "__device__"
        lines.append(f"{qualifier} static void call{index}(Memory m) {{ {call.statement} }}  // {call.name}")
        where[len(lines)] = call
        names.append(index)
    size = 8  # Intel's compiler crashes on a kernel with 40 functions of emulated double precision
    kernels = []
    for start in range(0, len(names), size):
        kernels.append(f"run{start}")
        lines.append(f"__global__ void run{start}(Memory m) {{")
        lines += [f"  call{i}(m.part({i}));" for i in names[start:start + size]]
        lines.append("}")
    host = [i for i in names if selected[i].both]
    lines.append("static void runOnHost(Memory m) {")
    lines += [f"  call{i}(m.part({i}));" for i in host]
    lines.append("}")
    launches = "".join(f"  HIP_CHECK(launch({k}));\n" for k in kernels)
    lines.append(f"int main() {{\n{launches}  onHost(runOnHost);\n  std::printf(\"%d calls\\n\", {len(names)});\n"
                 "  return testResult();\n}")
    return "\n".join(lines) + "\n", where


def generate(folder, missing):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    everything = calls()
    for program, categories in PROGRAMS.items():
        selected = [c for c in everything if c.category in categories and c.key not in missing]
        path = folder / f"coverage_{program}.hip"
        if not selected:
            path.unlink(missing_ok=True)
            continue
        text, _ = source_of(program, selected)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def rejected(command, program, selected):
    """The calls that the compiler rejects, each with a message. Calls of functions that only the host has are reported
    only if there is no other error, so this goes on with the rest until all is accepted."""
    found, stray = {}, []
    while True:
        more, stray = rejected_at_once(command, program, [c for c in selected if c.key not in found])
        found.update(more)
        if not more:
            return found, stray


def rejected_at_once(command, program, selected):
    text, where = source_of(program, selected)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"coverage_{program}.hip"
        path.write_text(text)
        run = subprocess.run(command + ["-fsyntax-only", "-ferror-limit=0", "-w", "-fno-caret-diagnostics", "-fno-color-diagnostics",
                                        f"-I{ROOT}", str(path)], capture_output=True, text=True)
    found, message, placed = {}, None, True
    stray = []
    for line in run.stderr.splitlines():
        if re.search(r"(?:^|: )(?:fatal )?error: ", line):
            if message and not placed:
                stray.append(message)
            message, placed = re.sub(r"^.*?error: ", "", line), False
        if message is None:
            continue
        for number in re.findall(re.escape(path.name) + r":(\d+)", line):
            if int(number) in where and not placed:
                found.setdefault(where[int(number)].key, message)
                placed = True
    if message and not placed:
        stray.append(message)
    return found, stray


def probe(command):
    everything = calls()
    found, stray = {}, []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(rejected, command, program, [c for c in everything if c.category in categories])
                for program, categories in PROGRAMS.items()]
        for job in jobs:
            part, rest = job.result()
            found.update(part)
            stray += rest
    return everything, found, stray


def by_category(selected):
    rows = {}
    for call in selected:
        rows.setdefault(call.category, []).append(call)
    return sorted(rows.items())


def counts(title, selected, missing):
    lines = ["", f"## {title}", "", "| category | rows | of these here | signatures | of these here |", "| --- | ---: | ---: | ---: | ---: |"]
    total = [0, 0, 0, 0]
    for category, members in by_category(selected):
        names = {c.row for c in members}
        absent = {c.row for c in members if c.key in missing}
        numbers = [len(names), len(names - absent), len(members), sum(c.key not in missing for c in members)]
        total = [a + b for a, b in zip(total, numbers)]
        lines.append(f"| {category} | " + " | ".join(map(str, numbers)) + " |")
    return lines + ["| all | " + " | ".join(map(str, total)) + " |"]


def render(missing):
    everything = calls()
    keys = {c.key for c in everything}
    lost = [key for key in missing if key not in keys]
    if lost:
        sys.exit(f"device_missing.csv has rows that the table does not have: {lost[0]}")
    lines = ["# Coverage of the device side", "",
             "Made by `scripts/device_coverage.py` from the tables of all that HIP 6.4 lets device code call and of what HIP 7.2 added",
             "(`device_functions.csv` in tests/data and tests/data/hip_7), and the list of what is missing (scripts/device_missing.csv). The tests",
             "`device.coverage_*` call every other signature, with arguments and a result of exactly the declared types.", "",
             "A row of a table is a function with its overloads; it counts as here if all of them are."]
    lines += counts("HIP 6.4", [c for c in everything if c.version == "6.4"], missing)
    lines += counts("Added by HIP 7.2", [c for c in everything if c.version == "7.2"], missing)
    lines += ["", "## Missing", ""]
    if not missing:
        lines.append("Nothing.")
    for category, members in by_category(everything):
        absent = [c for c in members if c.key in missing]
        if not absent:
            continue
        lines += [f"### {category}", ""]
        reasons = {missing[c.key] or "not implemented" for c in absent}
        if len(absent) == len(members) and len(reasons) == 1:
            lines.append(f"All of it: {reasons.pop()}")
        else:
            lines += [f"- `{c.name}`: `{c.signature}`: {missing[c.key] or 'not implemented'}" for c in absent]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generate", metavar="FOLDER")
    parser.add_argument("--document", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--probe", nargs=argparse.REMAINDER, metavar="COMPILER")
    options = parser.parse_args()
    missing = read_missing()
    if options.generate:
        generate(options.generate, missing)
    if options.probe:
        everything, found, stray = probe(options.probe)
        for message in sorted(set(stray)):
            print(f"not at a call: {message}", file=sys.stderr)
        if options.update:
            with open(MISSING, "w", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(FIELDS)
                writer.writerows([*c.key, missing.get(c.key, "")] for c in everything
                                 if c.key in found or missing.get(c.key))
        for call in everything:
            if call.key in found and not options.check:
                print(f"{call.category}: {call.name}: {call.signature}\n    {found[call.key]}")
        if options.check:
            # A reason says that a call compiles but cannot work; without one it must be rejected.
            lost = sorted(set(found) - set(missing))
            gained = sorted(key for key, reason in missing.items() if key not in found and not reason)
            for key in lost:
                print(f"no longer there: {': '.join(key)}: {found[key]}")
            for key in gained:
                print(f"there, but listed as missing: {': '.join(key)}")
            sys.exit(1 if lost or gained or stray else 0)
    if options.document:
        text = render(missing)
        if options.check:
            if not DOCUMENT.exists() or DOCUMENT.read_text() != text:
                sys.exit("docs/device-coverage.md is out of date: run scripts/device_coverage.py --document")
        else:
            DOCUMENT.write_text(text)


if __name__ == "__main__":
    main()
