// SPDX-License-Identifier: MIT
// The map that kernel launches look up their kernel in: growth, reuse of slots, readers beside a writer.
#include "lz/core/pointer_map.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>

namespace hiplz {
namespace {

const void *key(uintptr_t number) { return reinterpret_cast<const void *>(0x555500000000 + number * 16); }

TEST(PointerMap, behavesLikeAMap) {
  PointerMap<int> map;
  std::map<uintptr_t, int *> expected;
  std::vector<int> values(100);
  std::mt19937 random(3);
  for (int step = 0; step < 100000; ++step) {
    uintptr_t number = random() % 300;
    if (random() % 2) {
      map.set(key(number), &values[number % 100]);
      expected[number] = &values[number % 100];
    } else {
      map.erase(key(number));
      expected.erase(number);
    }
    uintptr_t asked = random() % 300;
    auto found = expected.find(asked);
    ASSERT_EQ(map.find(key(asked)), found == expected.end() ? nullptr : found->second);
  }
  for (uintptr_t number = 0; number < 300; ++number)
    ASSERT_EQ(map.find(key(number)) != nullptr, expected.contains(number));
}

TEST(PointerMap, loadingAndUnloadingForEverDoesNotGrow) {
  PointerMap<int> map;
  int value = 0;
  for (uintptr_t number = 0; number < 20; ++number)
    map.set(key(number * 1000), &value);
  for (uintptr_t round = 0; round < 100000; ++round) {
    map.set(key(50000 + round), &value);
    map.set(key(90000 + round * 3), &value);
    map.erase(key(50000 + round));
    map.erase(key(90000 + round * 3));
  }
  EXPECT_LE(map.capacity(), 128u);
}

TEST(PointerMap, readersBesideAWriter) {
  PointerMap<uintptr_t> map;
  std::vector<uintptr_t> values(20000);
  for (uintptr_t i = 0; i < values.size(); ++i)
    values[i] = i;
  for (uintptr_t i = 0; i < 50; ++i) // these stay
    map.set(key(i), &values[i]);
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t)
    readers.emplace_back([&] {
      while (!stop)
        for (uintptr_t i = 0; i < 60; ++i) {
          uintptr_t *found = map.find(key(i));
          if (i < 50 ? found != &values[i] : found != nullptr)
            ++wrong;
        }
    });
  for (uintptr_t i = 100; i < values.size(); ++i) {
    map.set(key(i), &values[i]);
    if (i % 3)
      map.erase(key(i - i % 100));
  }
  stop = true;
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace hiplz
