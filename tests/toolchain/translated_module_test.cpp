// SPDX-License-Identifier: MIT
// The corrections of translated modules, on modules of a few instructions.
#include "spirv/words.h"
#include "tools/llvm_spirv/translated_module.h"

#include <gtest/gtest.h>

namespace hiplz::spirv {
namespace {

using Words = std::vector<uint32_t>;

Words instruction(spv::Op op, const Words &operands) {
  Words words = {firstWord(op, operands.size() + 1)};
  words.insert(words.end(), operands.begin(), operands.end());
  return words;
}

Words module(const std::vector<Words> &instructions) {
  Words words = {spv::MagicNumber, 0x10300, 0, 100, 0};
  for (const Words &one : instructions)
    words.insert(words.end(), one.begin(), one.end());
  return words;
}

TEST(TranslatedModule, HasEachDecorationOnce) {
  const Words noWrap = instruction(spv::OpDecorate, {7, spv::DecorationNoSignedWrap});
  const Words other = instruction(spv::OpDecorate, {7, spv::DecorationNoUnsignedWrap});
  const Words another = instruction(spv::OpDecorate, {8, spv::DecorationNoSignedWrap});
  const Words aligned = instruction(spv::OpDecorate, {8, spv::DecorationAlignment, 4});
  const Words alignedMore = instruction(spv::OpDecorate, {8, spv::DecorationAlignment, 8});
  const Words member = instruction(spv::OpMemberDecorate, {9, 0, spv::DecorationOffset, 0});
  // Instructions that are no decorations may stand more than once.
  const Words line = instruction(spv::OpNoLine, {});
  TranslatedModule translated(
      module({noWrap, other, another, noWrap, aligned, alignedMore, member, aligned, member, line, line}));
  ASSERT_TRUE(translated.ok());
  translated.correct();
  EXPECT_EQ(translated.words(), module({noWrap, other, another, aligned, alignedMore, member, line, line}));
}

TEST(TranslatedModule, TellsCompositesOfComputedConstants) {
  const Words plain = instruction(spv::OpConstant, {1, 10, 5});
  const Words address = instruction(spv::OpSpecConstantOp, {2, 11, spv::OpBitcast, 30});
  const auto composite = [](spv::Op op, uint32_t result, uint32_t member) {
    return instruction(op, {3, result, member});
  };
  TranslatedModule translated(
      module({plain, address, composite(spv::OpConstantComposite, 12, 10), composite(spv::OpConstantComposite, 13, 11),
              composite(spv::OpConstantComposite, 14, 13)}));
  translated.correct();
  EXPECT_EQ(translated.words(),
            module({plain, address, composite(spv::OpConstantComposite, 12, 10),
                    composite(spv::OpSpecConstantComposite, 13, 11), composite(spv::OpSpecConstantComposite, 14, 13)}));
}

TEST(TranslatedModule, RefusesWhatHasNoStructure) {
  EXPECT_FALSE(TranslatedModule({}).ok());
  EXPECT_FALSE(TranslatedModule({spv::MagicNumber, 0x10300, 0, 100, 0, firstWord(spv::OpNop, 9)}).ok());
  EXPECT_TRUE(TranslatedModule(module({})).ok());
}

} // namespace
} // namespace hiplz::spirv
