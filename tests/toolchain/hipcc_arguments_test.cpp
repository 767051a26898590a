// SPDX-License-Identifier: MIT
// The words of a command line: shell quoting, response files, and what is an input and what the value of an option.
#include "tools/hipcc/arguments.h"

#include <gtest/gtest.h>

#include <map>

using namespace hiplz::hipcc;

TEST(HipccWords, SplitsLikeAShell) {
  EXPECT_EQ(splitWords("  -c  a.hip\t-o\nb "), (Words{"-c", "a.hip", "-o", "b"}));
  EXPECT_EQ(splitWords(R"(-DX='"a b"' "-DY=c d" -DZ=e\ f)"), (Words{"-DX=\"a b\"", "-DY=c d", "-DZ=e f"}));
  EXPECT_EQ(splitWords(R"("a\"b\\c\d" 'x\y')"), (Words{R"(a"b\c\d)", R"(x\y)"}));
  EXPECT_EQ(splitWords("'' \"\""), (Words{"", ""}));
  EXPECT_EQ(splitWords("'open"), (Words{"open"}));
  EXPECT_EQ(splitWords("end\\"), (Words{"end\\"}));
  EXPECT_TRUE(splitWords(" \n\t").empty());
}

TEST(HipccWords, ExpandsResponseFilesInPlaceAndInsideEachOther) {
  const std::map<std::string, std::string> files = {
      {"outer", "-c @inner '-DA=1 2'"}, {"inner", "a.hip"}, {"self", "-v @self"}};
  const auto read = [&](const std::string &name) -> std::optional<std::string> {
    const auto file = files.find(name);
    return file == files.end() ? std::nullopt : std::optional(file->second);
  };
  EXPECT_EQ(expandResponseFiles({"-g", "@outer", "b.o"}, read), (Words{"-g", "-c", "a.hip", "-DA=1 2", "b.o"}));
  EXPECT_EQ(expandResponseFiles({"@missing", "@"}, read), (Words{"@missing", "@"}));
  EXPECT_EQ(expandResponseFiles({"@self"}, read), (Words{"-v", "@self"}));
}

TEST(HipccArguments, EveryCxxExtensionIsHip) {
  for (const char *name : {"a.hip", "a.cpp", "a.cc", "a.cxx", "a.C", "a.cu", "a.c++", "dir.c/a.hip", "-"})
    EXPECT_EQ(languageOfFile(name), Language::hip) << name;
  EXPECT_EQ(languageOfFile("a.c"), Language::c);
  for (const char *name : {"a.o", "liba.a", "liba.so", "liba.so.1", "a", "dir.hip/a", "a.s", "a.S", ".hip/x.ll"})
    EXPECT_EQ(languageOfFile(name), Language::none) << name;
}

TEST(HipccArguments, ValuesOfOptionsAreNoInputs) {
  const std::vector<Argument> arguments = parseArguments({"-o", "out.hip", "-I", "dir", "-include", "x.cpp", "-Xclang",
                                                          "-foo", "-MF", "d.c", "-Xlinker", "a.o", "in.hip"});
  ASSERT_EQ(arguments.size(), 7u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(arguments[i].kind, Argument::Kind::option) << arguments[i].name;
    EXPECT_TRUE(arguments[i].hasValue);
  }
  EXPECT_EQ(arguments[6].name, "in.hip");
  EXPECT_EQ(arguments[6].kind, Argument::Kind::input);
}

TEST(HipccArguments, JoinedValuesLeaveTheNextWordAlone) {
  const std::vector<Argument> arguments = parseArguments({"-oout", "-Idir", "-Lx", "-lm", "-MFd", "a.cpp"});
  ASSERT_EQ(arguments.size(), 6u);
  EXPECT_EQ(arguments.back().kind, Argument::Kind::input);
  EXPECT_TRUE(arguments[0].is("-o"));
  EXPECT_EQ(arguments[0].value, "out");
}

TEST(HipccArguments, LanguageOptionHoldsForTheInputsBehindIt) {
  const std::vector<Argument> arguments = parseArguments(
      {"a.cpp", "-x", "c++", "b.cpp", "-xhip", "c.txt", "--language=none", "d.cpp", "-x", "cuda", "e.c"});
  ASSERT_EQ(arguments.size(), 5u);
  EXPECT_EQ(arguments[0].inputLanguage(), Language::hip);
  EXPECT_EQ(arguments[1].inputLanguage(), Language::other);
  EXPECT_EQ(arguments[2].inputLanguage(), Language::hip);
  EXPECT_EQ(arguments[3].inputLanguage(), Language::hip);
  EXPECT_EQ(arguments[4].inputLanguage(), Language::hip);
}

TEST(HipccArguments, ALackingValueIsLeftForClangToReport) {
  const std::vector<Argument> arguments = parseArguments({"a.hip", "-o"});
  ASSERT_EQ(arguments.size(), 2u);
  EXPECT_FALSE(arguments[1].hasValue);
  Words words;
  arguments[1].appendTo(words);
  EXPECT_EQ(words, Words{"-o"});
}

TEST(HipccArguments, BehindTwoDashesEverythingIsAnInput) {
  const std::vector<Argument> arguments = parseArguments({"-c", "--", "-o.hip"});
  ASSERT_EQ(arguments.size(), 2u);
  EXPECT_EQ(arguments[1].kind, Argument::Kind::input);
  EXPECT_EQ(arguments[1].name, "-o.hip");
}
