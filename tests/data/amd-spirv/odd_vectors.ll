; SPDX-License-Identifier: MIT
; Vectors that SPIR-V does not have without extensions. LLVM 21 makes them of AMD's headers for numbers of six bits (HIP 7): six words are
; eight integers of 24 bits.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n32:64-S32-G1-P4-A0"
target triple = "spirv64-amd-amdhsa"

; Adds to each number of 24 bits the one before it (the first: the last), and counts.
define spir_kernel void @neighbours(ptr addrspace(1) %to, ptr addrspace(1) %from, ptr addrspace(1) %sum, i32 %rounds) {
entry:
  %words = load <6 x i32>, ptr addrspace(1) %from, align 4
  %first = bitcast <6 x i32> %words to <8 x i24>
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  %v = phi <8 x i24> [ %first, %entry ], [ %w, %round ]
  %before = shufflevector <8 x i24> %v, <8 x i24> poison, <8 x i32> <i32 7, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6>
  %w = add <8 x i24> %v, %before
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %round, label %end
end:
  store <8 x i24> %w, ptr addrspace(1) %to, align 4
  %wide = zext <8 x i24> %w to <8 x i32>
  %index = and i32 %rounds, 7
  %one = extractelement <8 x i32> %wide, i32 %index
  store i32 %one, ptr addrspace(1) %sum, align 4
  ret void
}
