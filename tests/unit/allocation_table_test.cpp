// SPDX-License-Identifier: MIT
// The table that tells what a pointer is: interior pointers, borders, variables of modules, readers beside writers.
#include "lz/memory/memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace hiplz {
namespace {

void *at(uintptr_t address) { return reinterpret_cast<void *>(address); }

TEST(AllocationTable, findsInteriorPointersAndNothingBeside) {
  AllocationTable table;
  table.insert({at(0x1000), 0x100, MemoryKind::device, nullptr, 1});
  table.insert({at(0x1100), 0x80, MemoryKind::host, nullptr, 2});
  EXPECT_FALSE(table.find(at(0xfff)));
  EXPECT_EQ(table.find(at(0x1000))->flags, 1u);
  EXPECT_EQ(table.find(at(0x10ff))->flags, 1u);
  EXPECT_EQ(table.find(at(0x1100))->flags, 2u);
  EXPECT_EQ(table.find(at(0x117f))->flags, 2u);
  EXPECT_FALSE(table.find(at(0x1180)));
  EXPECT_FALSE(table.find(nullptr));
}

TEST(AllocationTable, containsKnowsTheEndAndDoesNotOverflow) {
  const Allocation allocation{at(0x1000), 0x100, MemoryKind::device, nullptr, 0};
  EXPECT_TRUE(allocation.contains(at(0x1000), 0x100));
  EXPECT_TRUE(allocation.contains(at(0x1100), 0));
  EXPECT_FALSE(allocation.contains(at(0x1001), 0x100));
  EXPECT_FALSE(allocation.contains(at(0x1080), SIZE_MAX));
  EXPECT_FALSE(allocation.contains(at(0xfff), 1));
}

TEST(AllocationTable, removesOnceAndOnlyAtTheBase) {
  AllocationTable table;
  table.insert({at(0x1000), 0x100, MemoryKind::device, nullptr, 0});
  EXPECT_FALSE(table.remove(at(0x1010), MemoryOwner::application));
  EXPECT_TRUE(table.remove(at(0x1000), MemoryOwner::application));
  EXPECT_FALSE(table.remove(at(0x1000), MemoryOwner::application));
  EXPECT_FALSE(table.find(at(0x1000)));
}

TEST(AllocationTable, variablesOfModulesCannotBeFreed) {
  AllocationTable table;
  table.insert({at(0x1000), 0x100, MemoryKind::device, nullptr, 0, MemoryOwner::moduleVariable});
  EXPECT_FALSE(table.remove(at(0x1000), MemoryOwner::application));
  EXPECT_TRUE(table.find(at(0x1000)));
  EXPECT_TRUE(table.remove(at(0x1000), MemoryOwner::moduleVariable));
  EXPECT_FALSE(table.find(at(0x1000)));
  table.insert({at(0x2000), 0x100, MemoryKind::device, nullptr, 0});
  EXPECT_FALSE(table.remove(at(0x2000), MemoryOwner::moduleVariable));
  EXPECT_TRUE(table.find(at(0x2000)));
}

TEST(AllocationTable, anyOfSkipsOtherDevicesAndVariables) {
  AllocationTable table;
  auto *mine = reinterpret_cast<LZDevice *>(0x10), *other = reinterpret_cast<LZDevice *>(0x20);
  table.insert({at(0x1000), 0x100, MemoryKind::device, mine, 0, MemoryOwner::moduleVariable});
  table.insert({at(0x2000), 0x100, MemoryKind::device, other, 0});
  EXPECT_FALSE(table.anyOf(*mine));
  table.insert({at(0x3000), 0x100, MemoryKind::host, mine, 0});
  EXPECT_EQ(table.anyOf(*mine)->base, at(0x3000));
}

TEST(AllocationTable, agreesWithALinearSearch) {
  AllocationTable table;
  constexpr uintptr_t kSlots = 200, kSlotBytes = 0x100;
  std::vector<size_t> bytes(kSlots, 0);
  std::mt19937 random(11);
  for (int step = 0; step < 50000; ++step) {
    const uintptr_t slot = random() % kSlots;
    void *const base = at(0x10000 + slot * kSlotBytes);
    if (bytes[slot]) {
      ASSERT_EQ(table.remove(base, MemoryOwner::application)->bytes, bytes[slot]);
      bytes[slot] = 0;
    } else {
      bytes[slot] = 1 + random() % kSlotBytes;
      table.insert({base, bytes[slot], MemoryKind::device, nullptr, static_cast<unsigned>(slot)});
    }
    const uintptr_t asked = random() % (kSlots * kSlotBytes);
    const std::optional<Allocation> found = table.find(at(0x10000 + asked));
    const bool expected = asked % kSlotBytes < bytes[asked / kSlotBytes];
    ASSERT_EQ(found.has_value(), expected);
    if (found)
      ASSERT_EQ(found->flags, asked / kSlotBytes);
  }
}

TEST(AllocationTable, readersSeeWholeEntriesBesideWriters) {
  AllocationTable table;
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 3; ++reader)
    readers.emplace_back([&, reader] {
      std::mt19937 random(reader);
      while (!stop) {
        const uintptr_t slot = random() % 64;
        // Size and flags of an entry are both its slot: a torn entry would differ.
        if (auto found = table.find(at(0x10000 + slot * 0x100)))
          wrong += found->bytes != slot + 1 || found->flags != slot;
      }
    });
  for (int step = 0; step < 20000; ++step) {
    const unsigned slot = step % 64;
    void *const base = at(0x10000 + slot * 0x100);
    if (!table.remove(base, MemoryOwner::application))
      table.insert({base, slot + 1, MemoryKind::device, nullptr, slot});
  }
  stop = true;
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(wrong, 0);
}

TEST(AllocationTable, ofTwoThreadsThatFreeOneWins) {
  for (int round = 0; round < 200; ++round) {
    AllocationTable table;
    table.insert({at(0x1000), 0x100, MemoryKind::device, nullptr, 0});
    std::atomic<int> freed{0};
    std::thread other([&] { freed += table.remove(at(0x1000), MemoryOwner::application).has_value(); });
    freed += table.remove(at(0x1000), MemoryOwner::application).has_value();
    other.join();
    ASSERT_EQ(freed, 1);
  }
}

} // namespace
} // namespace hiplz
