// SPDX-License-Identifier: MIT
// Which operands of an instruction are ids, where that depends on other operands, and lengths that instructions cannot have.
#include "spirv/grammar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace hiplz::spirv {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Operands = std::vector<uint32_t>;

std::vector<size_t> referencesOf(spv::Op op, const Operands &operands) {
  Operands all{firstWord(op, operands.size() + 1)};
  all.insert(all.end(), operands.begin(), operands.end());
  const Words words(std::as_bytes(std::span(all)));
  const Instruction in(words, 0);
  std::vector<size_t> found;
  References references(in);
  while (const auto index = references.next())
    found.push_back(*index);
  for (size_t i = 0; i < in.operands(); ++i)
    EXPECT_EQ(isReference(in, i), std::find(found.begin(), found.end(), i) != found.end()) << i;
  return found;
}

bool canHave(spv::Op op, size_t length) {
  Operands all(length, 0);
  all[0] = firstWord(op, length);
  return hasPossibleLength(Instruction(Words(std::as_bytes(std::span(all))), 0));
}

TEST(SpirvGrammar, ScopesOfMemoryOperandsAreIdsAndAlignmentsAreNot) {
  const uint32_t visible = spv::MemoryAccessAlignedMask | spv::MemoryAccessMakePointerVisibleMask;
  EXPECT_THAT(referencesOf(spv::OpLoad, {1, 2, 3, visible, 16, 4}), ElementsAre(0, 2, 5));
  EXPECT_THAT(referencesOf(spv::OpLoad, {1, 2, 3, spv::MemoryAccessVolatileMask}), ElementsAre(0, 2));
  EXPECT_THAT(referencesOf(spv::OpCopyMemory, {1, 2, spv::MemoryAccessAlignedMask, 4, visible, 8, 3}),
              ElementsAre(0, 1, 6));
}

TEST(SpirvGrammar, OperandsBehindStringsNumbersAndMasksAreFound) {
  EXPECT_THAT(referencesOf(spv::OpEntryPoint, {spv::ExecutionModelKernel, 1, 0x6e72656b, 0x006c65, 2, 3}),
              ElementsAre(1, 4, 5));
  EXPECT_THAT(referencesOf(spv::OpConstant, {1, 2, 7, 8}), ElementsAre(0));
  EXPECT_THAT(referencesOf(spv::OpSwitch, {1, 2, 0, 3, 1, 4}), ElementsAre(0, 1));
  EXPECT_THAT(referencesOf(spv::OpGroupMemberDecorate, {1, 2, 0, 3, 1}), ElementsAre(0, 1, 3));
  EXPECT_THAT(referencesOf(spv::OpImageSampleExplicitLod, {1, 2, 3, 4, spv::ImageOperandsLodMask, 5}),
              ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(referencesOf(spv::OpDecorate, {1, spv::DecorationAlignment, 8}), ElementsAre(0));
  EXPECT_THAT(referencesOf(spv::OpDecorateId, {1, spv::DecorationAlignmentId, 8}), ElementsAre(0, 2));
}

TEST(SpirvGrammar, OperationsOnConstantsHaveTheOperandsOfTheInstruction) {
  EXPECT_THAT(referencesOf(spv::OpSpecConstantOp, {1, 2, spv::OpIAdd, 3, 4}), ElementsAre(0, 3, 4));
  EXPECT_THAT(referencesOf(spv::OpSpecConstantOp, {1, 2, spv::OpCompositeExtract, 3, 4, 5}), ElementsAre(0, 3));
}

TEST(SpirvGrammar, DamagedInstructionsEndTheWalk) {
  EXPECT_THAT(referencesOf(spv::OpEntryPoint, {spv::ExecutionModelKernel, 1, 0x6e72656b}), ElementsAre(1));
  EXPECT_THAT(referencesOf(spv::OpLoad, {1, 2, 3, spv::MemoryAccessAlignedMask}), ElementsAre(0, 2));
  EXPECT_THAT(referencesOf(spv::OpSpecConstantOp, {1, 2, 0xffff}), ElementsAre(0));
  EXPECT_THAT(referencesOf(spv::OpSpecConstantOp, {1, 2}), ElementsAre(0));
  EXPECT_THAT(referencesOf(spv::OpReturn, {}), IsEmpty());
}

TEST(SpirvGrammar, InstructionsThatItLacksHaveIdsOnly) {
  EXPECT_THAT(referencesOf(static_cast<spv::Op>(3999), {1, 2}), ElementsAre(0, 1));
  EXPECT_EQ(resultOperand(static_cast<spv::Op>(3999)), -1);
}

TEST(SpirvGrammar, LengthsHaveBounds) {
  EXPECT_FALSE(canHave(spv::OpTypeInt, 3));
  EXPECT_TRUE(canHave(spv::OpTypeInt, 4));
  EXPECT_FALSE(canHave(spv::OpTypeInt, 5));
  EXPECT_TRUE(canHave(spv::OpVariable, 5));
  EXPECT_FALSE(canHave(spv::OpVariable, 6));
  EXPECT_FALSE(canHave(spv::OpConstant, 3));
  EXPECT_TRUE(canHave(spv::OpConstant, 40));
  EXPECT_FALSE(canHave(spv::OpSwitch, 2));
  EXPECT_TRUE(canHave(static_cast<spv::Op>(3999), 1));
}

} // namespace
} // namespace hiplz::spirv
