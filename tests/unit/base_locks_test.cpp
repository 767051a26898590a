// SPDX-License-Identifier: MIT
// Lockable, and the table of locks: base/locks.def, docs/design/locks.md and the sources say the same.
#include "base/lockable.h"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

using namespace hiplz;

namespace {

struct LockEntry {
  const char *name, *file, *guards;
};
constexpr LockEntry kLocks[] = {
#define HIPLZ_LOCK(name, file, guards) {#name, file, guards},
#include "base/locks.def"
#undef HIPLZ_LOCK
};

/// Every C++ file of src, by its path there.
std::vector<std::pair<std::string, std::string>> sources() {
  std::vector<std::pair<std::string, std::string>> found;
  const std::filesystem::path root = HIPLZ_SOURCE_DIR "/src";
  for (const auto &entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") {
      std::ifstream file(entry.path());
      found.emplace_back(std::filesystem::relative(entry.path(), root).string(),
                         std::string((std::istreambuf_iterator<char>(file)), {}));
    }
  return found;
}

} // namespace

TEST(Lockable, addsUpWhatManyThreadsCount) {
  Lockable<uint64_t> count(LockRank::event, 0u);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 10000; ++j)
        ++*count.lock();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(*count.lock(), 40000u);
}

TEST(Lockable, guardReleasesAndTakesAgain) {
  Lockable<int> value(LockRank::event, 1);
  auto guard = value.lock();
  guard.unlock();
  std::thread([&] { *value.lock() = 2; }).join(); // would wait for ever if the lock were held
  guard.lock();
  EXPECT_EQ(*guard, 2);
}

TEST(Lockable, readersShare) {
  Lockable<int, SharedMutex> value(LockRank::event, 7);
  const auto first = value.lockShared();
  int seen = 0;
  std::thread([&] { seen = *value.lockShared(); }).join();
  EXPECT_EQ(seen, 7);
}

TEST(Lockable, constGivesConst) {
  using Guarded = Lockable<std::string>;
  static_assert(std::is_same_v<decltype(*std::declval<Guarded &>().lock()), std::string &>);
  static_assert(std::is_same_v<decltype(*std::declval<const Guarded &>().lock()), const std::string &>);
  static_assert(!std::is_copy_constructible_v<Guarded> && !std::is_move_constructible_v<Guarded>);
}

TEST(Lockable, waitsForConditions) {
  struct State {
    std::condition_variable changed;
    int step = 0;
  };
  Lockable<State> state{LockRank::callbackThread};
  std::thread other([&] {
    auto guard = state.lock();
    guard.wait(guard->changed, [&] { return guard->step == 1; });
    guard->step = 2;
    guard.unlock();
    state.lock()->changed.notify_all();
  });
  auto guard = state.lock();
  guard->step = 1;
  guard->changed.notify_all();
  guard.wait(guard->changed, [&] { return guard->step == 2; });
  // Nobody notifies any more: these end by themselves.
  guard.waitFor(guard->changed, std::chrono::microseconds(1), [] { return false; });
  guard.waitUntil(guard->changed, std::chrono::steady_clock::now(), [] { return false; });
  EXPECT_EQ(guard->step, 2);
  guard.unlock();
  other.join();
}

#if !HIPLZ_CHECK_LOCK_ORDER
TEST(LockOrder, costsNothingInReleaseBuilds) {
  EXPECT_EQ(sizeof(Mutex), sizeof(std::mutex));
  EXPECT_EQ(sizeof(SharedMutex), sizeof(std::shared_mutex));
}
#endif

TEST(LockOrder, documentHasTheSameTable) {
  std::ifstream document(HIPLZ_SOURCE_DIR "/docs/design/locks.md");
  ASSERT_TRUE(document);
  std::vector<std::string> documented, defined;
  for (std::string line; std::getline(document, line);)
    if (line.starts_with("| `"))
      documented.push_back(line);
  for (const LockEntry &lock : kLocks)
    defined.push_back("| `" + std::string(lock.name) + "` | " + lock.guards + " | `" + lock.file + "` |");
  EXPECT_EQ(documented, defined);
}

TEST(LockOrder, locksAreDeclaredWhereTheTableSays) {
  std::map<std::string, std::set<std::string>> uses; // the names of files, by lock
  constexpr std::string_view kPrefix = "LockRank::";
  for (const auto &[path, text] : sources())
    for (size_t at = text.find(kPrefix); at != text.npos; at = text.find(kPrefix, at)) {
      at += kPrefix.size();
      size_t end = at;
      while (std::isalnum(static_cast<unsigned char>(text[end])))
        ++end;
      uses[text.substr(at, end - at)].insert(std::filesystem::path(path).stem());
    }
  // A rank that a constructor gives stands in the source file of the header, so the ending does not count.
  std::map<std::string, std::set<std::string>> declared;
  for (const LockEntry &lock : kLocks)
    declared[lock.name].insert(std::filesystem::path(lock.file).stem());
  EXPECT_EQ(uses, declared);
}

TEST(LockOrder, noLockIsOutsideOfTheTable) {
  const std::set<std::string> known{"base/mutex.h", "lz/core/big_reader_lock.h"}; // which make them locks with a rank
  for (const auto &[path, text] : sources())
    if (!known.contains(path))
      for (const char *standard : {"std::mutex", "std::recursive_mutex", "std::timed_mutex", "std::shared_mutex",
                                   "std::shared_timed_mutex", "pthread_mutex_t", "pthread_rwlock_t"})
        EXPECT_EQ(text.find(standard), text.npos) << path << " has a " << standard << ", which has no rank";
}
