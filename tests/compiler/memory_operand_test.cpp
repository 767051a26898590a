// SPDX-License-Identifier: MIT
// The address of an instruction's memory operand, which the report of a misaligned access needs.
#include "cpu/exec/memory_operand.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

using hiplz::cpu::memoryOperand;

namespace {

/// Register n holds (n + 1) * 0x1000.
std::optional<uint64_t> operandOf(std::vector<uint8_t> code) {
  std::array<uint64_t, 16> registers;
  for (size_t i = 0; i < registers.size(); ++i)
    registers[i] = (i + 1) * 0x1000;
  return memoryOperand(code, registers, 0x400000);
}

// Assembled by GNU as; the comment is its input.
TEST(MemoryOperand, OfLegacyInstructions) {
  EXPECT_EQ(0x1000u, operandOf({0x0f, 0x28, 0x00}));                                      // movaps (%rax),%xmm0
  EXPECT_EQ(0x8000u + 0x10, operandOf({0x66, 0x0f, 0x6f, 0x47, 0x10}));                   // movdqa 0x10(%rdi),%xmm0
  EXPECT_EQ(0xd000u - 8, operandOf({0x41, 0x0f, 0x29, 0x4c, 0x24, 0xf8}));                // movaps %xmm1,-8(%r12)
  EXPECT_EQ(0x1000u + 0xa000 * 8, operandOf({0x42, 0x0f, 0x28, 0x04, 0xc8}));             // movaps (%rax,%r9,8),%xmm0
  EXPECT_EQ(0x2000u * 4 + 0x100, operandOf({0x8b, 0x04, 0x8d, 0x00, 1, 0, 0}));           // mov 0x100(,%rcx,4),%eax
  EXPECT_EQ(0x400007u + 0x20, operandOf({0x0f, 0x28, 0x05, 0x20, 0, 0, 0}));              // movaps 0x20(%rip),%xmm0
  EXPECT_EQ(0x6000u + 0x12345678, operandOf({0x48, 0x8b, 0x85, 0x78, 0x56, 0x34, 0x12})); // mov 0x12345678(%rbp),%rax
  EXPECT_EQ(std::nullopt, operandOf({0x0f, 0x28, 0xc1}));                                 // movaps %xmm1,%xmm0
}

TEST(MemoryOperand, OfVectorInstructions) {
  EXPECT_EQ(0x7000u, operandOf({0xc5, 0xfc, 0x28, 0x06}));                        // vmovaps (%rsi),%ymm0
  EXPECT_EQ(0xb000u + 0x20, operandOf({0xc4, 0xc1, 0x7c, 0x28, 0x42, 0x20}));     // vmovaps 0x20(%r10),%ymm0
  EXPECT_EQ(0x7000u + 64, operandOf({0x62, 0xf1, 0x7c, 0x48, 0x28, 0x46, 0x01})); // vmovaps 0x40(%rsi),%zmm0
  EXPECT_EQ(0x7000u + 4, operandOf({0x62, 0xf1, 0x7c, 0x58, 0x58, 0x46, 0x01}));  // vaddps 0x4(%rsi){1to16},%zmm0,%zmm0
  EXPECT_EQ(std::nullopt, operandOf({0xc4, 0xe2, 0x6d, 0x92, 0x04, 0x88})); // vgatherdps %ymm2,(%rax,%ymm1,4),%ymm0
}

TEST(MemoryOperand, OfACutInstruction) {
  EXPECT_EQ(std::nullopt, operandOf({}));
  EXPECT_EQ(std::nullopt, operandOf({0x0f}));
}

} // namespace
