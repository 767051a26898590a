// SPDX-License-Identifier: MIT
// Where LLVM bitcode ends, by the headers of its outermost blocks.
#include "fatbin/bitcode.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using hiplz::bitcodeSize;
using hiplz::isBitcode;

constexpr uint32_t kIdentification = 13, kModule = 8, kStrings = 23;

std::vector<std::byte> bytesOf(const std::vector<uint32_t> &words) {
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

/// Appends a block of this many words; ids inside it are five bits wide.
void addBlock(std::vector<uint32_t> &words, uint32_t block, uint32_t size) {
  words.push_back(1 | block << 2 | 5 << 10);
  words.push_back(size);
  words.insert(words.end(), size, 0xffffffff);
}

std::vector<uint32_t> threeBlocks() {
  std::vector<uint32_t> words{0xdec04342};
  addBlock(words, kIdentification, 3);
  addBlock(words, kModule, 10);
  addBlock(words, kStrings, 1);
  return words;
}

} // namespace

TEST(Bitcode, EndsAfterItsLastBlock) {
  std::vector<uint32_t> words = threeBlocks();
  const size_t size = words.size() * 4;
  EXPECT_TRUE(isBitcode(bytesOf(words)));
  EXPECT_EQ(bitcodeSize(bytesOf(words)), size);
  for (uint32_t next :
       {0u, 0xffffffffu, 0xdec04342u, 1u | 9 << 2 | 5 << 10}) { // none of them begins a block that LLVM writes
    std::vector<uint32_t> followed = words;
    followed.insert(followed.end(), 4, next);
    EXPECT_EQ(bitcodeSize(bytesOf(followed)), size);
  }
  std::vector<std::byte> odd = bytesOf(words);
  odd.resize(odd.size() + 3);
  EXPECT_EQ(bitcodeSize(odd), size);
}

TEST(Bitcode, CutOff) {
  const std::vector<std::byte> whole = bytesOf(threeBlocks());
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_LE(bitcodeSize(cut), size);
    EXPECT_EQ(isBitcode(cut), size >= 4);
  }
}

TEST(Bitcode, SizesThatAreTooLarge) {
  std::vector<uint32_t> words{0xdec04342, 1 | kModule << 2 | 5 << 10, 0xffffffff, 0};
  EXPECT_EQ(bitcodeSize(bytesOf(words)), 0u);
}

TEST(Bitcode, SomethingElse) {
  EXPECT_FALSE(isBitcode(bytesOf({0x07230203, 0})));
  EXPECT_EQ(bitcodeSize(bytesOf({0x07230203, 0})), 0u);
  EXPECT_EQ(bitcodeSize({}), 0u);
}
