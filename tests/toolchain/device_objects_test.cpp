// SPDX-License-Identifier: MIT
// Device code in objects and archives: found, packed, and nothing read beyond the end of damaged files.
#include "fatbin/device_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace hiplz;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::string header(const std::string &name, size_t size) {
  std::string text = name;
  text.resize(48, ' ');
  text += std::to_string(size);
  text.resize(58, ' ');
  return text + "`\n";
}

std::string member(const std::string &name, const std::string &content) {
  return header(name, content.size()) + content + (content.size() % 2 ? "\n" : "");
}

} // namespace

TEST(HipccDeviceObjects, PackedCodeIsFoundAgain) {
  for (const std::string code : {"BC", "device code of odd length", "0123456789abcdef"})
    EXPECT_EQ(deviceCodeOf(objectWithDeviceCode(code)), code);
}

TEST(HipccDeviceObjects, CutOffObjectsAreNotReadBeyondTheirEnd) {
  const std::string object = objectWithDeviceCode("some device code");
  for (size_t size = 0; size < object.size(); ++size) {
    const std::string cut(object.data(), size); // its own allocation, for the address sanitizer
    deviceCodeOf(cut);
  }
  EXPECT_FALSE(deviceCodeOf(""));
  EXPECT_FALSE(deviceCodeOf("no object at all, but longer than the header of one, which has sixty-four bytes"));
}

TEST(HipccDeviceObjects, DamagedObjectsAreNotReadBeyondTheirEnd) {
  const std::string object = objectWithDeviceCode("some device code");
  for (size_t at = 0; at < object.size(); ++at)
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string damaged = object;
      damaged[at] = value;
      if (const auto code = deviceCodeOf(damaged)) {
        EXPECT_GE(code->data(), damaged.data());
        EXPECT_LE(code->data() + code->size(), damaged.data() + damaged.size());
      }
    }
}

TEST(HipccDeviceObjects, MembersOfAnArchive) {
  const std::string archive = "!<arch>\n" + member("/", "symbols") + member("//", "a long name.o/\n") +
                              member("a.o/", "odd") + member("/0", "second");
  EXPECT_THAT(membersOf(archive).contents, ElementsAre("odd", "second"));
  for (size_t size = 0; size < archive.size(); ++size)
    membersOf(std::string(archive.data(), size));
  EXPECT_THAT(membersOf("!<arch>\n").contents, IsEmpty());
  EXPECT_THAT(membersOf("something else").contents, IsEmpty());
}

TEST(HipccDeviceObjects, MembersOfAThinArchiveAreFiles) {
  const std::string archive =
      "!<thin>\n" + member("//", "dir/long name.o/\n") + header("a.o/", 1000) + header("/0", 2000);
  EXPECT_THAT(membersOf(archive).files, ElementsAre("a.o", "dir/long name.o"));
}

TEST(HipccDeviceObjects, SharedLibrariesHideStaticOnes) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("hipcc-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto touch = [&](const char *name) { std::ofstream(folder / name); };
  touch("libone.a");
  touch("libtwo.a");
  touch("libtwo.so");
  const std::vector<std::string> folders = {"/nowhere", folder.string()};
  EXPECT_EQ(findStaticLibrary("-lone", folders), (folder / "libone.a").string());
  EXPECT_EQ(findStaticLibrary("-ltwo", folders), "");
  EXPECT_EQ(findStaticLibrary("-l:libtwo.a", folders), (folder / "libtwo.a").string());
  EXPECT_EQ(findStaticLibrary("-lthree", folders), "");
  EXPECT_EQ(findStaticLibrary("dir/libx.a", folders), "dir/libx.a");
  std::filesystem::remove_all(folder);
}
