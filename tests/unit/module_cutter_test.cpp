// SPDX-License-Identifier: MIT
// Kernels cut out of a module: what each of them needs, what stays with it, and that the rest is a module still.
#include "fatbin/module_cutter.h"
#include "spirv/instructions.h"
#include "unit/spirv_builder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace hiplz::spirv {
namespace {

using test::SpirvBuilder;
constexpr auto kCrossWorkgroup = SpirvBuilder::kCrossWorkgroup;

/// A module with the kernels that the test adds, in the order of sections that SPIR-V wants.
class Program {
public:
  Program() {
    for (const uint32_t capability : {spv::CapabilityAddresses, spv::CapabilityLinkage, spv::CapabilityKernel,
                                      spv::CapabilityFloat64, spv::CapabilityInt64, spv::CapabilityInt64Atomics})
      b.op(spv::OpCapability, {static_cast<uint32_t>(capability)});
    for (auto [function, name] : std::initializer_list<std::pair<uint32_t *, std::string_view>>{
             {&adds, "adds"}, {&multiplies, "multiplies"}, {&calls, "calls"}, {&counts, "counts"}, {&reads, "reads"}}) {
      *function = b.id();
      b.entryPoint(*function, name);
    }
    b.executionMode(calls, {spv::ExecutionModeSubgroupSize, 16});
    square = b.id();
    shared = b.id();
    secret = b.id();
    mixed = b.id();
    b.op(spv::OpName, SpirvBuilder::join(square, SpirvBuilder::text("square")));
    b.linkage(shared, "shared", SpirvBuilder::kExport);
    b.linkage(secret, "secret", SpirvBuilder::kExport);
    b.decorate(square, {spv::DecorationFuncParamAttr, 0});
    none = b.voidType();
    f64 = b.floatType(64); // before the integer that takes its place
    u64 = b.intType(64);
    u32 = b.intType(32);
    f32 = b.floatType(32);
    toF64 = b.pointerType(kCrossWorkgroup, f64);
    toU64 = b.pointerType(kCrossWorkgroup, u64);
    toF32 = b.pointerType(kCrossWorkgroup, f32);
    b.structType(mixed, {f64, f32});
    toMixed = b.pointerType(kCrossWorkgroup, mixed);
    unary = b.functionType({f64, f64});
    plain = b.functionType({none});
    one = b.constant(u32, 1);
    oneF32 = b.constant(f32, 0x3f800000);
    twoF64 = b.constant(f64, 0x4000000000000000, true);
    oneU64 = b.constant(u64, 1, true);
    b.op(spv::OpVariable, {toF32, shared, kCrossWorkgroup, oneF32});
    b.op(spv::OpVariable, {toF64, secret, kCrossWorkgroup, twoF64});

    begin(square, f64, unary);
    const uint32_t parameter = result(spv::OpFunctionParameter, f64, {});
    label();
    b.op(spv::OpReturnValue, {result(spv::OpFMul, f64, {parameter, parameter})});
    b.op(spv::OpFunctionEnd, {});

    kernel(adds, [&] {
      const uint32_t value = result(spv::OpLoad, f32, {shared});
      b.op(spv::OpStore, {shared, result(spv::OpFAdd, f32, {value, oneF32})});
    });
    kernel(multiplies, [&] {
      const uint32_t value = result(spv::OpLoad, f64, {secret, 2, 8});
      b.op(spv::OpStore, {secret, result(spv::OpFMul, f64, {value, twoF64})});
    });
    kernel(calls, [&] { result(spv::OpFunctionCall, f64, {square, twoF64}); });
    kernel(counts, [&] {
      const uint32_t counter = result(spv::OpBitcast, toU64, {secret});
      result(spv::OpAtomicIAdd, u64, {counter, one, one, oneU64});
    });
    // Moves a structure with a double, and looks at the double's bits as an integer.
    kernel(reads, [&] {
      const uint32_t whole = result(spv::OpLoad, mixed, {result(spv::OpBitcast, toMixed, {shared})});
      result(spv::OpCompositeExtract, f32, {whole, 1});
      result(spv::OpLoad, u64, {result(spv::OpBitcast, toU64, {secret})});
    });
  }

