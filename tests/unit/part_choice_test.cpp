// SPDX-License-Identifier: MIT
// Which groups of kernels are compiled together: how many parts there are when all are launched, and how much is compiled in
// vain when few are.
#include "lz/module/part_choice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <set>

namespace hiplz {
namespace {

using Groups = std::vector<size_t>;
constexpr size_t kSmall = PartChoice::kPartWords / 5;

PartChoice equalGroups(size_t count, size_t words = kSmall) {
  return PartChoice(std::vector<PartChoice::Group>(count, {words, true}));
}

/// The words of all parts.
size_t compiled(const PartChoice &choice, size_t words) {
  size_t sum = 0;
  for (size_t part = 0; part < choice.parts(); ++part)
    sum += choice.groupsOf(part).size() * words;
  return sum;
}

TEST(PartChoice, theFirstGroupsAreCompiledAlone) {
  PartChoice choice = equalGroups(500);
  for (const size_t group : {7, 300, 8})
    EXPECT_EQ(choice.groupsOf(choice.want(group)), Groups{group});
  EXPECT_EQ(choice.parts(), 3u);
}

TEST(PartChoice, whoWantsAllGetsThemInFewParts) {
  for (const size_t words : {size_t{10}, kSmall, PartChoice::kPartWords}) {
    PartChoice choice = equalGroups(500, words);
    std::set<size_t> found;
    for (size_t group = 0; group < 500; ++group) {
      const Groups &part = choice.groupsOf(choice.want(group));
      EXPECT_TRUE(std::binary_search(part.begin(), part.end(), group));
    }
    EXPECT_EQ(compiled(choice, words), 500 * words) << "each once";
    EXPECT_LE(choice.parts(), words == PartChoice::kPartWords ? 40u : 15u) << words;
  }
}

TEST(PartChoice, whoWantsSomePaysLittleForOthers) {
  for (const size_t words : {size_t{10}, kSmall, PartChoice::kPartWords, 50 * PartChoice::kPartWords}) {
    PartChoice choice = equalGroups(5000, words);
    size_t wanted = 0;
    for (size_t group = 0; group < 5000; group += 1 + group / 3) { // further and further apart
      choice.want(group);
      ++wanted;
      const size_t all = compiled(choice, words) + choice.parts() * PartChoice::kPartWords,
                   alone = wanted * (words + PartChoice::kPartWords);
      EXPECT_LE(all, alone + alone / 4) << wanted;
    }
  }
}

TEST(PartChoice, groupsThatTakeLongHaveNoCompany) {
  PartChoice choice = equalGroups(100, PartChoice::kPartWords + 1);
  for (size_t group = 0; group < 100; ++group)
    EXPECT_EQ(choice.groupsOf(choice.want(group)), Groups{group});
}

TEST(PartChoice, groupsWithVariablesAreInOnePartOnly) {
  std::vector<PartChoice::Group> groups(20, {kSmall, true});
  groups[5].mayHaveCompany = groups[9].mayHaveCompany = false;
  PartChoice choice(groups);
  for (const size_t group : {0, 1, 2, 3, 5, 9, 4, 6})
    choice.want(group);
  EXPECT_EQ(choice.groupsOf(choice.want(5)), Groups{5});
  EXPECT_EQ(choice.groupsOf(choice.want(9)), Groups{9});
  EXPECT_GT(choice.groupsOf(choice.want(3)).size(), 1u);
}

TEST(PartChoice, aPartThatFailsIsDivided) {
  PartChoice choice = equalGroups(50);
  for (size_t group = 0; group < 3; ++group)
    choice.want(group);
  const size_t failed = choice.want(3);
  const Groups groups = choice.groupsOf(failed);
  ASSERT_GT(groups.size(), 1u);
  const size_t bad = groups[1];
  auto build = [&](size_t group) { // as a module does
    for (;;) {
      const size_t part = choice.want(group);
      const Groups tried = choice.groupsOf(part);
      EXPECT_TRUE(std::binary_search(tried.begin(), tried.end(), group));
      if (tried.size() == 1 || !std::binary_search(tried.begin(), tried.end(), bad))
        return tried;
      choice.divide(part);
      choice.divide(part); // by another thread that had waited for it
    }
  };
  std::set<Groups> parts;
  for (const size_t group : groups)
    parts.insert(build(group));
  EXPECT_EQ(build(bad), Groups{bad});
  EXPECT_LT(parts.size(), groups.size()) << "others still have company";
  EXPECT_GT(choice.groupsOf(choice.want(groups.back() + 1)).size(), 1u);
}

TEST(PartChoice, oneGroupGetsAPartOfItsOwn) {
  PartChoice choice = equalGroups(50);
  for (size_t group = 0; group < 3; ++group)
    choice.want(group);
  const size_t together = choice.want(3);
  choice.separate(4, together);
  EXPECT_EQ(choice.groupsOf(choice.want(4)), Groups{4});
  EXPECT_EQ(choice.want(5), together);
}

TEST(PartChoice, whatAnEarlierProcessHasCompiledIsChosenAgain) {
  std::string lines;
  PartChoice first = equalGroups(50);
  for (size_t group = 0; group < 20; ++group)
    first.want(group);
  for (size_t part = 0; part < first.parts(); ++part)
    lines += PartChoice::line(first.groupsOf(part));
  PartChoice second = equalGroups(50);
  second.recall(lines);
  for (size_t group = 20; group-- > 0;)
    EXPECT_EQ(second.groupsOf(second.want(group)), first.groupsOf(first.want(group)));
  EXPECT_EQ(second.parts(), first.parts());
  const size_t next = second.want(45); // is new: it begins anew
  EXPECT_EQ(second.groupsOf(next), Groups{45});
}

TEST(PartChoice, theLastLineOfAGroupCounts) {
  PartChoice choice = equalGroups(10);
  choice.recall("1 2 3\n2\n");
  EXPECT_EQ(choice.groupsOf(choice.want(1)), (Groups{1, 2, 3}));
  EXPECT_EQ(choice.groupsOf(choice.want(2)), Groups{2});
  EXPECT_EQ(choice.groupsOf(choice.want(3)), (Groups{1, 2, 3}));
}

TEST(PartChoice, linesOfOtherModulesAreIgnored) {
  std::vector<PartChoice::Group> groups(10, {kSmall, true});
  groups[4].mayHaveCompany = false;
  PartChoice choice(groups);
  choice.recall("1 99\n2 x\n\n3 3\n5 4\n4 6\n7  8\n9,\n-1\n18446744073709551616 2");
  for (size_t group = 0; group < 3; ++group)
    EXPECT_EQ(choice.groupsOf(choice.want(group)), Groups{group});
  EXPECT_EQ(choice.groupsOf(choice.want(4)), Groups{4});
}

} // namespace
} // namespace hiplz
