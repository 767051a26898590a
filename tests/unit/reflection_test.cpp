// SPDX-License-Identifier: MIT
// SPIR-V reflection: the layout of every kind of parameter, exported variables, and modules that are not what they claim.
#include "fatbin/reflection.h"
#include "unit/spirv_builder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace hiplz::spirv {
namespace {

using test::smallModule;
using test::SpirvBuilder;

/// Calls reflect on an exact-size heap copy, so that the address sanitizer sees every byte read too far.
Module reflectCopy(std::span<const std::byte> bytes) {
  std::unique_ptr<std::byte[]> copy(new std::byte[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return reflect({copy.get(), bytes.size()});
}

std::string sentenceFor(std::span<const std::byte> bytes) {
  try {
    reflectCopy(bytes);
  } catch (const ParseError &error) {
    return error.what();
  }
  return {};
}

/// The arguments of a kernel with one parameter, whose type `build` declares; `byVal` makes it an aggregate.
template <class Build> Module withParameter(Build build, bool byVal = false, uint32_t align = 0) {
  SpirvBuilder b;
  uint32_t kernel = b.id(), parameter = b.id();
  b.entryPoint(kernel, "k");
  if (byVal)
    b.byVal(parameter);
  if (align)
    b.align(parameter, align);
  uint32_t none = b.voidType();
  uint32_t type = build(b);
  b.function(kernel, none, {{type, parameter}});
  return reflectCopy(b.bytes());
}

void expectArg(const Module &module, ArgKind kind, uint32_t size, uint32_t align) {
  ASSERT_EQ(module.kernels.size(), 1u);
  ASSERT_EQ(module.kernels[0].args.size(), 1u);
  const Arg &arg = module.kernels[0].args[0];
  EXPECT_EQ(arg.kind, kind);
  EXPECT_EQ(arg.size, size);
  EXPECT_EQ(arg.align, align);
}

TEST(Reflection, smallModule) {
  Module module = reflectCopy(smallModule());
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].name, "_Z1kPfi");
  ASSERT_EQ(module.kernels[0].args.size(), 2u);
  EXPECT_EQ(module.kernels[0].args[0].kind, ArgKind::pointer);
  EXPECT_EQ(module.kernels[0].args[0].size, 8u);
  EXPECT_EQ(module.kernels[0].args[1].kind, ArgKind::value);
  EXPECT_EQ(module.kernels[0].args[1].size, 4u);
  EXPECT_EQ(module.kernels[0].dynamicLocalIndex, -1);
  ASSERT_EQ(module.globals.size(), 1u);
  EXPECT_EQ(module.globals[0].name, "counter");
  EXPECT_EQ(module.globals[0].size, 4u);
  EXPECT_TRUE(module.refused.empty());
  EXPECT_TRUE(module.imports.empty());
}

TEST(Reflection, launchBounds) {
  constexpr uint32_t kMaxWorkgroupSize = 5893;
  auto bound = [&](std::vector<uint32_t> limits) {
    SpirvBuilder b;
    const uint32_t kernel = b.id();
    b.entryPoint(kernel, "k");
    if (!limits.empty())
      b.executionMode(kernel, {kMaxWorkgroupSize, limits[0], limits[1], limits[2]});
    b.function(kernel, b.voidType(), {});
    return reflect(b.bytes()).kernels.at(0).maxThreads;
  };
  EXPECT_EQ(bound({}), 0u);
  EXPECT_EQ(bound({256, 256, 256}), 256u); // what the compile path makes of __launch_bounds__(256)
  EXPECT_EQ(bound({16, 8, 2}), 256u);
  EXPECT_EQ(bound({0xffffffff, 0xffffffff, 2}), 0u); // no limit
}

TEST(Reflection, kernelsThatNeedWhatIsMissing) {
  constexpr uint32_t kSourceExtension = 4;
  SpirvBuilder b;
  const uint32_t first = b.id(), second = b.id();
  b.entryPoint(first, "k");
  b.entryPoint(second, "other");
  for (const char *mark : {"hiplz_missing", "hiplz_missing k", "hiplz_missing k some function", "an extension"})
    b.op(kSourceExtension, SpirvBuilder::text(mark));
  b.function(first, b.voidType(), {});
  b.function(second, b.voidType(), {});
  const Module module = reflect(b.bytes());
  EXPECT_EQ(module.kernels.at(0).missing, "some function");
  EXPECT_EQ(module.kernels.at(1).missing, "");
}

TEST(Reflection, scalars) {
  for (uint32_t bits : {8u, 16u, 32u, 64u})
    expectArg(withParameter([&](SpirvBuilder &b) { return b.intType(bits); }), ArgKind::value, bits / 8, bits / 8);
  for (uint32_t bits : {16u, 32u, 64u})
    expectArg(withParameter([&](SpirvBuilder &b) { return b.floatType(bits); }), ArgKind::value, bits / 8, bits / 8);
  expectArg(withParameter([](SpirvBuilder &b) { return b.boolType(); }), ArgKind::value, 1, 1);
}

TEST(Reflection, vectors) {
  auto vector = [](uint32_t bits, uint32_t lanes) {
    return withParameter([=](SpirvBuilder &b) { return b.vectorType(b.floatType(bits), lanes); });
  };
  expectArg(vector(32, 2), ArgKind::value, 8, 8);
  expectArg(vector(32, 3), ArgKind::value, 16, 16);
  expectArg(vector(64, 4), ArgKind::value, 32, 32);
  expectArg(vector(16, 16), ArgKind::value, 32, 32);
}

TEST(Reflection, pointers) {
  for (uint32_t storage : {SpirvBuilder::kCrossWorkgroup, SpirvBuilder::kGeneric, SpirvBuilder::kUniformConstant})
    expectArg(withParameter([&](SpirvBuilder &b) { return b.pointerType(storage, b.intType(8)); }), ArgKind::pointer, 8,
              8);
}

TEST(Reflection, aggregateWithPadding) {
  // struct { char a; double b; int c; short d; }
  auto build = [](SpirvBuilder &b) {
    uint32_t i8 = b.intType(8), f64 = b.floatType(64), i32 = b.intType(32), i16 = b.intType(16);
    return b.pointerType(SpirvBuilder::kFunction, b.structType({i8, f64, i32, i16}));
  };
  expectArg(withParameter(build, true), ArgKind::byValue, 24, 8);
}

TEST(Reflection, nestedAggregateWithArrayAndPointer) {
  // struct { struct { char a; short b; } s[3]; void *p; char c; }
  auto build = [](SpirvBuilder &b) {
    uint32_t i8 = b.intType(8), i16 = b.intType(16), i32 = b.intType(32), i64 = b.intType(64);
    uint32_t inner = b.structType({i8, i16});
    uint32_t three = b.constant(i64, 3, true);
    uint32_t array = b.arrayType(inner, three);
    uint32_t pointer = b.pointerType(SpirvBuilder::kGeneric, i32);
    return b.pointerType(SpirvBuilder::kFunction, b.structType({array, pointer, i8}));
  };
  expectArg(withParameter(build, true), ArgKind::byValue, 32, 8);
}

TEST(Reflection, emptyAggregate) {
  auto build = [](SpirvBuilder &b) {
    return b.pointerType(SpirvBuilder::kFunction, b.structType(std::vector<uint32_t>{}));
  };
  expectArg(withParameter(build, true), ArgKind::byValue, 0, 1);
}

TEST(Reflection, alignmentOfTheParameterWins) {
  // struct alignas(16) { float x[4]; }
  auto build = [](SpirvBuilder &b) {
    uint32_t f32 = b.floatType(32);
    return b.pointerType(SpirvBuilder::kFunction, b.structType({f32, f32, f32, f32}));
  };
  expectArg(withParameter(build, true), ArgKind::byValue, 16, 4);
  expectArg(withParameter(build, true, 16), ArgKind::byValue, 16, 16);
}

// The parameter that the passes make of an aggregate that is too large for one.
TEST(Reflection, aggregateInMemory) {
  auto withBytes = [](uint32_t storage, uint32_t bytes, uint32_t align) {
    SpirvBuilder b;
    uint32_t kernel = b.id(), parameter = b.id();
    b.entryPoint(kernel, "k");
    if (bytes)
      b.decorate(parameter, {45, bytes});
    if (align)
      b.align(parameter, align);
    uint32_t none = b.voidType();
    b.function(kernel, none, {{b.pointerType(storage, b.intType(8)), parameter}});
    return reflectCopy(b.bytes());
  };
  Module module = withBytes(SpirvBuilder::kUniformConstant, 3001, 16);
  expectArg(module, ArgKind::byValue, 3001, 16);
  EXPECT_TRUE(module.kernels[0].args[0].inMemory);
  expectArg(withBytes(SpirvBuilder::kUniformConstant, 4000, 0), ArgKind::byValue, 4000, 1);
  expectArg(withBytes(SpirvBuilder::kUniformConstant, 4000, 3), ArgKind::byValue, 4000, 1);
  // A pointer to constant memory of another language, and what merely says how far it goes.
  module = withBytes(SpirvBuilder::kUniformConstant, 0, 4);
  expectArg(module, ArgKind::pointer, 8, 8);
  EXPECT_FALSE(module.kernels[0].args[0].inMemory);
  expectArg(withBytes(SpirvBuilder::kCrossWorkgroup, 64, 4), ArgKind::pointer, 8, 8);
  // More than any launch passes.
  EXPECT_EQ(withBytes(SpirvBuilder::kUniformConstant, 0xffffffff, 4).refused.size(), 1u);
}

TEST(Reflection, packedAggregate) {
  SpirvBuilder b;
  uint32_t kernel = b.id(), parameter = b.id(), packed = b.id();
  b.entryPoint(kernel, "k");
  b.byVal(parameter);
  b.decorate(packed, {10});
  uint32_t none = b.voidType(), i8 = b.intType(8), i64 = b.intType(64);
  b.structType(packed, {i8, i64});
  b.function(kernel, none, {{b.pointerType(SpirvBuilder::kFunction, packed), parameter}});
  expectArg(reflectCopy(b.bytes()), ArgKind::byValue, 9, 1);
}

TEST(Reflection, decorationGroups) {
  SpirvBuilder b;
  uint32_t kernel = b.id(), first = b.id(), second = b.id(), group = b.id();
  b.entryPoint(kernel, "k");
  b.byVal(group);
  b.align(group, 8);
  b.op(73, {group});
  b.op(74, {group, first, second});
  uint32_t none = b.voidType(), i32 = b.intType(32);
  uint32_t pointer = b.pointerType(SpirvBuilder::kFunction, b.structType({i32, i32, i32, i32}));
  b.function(kernel, none, {{pointer, first}, {pointer, second}});
  Module module = reflectCopy(b.bytes());
  ASSERT_EQ(module.kernels.size(), 1u);
  for (const Arg &arg : module.kernels[0].args) {
    EXPECT_EQ(arg.kind, ArgKind::byValue);
    EXPECT_EQ(arg.size, 16u);
    EXPECT_EQ(arg.align, 8u);
  }
}

TEST(Reflection, hiddenSharedMemoryIsTheLastParameter) {
  SpirvBuilder b;
  uint32_t kernel = b.id(), number = b.id(), shared = b.id();
  b.entryPoint(kernel, "k");
  uint32_t none = b.voidType(), i32 = b.intType(32);
  uint32_t local = b.pointerType(SpirvBuilder::kWorkgroup, i32);
  b.function(kernel, none, {{i32, number}, {local, shared}});
  Module module = reflectCopy(b.bytes());
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].dynamicLocalIndex, 1);
  EXPECT_EQ(module.kernels[0].args.size(), 1u);
}

