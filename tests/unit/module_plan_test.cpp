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

/// The part of each kernel.
std::vector<size_t> partsOf(const ModulePlan &plan, size_t kernels) {
  std::vector<size_t> parts;
  for (size_t i = 0; i < kernels; ++i)
    parts.push_back(plan.partOfKernel("kernel" + std::to_string(i)));
  return parts;
}

using Parts = std::vector<size_t>;
constexpr auto storeAddress = Program::Access::storeAddress;

TEST(ModulePlan, kernelsThatShareNothingAreAPartEach) {
  const auto module = Program({}, {{}, {}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(plan.parts(), 3u);
  EXPECT_EQ(partsOf(plan, 3), (Parts{0, 1, 2}));
  for (size_t part = 0; part < 3; ++part) {
    const auto cut = plan.spirv(part);
    const auto kernels = spirv::reflect(cut).kernels;
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].name, "kernel" + std::to_string(part));
  }
}

TEST(ModulePlan, kernelsStayWithTheVariablesThatTheyShare) {
  const auto module = Program({{"a"}, {"b"}, {""}, {"unused"}}, {{{0}}, {{1}}, {}, {{0}, {2}}, {{2}}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(partsOf(plan, 5), (Parts{0, 1, 2, 0, 0}));
  EXPECT_EQ(plan.partOfVariable("a"), 0u);
  EXPECT_EQ(plan.partOfVariable("b"), 1u);
  std::vector<std::string> variables;
  for (size_t part = 0; part < plan.parts(); ++part) {
    const auto cut = plan.spirv(part);
    for (const spirv::Global &global : spirv::reflect(cut).globals)
      variables.push_back(global.name);
  }
  std::sort(variables.begin(), variables.end());
  EXPECT_EQ(variables, (std::vector<std::string>{"a", "b", "unused"})) << "each is in one part";
}

TEST(ModulePlan, initialValuesConnectVariables) {
  const auto module = Program({{"a"}, {"pointer", false, 0}}, {{{0}}, {{1}}}).bytes();
  EXPECT_EQ(ModulePlan(spirv::reflect(module), module, nothing, false).parts(), 1u);
}

TEST(ModulePlan, aManagedVariableStaysWithItsInitialValue) {
  const auto module = Program({{"m"}, {"m.managed"}}, {{}, {{0}}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(plan.parts(), 2u);
  EXPECT_EQ(plan.partOfVariable("m"), 1u);
  EXPECT_EQ(plan.partOfVariable("m.managed"), 1u);
}

TEST(ModulePlan, whatTheRuntimeFillsIsInEachPartThatUsesIt) {
  const auto module = Program({{"__hiplz_printf"}}, {{{0}}, {{0}}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, false);
  EXPECT_EQ(plan.parts(), 3u);
  for (size_t part = 0; part < 3; ++part) {
    const auto cut = plan.spirv(part);
    EXPECT_EQ(spirv::reflect(cut).globals.size(), part < 2 ? 1u : 0u);
  }
}

TEST(ModulePlan, constantsThatAreReadAreCopied) {
  const auto module = Program({{"", true}}, {{{0}}, {{0}}}).bytes();
  EXPECT_EQ(ModulePlan(spirv::reflect(module), module, nothing, false).parts(), 2u);
}

TEST(ModulePlan, constantsWhoseAddressIsStoredAreShared) {
  const auto stored = Program({{"", true}}, {{{0, storeAddress}}, {{0}}, {}}).bytes();
  EXPECT_EQ(partsOf(ModulePlan(spirv::reflect(stored), stored, nothing, false), 3), (Parts{0, 0, 1}));
  const auto pointedTo = Program({{"", true}, {"", true, 0}}, {{{0}}, {{1}}}).bytes();
  EXPECT_EQ(ModulePlan(spirv::reflect(pointedTo), pointedTo, nothing, false).parts(), 1u);
}

TEST(ModulePlan, togetherIsTheModuleItself) {
  const auto module = Program({{"a"}}, {{{0}}, {}}).bytes();
  const ModulePlan plan(spirv::reflect(module), module, nothing, true);
  EXPECT_EQ(plan.parts(), 1u);
  EXPECT_EQ(plan.spirv(0), module);
}

TEST(ModulePlan, kernelsThatTheDeviceCannotRunAreInNoPart) {
  const auto module = Program({{"a"}}, {{{0}}, {{0}}}).bytes();
  const ModulePlan plan(
      spirv::reflect(module), module, [](const auto &) { return "everything"; }, false);
  EXPECT_EQ(plan.leftOut().size(), 2u);
  EXPECT_EQ(plan.parts(), 1u);
  const auto cut = plan.spirv(0);
  EXPECT_TRUE(spirv::reflect(cut).kernels.empty());
  EXPECT_EQ(spirv::reflect(cut).globals.size(), 1u);
}

} // namespace
} // namespace hiplz
