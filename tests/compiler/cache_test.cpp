// SPDX-License-Identifier: MIT
// The disk cache and native binaries.
#include "cpu/program/binary_format.h"
#include "harness.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace hiplz::cpu {
namespace {

namespace fs = std::filesystem;

/// A cache folder of its own for one test.
class Cache : public testing::Test {
protected:
  void SetUp() override {
    if (const char *before = std::getenv("HIPLZ_CACHE_DIR"))
      before_ = before;
    folder_ = fs::temp_directory_path() / ("hiplz-cache-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    ::setenv("HIPLZ_CACHE_DIR", folder_.c_str(), 1);
    ::setenv("HIPLZ_CACHE", "1", 1);
    ::setenv("HIPLZ_DUMP", dumps().c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("HIPLZ_DUMP");
    fs::remove_all(folder_);
    if (before_.empty())
      ::unsetenv("HIPLZ_CACHE_DIR");
    else
      ::setenv("HIPLZ_CACHE_DIR", before_.c_str(), 1);
  }

  fs::path dumps() const { return folder_ / "dumps"; }

  /// The compiler leaves a SPIR-V file in HIPLZ_DUMP each time it runs.
  int compilations() const {
    int count = 0;
    if (fs::exists(dumps()))
      for (const auto &entry : fs::directory_iterator(dumps()))
        count += entry.path().extension() == ".spv";
    return count;
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const auto &entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && entry.path().string().find("dumps") == std::string::npos)
        found.push_back(entry.path());
    return found;
  }

  std::unique_ptr<Program> build(const char *flags = "") {
    std::string log;
    auto program = Program::fromSpirv(testModule("atomics"), flags, log);
    EXPECT_TRUE(program) << log;
    return program;
  }

  fs::path folder_;
  std::string before_;
};

void checkRuns(const Program &program) {
  std::vector<int> flag{0}, out(3);
  Launch(&program, "flags").arg(flag).arg(out).run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<int>{0, 1, 0}));
}

TEST_F(Cache, SecondBuildDoesNotCompile) {
  checkRuns(*build());
  EXPECT_EQ(compilations(), 1);
  checkRuns(*build());
  EXPECT_EQ(compilations(), 1);
  checkRuns(*build("-cl-opt-disable")); // other flags, other entry
  EXPECT_EQ(compilations(), 2);
}

TEST_F(Cache, DamagedEntryIsCompiledAgain) {
  build();
  ASSERT_EQ(entries().size(), 1u);
  {
    std::fstream file(entries()[0], std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-100, std::ios::end);
    file.put('x');
  }
  checkRuns(*build());
  EXPECT_EQ(compilations(), 2);
  fs::resize_file(entries()[0], fs::file_size(entries()[0]) / 2);
  checkRuns(*build());
  EXPECT_EQ(compilations(), 3);
  checkRuns(*build());
  EXPECT_EQ(compilations(), 3);
}

TEST_F(Cache, EnvironmentThatChangesCodeHasEntriesOfItsOwn) {
  build();
  EXPECT_EQ(compilations(), 1);
  for (auto [name, value] : {std::pair("HIPLZ_CPU_VECTORIZE", "0"), std::pair("HIPLZ_CPU_ISA", "x86-64-v2")}) {
    int before = compilations();
    ::setenv(name, value, 1);
    checkRuns(*build());
    checkRuns(*build());
    EXPECT_EQ(compilations(), before + 1) << name;
    ::unsetenv(name);
  }
  ::setenv("HIPLZ_CPU_ISA", "pentium", 1); // ignored
  checkRuns(*build());
  EXPECT_EQ(compilations(), 3);
  ::unsetenv("HIPLZ_CPU_ISA");
}

TEST_F(Cache, DumpHasAllStages) {
  build();
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(dumps()))
    names.push_back(entry.path().filename().string());
  for (const char *stage :
       {"0-module.spv", "1-imported.ll", "2-prepared.ll", "3-work-groups.ll", "4-optimized.ll", "5-object.o"})
    EXPECT_EQ(std::count_if(names.begin(), names.end(), [&](const std::string &name) { return name.ends_with(stage); }),
              1)
        << stage;
}

TEST(NativeBinary, RoundTrip) {
  const Program *program = testProgram("atomics");
  std::string log;
  auto again = Program::fromNative(program->nativeBinary(), log);
  ASSERT_TRUE(again) << log;
  ASSERT_EQ(again->kernels().size(), program->kernels().size());
  for (size_t i = 0; i < again->kernels().size(); ++i) {
    const KernelInfo &a = again->kernels()[i], &b = program->kernels()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.args.size(), b.args.size());
    EXPECT_EQ(a.staticLocalBytes, b.staticLocalBytes);
    EXPECT_NE(a.function, b.function); // a mapping of its own
  }
  checkRuns(*again);
}

TEST(NativeBinary, AnotherProcessorsIsRefused) {
  std::string log;
  auto contents = parseBinary(testProgram("atomics")->nativeBinary(), log);
  ASSERT_TRUE(contents);
  contents->hostKey = "x86-64:another";
  EXPECT_FALSE(Program::fromNative(serializeBinary(*contents), log));
  EXPECT_NE(log.find("another processor"), std::string::npos);
}

TEST(NativeBinary, GarbageIsRefused) {
  std::string log;
  EXPECT_FALSE(Program::fromNative({}, log));
  EXPECT_FALSE(log.empty());
  EXPECT_FALSE(Program::fromNative(testModule("atomics"), log));
  EXPECT_NE(log.find("not a program binary"), std::string::npos);
  auto whole = testProgram("atomics")->nativeBinary();
  for (size_t size = 0; size < whole.size(); size += whole.size() / 37 + 1) {
    EXPECT_FALSE(Program::fromNative(whole.first(size), log));
    EXPECT_FALSE(log.empty());
  }
  for (size_t position = 0; position < whole.size(); position += whole.size() / 101 + 1) {
    std::vector<std::byte> damaged(whole.begin(), whole.end());
    damaged[position] ^= std::byte{0x40};
    // The header has spare bytes; everything else is covered by checks.
    auto program = Program::fromNative(damaged, log);
    EXPECT_TRUE(!program || (position >= 12 && position < 64)) << position;
  }
}

} // namespace
} // namespace hiplz::cpu
