// SPDX-License-Identifier: MIT
// A cache folder of its own for one test, and a count of what the compiler has done.
#pragma once
#include "harness.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace hiplz::cpu {

namespace fs = std::filesystem;

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

  /// How often the compiler has taken a module apart, and has compiled a kernel: it leaves files in HIPLZ_DUMP.
  int modules() const { return dumped("module.spv"); }
  int kernels() const { return dumped("object.o"); }
  int dumped(std::string_view ending) const {
    int count = 0;
    if (fs::exists(dumps()))
      for (const auto &entry : fs::directory_iterator(dumps()))
        count += entry.path().string().ends_with(ending);
    return count;
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const auto &entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && entry.path().string().find("dumps") == std::string::npos)
        found.push_back(entry.path());
    return found;
  }

  std::unique_ptr<Program> build(const char *flags = "", const char *name = "atomics") {
    std::string log;
    // With a flag of its own: what other tests hold in this process needs no compilation.
    auto program = Program::fromSpirv(testModule(name), (std::string("-cl-mad-enable ") + flags).c_str(), log);
    EXPECT_TRUE(program) << log;
    return program;
  }

  fs::path folder_;
  std::string before_;
};

inline void checkRuns(const Program &program) {
  std::vector<int> flag{0}, out(3);
  Launch(&program, "flags").arg(flag).arg(out).run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<int>{0, 1, 0}));
}

} // namespace hiplz::cpu
