// SPDX-License-Identifier: MIT
// Reflection of what the real compiler and translator make of each kind of parameter, against sizeof and alignof of the
// host compiler (layouts/).
#include "fatbin/reflection.h"
#include "unit/layouts/layouts.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>

namespace hiplz::spirv {
namespace {

std::vector<std::byte> readFile(const char *name) {
  std::ifstream file(name, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

const Module &layouts() {
  static const Module module = reflect(readFile(HIPLZ_TEST_LAYOUTS));
  return module;
}

const Kernel *kernel(const std::string &name) {
  for (const Kernel &kernel : layouts().kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

template <class Type> void expectLayout(const char *name) {
  SCOPED_TRACE(name);
  const Kernel *found = kernel(std::string("k_") + name);
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->args.size(), 3u);
  const Arg &arg = found->args[1];
  EXPECT_EQ(arg.size, sizeof(Type));
  EXPECT_EQ(arg.align, alignof(Type));
  EXPECT_EQ(arg.kind, std::is_pointer_v<Type>                          ? ArgKind::pointer
                      : std::is_class_v<Type> || std::is_union_v<Type> ? ArgKind::byValue
                                                                       : ArgKind::value);
  EXPECT_EQ(found->args[0].size, 1u);
  EXPECT_EQ(found->args[2].size, 4u);
  EXPECT_EQ(found->dynamicLocalIndex, -1);
}

TEST(Layouts, everyKindOfParameter) {
  EXPECT_TRUE(layouts().refused.empty());
#define X(name, type) expectLayout<type>(#name);
  LAYOUT_TYPES(X)
#undef X
}

TEST(Layouts, kernelWithoutParameters) {
  ASSERT_NE(kernel("k_none"), nullptr);
  EXPECT_TRUE(kernel("k_none")->args.empty());
}

TEST(Layouts, variables) {
  std::map<std::string, uint64_t> sizes;
  for (const Global &global : layouts().globals)
    sizes[global.name] = global.size;
  EXPECT_EQ(sizes["numbers"], 25 * sizeof(int));
  EXPECT_EQ(sizes["table"], 3 * sizeof(double));
  EXPECT_EQ(sizes["nested"], sizeof(Nested));
}

TEST(Layouts, moduleSizeOfARealModule) {
  auto bytes = readFile(HIPLZ_TEST_LAYOUTS);
  auto longer = bytes;
  longer.resize(bytes.size() + 4096, std::byte{0x5a});
  EXPECT_EQ(moduleSize(longer), bytes.size());
}

TEST(Layouts, everyTruncationOfARealModuleIsHandled) {
  auto bytes = readFile(HIPLZ_TEST_LAYOUTS);
  for (size_t size = 0; size < bytes.size(); size += 4) {
    std::vector<std::byte> cut(bytes.begin(), bytes.begin() + size); // exact size, for the address sanitizer
    try {
      EXPECT_LE(reflect(cut).kernels.size(), layouts().kernels.size());
    } catch (const ParseError &) {
    }
  }
}

} // namespace
} // namespace hiplz::spirv