  SpirvBuilder b;
  uint32_t adds, multiplies, calls, counts, reads, square, shared, secret, mixed;
  uint32_t none, f64, u64, u32, f32, toF64, toU64, toF32, toMixed, unary, plain, one, oneF32, twoF64, oneU64;

private:
  void begin(uint32_t function, uint32_t returns, uint32_t type) {
    b.op(spv::OpFunction, {returns, function, 0, type});
  }
  void label() { b.op(spv::OpLabel, {b.id()}); }
  uint32_t result(spv::Op op, uint32_t type, const std::vector<uint32_t> &operands) {
    const uint32_t id = b.id();
    b.op(op, SpirvBuilder::join(type, id, operands));
    return id;
  }
  template <class Body> void kernel(uint32_t function, Body body) {
    begin(function, none, plain);
    label();
    body();
    b.op(spv::OpReturn, {});
    b.op(spv::OpFunctionEnd, {});
  }
};

/// The words of each instruction with this opcode.
std::vector<std::vector<uint32_t>> instructions(std::span<const std::byte> bytes, spv::Op op) {
  const Words words(bytes);
  std::vector<std::vector<uint32_t>> found;
  forEachInstruction(words, [&](const Instruction &in) {
    if (in.op() != op)
      return;
    std::vector<uint32_t> &operands = found.emplace_back();
    for (size_t i = 0; i < in.operands(); ++i)
      operands.push_back(in[i]);
  });
  return found;
}

bool declares(std::span<const std::byte> bytes, spv::Capability capability) {
  const auto all = instructions(bytes, spv::OpCapability);
  return std::any_of(all.begin(), all.end(), [&](const auto &in) { return in[0] == capability; });
}

std::vector<std::string> kernelNames(std::span<const std::byte> bytes) {
  std::vector<std::string> names;
  for (const Kernel &kernel : reflect(bytes).kernels)
    names.push_back(kernel.name);
  std::sort(names.begin(), names.end());
  return names;
}

/// Every id that is used is defined, and none twice.
void expectConsistent(std::span<const std::byte> bytes) {
  const Words words(bytes);
  std::map<uint32_t, int> defined;
  forEachInstruction(words, [&](const Instruction &in) {
    if (const int result = resultOperand(in.op()); result >= 0)
      EXPECT_EQ(++defined[in[static_cast<size_t>(result)]], 1) << "instruction " << in.op();
  });
  forEachInstruction(words, [&](const Instruction &in) {
    for (size_t i = 0; i < in.operands(); ++i)
      EXPECT_TRUE(!isReference(in, i) || defined.contains(in[i])) << "operand " << i << " of instruction " << in.op();
  });
}

Needs needsOf(const ModuleCutter &cutter, std::string_view name) {
  for (const ModuleCutter::KernelNeeds &kernel : cutter.kernels())
    if (kernel.name == name)
      return kernel.needs;
  ADD_FAILURE() << "no kernel " << name;
  return {};
}

bool withoutDoubles(const ModuleCutter::KernelNeeds &kernel) { return !kernel.needs.float64; }

TEST(ModuleCutter, needsAreThoseOfTheKernelAndOfWhatItCalls) {
  const auto module = Program().b.bytes();
  const ModuleCutter cutter(module);
  EXPECT_FALSE(needsOf(cutter, "adds").float64);
  EXPECT_TRUE(needsOf(cutter, "multiplies").float64);
  EXPECT_TRUE(needsOf(cutter, "calls").float64);
  EXPECT_FALSE(needsOf(cutter, "counts").float64);
  EXPECT_TRUE(needsOf(cutter, "counts").int64Atomics);
  EXPECT_FALSE(needsOf(cutter, "multiplies").int64Atomics);
  EXPECT_EQ(needsOf(cutter, "calls").subgroupSizes, std::vector<uint32_t>{16});
  EXPECT_TRUE(needsOf(cutter, "adds").subgroupSizes.empty());
}

TEST(ModuleCutter, aDoubleInMemoryThatNobodyLooksAtIsNoNeed) {
  const auto module = Program().b.bytes();
  EXPECT_FALSE(needsOf(ModuleCutter(module), "reads").float64);
}

TEST(ModuleCutter, reflectionTellsWhatTheModuleDeclares) {
  const auto module = Program().b.bytes();
  const Needs needs = reflect(module).needs;
  EXPECT_TRUE(needs.float64);
  EXPECT_TRUE(needs.int64Atomics);
  EXPECT_FALSE(needs.float16);
  EXPECT_EQ(needs.subgroupSizes, std::vector<uint32_t>{16});
}

TEST(ModuleCutter, allKernelsKeptAreTheSameModule) {
  const auto module = Program().b.bytes();
  EXPECT_EQ(ModuleCutter(module).cut([](const auto &) { return true; }), module);
}

TEST(ModuleCutter, whatTheOthersNeedGoesWithThem) {
  const Program program;
  const auto module = program.b.bytes();
  const auto cut = ModuleCutter(module).cut(withoutDoubles);
  expectConsistent(cut);
  EXPECT_EQ(kernelNames(cut), (std::vector<std::string>{"adds", "counts", "reads"}));
  EXPECT_FALSE(declares(cut, spv::CapabilityFloat64));
  EXPECT_TRUE(declares(cut, spv::CapabilityInt64Atomics));
  EXPECT_EQ(instructions(cut, spv::OpFunction).size(), 3u);
  EXPECT_TRUE(instructions(cut, spv::OpExecutionMode).empty());
  EXPECT_TRUE(instructions(cut, spv::OpName).empty()) << "the function that it names is gone";
  EXPECT_FALSE(reflect(cut).needs.float64);
}

TEST(ModuleCutter, variablesStayWithNameSizeAndValue) {
  const Program program;
  const auto module = program.b.bytes();
  const auto cut = ModuleCutter(module).cut([](const auto &kernel) { return kernel.name == "adds"; });
  expectConsistent(cut);
  const Module before = reflect(module), after = reflect(cut);
  ASSERT_EQ(after.globals.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(after.globals[i].name, before.globals[i].name);
    EXPECT_EQ(after.globals[i].size, before.globals[i].size);
  }
  // The variable that was a double has its value as an integer.
  const auto constants = instructions(cut, spv::OpConstant);
  EXPECT_TRUE(std::any_of(constants.begin(), constants.end(), [&](const auto &in) {
    return in.size() == 4 && in[1] == program.twoF64 && in[2] == 0 && in[3] == 0x40000000;
  }));
}

TEST(ModuleCutter, aTypeThatBecomesAnIntegerIsDeclaredOnce) {
  const Program program;
  const auto module = program.b.bytes();
  const auto cut = ModuleCutter(module).cut(withoutDoubles);
  EXPECT_EQ(instructions(cut, spv::OpTypeFloat), (std::vector<std::vector<uint32_t>>{{program.f32, 32}}));
  EXPECT_EQ(instructions(cut, spv::OpTypeInt),
            (std::vector<std::vector<uint32_t>>{{program.f64, 64, 0}, {program.u32, 32, 0}}));
  // Pointers to the two types are the same as well, and a cast between them, which SPIR-V does not allow, is a copy.
  EXPECT_EQ(instructions(cut, spv::OpTypePointer).size(), 3u);
  EXPECT_EQ(instructions(cut, spv::OpBitcast).size(), 1u);
  EXPECT_EQ(instructions(cut, spv::OpCopyObject).size(), 2u);
}

TEST(ModuleCutter, noKernelAtAll) {
  const auto module = Program().b.bytes();
  const auto cut = ModuleCutter(module).cut([](const auto &) { return false; });
  expectConsistent(cut);
  EXPECT_TRUE(reflect(cut).kernels.empty());
  EXPECT_EQ(reflect(cut).globals.size(), 2u);
}

// A store names scopes of aliases behind its alignment.
TEST(ModuleCutter, scopesOfStoresStayWithThem) {
  SpirvBuilder b;
  const uint32_t kernel = b.id(), other = b.id(), pointer = b.id(), number = b.id(), domain = b.id(), scope = b.id(),
                 list = b.id();
  b.entryPoint(kernel, "stores");
  b.entryPoint(other, "other");
  const uint32_t none = b.voidType(), i32 = b.intType(32);
  const uint32_t ints = b.pointerType(kCrossWorkgroup, i32);
  const uint32_t type = b.functionType({none, ints, i32});
  b.op(spv::OpAliasDomainDeclINTEL, {domain});
  b.op(spv::OpAliasScopeDeclINTEL, {scope, domain});
  b.op(spv::OpAliasScopeListDeclINTEL, {list, scope});
  b.op(spv::OpFunction, {none, kernel, 0, type});
  b.op(spv::OpFunctionParameter, {ints, pointer});
  b.op(spv::OpFunctionParameter, {i32, number});
  b.op(spv::OpLabel, {b.id()});
  b.op(spv::OpStore,
       {pointer, number, spv::MemoryAccessAlignedMask | spv::MemoryAccessAliasScopeINTELMaskMask, 4, list});
  b.op(spv::OpReturn, {});
  b.op(spv::OpFunctionEnd, {});
  b.function(other, none, {});
  const auto cut =
      ModuleCutter(b.bytes()).cut([](const ModuleCutter::KernelNeeds &wanted) { return wanted.name == "stores"; });
  EXPECT_EQ(kernelNames(cut), std::vector<std::string>{"stores"});
  EXPECT_EQ(instructions(cut, spv::OpAliasScopeListDeclINTEL).size(), 1u);
  expectConsistent(cut);
}

TEST(ModuleCutter, damagedModulesAreErrorsAndNothingElse) {
  const auto module = Program().b.bytes();
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::byte> damaged = module;
    damaged.resize(i % 3 ? module.size() : random() % module.size() / 4 * 4);
    for (int change = 0; change < 3 && !damaged.empty(); ++change)
      damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    try {
      reflect(damaged);
      reflect(ModuleCutter(damaged).cut(withoutDoubles));
    } catch (const ParseError &) {
    }
  }
}

} // namespace
} // namespace hiplz::spirv
