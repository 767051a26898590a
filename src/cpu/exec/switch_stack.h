// SPDX-License-Identifier: MIT
// The switch between two stacks, the one piece of the CPU device in assembly. Inlined into the function that waits: the
// compiler saves only what is live there, and the `ret` of that function is predicted, because nothing that is called
// switches the stack. A library function for this (Boost.Context) made a barrier of 256 work-items 2.6 times slower.
#pragma once
#include "base/sanitizer.h"

namespace hiplz::cpu {

#ifdef __AVX512F__
#define HIPLZ_MORE_VECTOR_REGISTERS                                                                                    \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",        \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define HIPLZ_MORE_VECTOR_REGISTERS
#endif

/// Stores the place to come back to in *here and goes on at `there`, which an earlier call stored or freshStack() made.
/// Returns when somebody else switches to *here. Rounding and exception modes are not touched.
[[gnu::always_inline]] HIPLZ_NO_THREAD_SANITIZER inline void switchStack(void **here, void *there) {
  asm volatile("leaq -128(%%rsp), %%rsp\n\t" // the caller may be using its red zone
               "pushq %%rbp\n\t"
               "pushq %%rbx\n\t"
               "leaq 1f(%%rip), %%rax\n\t"
               "pushq %%rax\n\t"
               "movq %%rsp, (%%rdi)\n\t"
               "movq %%rsi, %%rsp\n\t"
               "popq %%rax\n\t"
               "jmpq *%%rax\n"
               "1:\n\t"
               "popq %%rbx\n\t"
               "popq %%rbp\n\t"
               "leaq 128(%%rsp), %%rsp"
               : "+D"(here), "+S"(there)
               :
               : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "xmm0",
                 "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                 "xmm13", "xmm14", "xmm15" HIPLZ_MORE_VECTOR_REGISTERS);
}
#undef HIPLZ_MORE_VECTOR_REGISTERS

/// The first instructions on a fresh stack: fetches what freshStack() has left there.
[[gnu::naked]] inline void beginStack() {
  asm("popq %rdi\n\t"
      "popq %rax\n\t"
      "jmpq *%rax");
}

/// A place to switch to: the call of `function`, which must not return, with the argument, on the stack that ends at `top`
/// (aligned to 16 bytes).
inline void *freshStack(void *top, void (*function)(void *), void *argument) {
  auto *slots = static_cast<void **>(top);
  slots[-1] = nullptr; // where a return address would be
  slots[-2] = reinterpret_cast<void *>(function);
  slots[-3] = argument;
  slots[-4] = reinterpret_cast<void *>(beginStack);
  return slots - 4;
}

} // namespace hiplz::cpu
