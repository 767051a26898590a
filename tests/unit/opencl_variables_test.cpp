// SPDX-License-Identifier: MIT
// Program-scope variables as one block of memory, on a module that clang and the translator have made.
#include "fatbin/reflection.h"
#include "opencl/variable_block.h"

#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>

using namespace hiplz;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

namespace {

std::vector<std::byte> module() {
  std::ifstream file(HIPLZ_TEST_OPENCL_VARIABLES, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

class OpenclVariables : public testing::Test {
protected:
  /// The block as the host would fill it, at the address 0x1000.
  std::vector<std::byte> memory() const {
    constexpr uint64_t kAddress = 0x1000;
    std::vector<std::byte> bytes(lowered.block.size);
    for (const auto &piece : lowered.block.pieces) {
      EXPECT_LE(piece.offset + piece.bytes.size(), bytes.size());
      std::memcpy(&bytes[piece.offset], piece.bytes.data(), piece.bytes.size());
    }
    for (uint64_t place : lowered.block.addresses) {
      uint64_t value;
      std::memcpy(&value, &bytes[place], sizeof value);
      value += kAddress;
      std::memcpy(&bytes[place], &value, sizeof value);
    }
    return bytes;
  }
  const opencl::VariableBlock::Variable &variable(const std::string &name) const {
    for (const auto &one : lowered.block.variables)
      if (one.name == name)
        return one;
    throw std::runtime_error("no variable " + name);
  }
  template <class Value> Value initial(const std::string &name, size_t at = 0) const {
    Value value;
    std::memcpy(&value, &memory()[variable(name).offset + at], sizeof value);
    return value;
  }
  uint64_t address(const std::string &name) const { return 0x1000 + variable(name).offset; }

  const opencl::LoweredModule lowered = opencl::lowerVariables(module());
};

TEST_F(OpenclVariables, allThatAModuleExportsAreInTheBlock) {
  std::vector<std::pair<std::string, uint64_t>> expected, found;
  for (const auto &global : spirv::reflect(module()).globals)
    if (global.name != "table")
      expected.emplace_back(global.name, global.size);
  for (const auto &one : lowered.block.variables)
    found.emplace_back(one.name, one.size);
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
  EXPECT_EQ(found.size(), 7u);
  EXPECT_EQ(variable("vector").offset % 16, 0u);
  EXPECT_GE(lowered.block.align, 16u);
}

TEST_F(OpenclVariables, initialValuesAreThoseOfTheModule) {
  EXPECT_EQ(initial<int>("numbers"), 1);
  EXPECT_EQ(initial<int>("numbers", 4), 0);
  EXPECT_EQ(initial<int>("numbers", 8), -3);
  EXPECT_EQ(initial<int>("counter"), 5);
  EXPECT_EQ(initial<char>("record"), 'r');
  EXPECT_EQ(initial<double>("record", 8), 2.5);
  EXPECT_EQ(initial<short>("late"), 0);
  EXPECT_EQ(initial<short>("late", 598), 7);
  EXPECT_EQ(initial<float>("vector", 8), 3);
  EXPECT_EQ(initial<int>("room", 3996), 0);
}

TEST_F(OpenclVariables, addressesInInitialValuesAreThoseOfTheBlock) {
  EXPECT_EQ(initial<uint64_t>("pointer"), address("numbers") + 8);
  EXPECT_EQ(initial<uint64_t>("record", 16), address("counter"));
  EXPECT_EQ(initial<uint64_t>("record", 24), address("numbers") + 12);
  EXPECT_EQ(lowered.block.addresses.size(), 3u);
}

TEST_F(OpenclVariables, kernelsThatUseThemTakeOneMoreArgument) {
  EXPECT_THAT(lowered.block.kernels, UnorderedElementsAre("direct", "byCall", "chosen"));
  const auto before = spirv::reflect(module()), after = spirv::reflect(lowered.spirv);
  ASSERT_EQ(after.kernels.size(), before.kernels.size());
  for (size_t i = 0; i < before.kernels.size(); ++i) {
    const bool takes = lowered.block.kernels.contains(before.kernels[i].name);
    ASSERT_EQ(after.kernels[i].args.size(), before.kernels[i].args.size() + takes) << before.kernels[i].name;
    EXPECT_EQ(after.kernels[i].args.back().kind == spirv::ArgKind::pointer, takes);
  }
}

TEST_F(OpenclVariables, modulesWithoutThemStayAsTheyAre) {
  const auto again = opencl::lowerVariables(lowered.spirv);
  EXPECT_TRUE(again.block.empty());
  EXPECT_EQ(again.spirv, lowered.spirv);
}

TEST_F(OpenclVariables, brokenModulesAreErrors) {
  EXPECT_THROW(opencl::lowerVariables({}), ParseError);
  auto bytes = module();
  // Every word in turn is another one: an error or another module, never a crash.
  for (size_t at = 20; at + 4 <= bytes.size(); at += 4) {
    const std::byte kept = bytes[at];
    bytes[at] ^= std::byte{0x15};
    try {
      opencl::lowerVariables(bytes);
    } catch (const ParseError &) {
    }
    bytes[at] = kept;
  }
}

} // namespace
