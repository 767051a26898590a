#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints kernels for the processor TARGET (gfx1030) that execute each line of operations.txt, or operations-TARGET.txt, on inputs of the
caller, for the assembler. The assembler knows most names of gfx1030 in gfx1100 as well; the others are changed here.

Each lane has four inputs of 64 bits: v[4:5], v[6:7], v[8:9] and v[10:11], of which the lowest bit of v10 is its bit of VCC.
v[12:13], which begins as v[10:11], and the mask s20, which begins as 0, are the results: 16 bytes for each operation and lane.
Lines that name s32 to s37 get the inputs of the first lane there. Lines that name s38, or whose operation is scalar, leave their result in
s[38:39] instead, and scalar ones SCC, which becomes s20. For lines that use memory, v1 is 32 times the lane's number; local memory at v1 and
global memory at v[24:25] = s[8:9] + v1 begin with v[8:11], and s[40:43] describe the latter as a buffer.
In a line, ";" divides instructions, "!" marks those that it checks, and "@" stands for the line's number.
Kernel number k executes the lines from k * 16 on.
"""
import os
import re

PER_KERNEL = 16
TARGET = os.environ.get("TARGET", "gfx1030")

# Names of gfx1100 that LLVM 15 does not give to the older ones.
RENAMED = [(r"_(ubyte|sbyte)_d16(_hi)?\b", lambda m: "_d16" + (m[2] or "") + ("_u8" if m[1] == "ubyte" else "_i8")),
           (r"_load_short_d16(_hi)?\b", r"_load_d16\1_b16"), (r"_store_byte_d16_hi\b", "_store_d16_hi_b8"),
           (r"_store_short_d16_hi\b", "_store_d16_hi_b16"), (r"_atomic_fmin\b", "_atomic_min_f32"),
           (r"_atomic_fmax\b", "_atomic_max_f32"), (r"_atomic_fcmpswap\b", "_atomic_cmpswap_f32"),
           (r"_atomic_csub\b", "_atomic_csub_u32"),
           # The new value comes first there.
           (r"\bds_cmpst_(rtn_)?([bf]\d+) (.*), (v\S+), (v\S+)", r"ds_cmpstore_\1\2 \3, \5, \4")]


def adapted(instruction):
    for pattern, name in RENAMED if TARGET == "gfx1100" else []:
        instruction = re.sub(pattern, name, instruction)
    return instruction


def describe(name, more=""):
    print(f""".rodata
.p2align 6
.amdhsa_kernel {name}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 24
  .amdhsa_group_segment_fixed_size 8192
  .amdhsa_private_segment_fixed_size 64
  .{"amdhsa_enable_private_segment" if TARGET == "gfx1100" else "amdhsa_system_sgpr_private_segment_wavefront_offset"} 1
  .amdhsa_next_free_vgpr 40
  .amdhsa_next_free_sgpr 64
  .amdhsa_wavefront_size32 1
  .amdhsa_float_denorm_mode_32 3
{more}.end_amdhsa_kernel
.text""")


operations = [line.strip() for line in open(os.path.join(os.path.dirname(__file__) or ".", "operations" + ("" if TARGET == "gfx1030" else "-" + TARGET) + ".txt"))]
print(f'.amdgcn_target "amdgcn-amd-amdhsa--{TARGET}"\n.text')
kernels = []
for first in range(0, len(operations), PER_KERNEL):
    name = f"operations{first // PER_KERNEL}"
    kernels.append(name)
    print(f".globl {name}\n.p2align 8\n.type {name},@function\n{name}:")
    print("s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dwordx2 s[8:9], s[0:1], 0x10\nv_lshlrev_b32 v1, 5, v0\nv_lshlrev_b32 v2, 4, v0")
    print("s_waitcnt lgkmcnt(0)\nglobal_load_dwordx4 v[16:19], v1, s[4:5]\nglobal_load_dwordx4 v[20:23], v1, s[4:5] offset:16")
    print("s_waitcnt vmcnt(0)")
    for index, operation in enumerate(operations[first:first + PER_KERNEL]):
        number = first + index
        if "exec" in operation:
            # Read anew, or lines that begin alike would share values, whose other lanes one of them reads.
            print("global_load_dwordx4 v[4:7], v1, s[4:5]\nglobal_load_dwordx4 v[8:11], v1, s[4:5] offset:16\ns_waitcnt vmcnt(0)")
        else:
            for register in range(8):
                print(f"v_mov_b32 v{4 + register}, v{16 + register}")
        print("v_mov_b32 v12, v10\nv_mov_b32 v13, v11\ns_mov_b32 s20, 0\nv_and_b32 v3, 1, v10")
        subject = operation[operation.find("!") + 1:]
        leaves_scalar = re.search(r"\bs\[?38", operation) or (subject.startswith("s_") and "v12" not in operation)
        if re.search(r"\bs\[?3[2-7]", operation) or leaves_scalar:
            for register in range(6):
                print(f"v_readfirstlane_b32 s{32 + register}, v{4 + register}")
            print("v_readfirstlane_b32 s38, v10\nv_readfirstlane_b32 s39, v11")
        if re.search(r"\b(ds_|global_|flat_|t?buffer_)", operation):
            print("ds_write_b128 v1, v[8:11]\nglobal_store_dwordx4 v1, v[8:11], s[8:9]")
            print("v_add_co_u32 v24, s40, s8, v1\nv_add_co_ci_u32 v25, s40, s9, 0, s40")
            print("s_mov_b32 s40, s8\ns_mov_b32 s41, s9\ns_movk_i32 s42, 0x400\ns_mov_b32 s43, 0x31016fac")
            print("s_waitcnt lgkmcnt(0)\ns_waitcnt_vscnt null, 0")
        print("s_cmp_lg_u32 s0, s0\nv_cmp_ne_u32 vcc_lo, 0, v3")
        for part in operation.replace("!", "").split(";"):
            print(adapted(part.strip().replace("@", f"_{number}")))
        if subject.startswith("s_") and "s20" not in operation:
            print("s_cselect_b32 s20, -1, 0")
        if leaves_scalar:
            print("v_mov_b32 v12, s38\nv_mov_b32 v13, s39")
        print("v_cndmask_b32 v14, 0, 1, s20")
        offset = index * 32 * 16
        print(f"v_add_nc_u32 v3, {offset}, v2\nglobal_store_dwordx3 v3, v[12:14], s[6:7]")
    print(f"s_endpgm\n.{name}_end:\n.size {name}, .{name}_end-{name}")
    describe(name)
# A kernel that calls a function which never returns, at the very end of the code.
print("""never_returns:
s_endpgm
.type never_returns,@function
.globl ends_in_call
.p2align 8
.type ends_in_call,@function
ends_in_call:
s_load_dwordx2 s[4:5], s[0:1], 0x8
v_mov_b32 v0, 0
v_mov_b32 v1, 7
s_waitcnt lgkmcnt(0)
global_store_dword v0, v1, s[4:5]
s_getpc_b64 s[6:7]
.ends_in_call_here:
s_sub_u32 s6, s6, .ends_in_call_here-never_returns
s_subb_u32 s7, s7, 0
s_swappc_b64 s[30:31], s[6:7]""")
kernels.append("ends_in_call")
describe("ends_in_call")


def small_kernel(name, code, more=""):
    """Code with the addresses of inputs in s[4:5] and of results in s[6:7], which leaves its result in v1."""
    print(f""".globl {name}