TEST(Reflection, kernelsThatHipCannotLaunchAreSetAside) {
  SpirvBuilder b;
  uint32_t local2 = b.id(), image = b.id(), good = b.id(), p0 = b.id(), p1 = b.id(), p2 = b.id();
  b.entryPoint(local2, "twoLocals");
  b.entryPoint(image, "sampler");
  b.entryPoint(good, "good");
  uint32_t none = b.voidType(), i32 = b.intType(32), sampler = b.samplerType();
  uint32_t local = b.pointerType(SpirvBuilder::kWorkgroup, i32);
  b.function(local2, none, {{local, p0}, {local, p1}});
  b.function(image, none, {{sampler, p2}});
  b.function(good, none, {});
  Module module = reflectCopy(b.bytes());
  ASSERT_EQ(module.refused.size(), 2u);
  EXPECT_EQ(module.refused[0].name, "twoLocals");
  EXPECT_NE(module.refused[0].reason.find("parameter 0"), std::string::npos);
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].name, "good");
}

TEST(Reflection, importsAreListed) {
  SpirvBuilder b;
  uint32_t missing = b.id(), variable = b.id(), builtIn = b.id();
  b.linkage(missing, "missing_function", SpirvBuilder::kImport);
  b.linkage(variable, "missing_variable", SpirvBuilder::kImport);
  b.linkage(builtIn, "__spirv_BuiltInWorkgroupSize", SpirvBuilder::kImport);
  b.decorate(builtIn, {11, 25});
  EXPECT_EQ(reflectCopy(b.bytes()).imports, (std::vector<std::string>{"missing_function", "missing_variable"}));
}

