// SPDX-License-Identifier: MIT
// Texts of the system's files, and the lines and numbers in them.
#include "base/system_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace hiplz;

namespace {

TEST(SystemFile, theWholeTextOrItsBeginning) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("hiplz-system-file-test-" + std::to_string(::getpid()));
  const std::string text = std::string(10'000, 'a') + "\nb";
  std::ofstream(path) << text;
  EXPECT_EQ(systemText(path), text);
  EXPECT_EQ(systemText(path, 5), "aaaaa");
  EXPECT_EQ(systemText(path, 10'002), text);
  EXPECT_EQ(systemText(path, 4'097), text.substr(0, 4'097));
  std::filesystem::remove(path);
  EXPECT_EQ(systemText(path), "");
  EXPECT_EQ(systemText("/proc"), "");
  EXPECT_NE(systemText("/proc/self/status").find("\nPid:\t" + std::to_string(::getpid()) + "\n"), std::string::npos);
}

TEST(SystemFile, linesWithAndWithoutAnEnd) {
  std::string_view text = "one\n\nthree\nfour";
  for (const char *line : {"one", "", "three", "four", ""})
    EXPECT_EQ(nextLine(text), line);
  EXPECT_TRUE(text.empty());
}

TEST(SystemFile, numbersAndWhatIsNone) {
  EXPECT_EQ(numberAt("12 kB"), 12u);
  EXPECT_EQ(numberAt(" \t0-3"), 0u);
  EXPECT_EQ(numberAt("18446744073709551615\n"), UINT64_MAX);
  for (const char *none : {"", "  ", "max", "-1", "18446744073709551616"})
    EXPECT_EQ(numberAt(none), std::nullopt) << none;
}

} // namespace
