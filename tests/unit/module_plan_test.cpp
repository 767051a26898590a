// SPDX-License-Identifier: MIT
// How a module is divided: kernels that share a variable, or the address of a constant, stay together.
#include "lz/module/module_plan.h"
#include "unit/spirv_builder.h"

#include <gtest/gtest.h>

namespace hiplz {
namespace {

using test::SpirvBuilder;
constexpr auto kCrossWorkgroup = SpirvBuilder::kCrossWorkgroup;

/// Kernels that touch program-scope variables, as the test says.
class Program {
public:
  enum class Access { read, storeAddress };
  struct Variable {
    std::string_view exportedAs; // empty: internal
    bool constant = false;
    int pointsTo = -1; // another variable, whose address is the initial value
  };
  struct Use {
    size_t variable;
    Access access = Access::read;
  };

  Program(const std::vector<Variable> &variables, const std::vector<std::vector<Use>> &kernels) {
    for (const auto capability : {spv::CapabilityAddresses, spv::CapabilityLinkage, spv::CapabilityKernel})
      b.op(spv::OpCapability, {static_cast<uint32_t>(capability)});
    std::vector<uint32_t> functions, ids;
    for (size_t i = 0; i < kernels.size(); ++i) {
      functions.push_back(b.id());
      b.entryPoint(functions.back(), "kernel" + std::to_string(i));
    }
    for (const Variable &variable : variables) {
      ids.push_back(b.id());
      if (!variable.exportedAs.empty())
        b.linkage(ids.back(), variable.exportedAs, SpirvBuilder::kExport);
      if (variable.constant)
        b.decorate(ids.back(), {spv::DecorationConstant});
    }
    const uint32_t none = b.voidType(), f32 = b.floatType(32), toF32 = b.pointerType(kCrossWorkgroup, f32),
                   toPointer = b.pointerType(kCrossWorkgroup, toF32), plain = b.functionType({none}),
                   one = b.constant(f32, 0x3f800000);
    for (size_t i = 0; i < ids.size(); ++i) {
      const bool pointer = variables[i].pointsTo >= 0;
      b.op(spv::OpVariable, {pointer ? toPointer : toF32, ids[i], kCrossWorkgroup,
                             pointer ? ids[static_cast<size_t>(variables[i].pointsTo)] : one});
    }
    const uint32_t place = b.id();
    b.op(spv::OpConstantNull, {toPointer, place});
    for (size_t i = 0; i < kernels.size(); ++i) {
      b.op(spv::OpFunction, {none, functions[i], 0, plain});
      b.op(spv::OpLabel, {b.id()});
      for (const Use &use : kernels[i])
        if (use.access == Access::read) {
          const uint32_t address = b.id();
          b.op(spv::OpBitcast, {toF32, address, ids[use.variable]});
          b.op(spv::OpLoad, {f32, b.id(), address});
        } else {
          b.op(spv::OpStore, {place, ids[use.variable]});
        }
      b.op(spv::OpReturn, {});
      b.op(spv::OpFunctionEnd, {});
    }
  }