TEST(Reflection, arrayVariable) {
  SpirvBuilder b;
  uint32_t table = b.id();
  b.linkage(table, "table", SpirvBuilder::kExport);
  uint32_t i32 = b.intType(32), f64 = b.floatType(64);
  uint32_t length = b.constant(i32, 1000);
  uint32_t pointer = b.pointerType(SpirvBuilder::kUniformConstant, b.arrayType(f64, length));
  b.variable(table, pointer, SpirvBuilder::kUniformConstant);
  Module module = reflectCopy(b.bytes());
  ASSERT_EQ(module.globals.size(), 1u);
  EXPECT_EQ(module.globals[0].size, 8000u);
}

TEST(Reflection, absurdSizesAreNotComputed) {
  SpirvBuilder b;
  uint32_t kernel = b.id(), parameter = b.id();
  b.entryPoint(kernel, "k");
  b.byVal(parameter);
  uint32_t none = b.voidType(), i64 = b.intType(64);
  uint32_t huge = b.constant(i64, UINT64_MAX / 2, true);
  uint32_t outer = b.arrayType(b.arrayType(i64, huge), huge);
  b.function(kernel, none, {{b.pointerType(SpirvBuilder::kFunction, b.structType({outer, outer})), parameter}});
  Module module = reflectCopy(b.bytes());
  EXPECT_TRUE(module.kernels.empty());
  EXPECT_EQ(module.refused.size(), 1u);
}

