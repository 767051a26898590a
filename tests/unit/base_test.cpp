// SPDX-License-Identifier: MIT
// src/base: the environment, its documentation, and the disk cache under everything that can happen to a folder.
#include "base/cache_folder.h"
#include "base/disk_cache.h"
#include "base/env.h"
#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

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
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, std::filesystem::perm_options::replace,
                                 ignored_);
    std::filesystem::remove_all(folder_);
    ::unsetenv("HIPLZ_CACHE_DIR");
  }
  std::filesystem::path folder_;
  std::error_code ignored_;
};

} // namespace

// The rows of docs/environment.md and the two lists agree, in both directions.
TEST(Env, everyVariableIsDocumented) {
  std::ifstream file(HIPLZ_SOURCE_DIR "/docs/environment.md");
  std::vector<std::string> documented, expected;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `"))
      documented.push_back(line);
  for (unsigned i = 0; i < envVarCount(); ++i) {
    const EnvVarInfo &info = envVarInfo(static_cast<EnvVar>(i));
    const std::string value = *info.defaultValue ? "`" + std::string(info.defaultValue) + "`" : "";
    expected.push_back("| `" + std::string(info.name) + "` | " + value + " | " + info.doc + " |");
  }
  for (const LogCategoryInfo &category : kLogCategories)
    expected.push_back("| `" + std::string(category.name) + "` | " + category.doc + " |");
  EXPECT_THAT(documented, testing::UnorderedElementsAreArray(expected));
}

TEST(Log, levelsByCategory) {
  auto level = [](std::string_view text, LogCategory category) {
    std::string bad;
    const LogLevels levels = parseLogLevels(text, bad);
    EXPECT_EQ(bad, "") << text;
    return levels[static_cast<size_t>(category)];
  };
  EXPECT_EQ(level("", LogCategory::api), LogLevel::off);
  EXPECT_EQ(level("debug", LogCategory::api), LogLevel::debug);
  EXPECT_EQ(level("1", LogCategory::memory), LogLevel::info);
  EXPECT_EQ(level("info,ze=trace", LogCategory::ze), LogLevel::trace);
  EXPECT_EQ(level("info,ze=trace", LogCategory::api), LogLevel::info);
  EXPECT_EQ(level("ze=trace,info", LogCategory::ze), LogLevel::trace); // the order does not matter
  EXPECT_EQ(level("ze=trace", LogCategory::api), LogLevel::off);
  EXPECT_EQ(level("trace,api=off", LogCategory::api), LogLevel::off);
  EXPECT_EQ(level("error,debug", LogCategory::cpu), LogLevel::debug); // the last one counts
  EXPECT_EQ(level("cpu=error,cpu=debug,", LogCategory::cpu), LogLevel::debug);
}

TEST(Log, badEntriesAreNamedAndTheOthersCount) {
  std::string bad;
  const LogLevels levels = parseLogLevels("inof,ze=trace,gpu=info,ze=,=info,api=info", bad);
  EXPECT_EQ(bad, "inof, gpu=info, ze=, =info");
  EXPECT_EQ(levels[static_cast<size_t>(LogCategory::ze)], LogLevel::trace);
  EXPECT_EQ(levels[static_cast<size_t>(LogCategory::api)], LogLevel::info);
  EXPECT_EQ(levels[static_cast<size_t>(LogCategory::cpu)], LogLevel::off);
}

TEST(Log, namesDoNotCommandTheTerminal) {
  testing::internal::CaptureStderr();
  logLine("kernel %s:\n\tfailed", "\033[2J\rname\177\xc3\xa9");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "hiplz: kernel \\x1b[2J\\x0dname\\x7f\xc3\xa9:\n\tfailed\n");
}

TEST(Log, theFolderOfAFileIsItsCategory) {
  static_assert(logCategoryOf("/somewhere/src/lz/memory/memory.cpp") == LogCategory::memory);
  static_assert(logCategoryOf("src/lz/memory/memory.h") == LogCategory::memory);
  static_assert(logCategoryOf("/a/src/lz/stream/queue.cpp") == LogCategory::stream);
  static_assert(logCategoryOf("/a/src/api/launch.cpp") == LogCategory::api);
  static_assert(logCategoryOf("/a/src/base/env.cpp") == LogCategory::other);
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

TEST(Env, malformedValuesAreIgnored) {
  struct Case {
    EnvVar var;
    const char *good, *bad;
  };
  for (const Case &each :
       {Case{EnvVar::HIPLZ_DEVICES, "gpu,cpu,opencl", "nonsense"}, Case{EnvVar::HIPLZ_DEVICES, "none", "gpu,tpu"},
        Case{EnvVar::HIPLZ_CPU_ISA, "avx2", "sse9"}, Case{EnvVar::HIPLZ_CPU_VECTORIZE, "0", "perhaps"},
        Case{EnvVar::HIPLZ_CACHE, "off", "2"}, Case{EnvVar::HIPLZ_CPU_THREADS, "3", "0"},
        Case{EnvVar::HIPLZ_CPU_DEVICES, "64", "65"}, Case{EnvVar::AMD_SERIALIZE_COPY, "3", "4"},
        Case{EnvVar::HIPLZ_CACHE_SIZE, "1K", "much"}, Case{EnvVar::HIPLZ_PROF_TRACE, "calls,paused", "call"}}) {
    const EnvVarInfo &info = envVarInfo(each.var);
    ::setenv(info.name, each.good, 1);
    EXPECT_EQ(envString(each.var), each.good);
    ::setenv(info.name, each.bad, 1);
    EXPECT_EQ(envString(each.var), info.defaultValue) << info.name << "=" << each.bad;
    ::setenv(info.name, "", 1);
    EXPECT_EQ(envString(each.var), info.defaultValue) << info.name;
    ::unsetenv(info.name);
  }
}

TEST(Env, flagsAreWords) {
  for (const char *on : {"1", "on", "yes", "true", "", "nonsense"}) {
    ::setenv("HIPLZ_CPU_VECTORIZE", on, 1);
    EXPECT_TRUE(envFlag(EnvVar::HIPLZ_CPU_VECTORIZE)) << on;
  }
  for (const char *off : {"0", "off", "no", "false"}) {
    ::setenv("HIPLZ_CPU_VECTORIZE", off, 1);
    EXPECT_FALSE(envFlag(EnvVar::HIPLZ_CPU_VECTORIZE)) << off;
  }
  ::unsetenv("HIPLZ_CPU_VECTORIZE");
}

// In a process of its own: the level of the log is read once, and each variable is reported once.
TEST(Env, theLogSaysWhatIsIgnored) {
  const auto look = [] {
    ::setenv("HIPLZ_LOG", "error", 1);
    ::setenv("HIPLZ_CPU_ISA", "sse9", 1);
    ::setenv("HIPLZ_CPU_THREADS", "many", 1);
    for (int round = 0; round < 2; ++round) {
      envString(EnvVar::HIPLZ_CPU_ISA);
      envNumber(EnvVar::HIPLZ_CPU_THREADS);
    }
    ::_exit(0);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(look(), testing::ExitedWithCode(0),
              "^hiplz: HIPLZ_CPU_ISA=sse9 is ignored; it must be one of x86-64-v2, avx2, avx512\n"
              "hiplz: HIPLZ_CPU_THREADS=many is ignored; it must be a number from 1 to 1024\n$");
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

// Nobody may make folders in /sys. That the folder does not exist would not say why.
TEST_F(DiskCacheTest, aFolderThatCannotBeMadeSaysWhy) {
  EXPECT_FALSE(openCacheFolder("/sys/hiplz-cache-test/modules", true));
  EXPECT_TRUE(errno == EPERM || errno == EACCES || errno == EROFS) << errno;
}

TEST_F(DiskCacheTest, canBeTurnedOff) {
  ::setenv("HIPLZ_CACHE", "0", 1);
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  EXPECT_FALSE(cache.load("key"));
  EXPECT_FALSE(std::filesystem::exists(folder_));
  ::unsetenv("HIPLZ_CACHE");
}

TEST_F(DiskCacheTest, isMadeForItsUserAlone) {
  const mode_t before = ::umask(0);
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  ::umask(before);
  EXPECT_EQ(std::filesystem::status(folder_).permissions(), std::filesystem::perms::owner_all);
  EXPECT_EQ(std::filesystem::status(folder_ / "t").permissions(), std::filesystem::perms::owner_all);
  EXPECT_EQ(std::filesystem::status(cache.pathFor("key")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(DiskCacheTest, whatOthersMayWriteIsNotRead) {
  using std::filesystem::perms;
  DiskCache cache("t");
  for (perms other : {perms::group_write, perms::others_write}) {
    cache.store("key", bytes("payload"));
    ASSERT_TRUE(cache.load("key"));
    std::filesystem::permissions(cache.pathFor("key"), other, std::filesystem::perm_options::add);
    EXPECT_FALSE(cache.load("key"));
    cache.store("key", bytes("payload"));
    std::filesystem::permissions(folder_ / "t", other, std::filesystem::perm_options::add);
    EXPECT_FALSE(cache.load("key"));
    cache.store("another key", bytes("payload"));
    EXPECT_FALSE(std::filesystem::exists(cache.pathFor("another key")));
    std::filesystem::permissions(folder_ / "t", perms::owner_all);
    EXPECT_TRUE(cache.load("key"));
  }
}

TEST_F(DiskCacheTest, whatBelongsToAnotherUserIsNotRead) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  constexpr uid_t kNobody = 65534;
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  ASSERT_EQ(::chown(cache.pathFor("key").c_str(), kNobody, -1), 0);
  EXPECT_FALSE(cache.load("key"));
  cache.store("key", bytes("payload"));
  ASSERT_TRUE(cache.load("key"));
  ASSERT_EQ(::chown((folder_ / "t").c_str(), kNobody, -1), 0);
  EXPECT_FALSE(cache.load("key"));
}

// Opening a FIFO waits for somebody who writes it.
TEST_F(DiskCacheTest, somethingElseInPlaceOfAnEntryIsReplaced) {
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  const std::string path = cache.pathFor("key");
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(cache.load("key"));
  cache.store("key", bytes("payload"));
  EXPECT_TRUE(cache.load("key"));
  std::filesystem::rename(path, folder_ / "elsewhere");
  std::filesystem::create_symlink(folder_ / "elsewhere", path);
  EXPECT_FALSE(cache.load("key"));
  cache.store("key", bytes("payload"));
  EXPECT_TRUE(cache.load("key"));
}

TEST_F(DiskCacheTest, aFifoInPlaceOfTheFolderIsOnlySlower) {
  ASSERT_EQ(::mkfifo(folder_.c_str(), 0600), 0);
  DiskCache cache("t");
  cache.store("key", bytes("payload"));
  EXPECT_FALSE(cache.load("key"));
}

// A write beyond the limit would end the process by a signal.
TEST_F(DiskCacheTest, aLimitOfTheSizeOfFilesIsOnlySlower) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 64;
  DiskCache cache("t");
  ::setrlimit(RLIMIT_FSIZE, &small);
  cache.store("key", bytes(std::string(1000, 'x')));
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(cache.load("key"));
  cache.store("key", bytes("payload"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "t"), {}), 1);
}

// /dev/full says what a full disk says.
TEST_F(DiskCacheTest, aFullDiskIsAFailureOfWriting) {
  OpenFile full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full)
    GTEST_SKIP() << "no /dev/full";
  EXPECT_FALSE(full.writeAll("x", 1));
  EXPECT_EQ(errno, ENOSPC);
}

TEST_F(DiskCacheTest, theEntriesThatWereNotUsedForTheLongestTimeGoFirst) {
  DiskCache first("t"), second("u");
  const std::string payload(8 << 10, 'x');
  for (int i = 0; i < 10; ++i)
    (i % 2 ? first : second).store(std::to_string(i), bytes(payload));
  // Entry i was used 10 - i days ago, and 3 is read once more.
  for (int i = 0; i < 10; ++i) {
    const time_t then = ::time(nullptr) - (10 - i) * 86400;
    const timespec times[2] = {{then, 0}, {then, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (i % 2 ? first : second).pathFor(std::to_string(i)).c_str(), times, 0), 0);
  }
  EXPECT_TRUE(first.load("3"));
  std::ofstream(folder_ / "t" / "notes") << std::string(100 << 10, 'x'); // not ours
  trimCaches(folder_, 70 << 10);
  std::string left;
  for (int i = 0; i < 10; ++i)
    if (std::filesystem::exists((i % 2 ? first : second).pathFor(std::to_string(i))))
      left += std::to_string(i);
  EXPECT_EQ(left, "36789"); // each takes 12 KiB of the disk
  EXPECT_TRUE(std::filesystem::exists(folder_ / "t" / "notes"));
}

TEST_F(DiskCacheTest, aProcessKeepsTheCachesWithinTheirSize) {
  ::setenv("HIPLZ_CACHE_SIZE", "64K", 1);
  DiskCache cache("t");
  for (int i = 0; i < 40; ++i)
    cache.store(std::to_string(i), bytes(std::string(5000, 'x')));
  cache.store("large", bytes(std::string(65 << 10, 'x')));
  ::unsetenv("HIPLZ_CACHE_SIZE");
  EXPECT_FALSE(cache.load("large"));
  EXPECT_FALSE(cache.load("0"));
  EXPECT_TRUE(cache.load("39"));
  const auto entries = std::distance(std::filesystem::directory_iterator(folder_ / "t"), {});
  EXPECT_GE(entries, 4);
  EXPECT_LE(entries, 8 + 1);
}

// The test program once more, as a program of another user.
TEST(Env, aProgramWithOtherRightsThanItsUserReadsNoVariables) {
  if (std::getenv("HIPLZ_TEST_IS_SETUID")) {
    EXPECT_EQ(envString(EnvVar::HIPLZ_DUMP), "");
    EXPECT_EQ(envString(EnvVar::HIPLZ_CPU_DEVICES), "1");
    EXPECT_EQ(DiskCache("t").pathFor("key"), "");
    std::puts(::geteuid() == ::getuid() ? "not setuid" : "read nothing");
    std::fflush(stdout);
    ::_exit(testing::Test::
                HasFailure()); // a search for leaks would trace the process, which nobody may do with a setuid one
  }
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  const auto program = std::filesystem::temp_directory_path() / ("hiplz-setuid-test-" + std::to_string(::getpid()));
  std::filesystem::copy_file("/proc/self/exe", program);
  ASSERT_EQ(::chown(program.c_str(), 65534, -1), 0);
  ASSERT_EQ(::chmod(program.c_str(), 04755), 0);
  const std::string command = "HIPLZ_TEST_IS_SETUID=1 HIPLZ_DUMP=/tmp HIPLZ_CPU_DEVICES=7 HIPLZ_CACHE_DIR=/tmp "
                              "XDG_CACHE_HOME=/tmp HOME=/tmp " +
                              program.string() + " --gtest_filter=Env.aProgramWith*";
  std::string output;
  FILE *pipe = ::popen(command.c_str(), "r");
  ASSERT_TRUE(pipe);
  for (int c; (c = std::fgetc(pipe)) != EOF;)
    output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  std::filesystem::remove(program);
  if (output.find("not setuid") != std::string::npos)
    GTEST_SKIP() << "the file system knows no setuid";
  EXPECT_EQ(status, 0) << output;
  EXPECT_NE(output.find("read nothing"), std::string::npos) << output;
}

TEST_F(DiskCacheTest, leavesNoTemporaryFiles) {
  DiskCache cache("t");
  for (int i = 0; i < 10; ++i)
    cache.store("key", bytes("payload"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "t"), {}), 1);
}
