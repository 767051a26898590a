// src/base: the environment, its documentation, and the disk cache under everything that can happen to a folder.
#include "base/disk_cache.h"
#include "base/env.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

using namespace hiplz;

namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

/// A HIPLZ_CACHE_DIR of its own for each test.
class DiskCacheTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("hiplz-cache-test-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    ::setenv("HIPLZ_CACHE_DIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all,
                                 std::filesystem::perm_options::replace, ignored_);
    std::filesystem::remove_all(folder_);
    ::unsetenv("HIPLZ_CACHE_DIR");
  }
  std::filesystem::path folder_;
  std::error_code ignored_;
};

} // namespace

TEST(Env, everyVariableIsDocumented) {
  std::ifstream file(HIPLZ_SOURCE_DIR "/docs/environment.md");
  std::string document((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(document.empty());
  for (unsigned i = 0; i < envVarCount(); ++i) {
    const EnvVarInfo &info = envVarInfo(static_cast<EnvVar>(i));
    EXPECT_NE(document.find("| `" + std::string(info.name) + "` |"), std::string::npos) << info.name;
    EXPECT_NE(document.find(info.doc), std::string::npos) << info.name << ": the description differs";
  }
}

TEST(Env, numbersTakeSuffixes) {
  ::setenv("HIPLZ_CPU_MEMORY", "3M", 1);
  EXPECT_EQ(envNumber(EnvVar::HIPLZ_CPU_MEMORY), 3u << 20);
  ::setenv("HIPLZ_CPU_MEMORY", "12", 1);
  EXPECT_EQ(envNumber(EnvVar::HIPLZ_CPU_MEMORY), 12u);
  for (const char *bad : {"", "x", "12X", "1 M", "-1", "99999999999G", "0x10"}) {
    ::setenv("HIPLZ_CPU_MEMORY", bad, 1);
    EXPECT_FALSE(envNumber(EnvVar::HIPLZ_CPU_MEMORY)) << bad;
  }
  ::unsetenv("HIPLZ_CPU_MEMORY");
  EXPECT_FALSE(envNumber(EnvVar::HIPLZ_CPU_MEMORY));
}

TEST_F(DiskCacheTest, returnsWhatWasStored) {
  DiskCache cache("t");
  EXPECT_FALSE(cache.load("key"));
  cache.store("key", bytes("payload"));
  auto found = DiskCache("t").load("key");
  ASSERT_TRUE(found);
  EXPECT_EQ(std::memcmp(found->data(), "payload", 7), 0);
  EXPECT_EQ(found->size(), 7u);
  EXPECT_FALSE(cache.load("key2"));
  EXPECT_FALSE(DiskCache("other").load("key"));
}

TEST_F(DiskCacheTest, truncatedAtAnyLengthIsAMissAndIsReplaced) {
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  std::string path = cache.pathFor("key");
  size_t whole = std::filesystem::file_size(path);
  for (size_t size = 0; size < whole; ++size) {
    cache.store("key", bytes("payload"));
    std::filesystem::resize_file(path, size);
    EXPECT_FALSE(cache.load("key")) << size;
    EXPECT_FALSE(std::filesystem::exists(path)) << size;
  }
}

TEST_F(DiskCacheTest, aFlippedBitIsAMiss) {
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  std::string path = cache.pathFor("key");
  size_t whole = std::filesystem::file_size(path);
  for (size_t at = 0; at < whole; ++at) {
    cache.store("key", bytes("payload"));
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    char c = static_cast<char>(file.get() ^ 0x20);
    file.seekp(at);
    file.put(c);
    file.close();
    EXPECT_FALSE(cache.load("key")) << at;
  }
}

TEST_F(DiskCacheTest, aFolderThatCannotBeMadeIsOnlySlower) {
  std::ofstream(folder_) << "a file where the folder should be";
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  EXPECT_FALSE(cache.load("key"));
}

TEST_F(DiskCacheTest, canBeTurnedOff) {
  ::setenv("HIPLZ_CACHE", "0", 1);
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  EXPECT_FALSE(cache.load("key"));
  EXPECT_FALSE(std::filesystem::exists(folder_));
  ::unsetenv("HIPLZ_CACHE");
}

TEST_F(DiskCacheTest, leavesNoTemporaryFiles) {
  DiskCache cache("t");
  for (int i = 0; i < 10; ++i)
    cache.store("key", bytes("payload"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "t"), {}), 1);
}