  std::vector<std::byte> bytes() { return b.bytes(); }

private:
  SpirvBuilder b;
};

std::string nothing(const spirv::Needs &) { return {}; }

/// The group of each kernel.
std::vector<size_t> groupsOf(const ModulePlan &plan, size_t kernels) {
  std::vector<size_t> groups;
  for (size_t i = 0; i < kernels; ++i)
    groups.push_back(plan.groupOfKernel("kernel" + std::to_string(i)));
  return groups;
}

/// The plan for one group.
std::vector<std::byte> cutOf(const ModulePlan &plan, size_t group) { return plan.cut(std::span(&group, 1)).value(); }

using Groups = std::vector<size_t>;
constexpr auto storeAddress = Program::Access::storeAddress;

TEST(ModulePlan, kernelsThatShareNothingAreAGroupEach) {
  const auto module = Program({}, {{}, {}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(plan.groups().size(), 3u);
  EXPECT_EQ(groupsOf(plan, 3), (Groups{0, 1, 2}));
  for (size_t group = 0; group < 3; ++group) {
    const auto cut = cutOf(plan, group);
    const auto kernels = spirv::reflect(cut).kernels;
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].name, "kernel" + std::to_string(group));
  }
}

TEST(ModulePlan, kernelsStayWithTheVariablesThatTheyShare) {
  const auto module = Program({{"a"}, {"b"}, {""}, {"unused"}}, {{{0}}, {{1}}, {}, {{0}, {2}}, {{2}}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(groupsOf(plan, 5), (Groups{0, 1, 2, 0, 0}));
  EXPECT_EQ(plan.groupOfVariable("a"), 0u);
  EXPECT_EQ(plan.groupOfVariable("b"), 1u);
  std::vector<std::string> variables;
  for (size_t group = 0; group < plan.groups().size(); ++group) {
    const auto cut = cutOf(plan, group);
    for (const spirv::Global &global : spirv::reflect(cut).globals)
      variables.push_back(global.name);
  }
  std::sort(variables.begin(), variables.end());
  EXPECT_EQ(variables, (std::vector<std::string>{"a", "b", "unused"})) << "each is in one group";
}

TEST(ModulePlan, groupsAreCompiledTogetherIfTheyHaveNoVariables) {
  const auto module = Program({{"a"}, {"__hiplz_printf"}}, {{}, {{0}}, {{1}}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  ASSERT_EQ(plan.groups().size(), 4u);
  for (size_t group = 0; group < 4; ++group) {
    EXPECT_EQ(plan.groups()[group].mayHaveCompany, group != 1);
    EXPECT_GT(plan.groups()[group].words, 0u);
  }
  EXPECT_GT(plan.groups()[2].words, plan.groups()[0].words);
  const size_t together[] = {0, 2, 3};
  const auto cut = plan.cut(together).value();
  const spirv::Module reflected = spirv::reflect(cut);
  ASSERT_EQ(reflected.kernels.size(), 3u);
  EXPECT_EQ(reflected.kernels[1].name, "kernel2");
  ASSERT_EQ(reflected.globals.size(), 1u);
  EXPECT_EQ(reflected.globals[0].name, "__hiplz_printf");
}

TEST(ModulePlan, variablesThatNobodyNeedsAreInOneGroup) {
  const auto module = Program({{"unused"}}, {{}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  ASSERT_EQ(plan.groups().size(), 2u);
  EXPECT_FALSE(plan.groups()[plan.groupOfVariable("unused")].mayHaveCompany);
  EXPECT_TRUE(plan.groups()[1 - plan.groupOfVariable("unused")].mayHaveCompany);
}

TEST(ModulePlan, initialValuesConnectVariables) {
  const auto module = Program({{"a"}, {"pointer", false, 0}}, {{{0}}, {{1}}}).bytes();
  EXPECT_EQ(ModulePlan(spirv::reflect(module), module, nothing, false).groups().size(), 1u);
}

TEST(ModulePlan, aManagedVariableStaysWithItsInitialValue) {
  const auto module = Program({{"m"}, {"m.managed"}}, {{}, {{0}}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(plan.groups().size(), 2u);
  EXPECT_EQ(plan.groupOfVariable("m"), 1u);
  EXPECT_EQ(plan.groupOfVariable("m.managed"), 1u);
}

TEST(ModulePlan, whatTheRuntimeFillsIsInEachGroupThatUsesIt) {
  const auto module = Program({{"__hiplz_printf"}}, {{{0}}, {{0}}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(plan.groups().size(), 3u);
  for (size_t group = 0; group < 3; ++group) {
    const auto cut = cutOf(plan, group);
    EXPECT_EQ(spirv::reflect(cut).globals.size(), group < 2 ? 1u : 0u);
  }
}

TEST(ModulePlan, constantsThatAreReadAreCopied) {
  const auto module = Program({{"", true}}, {{{0}}, {{0}}}).bytes();
  EXPECT_EQ(ModulePlan(spirv::reflect(module), module, nothing, false).groups().size(), 2u);
}

TEST(ModulePlan, constantsWhoseAddressIsStoredAreShared) {
  const auto stored = Program({{"", true}}, {{{0, storeAddress}}, {{0}}, {}}).bytes();
  EXPECT_EQ(groupsOf(ModulePlan(spirv::reflect(stored), stored, nothing, false), 3), (Groups{0, 0, 1}));
  const auto pointedTo = Program({{"", true}, {"", true, 0}}, {{{0}}, {{1}}}).bytes();
  EXPECT_EQ(ModulePlan(spirv::reflect(pointedTo), pointedTo, nothing, false).groups().size(), 1u);
}

TEST(ModulePlan, togetherIsTheModuleItself) {
  const auto module = Program({{"a"}}, {{{0}}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, true);
  EXPECT_EQ(plan.groups().size(), 1u);
  const size_t whole[] = {0};
  EXPECT_FALSE(plan.cut(whole)) << "nothing is copied";
}

TEST(ModulePlan, kernelsThatTheDeviceCannotRunAreInNoGroup) {
  const auto module = Program({{"a"}}, {{{0}}, {{0}}}).bytes();
  const ModulePlan plan(
      spirv::reflect(module), module, [](const auto &) { return "everything"; }, false);
  EXPECT_EQ(plan.leftOut().size(), 2u);
  EXPECT_EQ(plan.groups().size(), 1u);
  const auto cut = cutOf(plan, 0);
  EXPECT_TRUE(spirv::reflect(cut).kernels.empty());
  EXPECT_EQ(spirv::reflect(cut).globals.size(), 1u);
}

} // namespace
} // namespace hiplz