.p2align 8
.type {name},@function
{name}:
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
{code}
v_mov_b32 v0, 0
global_store_dword v0, v1, s[6:7]
s_endpgm""")
    kernels.append(name)
    describe(name, more)


read_mode = "s_getreg_b32 s8, hwreg(HW_REG_MODE, 0, 10)\nv_mov_b32 v1, s8"
small_kernel("begins_in_another_mode", read_mode, "  .amdhsa_ieee_mode 0\n  .amdhsa_dx10_clamp 0\n")
small_kernel("begins_rounding_up", "v_mov_b32 v1, 0x1000000\nv_add_f32 v1, 1.0, v1", "  .amdhsa_float_round_mode_32 1\n")
small_kernel("traps", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 2), 1\nv_mov_b32 v1, 1")
small_kernel("traps_as_told", "s_load_dword s8, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\n"
             "s_setreg_b32 hwreg(HW_REG_MODE, 12, 2), s8\nv_mov_b32 v1, s8")
# Jumps as Tensile writes them: the distance is a sum of constants in a register, or its amount, which is subtracted.
small_kernel("jumps_far", """v_mov_b32 v1, 1
s_branch .far_begin
.far_back:
v_add_nc_u32 v1, v1, 40
s_branch .far_end
.far_begin:
s_getpc_b64 s[8:9]
.far_here:
s_add_i32 s10, .far_there-.far_here-4, 4
s_add_u32 s8, s8, s10
s_addc_u32 s9, s9, 0
s_setpc_b64 s[8:9]
v_mov_b32 v1, 7
.far_there:
v_add_nc_u32 v1, v1, 300
s_getpc_b64 s[8:9]
.far_again:
s_add_i32 s10, .far_back-.far_again-4, 4
s_abs_i32 s10, s10
s_sub_u32 s8, s8, s10
s_subb_u32 s9, s9, 0
s_setpc_b64 s[8:9]
.far_end:""")
# Refusals: modifiers that an operation does not take, lanes whose bits nobody knows, operations without rows.
for name, code in [("half_of_a_word", ".long 0xd6550801, 0x040a0501"), # v_add3_u32 v1, v1, v2, v2 with op_sel
                   ("mixed_with_other_lanes", "v_fma_mix_f32_e64_dpp v1, v1, v2, v2 row_shr:1 row_mask:0xf bank_mask:0xf"),
                   ("compares_some_lanes", "v_cmp_lt_u32_dpp vcc_lo, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf"),
                   ("compares_rows", "v_cmp_lt_u32_dpp vcc_lo, v1, v2 row_shr:1 row_mask:0x1 bank_mask:0xf bound_ctrl:1"),
                   ("multiplies_matrices", "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]"),
                   ("asks_the_host", "s_sendmsg_rtn_b32 s8, sendmsg(MSG_RTN_GET_DOORBELL)")] if TARGET == "gfx1100" else []:
    small_kernel(name, code)
print(f".amdgpu_metadata\n---\namdhsa.version: [ 1, 1 ]\namdhsa.target: amdgcn-amd-amdhsa--{TARGET}\namdhsa.kernels:")
for name in kernels:
    print(f"""  - .name: {name}
    .symbol: {name}.kd
    .kernarg_segment_size: 24
    .group_segment_fixed_size: 8192
    .private_segment_fixed_size: 64
    .kernarg_segment_align: 8
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 40
    .max_flat_workgroup_size: 1024
    .args:
      - {{ .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }}
      - {{ .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global }}
      - {{ .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global }}""")
print("...\n.end_amdgpu_metadata")
