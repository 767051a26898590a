#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a program in OpenCL C that calls the built-in functions of one family, each with every type and with scalars and vectors of
some widths: what the driver does not know fails the module.

    opencl_functions.py math|integers|memory|conversions|synchronization"""
import sys

FLOATS = {"float": ("int", "uint"), "double": ("long", "ulong"), "half": ("short", "ushort")}
INTEGERS = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong"}
ALL_INTEGERS = [name for pair in INTEGERS.items() for name in pair]
WIDTHS = ("", "2", "3", "16")
ROUNDINGS = ("", "_rte", "_rtz", "_rtp", "_rtn")
SPACES = ("global", "local")
ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")

UNARY = """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 expm1 fabs floor
lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc degrees radians sign""".split()
BINARY = "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder max min step".split()
TERNARY = "fma mad clamp mix smoothstep bitselect".split()
APPROXIMATE = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan".split()
COMPARISONS = "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered".split()
CLASSES = "isfinite isinf isnan isnormal signbit".split()

kernels = []


def kernel(parameters, statements):
    body = "\n  ".join(statements)
    kernels.append(f"kernel void k{len(kernels)}({parameters}) {{\n  {body}\n}}")


def math():
    for scalar, (signed, unsigned) in FLOATS.items():
        for width in WIDTHS:
            kind, whole = scalar + width, "int" + width
            statements = [f"*o++ = {name}(a[0]);" for name in UNARY]
            statements += [f"*o++ = {name}(a[0], a[1]);" for name in BINARY]
            statements += [f"*o++ = {name}(a[0], a[1], a[2]);" for name in TERNARY]
            if scalar == "float":
                statements += [f"*o++ = {how}{name}(a[0]);" for name in APPROXIMATE
                               for how in ("native_", "half_")]
                statements += [f"*o++ = {how}{name}(a[0], a[1]);" for name in ("divide", "powr") for how in ("native_", "half_")]
            statements.append(f"{kind} second; {whole} number; local {kind} near; local {whole} nearNumber;")
            for target, integer in (("&second", "&number"), ("&near", "&nearNumber"), ("o + 1", "n + 1")):
                statements += [f"*o = {name}(a[0], {target});" for name in ("fract", "modf", "sincos")]
                statements += [f"*o = {name}(a[0], {integer});" for name in ("frexp", "lgamma_r")]
                statements.append(f"*o = remquo(a[0], a[1], {integer});")
            statements.append("*n = ilogb(a[0]) + number;")
            statements += [f"*o++ = {name}(a[0], *n) + second;" for name in ("ldexp", "pown", "rootn")]
            statements.append("*o++ = nan(u[0]); *o++ = select(a[0], a[1], s[0]); *o++ = select(a[0], a[1], u[0]);")
            result = ("int" if not width else signed) + width
            statements.append(f"global {result} *r = (global {result} *)o;")
            statements += [f"*r++ = {name}(a[0], a[1]);" for name in COMPARISONS]
            statements += [f"*r++ = {name}(a[0]);" for name in CLASSES]
            statements.append("*r++ = any(s[0]) + all(s[0]);")
            if width:
                one = f"*(global {scalar} *)a"
                statements += [f"*o++ = {name}(a[0], {one});" for name in ("fmax", "fmin", "max", "min")]
                statements += [f"*o++ = clamp(a[0], {one}, {one}); *o++ = mix(a[0], a[1], {one});",
                               f"*o++ = step({one}, a[0]); *o++ = smoothstep({one}, {one}, a[0]); *o++ = ldexp(a[0], n->x);"]
            if width in ("", "2", "3"):
                fast = ("", "fast_") if scalar == "float" else ("",)
                statements += [f"*f++ = dot(a[0], a[1]); *f++ = {how}distance(a[0], a[1]); *f++ = {how}length(a[0]);"
                               f"*o++ = {how}normalize(a[0]);" for how in fast]
            if width == "3":
                statements.append("*o++ = cross(a[0], a[1]);")
            kernel(f"global {kind} *a, global {kind} *o, global {whole} *n, global {unsigned}{width} *u,"
                   f"global {signed}{width} *s, global {scalar} *f", statements)


def integers():
    for signed, unsigned in INTEGERS.items():
        for scalar in (signed, unsigned):
            for width in WIDTHS:
                kind, positive = scalar + width, unsigned + width
                names = "add_sat sub_sat hadd rhadd mul_hi max min rotate".split()
                statements = [f"*o++ = {name}(a[0], a[1]);" for name in names]
                statements += [f"*o++ = {name}(a[0]);" for name in ("clz", "ctz", "popcount")]
                statements += [f"*o++ = {name}(a[0], a[1], a[2]);" for name in ("clamp", "mad_hi", "mad_sat", "bitselect")]
                statements.append("*u++ = abs(a[0]); *u++ = abs_diff(a[0], a[1]); *o++ = select(a[0], a[1], u[0]);")
                if scalar == signed:
                    statements.append("*i++ = any(a[0]) + all(a[0]);")
                if scalar in ("int", "uint"):
                    statements.append("*o++ = mul24(a[0], a[1]); *o++ = mad24(a[0], a[1], a[2]);")
                if width:
                    one = f"*(global {scalar} *)a"
                    statements.append(f"*o++ = max(a[0], {one}); *o++ = min(a[0], {one}); *o++ = clamp(a[0], {one}, {one});")
                if signed != "long":
                    wider = {"char": "short", "short": "int", "int": "long"}[signed]
                    wider = ("u" if scalar == unsigned else "") + wider + width
                    statements.append(f"*(global {wider} *)o = upsample(a[0], u[0]);")
                kernel(f"global {kind} *a, global {kind} *o, global {positive} *u, global int *i", statements)


def memory():
    for scalar in ALL_INTEGERS + list(FLOATS):
        mask = FLOATS[scalar][1] if scalar in FLOATS else INTEGERS.get(scalar, scalar)
        statements = [f"local {scalar} l[64]; {scalar} p[64]; l[0] = p[0] = g[0];"]
        for width in ("2", "3", "4", "8", "16"):
            for source in ("g", "l", "p", "c", f"({scalar} *)p"):
                statements += [f"vstore{width}(vload{width}(1, {source}), 2, {target});" for target in ("g", "l", "p")]
        for to in ("2", "4", "16"):
            for source in ("2", "4", "16"):
                statements.append(f"*(global {scalar}{to} *)g = shuffle(*(global {scalar}{source} *)g, *(global {mask}{to} *)m);")
                statements.append(f"*(global {scalar}{to} *)g = shuffle2(*(global {scalar}{source} *)g, "
                                  f"*(global {scalar}{source} *)(g + 16), *(global {mask}{to} *)m);")
        kernel(f"global {scalar} *g, constant {scalar} *c, global {mask} *m", statements)
        for width in WIDTHS:
            kind = scalar + width
            kernel(f"global {kind} *g, local {kind} *l", [
                f"event_t done = async_work_group_copy(l, (const global {kind} *)g, 8, 0);",
                f"done = async_work_group_copy(g, (const local {kind} *)l, 8, done);",
                f"done = async_work_group_strided_copy(l, (const global {kind} *)g, 8, 2, done);",
                f"done = async_work_group_strided_copy(g, (const local {kind} *)l, 8, 3, done);",
                "wait_group_events(1, &done);", f"prefetch((const global {kind} *)g, 4);"])
    for scalar in ("float", "double"):
        statements = ["local half l[64]; half p[64]; l[0] = p[0] = h[0];"]
        for width in ("", "2", "3", "4", "8", "16"):
            for form in ("_half", "a_half") if width else ("_half",):
                value = f"*(global {scalar}{width} *)g"
                for target in "hlp":
                    statements += [f"vstore{form}{width}{rounding}({value}, 1, {target});"
                                   for rounding in ROUNDINGS]
                if scalar == "float":
                    statements += [f"{value} = vload{form}{width}(1, {source});" for source in "hlpc"]
        kernel(f"global {scalar} *g, global half *h, constant half *c", statements)


def conversions():
    for source in ALL_INTEGERS + list(FLOATS):
        for width in ("", "3"):
            statements = []
            for target in ALL_INTEGERS + list(FLOATS):
                for saturation in ("", "_sat") if target in ALL_INTEGERS else ("",):
                    statements += [f"*(global {target}{width} *)(o += 64) = convert_{target}{width}{saturation}{rounding}(*a);"
                                   for rounding in ROUNDINGS]
            kernel(f"global {source}{width} *a, global char *o", statements)


def synchronization():
    for scalar in ("int", "uint", "long", "ulong", "float", "double"):
        whole = scalar not in ("float", "double")
        for space in SPACES + ("",):
            statements = [f"local atomic_{scalar} near; volatile {space} atomic_{scalar} *p = {'&near' if space == 'local' else 'x'};",
                          f"{scalar} e = 1; *o = atomic_load(p); atomic_store(p, e); *o = atomic_exchange(p, e);"]
            if space == "global":
                statements.append("atomic_init(p, e);")
            for order in ORDERS:
                order = "memory_order_" + order
                for scope in ("work_group", "device", "all_svm_devices"):
                    how = f"{order}, memory_scope_{scope});"
                    if "rel" not in order.replace("relaxed", ""):
                        statements.append(f"*o = atomic_load_explicit(p, {how}")
                    if "acq" not in order:
                        statements.append(f"atomic_store_explicit(p, e, {how}")
                    statements.append(f"*o = atomic_exchange_explicit(p, e, {how}")
                    if whole:
                        statements += [f"*o = atomic_fetch_{name}_explicit(p, e, {how}" for name in "add sub or xor and min max".split()]
                        statements += [f"*o = atomic_compare_exchange_{name}_explicit(p, &e, e, {order}, memory_order_relaxed, "
                                       f"memory_scope_{scope});" for name in ("strong", "weak")]
            if whole:
                statements += [f"*o = atomic_fetch_{name}(p, e);" for name in "add sub or xor and min max".split()]
                statements += [f"*o = atomic_compare_exchange_{name}(p, &e, e);" for name in ("strong", "weak")]
            kernel(f"global atomic_{scalar} *x, global {scalar} *o", statements)
        for space in SPACES:
            prefix = "atom_" if "long" in scalar else "atomic_"
            statements = [f"local {scalar} near; volatile {space} {scalar} *p = {'&near' if space == 'local' else 'x'};"]
            if whole:
                statements += [f"*o = {prefix}{name}(p, ({scalar})1);" for name in "add sub xchg min max and or xor".split()]
                statements.append(f"*o = {prefix}inc(p) + {prefix}dec(p) + {prefix}cmpxchg(p, ({scalar})1, ({scalar})2);")
            elif scalar == "float":
                statements.append("*o = atomic_xchg(p, 1.0f);")
            kernel(f"global {scalar} *x, global {scalar} *o", statements)
    statements = ["local atomic_flag near;"]
    for flag in ("f", "&near"):
        statements.append(f"*o = atomic_flag_test_and_set({flag}); atomic_flag_clear({flag});")
        for order in ORDERS:
            statements.append(f"*o = atomic_flag_test_and_set_explicit({flag}, memory_order_{order}, memory_scope_device);")
            if "acq" not in order:
                statements.append(f"atomic_flag_clear_explicit({flag}, memory_order_{order}, memory_scope_device);")
    statements += [f"atomic_work_item_fence(CLK_{kind}_MEM_FENCE, memory_order_{order}, memory_scope_{scope});"
                   for kind in ("GLOBAL", "LOCAL", "IMAGE") for order in ORDERS for scope in ("work_item", "work_group", "device")]
    kernel("global atomic_flag *f, global int *o", statements)
    for scalar in ("int", "uint", "long", "ulong", "float", "double", "half"):
        statements = [f"{scalar} v = x[get_global_id(0)]; *o = sub_group_broadcast(v, 0);"]
        statements += [f"*o = work_group_broadcast(v, {ids});" for ids in ("0", "0, 0", "0, 0, 0")]
        statements += [f"*o = {group}_group_{how}_{name}(v);" for group in ("work", "sub") for name in ("add", "min", "max")
                       for how in ("reduce", "scan_inclusive", "scan_exclusive")]
        kernel(f"global {scalar} *x, global {scalar} *o", statements)
    statements = [f"*o = {group}_group_{name}(*o);" for group in ("work", "sub") for name in ("all", "any")]
    statements += ["barrier(CLK_LOCAL_MEM_FENCE); work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);",
                   "sub_group_barrier(CLK_LOCAL_MEM_FENCE); sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);",
                   "mem_fence(CLK_LOCAL_MEM_FENCE); read_mem_fence(CLK_GLOBAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE);"]
    statements += [f"*o += get_{name}(*o);" for name in ("global_size global_id local_size enqueued_local_size local_id num_groups "
                                                         "group_id global_offset").split()]
    statements += [f"*o += get_{name}();" for name in ("work_dim global_linear_id local_linear_id sub_group_size max_sub_group_size "
                                                       "num_sub_groups enqueued_num_sub_groups sub_group_id "
                                                       "sub_group_local_id").split()]
    statements.append("int *any = (int *)o; *o += (to_global(any) != 0) + (to_local(any) != 0) + (to_private(any) != 0) + get_fence(any);")
    kernel("global int *o", statements)


if __name__ == "__main__":
    {"math": math, "integers": integers, "memory": memory, "conversions": conversions,
     "synchronization": synchronization}[sys.argv[1]]()
    for extension in ("fp16", "fp64", "int64_base_atomics", "int64_extended_atomics"):
        print(f"#pragma OPENCL EXTENSION cl_khr_{extension} : enable")
    print("\n".join(kernels))
