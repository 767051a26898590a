// SPDX-License-Identifier: MIT
// Fat binaries: plain, compressed in every version of the format, for other targets only, cut off and random.
#include "fatbin/bundle.h"
#include "fatbin/mapped_memory.h"
#include "unit/spirv_builder.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

extern "C" std::byte _end[]; // of the program's last segment; the linker defines it

namespace hiplz {
namespace {

using test::smallModule;
using Bytes = std::vector<std::byte>;

template <class Integer> void put(Bytes &to, Integer value) {
  auto bytes = std::as_bytes(std::span(&value, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}
void put(Bytes &to, std::string_view text) {
  auto bytes = std::as_bytes(std::span(text));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

struct Part {
  std::string target;
  Bytes code;
};
Bytes bundle(const std::vector<Part> &parts) {
  uint64_t offset = 32;
  for (const Part &part : parts)
    offset += 24 + part.target.size();
  Bytes bytes;
  put(bytes, std::string_view("__CLANG_OFFLOAD_BUNDLE__"));
  put(bytes, uint64_t(parts.size()));
  for (const Part &part : parts) {
    put(bytes, offset);
    put(bytes, uint64_t(part.code.size()));
    put(bytes, uint64_t(part.target.size()));
    put(bytes, std::string_view(part.target));
    offset += part.code.size();
  }
  for (const Part &part : parts)
    bytes.insert(bytes.end(), part.code.begin(), part.code.end());
  return bytes;
}
Bytes usualBundle() { return bundle({{"host-x86_64-unknown-linux--", {}}, {"hip-spirv64----generic", smallModule()}}); }

Bytes zlibStream(const Bytes &plain) {
  uLongf size = compressBound(plain.size());
  Bytes out(size);
  EXPECT_EQ(compress(reinterpret_cast<Bytef *>(out.data()), &size, reinterpret_cast<const Bytef *>(plain.data()),
                     plain.size()),
            Z_OK);
  out.resize(size);
  return out;
}
Bytes zstdStream(const Bytes &plain) {
  Bytes out(ZSTD_compressBound(plain.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
  return out;
}
Bytes compressed(unsigned version, unsigned method, uint64_t plainBytes, const Bytes &stream) {
  Bytes bytes;
  put(bytes, std::string_view("CCOB"));
  put(bytes, uint16_t(version));
  put(bytes, uint16_t(method));
  uint64_t all = stream.size() + (version == 1 ? 20 : version == 2 ? 24 : 32);
  if (version >= 3) {
    put(bytes, all);
    put(bytes, plainBytes);
  } else {
    if (version == 2)
      put(bytes, uint32_t(all));
    put(bytes, uint32_t(plainBytes));
  }
  put(bytes, uint64_t(0x1234));
  bytes.insert(bytes.end(), stream.begin(), stream.end());
  return bytes;
}
Bytes compressed(unsigned version, unsigned method, const Bytes &plain) {
  return compressed(version, method, plain.size(), method == 0 ? zlibStream(plain) : zstdStream(plain));
}

/// The answer of findSpirv for an exact-size heap copy; empty if it found SPIR-V.
std::string sentenceFor(std::span<const std::byte> bytes, ParseError::Kind kind = ParseError::Kind::malformed) {
  std::unique_ptr<std::byte[]> copy(new std::byte[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  try {
    findSpirv(std::span<const std::byte>(copy.get(), bytes.size()));
  } catch (const ParseError &error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return {};
}

void expectModule(const DeviceImage &image) {
  const Bytes module = smallModule();
  EXPECT_TRUE(std::equal(image.spirv.begin(), image.spirv.end(), module.begin(), module.end()));
}

bool contains(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }

TEST(Bundle, plain) {
  Bytes bytes = usualBundle();
  DeviceImage image = findSpirv(std::span<const std::byte>(bytes));
  expectModule(image);
  EXPECT_TRUE(image.owned.empty());
  EXPECT_GE(image.spirv.data(), bytes.data());
}

TEST(Bundle, everySpellingOfTheTarget) {
  for (const char *target : {"hip-spirv64----generic", "hip-spirv64", "hipv4-spirv64-unknown-unknown--generic",
                             "hip-spirv64-unknown-unknown", "hip-spirv64v1.2----generic"}) {
    Bytes bytes = bundle({{"hip-amdgcn-amd-amdhsa--gfx906", Bytes(100)}, {target, smallModule()}});
    expectModule(findSpirv(std::span<const std::byte>(bytes)));
  }
}

Bytes bytesOf(std::string_view text) {
  Bytes bytes;
  put(bytes, text);
  return bytes;
}
Bytes bundleWithNativeCode() {
  return bundle({{"host-x86_64-unknown-linux--", {}},
                 {"hip-spirv64-intel-native--pvc", bytesOf("for pvc")},
                 {"hip-spirv64----generic", smallModule()},
                 {"hip-spirv64-intel-native--adl-s", bytesOf("for adl-s")},
                 {"hip-spirv64-intel-native--skl", {}}});
}
void expectNativeCode(const DeviceImage &image) {
  ASSERT_EQ(image.native.size(), 2u);
  for (const NativeCode &code : image.native) {
    const Bytes wanted = bytesOf("for " + code.device);
    EXPECT_TRUE(std::equal(code.bytes.begin(), code.bytes.end(), wanted.begin(), wanted.end())) << code.device;
  }
  EXPECT_EQ(image.native[0].device, "pvc");
  EXPECT_EQ(image.native[1].device, "adl-s");
}

TEST(Bundle, nativeCodeStandsBesideTheSpirv) {
  Bytes bytes = bundleWithNativeCode();
  DeviceImage image = findSpirv(std::span<const std::byte>(bytes));
  expectModule(image);
  expectNativeCode(image);
  const Bytes small = compressed(3, 1, bytes);
  DeviceImage unpacked = findSpirv(std::span<const std::byte>(small));
  expectModule(unpacked);
  expectNativeCode(unpacked);
}

TEST(Bundle, nativeCodeDoesNotReplaceSpirv) {
  const std::string sentence =
      sentenceFor(bundle({{"hip-spirv64-intel-native--pvc", bytesOf("for pvc")}}), ParseError::Kind::otherTargets);
  EXPECT_TRUE(contains(sentence, "no device code")) << sentence;
}

TEST(Bundle, nativeCodeThatIsCutOffIsLeftOut) {
  Bytes bytes =
      bundle({{"hip-spirv64----generic", smallModule()}, {"hip-spirv64-intel-native--pvc", bytesOf("for pvc")}});
  bytes.pop_back();
  DeviceImage image = findSpirv(std::span<const std::byte>(bytes));
  expectModule(image);
  EXPECT_TRUE(image.native.empty());
}

TEST(Bundle, otherTargetsAreNamed) {
  Bytes bytes = bundle({{"host-x86_64-unknown-linux--", {}},
                        {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", Bytes(10)},
                        {"hip-amdgcn-amd-amdhsa--gfx1030", smallModule()}});
  std::string sentence = sentenceFor(bytes, ParseError::Kind::otherTargets);
  EXPECT_TRUE(contains(sentence, "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+")) << sentence;
  EXPECT_TRUE(contains(sentence, "gfx1030 only; compile the program with HIPLZ's hipcc")) << sentence;
  EXPECT_TRUE(contains(sentence, "amdgcnspirv")) << sentence;
  EXPECT_FALSE(contains(sentence, "host")) << sentence;
}

TEST(Bundle, amdSpirvStandsInWhereThereIsNoOther) {
  const Part gpu{"hipv4-amdgcn-amd-amdhsa--gfx90a", Bytes(10)},
      amd{"hip-spirv64-amd-amdhsa--amdgcnspirv", bytesOf("AMD's")}, ours{"hip-spirv64----generic", smallModule()};
  const Bytes alone = bundle({gpu, amd}), before = bundle({gpu, amd, ours}), after = bundle({ours, amd});
  DeviceImage image = findSpirv(std::span<const std::byte>(alone));
  EXPECT_TRUE(image.amdDialect);
  EXPECT_EQ(image.spirv.size(), 5u);
  for (const Bytes *bytes : {&before, &after}) {
    image = findSpirv(std::span<const std::byte>(*bytes));
    EXPECT_FALSE(image.amdDialect);
    expectModule(image);
  }
}

// The header of a code object, and a byte that tells it from others.
Bytes codeObject(char mark) {
  Bytes bytes(64);
  const char header[] = {0x7f, 'E', 'L', 'F', 2, 1};
  std::memcpy(bytes.data(), header, sizeof header);
  bytes[18] = std::byte{224};
  bytes.push_back(std::byte(mark));
  return bytes;
}

TEST(Bundle, machineCodeOfTheOldestGenerationStandsInWhereThereIsNoSpirv) {
  const Part newer{"hipv4-amdgcn-amd-amdhsa--gfx1100", codeObject('n')},
      relative{"hipv4-amdgcn-amd-amdhsa--gfx11-generic", codeObject('r')},
      older{"hipv4-amdgcn-amd-amdhsa--gfx1031", codeObject('o')},
      unknown{"hipv4-amdgcn-amd-amdhsa--gfx1201", codeObject('u')},
      amd{"hip-spirv64-amd-amdhsa--amdgcnspirv", bytesOf("AMD's")};
  auto chosen = [](const std::vector<Part> &parts) {
    const Bytes bytes = bundle(parts);
    const DeviceImage image = findSpirv(std::span<const std::byte>(bytes));
    return static_cast<char>(image.spirv.back());
  };
  EXPECT_EQ(chosen({unknown, newer, relative}), 'n');
  EXPECT_EQ(chosen({relative, newer}), 'r');
  EXPECT_EQ(chosen({newer, older}), 'o');
  EXPECT_EQ(chosen({older, newer}), 'o');
  EXPECT_EQ(chosen({newer, amd}), 's');
  ASSERT_EQ(::setenv("HIPLZ_AMD_TARGET", "gfx1100", 1), 0);
  EXPECT_EQ(chosen({older, amd, newer}), 'n');
  ASSERT_EQ(::unsetenv("HIPLZ_AMD_TARGET"), 0);
}

TEST(Bundle, manyTargetsMakeAShortSentence) {
  std::vector<Part> parts;
  for (int i = 0; i < 1000; ++i)
    parts.push_back({"hip-amdgcn--gfx" + std::to_string(i), {}});
  std::string sentence = sentenceFor(bundle(parts), ParseError::Kind::otherTargets);
  EXPECT_TRUE(contains(sentence, "and 984 more")) << sentence;
  EXPECT_LT(sentence.size(), 1000u);
}

TEST(Bundle, targetsWithControlCharactersDoNotReachTheTerminal) {
  std::string sentence = sentenceFor(bundle({{"hip-\x1b[31m\n", Bytes(1)}}), ParseError::Kind::otherTargets);
  EXPECT_TRUE(contains(sentence, "hip-?[31m?")) << sentence;
}

TEST(Bundle, empty) {
  EXPECT_TRUE(contains(sentenceFor(bundle({}), ParseError::Kind::otherTargets), "no device code"));
  EXPECT_TRUE(contains(sentenceFor(bundle({{"hip-spirv64----generic", {}}}), ParseError::Kind::otherTargets),
                       "hip-spirv64----generic"));
}

TEST(Bundle, amdCodeObject) {
  Bytes elf(64);
  std::memcpy(elf.data(), "\177ELF\2\1\1", 7);
  elf[18] = std::byte{224};
  EXPECT_TRUE(contains(sentenceFor(elf, ParseError::Kind::otherTargets), "AMD"));
  elf[18] = std::byte{62};
  EXPECT_TRUE(contains(sentenceFor(elf), "ELF"));
  for (size_t size = 0; size < 20; ++size)
    EXPECT_FALSE(sentenceFor(std::span(elf).first(size)).empty());
}

TEST(Bundle, bareSpirv) {
  Bytes module = smallModule();
  expectModule(findSpirv(std::span<const std::byte>(module)));
}

TEST(Bundle, compressedInEveryVersion) {
  for (unsigned version : {1u, 2u, 3u})
    for (unsigned method : {0u, 1u}) {
      Bytes bytes = compressed(version, method, usualBundle());
      DeviceImage image = findSpirv(std::span<const std::byte>(bytes));
      expectModule(image);
      DeviceImage moved = std::move(image); // the SPIR-V lies in the bytes that move along
      expectModule(moved);
    }
}

TEST(Bundle, compressedLargerThanTheFirstStep) {
  Bytes plain = usualBundle();
  Bytes large = bundle({{"hip-amdgcn-amd-amdhsa--gfx906", Bytes(3000001)}, {"hip-spirv64----generic", smallModule()}});
  for (unsigned method : {0u, 1u}) {
    Bytes bytes = compressed(3, method, large);
    expectModule(findSpirv(std::span<const std::byte>(bytes)));
  }
}

TEST(Bundle, compressedThatLies) {
  Bytes plain = usualBundle();
  for (unsigned method : {0u, 1u}) {
    Bytes stream = method == 0 ? zlibStream(plain) : zstdStream(plain);
    EXPECT_FALSE(sentenceFor(compressed(3, method, plain.size() - 1, stream)).empty());
    EXPECT_FALSE(sentenceFor(compressed(3, method, plain.size() + 1, stream)).empty());
    EXPECT_FALSE(sentenceFor(compressed(3, method, 0, stream)).empty());
    EXPECT_FALSE(sentenceFor(compressed(3, method, UINT64_MAX, stream)).empty());
    Bytes nested = compressed(2, method, plain);
    EXPECT_FALSE(sentenceFor(compressed(2, method, nested)).empty()); // not a bundle inside
  }
  EXPECT_TRUE(contains(sentenceFor(compressed(4, 0, plain)), "version 4"));
  EXPECT_TRUE(contains(sentenceFor(compressed(2, 7, plain.size(), zlibStream(plain))), "method 7"));
}

TEST(Bundle, everyTruncationIsAnError) {
  for (const Bytes &bytes : {usualBundle(), compressed(1, 0, usualBundle()), compressed(2, 1, usualBundle()),
                             compressed(3, 0, usualBundle()), compressed(3, 1, usualBundle())})
    for (size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(sentenceFor(std::span(bytes).first(size)).empty()) << size << " of " << bytes.size();
}

TEST(Bundle, damagedNeverCrashes) {
  std::mt19937 random(7);
  const std::vector<Bytes> originals = {usualBundle(), compressed(1, 0, usualBundle()), compressed(2, 1, usualBundle()),
                                        compressed(3, 1, usualBundle())};
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = originals[round % originals.size()];
    for (unsigned changes = 1 + random() % 4; changes; --changes)
      bytes[random() % std::min<size_t>(bytes.size(), 128)] = static_cast<std::byte>(random());
    try {
      findSpirv(std::span<const std::byte>(bytes));
    } catch (const ParseError &) {
    }
  }
}

TEST(Bundle, randomNeverCrashes) {
  std::mt19937 random(8);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes(random() % 256);
    for (std::byte &byte : bytes)
      byte = static_cast<std::byte>(random());
    EXPECT_FALSE(sentenceFor(bytes).empty());
  }
}

TEST(Bundle, offsetsThatOverflow) {
  Bytes bytes = usualBundle();
  auto patch = [&](size_t at, uint64_t value) {
    Bytes copy = bytes;
    std::memcpy(copy.data() + at, &value, sizeof value);
    return sentenceFor(copy);
  };
  const size_t second = 32 + 24 + std::string_view("host-x86_64-unknown-linux--").size();
  EXPECT_FALSE(patch(second, UINT64_MAX).empty());
  EXPECT_FALSE(patch(second + 8, UINT64_MAX).empty());
  EXPECT_FALSE(patch(second + 16, UINT64_MAX).empty());
}

/// Bytes at the end of a page behind which nothing is mapped.
class GuardedBytes {
public:
  explicit GuardedBytes(const Bytes &bytes) {
    size_t page = ::sysconf(_SC_PAGESIZE);
    size_ = (bytes.size() + page - 1) / page * page + page;
    base_ =
        static_cast<std::byte *>(::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(base_ + size_ - page, page, PROT_NONE);
    begin_ = base_ + size_ - page - bytes.size();
    std::copy(bytes.begin(), bytes.end(), begin_);
  }
  ~GuardedBytes() { ::munmap(base_, size_); }
  const void *get() const { return begin_; }

private:
  std::byte *base_, *begin_;
  size_t size_;
};

TEST(Image, sizeComesFromTheBytes) {
  Bytes module = smallModule();
  module.resize(module.size() + 100);
  expectModule(findSpirv(module.data()));
  Bytes plain = usualBundle();
  expectModule(findSpirv(plain.data()));
  for (unsigned version : {1u, 2u, 3u})
    for (unsigned method : {0u, 1u}) {
      Bytes bytes = compressed(version, method, usualBundle());
      bytes.resize(bytes.size() + 100);
      expectModule(findSpirv(bytes.data()));
    }
}

// Images of programs: their size is unknown, and segments end where the dynamic linker says.
TEST(Image, isInASegment) {
  static std::byte zeros[1 << 14]; // no part of the file but of the segment
  const Bytes bundle = usualBundle();
  ASSERT_LE(bundle.size(), sizeof zeros);
  std::copy(bundle.begin(), bundle.end(), zeros);
  expectModule(findSpirv(static_cast<const void *>(zeros)));
  const std::span<const std::byte> readable = readableBytes(zeros);
  EXPECT_EQ(zeros, readable.data());
  EXPECT_GE(readable.size(), sizeof zeros);
  EXPECT_LE(readable.data() + readable.size(), _end);
  static constexpr char kConstant[] = "constant";
  EXPECT_GE(readableBytes(kConstant).size(), sizeof kConstant);
  EXPECT_LT(readableBytes(kConstant).data() + readableBytes(kConstant).size(), _end);
}

TEST(Image, truncatedInFrontOfUnmappedMemory) {
  for (const Bytes &bytes : {usualBundle(), compressed(1, 0, usualBundle()), compressed(3, 1, usualBundle())})
    for (size_t size = 0; size < bytes.size(); size += 7) {
      GuardedBytes guarded(Bytes(bytes.begin(), bytes.begin() + size));
      EXPECT_THROW(findSpirv(guarded.get()), ParseError) << size;
    }
  GuardedBytes whole(smallModule());
  expectModule(findSpirv(whole.get()));
}

TEST(Image, unmapped) {
  EXPECT_THROW(findSpirv(static_cast<const void *>(nullptr)), ParseError);
  EXPECT_THROW(findSpirv(reinterpret_cast<const void *>(uintptr_t(64))), ParseError);
  EXPECT_THROW(findSpirv(reinterpret_cast<const void *>(UINTPTR_MAX - 2)), ParseError);
}

TEST(Image, ownedOutlivesTheOriginal) {
  DeviceImage image;
  {
    Bytes bytes = bundleWithNativeCode();
    image = findSpirv(std::span<const std::byte>(bytes));
    image.own();
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
  }
  expectModule(image);
  expectNativeCode(image);
}

TEST(Wrapper, unwraps) {
  struct {
    uint32_t magic = 0x48495046, version = 1;
    const void *image = "x", *reserved = nullptr;
  } wrapper;
  EXPECT_EQ(unwrapFatBinary(&wrapper), wrapper.image);
  wrapper.version = 2;
  EXPECT_THROW(unwrapFatBinary(&wrapper), ParseError);
  wrapper.version = 1;
  wrapper.image = nullptr;
  EXPECT_THROW(unwrapFatBinary(&wrapper), ParseError);
  wrapper.image = "x";
  wrapper.magic = 0x466243b1; // CUDA's
  EXPECT_THROW(unwrapFatBinary(&wrapper), ParseError);
  EXPECT_THROW(unwrapFatBinary(nullptr), ParseError);
}

} // namespace
} // namespace hiplz
