// SPDX-License-Identifier: MIT
// The disk cache and native binaries.
#include "cache_fixture.h"
#include "cpu/program/binary_format.h"

#include <algorithm>
#include <fstream>

namespace hiplz::cpu {
namespace {

void damage(const fs::path &entry) {
  std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-100, std::ios::end);
  file.put('x');
}

void cutInHalf(const fs::path &entry) { fs::resize_file(entry, fs::file_size(entry) / 2); }

TEST_F(Cache, SecondBuildDoesNotCompile) {
  checkRuns(*build());
  EXPECT_EQ(modules(), 1);
  EXPECT_EQ(kernels(), 1);
  checkRuns(*build());
  EXPECT_EQ(modules(), 1);
  EXPECT_EQ(kernels(), 1);
  checkRuns(*build("-cl-opt-disable")); // other flags, other entry
  EXPECT_EQ(modules(), 2);
  EXPECT_EQ(kernels(), 2);
}

// Whichever of the entries it is: the module, what kernels are compiled from, or a kernel.
TEST_F(Cache, DamagedEntryIsCompiledAgain) {
  checkRuns(*build());
  const auto all = entries();
  ASSERT_EQ(all.size(), 3u);
  for (auto harm : {damage, cutInHalf}) {
    int before = modules() + kernels();
    for (const auto &entry : all) {
      harm(entry);
      checkRuns(*build());
    }
    const int again = modules() + kernels() - before;
    EXPECT_TRUE(again == 2 || again == 3) << again << ": the module, the kernel, and perhaps what it is compiled from";
    before = modules() + kernels();
    for (const auto &entry : all)
      harm(entry);
    checkRuns(*build());
    EXPECT_EQ(modules() + kernels(), before + 2);
    checkRuns(*build());
    EXPECT_EQ(modules() + kernels(), before + 2);
  }
}

// The cache may lose any entry at any time.
TEST_F(Cache, KernelsAreCompiledWhenWhatTheyAreCompiledFromIsLost) {
  build(); // whose memory has it
  auto program = build();
  for (const auto &entry : entries())
    fs::remove(entry);
  checkRuns(*program);
}

TEST_F(Cache, EnvironmentThatChangesCodeHasEntriesOfItsOwn) {
  checkRuns(*build());
  EXPECT_EQ(kernels(), 1);
  for (auto [name, value] : {std::pair("HIPLZ_CPU_VECTORIZE", "0"), std::pair("HIPLZ_CPU_ISA", "x86-64-v2")}) {
    int before = kernels();
    ::setenv(name, value, 1);
    checkRuns(*build());
    checkRuns(*build());
    EXPECT_EQ(kernels(), before + 1) << name;
    ::unsetenv(name);
  }
  ::setenv("HIPLZ_CPU_ISA", "pentium", 1); // ignored
  checkRuns(*build());
  EXPECT_EQ(kernels(), 3);
  ::unsetenv("HIPLZ_CPU_ISA");
}

TEST_F(Cache, DumpHasAllStages) {
  checkRuns(*build());
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(dumps()))
    names.push_back(entry.path().filename().string());
  for (const char *stage : {"00-module.spv", "01-imported.ll", "02-module.ll", "00-prepared.ll", "-canonicalize.ll",
                            "-work-groups.ll", "-optimized.ll", "-object.o"})
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
    ASSERT_TRUE(again->code(a, 7) && program->code(b, 7));
    EXPECT_NE(again->code(a, 7)->function, program->code(b, 7)->function); // a mapping of its own
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