TEST(Reflection, typesThatContainThemselvesEnd) {
  SpirvBuilder b;
  uint32_t kernel = b.id(), parameter = b.id(), loop = b.id();
  b.entryPoint(kernel, "k");
  b.byVal(parameter);
  uint32_t none = b.voidType();
  b.structType(loop, {loop, loop});
  b.function(kernel, none, {{b.pointerType(SpirvBuilder::kFunction, loop), parameter}});
  EXPECT_EQ(reflectCopy(b.bytes()).refused.size(), 1u);
}

TEST(Reflection, bigEndianIsRefusedWithASentence) {
  auto bytes = smallModule();
  for (size_t i = 0; i < bytes.size(); i += 4)
    std::reverse(bytes.begin() + i, bytes.begin() + i + 4);
  EXPECT_NE(sentenceFor(bytes).find("big-endian"), std::string::npos);
}

TEST(Reflection, everyTruncationIsAnError) {
  auto bytes = smallModule();
  // Behind the last function, and between functions, a shorter module is a whole one; smallModule has one function.
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(sentenceFor(std::span(bytes).first(size)).empty()) << size;
}

TEST(Reflection, randomWordsNeverCrash) {
  std::mt19937 random(20240131);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes(random() % 200);
    for (std::byte &byte : bytes)
      byte = static_cast<std::byte>(random());
    if (bytes.size() >= 4)
      std::memcpy(bytes.data(), "\x03\x02\x23\x07", 4);
    sentenceFor(bytes);
  }
}

TEST(Reflection, damagedModulesNeverCrash) {
  const auto whole = smallModule();
  std::mt19937 random(42);
  for (int round = 0; round < 20000; ++round) {
    auto bytes = whole;
    for (unsigned changes = 1 + random() % 4; changes; --changes)
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    sentenceFor(bytes);
  }
}

TEST(ModuleSize, endsWhereNoFunctionFollows) {
  auto module = smallModule();
  auto longer = module;
  longer.resize(module.size() + 64, std::byte{0});
  EXPECT_EQ(moduleSize(module), module.size());
  EXPECT_EQ(moduleSize(longer), module.size());
  std::fill(longer.begin() + module.size(), longer.end(), std::byte{0xff});
  EXPECT_EQ(moduleSize(longer), module.size());
  auto twice = module;
  twice.insert(twice.end(), module.begin(), module.end());
  EXPECT_EQ(moduleSize(twice), module.size());
  EXPECT_EQ(moduleSize(std::span(module).first(3)), 0u);
}

TEST(ModuleSize, severalFunctionsAndLines) {
  SpirvBuilder b;
  uint32_t none = b.voidType();
  b.function(b.id(), none, {});
  b.op(8, {1, 2, 3}); // OpLine
  b.function(b.id(), none, {});
  b.op(317, {}); // OpNoLine
  b.function(b.id(), none, {});
  auto module = b.bytes();
  auto longer = module;
  longer.resize(module.size() + 4);
  EXPECT_EQ(moduleSize(longer), module.size());
}

} // namespace
} // namespace hiplz::spirv
