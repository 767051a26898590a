// SPDX-License-Identifier: MIT
// The stages that the driver on OpenCL puts in front of compilers, on a module that clang and the translator have made.
#include "fatbin/reflection.h"
#include "opencl/barrier_check.h"
#include "opencl/shared_memory.h"
#include "opencl/spirv_stage.h"
#include "opencl/subgroup_users.h"
#include "spirv/instructions.h"
#include "spirv/words.h"

#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <map>

using namespace hiplz;
using testing::ElementsAre;

namespace {

std::vector<std::byte> module() {
  std::ifstream file(HIPLZ_TEST_OPENCL_KERNELS, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// How often a module has each instruction.
std::map<spv::Op, int> countOf(const std::vector<std::byte> &module) {
  std::map<spv::Op, int> count;
  const spirv::Words words(module);
  spirv::forEachInstruction(words, [&](const spirv::Instruction &in) { ++count[in.op()]; });
  return count;
}

TEST(OpenclBarriers, kernelsThatSomeItemsLeaveEarlyAreNamed) {
  EXPECT_THAT(opencl::kernelsWithUnevenBarriers(module()),
              ElementsAre("called", "chosenFlag", "earlyReturn", "ownLimit", "underBranch"));
}

TEST(OpenclBarriers, operationsOfSubgroupsUnderBranchesAreFoundOnRequest) {
  EXPECT_THAT(opencl::kernelsWithUnevenBarriers(module(), true),
              ElementsAre("called", "chosenFlag", "earlyReturn", "ownLimit", "shuffledUnderBranch", "underBranch"));
}

TEST(OpenclStage, kernelsWithOperationsOfSubgroupsAreNamed) {
  EXPECT_THAT(opencl::kernelsWithSubgroups(module()), ElementsAre("shuffledUnderBranch", "shuffles", "voted", "votes"));
}

TEST(OpenclStage, modulesStayReadableAndKeepTheirKernels) {
  const auto before = spirv::reflect(module());
  for (const opencl::Adaptation how : {opencl::Adaptation{}, {true, false}, {false, true}, {true, true}}) {
    const auto adapted = opencl::adapt(module(), how);
    EXPECT_EQ(adapted.isFlat, how.flattenGroups);
    const auto after = spirv::reflect(adapted.spirv);
    ASSERT_EQ(after.kernels.size(), before.kernels.size());
    for (size_t i = 0; i < before.kernels.size(); ++i)
      EXPECT_EQ(after.kernels[i].args.size(), before.kernels[i].args.size()) << before.kernels[i].name;
  }
}

TEST(OpenclStage, shufflesGoThroughVolatileMemory) {
  opencl::Adaptation how{true, false};
  how.zeroAbsentLanes = true;
  const auto before = countOf(module()), after = countOf(opencl::adapt(module(), how).spirv);
  const int shuffles = before.at(spv::OpGroupNonUniformShuffle);
  EXPECT_EQ(shuffles, 3);
  EXPECT_EQ(after.at(spv::OpGroupNonUniformShuffle), shuffles);
  EXPECT_EQ(after.at(spv::OpStore), before.at(spv::OpStore) + shuffles);
  EXPECT_EQ(after.at(spv::OpLoad), before.at(spv::OpLoad) + shuffles);
  EXPECT_EQ(after.at(spv::OpGroupNonUniformBallot), before.at(spv::OpGroupNonUniformBallot) + shuffles);
}

TEST(OpenclStage, lanesAreCountedWhereBallotsNameTooMany) {
  opencl::Adaptation how;
  how.zeroAbsentLanes = how.countLanes = how.votesFromBallots = true;
  auto before = countOf(module()), after = countOf(opencl::adapt(module(), how).spirv);
  EXPECT_EQ(after.count(spv::OpGroupNonUniformAll), 0u);
  EXPECT_EQ(after.at(spv::OpGroupNonUniformBallot),
            before.at(spv::OpGroupNonUniformBallot) + before.at(spv::OpGroupNonUniformAll));
  // One count of the lanes for each ballot and each shuffle.
  EXPECT_EQ(after[spv::OpIMul] - before[spv::OpIMul],
            3 * (after.at(spv::OpGroupNonUniformBallot) + after.at(spv::OpGroupNonUniformShuffle)));
  how.flattenGroups = true;
  EXPECT_TRUE(opencl::adapt(module(), how).isFlat);
}

TEST(OpenclStage, signedDivisionsByWhatMayBeMinusOneAreDefined) {
  opencl::Adaptation how;
  how.wrapDivisions = true;
  const auto before = countOf(module()), after = countOf(opencl::adapt(module(), how).spirv);
  ASSERT_EQ(before.at(spv::OpSDiv) + before.at(spv::OpSRem), 5);
  EXPECT_EQ(after.at(spv::OpSDiv), before.at(spv::OpSDiv));
  EXPECT_EQ(after.at(spv::OpSRem), before.at(spv::OpSRem));
  // Each remainder needs one selection, each quotient two, and the one by seven none.
  EXPECT_EQ(after.at(spv::OpSelect), 2 * (before.at(spv::OpSDiv) - 1) + before.at(spv::OpSRem) +
                                         (before.contains(spv::OpSelect) ? before.at(spv::OpSelect) : 0));
}

TEST(OpenclStage, idsAreNotCutToTheBitsThatTheyHave) {
  const auto masks = [](std::span<const std::byte> bytes) {
    std::set<uint32_t> constants;
    std::pair<int, int> result; // masks with that constant, and ands of a value with itself
    const spirv::Words words(bytes);
    spirv::forEachInstruction(words, [&](const spirv::Instruction &in) {
      if (in.op() == spv::OpConstant && in.operands() == 4 && in[2] == UINT32_MAX && in[3] == 0)
        constants.insert(in[1]);
      if (in.op() == spv::OpBitwiseAnd) {
        result.first += constants.contains(in[3]);
        result.second += in[2] == in[3];
      }
    });
    return result;
  };
  const auto before = masks(module()), after = masks(opencl::adapt(module(), {}).spirv);
  EXPECT_GT(before.first, after.first);
  EXPECT_EQ(after.first + after.second, before.first + before.second);
}

TEST(OpenclStage, sumsOfGroupAndThreadAreTheIndexInTheGrid) {
  opencl::Adaptation how;
  const auto before = opencl::adapt(module(), how);
  EXPECT_FALSE(before.withoutOffset);
  how.joinIndices = true;
  const auto after = opencl::adapt(module(), how);
  EXPECT_TRUE(after.withoutOffset);
  EXPECT_EQ(countOf(after.spirv).at(spv::OpIAdd), countOf(before.spirv).at(spv::OpIAdd) - 2);
  // Kernels of this module can tell that there is an offset, so it must stay.
  EXPECT_FALSE(opencl::adapt(after.spirv, how).withoutOffset);
  how.flattenGroups = true;
  EXPECT_FALSE(opencl::adapt(module(), how).withoutOffset);
}

TEST(OpenclStage, flatGroupsTakeTheirShapeFromTheOffset) {
  EXPECT_EQ(opencl::shapedOffset(7, 32), (size_t{31} << 32) + 7);
  EXPECT_EQ(opencl::shapedOffset(0, 1), 0u); // launches may leave the dimension out
  const auto after = countOf(opencl::adapt(module(), {false, true}).spirv);
  EXPECT_GT(after.at(spv::OpUMod), 0);
  EXPECT_EQ(countOf(module()).count(spv::OpUMod), 0u);
}

TEST(OpenclStage, functionsOfIntelsCompilersAreDefined) {
  EXPECT_THAT(spirv::reflect(module()).imports,
              testing::UnorderedElementsAre(testing::HasSubstr("cycle_counter"), testing::HasSubstr("slice_id")));
  opencl::Adaptation how;
  how.defineClock = true;
  const auto withClock = opencl::adapt(module(), how).spirv;
  EXPECT_THAT(spirv::reflect(withClock).imports, ElementsAre(testing::HasSubstr("slice_id")));
  EXPECT_EQ(countOf(withClock).at(spv::OpReadClockKHR), 1);
  how.defineSlices = true;
  EXPECT_THAT(spirv::reflect(opencl::adapt(module(), how).spirv).imports, testing::IsEmpty());
}

TEST(OpenclStage, sharedVariablesAreCounted) {
  const auto sizes = opencl::sharedMemoryOf(module());
  EXPECT_THAT(sizes.at("sharesWords"), testing::AllOf(testing::Ge(81u), testing::Le(84u))); // with or without padding
  EXPECT_EQ(sizes.at("sharesNumbers"), 32u);
  EXPECT_EQ(sizes.at("straight"), 0u);
}

TEST(OpenclStage, brokenModulesAreErrors) {
  auto bytes = module();
  const uint32_t tooLong = spirv::firstWord(spv::OpFunctionEnd, 5);
  std::memcpy(&bytes[bytes.size() - sizeof tooLong], &tooLong, sizeof tooLong);
  for (size_t size : {size_t{0}, size_t{8}, bytes.size()}) {
    const std::span<const std::byte> part(bytes.data(), size);
    EXPECT_THROW(opencl::adapt(part, {true, true}), ParseError);
  }
}

} // namespace
