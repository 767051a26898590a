#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints kernels that execute each line of operations.txt on inputs of the caller, for the assembler.

Each lane has four inputs of 64 bits: v[4:5], v[6:7], v[8:9] and v[10:11], of which the lowest bit of v10 is its bit of VCC.
v[12:13], which begins as v[10:11], and the mask s20, which begins as 0, are the results: 16 bytes for each operation and lane.
Scalar operations get the inputs of the first lane in s[32:33], s[34:35], s[36:37], and leave s[38:39] and SCC, which becomes s20.
Kernel number k executes the operations from k * 16 on.
"""
import os

PER_KERNEL = 16
lines = [line.split("#")[0].strip() for line in open(os.path.join(os.path.dirname(__file__) or ".", "operations.txt"))]
operations = [line for line in lines if line]
print('.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"\n.text')
kernels = []
for first in range(0, len(operations), PER_KERNEL):
    name = f"operations{first // PER_KERNEL}"
    kernels.append(name)
    print(f".globl {name}\n.p2align 8\n.type {name},@function\n{name}:")
    print("s_load_dwordx4 s[4:7], s[0:1], 0x0\nv_lshlrev_b32 v1, 5, v0\nv_lshlrev_b32 v2, 4, v0\ns_waitcnt lgkmcnt(0)")
    print("global_load_dwordx4 v[16:19], v1, s[4:5]\nglobal_load_dwordx4 v[20:23], v1, s[4:5] offset:16\ns_waitcnt vmcnt(0)")
    for index, operation in enumerate(operations[first:first + PER_KERNEL]):
        for register in range(8):
            print(f"v_mov_b32 v{4 + register}, v{16 + register}")
        print("v_mov_b32 v12, v10\nv_mov_b32 v13, v11\ns_mov_b32 s20, 0\nv_and_b32 v3, 1, v10\nv_cmp_ne_u32 vcc_lo, 0, v3")
        scalar = operation.startswith("s_")
        if scalar:
            for register in range(6):
                print(f"v_readfirstlane_b32 s{32 + register}, v{4 + register}")
            print("v_readfirstlane_b32 s38, v10\nv_readfirstlane_b32 s39, v11\ns_cmp_lg_u32 s36, s36")
        for part in operation.split(";"):
            print(part.strip())
        if scalar:
            print("s_cselect_b32 s20, -1, 0\nv_mov_b32 v12, s38\nv_mov_b32 v13, s39")
        print("v_cndmask_b32 v14, 0, 1, s20")
        offset = index * 32 * 16
        print(f"v_add_nc_u32 v3, {offset}, v2\nglobal_store_dwordx3 v3, v[12:14], s[6:7]")
    print(f"s_endpgm\n.{name}_end:\n.size {name}, .{name}_end-{name}")
    print(f""".rodata
.p2align 6
.amdhsa_kernel {name}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 48
  .amdhsa_wavefront_size32 1
  .amdhsa_float_denorm_mode_32 3
.end_amdhsa_kernel
.text""")
print(".amdgpu_metadata\n---\namdhsa.version: [ 1, 1 ]\namdhsa.target: amdgcn-amd-amdhsa--gfx1030\namdhsa.kernels:")
for name in kernels:
    print(f"""  - .name: {name}
    .symbol: {name}.kd
    .kernarg_segment_size: 16
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 32
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 1024
    .args:
      - {{ .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }}
      - {{ .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global }}""")
print("...\n.end_amdgpu_metadata")
