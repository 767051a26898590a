// SPDX-License-Identifier: MIT
// Which processors a process may use, under every kind of limit. The files of the kernel are made in a folder.
#include "base/processors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <unistd.h>

using namespace hiplz;

namespace {

class ProcessorsTest : public testing::Test {
protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("hiplz-processors-test-" + std::to_string(::getpid()));
    std::filesystem::remove_all(root_);
    write("/sys/devices/system/cpu/online", "0-15\n");
    thread(100, "0-63"); // more than there are
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string &path, const std::string &text) {
    const std::filesystem::path whole = root_.string() + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  void thread(int number, const std::string &processors) {
    write("/proc/self/task/" + std::to_string(number) + "/status",
          "Name:\tprogram\nCpus_allowed:\tffff\nCpus_allowed_list:\t" + processors + "\nMems_allowed:\t1\n");
  }
  void cache(unsigned processor, unsigned index, unsigned level, const std::string &size, const std::string &shared) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cache/index" + std::to_string(index);
    write(folder + "/level", std::to_string(level) + "\n");
    write(folder + "/size", size + "\n");
    write(folder + "/shared_cpu_list", shared + "\n");
  }
  void mountSecond() {
    write("/proc/self/mountinfo", "31 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  Processors read() { return readProcessors(root_); }
  std::vector<unsigned> numbers() {
    std::vector<unsigned> result;
    for (const Processor &processor : read().allowed)
      result.push_back(processor.number);
    return result;
  }
  std::filesystem::path root_;
};

TEST_F(ProcessorsTest, theWholeMachine) {
  EXPECT_EQ(read().allowed.size(), 16u);
  EXPECT_EQ(read().limit, 16u);
}

TEST_F(ProcessorsTest, theAffinityMask) {
  thread(100, "2-3,8,10-11");
  EXPECT_EQ(numbers(), (std::vector<unsigned>{2, 3, 8, 10, 11}));
  EXPECT_EQ(read().limit, 5u);
}

TEST_F(ProcessorsTest, pinnedThreadsMakeUpTheMaskOfTheProcess) {
  thread(100, "4");
  EXPECT_EQ(numbers(), (std::vector<unsigned>{4}));
  thread(101, "5");
  thread(102, "6");
  EXPECT_EQ(numbers(), (std::vector<unsigned>{4, 5, 6}));
}

// The system tells a process with one thread the same as the files of its threads do.
TEST_F(ProcessorsTest, oneThreadOrSeveral) {
  const auto numbersNow = [] {
    std::vector<unsigned> result;
    for (const Processor &processor : readProcessors().allowed)
      result.push_back(processor.number);
    return result;
  };
  const std::vector<unsigned> before = numbersNow();
  std::promise<void> end;
  std::thread waits([&] { end.get_future().wait(); });
  EXPECT_EQ(before, numbersNow());
  end.set_value();
  waits.join();
  EXPECT_FALSE(before.empty());
}

TEST_F(ProcessorsTest, oneNodeIsNotLookedInto) {
  write("/sys/devices/system/node/node1/cpulist", "0-15\n");
  write("/sys/devices/system/node/has_cpu", "0\n");
  EXPECT_EQ(read().allowed[3].node, 0u);
  write("/sys/devices/system/node/has_cpu", "1\n");
  EXPECT_EQ(read().allowed[3].node, 1u);
}

TEST_F(ProcessorsTest, nodesOfMemoryComeOneAfterTheOther) {
  write("/sys/devices/system/node/node0/cpulist", "0-3,8-11\n");
  write("/sys/devices/system/node/node1/cpulist", "4-7,12-15\n");
  write("/sys/devices/system/node/online", "0-1\n");
  thread(100, "2-5,9");
  EXPECT_EQ(numbers(), (std::vector<unsigned>{2, 3, 9, 4, 5}));
  EXPECT_EQ(read().allowed[2].node, 0u);
  EXPECT_EQ(read().allowed[3].node, 1u);
}

TEST_F(ProcessorsTest, theSmallestQuotaOnTheWayToTheRoot) {
  mountSecond();
  write("/proc/self/cgroup", "0::/kubepods/pod/container\n");
  write("/sys/fs/cgroup/kubepods/cpu.max", "1200000 100000\n");
  write("/sys/fs/cgroup/kubepods/pod/cpu.max", "800000 200000\n");
  write("/sys/fs/cgroup/kubepods/pod/container/cpu.max", "max 100000\n");
  EXPECT_EQ(read().allowed.size(), 16u);
  EXPECT_EQ(read().limit, 4u);
  write("/sys/fs/cgroup/kubepods/cpu.max", "300000 100000\n");
  EXPECT_EQ(read().limit, 3u);
  thread(100, "0-1");
  EXPECT_EQ(read().limit, 2u);
}

TEST_F(ProcessorsTest, aFractionOfAProcessorWouldBeThrottled) {
  mountSecond();
  write("/proc/self/cgroup", "0::/a\n");
  write("/sys/fs/cgroup/a/cpu.max", "290000 100000\n");
  EXPECT_EQ(read().limit, 2u);
  write("/sys/fs/cgroup/a/cpu.max", "20000 100000\n");
  EXPECT_EQ(read().limit, 1u);
}

TEST_F(ProcessorsTest, quotasOfTheFirstVersion) {
  write("/proc/self/mountinfo", "33 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                                "34 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("/proc/self/cgroup", "12:cpu,cpuacct:/job/step\n4:memory:/other\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "600000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read().limit, 6u);
}

TEST_F(ProcessorsTest, nothingToRead) {
  std::filesystem::remove_all(root_);
  EXPECT_FALSE(read().allowed.empty());
  EXPECT_EQ(read().limit, read().allowed.size());
  EXPECT_EQ(lastLevelCacheBytes(read().allowed, root_), 0u);
}

TEST_F(ProcessorsTest, malformedListsLimitNothing) {
  write("/sys/devices/system/cpu/online", "3-\n");
  EXPECT_FALSE(read().allowed.empty());
  write("/sys/devices/system/cpu/online", "0-4294967295\n");
  EXPECT_FALSE(read().allowed.empty());
}

TEST_F(ProcessorsTest, eachLastLevelCacheCountsOnce) {
  for (unsigned processor = 0; processor < 16; ++processor) {
    cache(processor, 0, 1, "48K", std::to_string(processor));
    cache(processor, 1, 1, "32K", std::to_string(processor));
    cache(processor, 2, 2, "1024K", std::to_string(processor));
    cache(processor, 3, 3, "32768K", processor < 8 ? "0-7" : "8-15");
  }
  EXPECT_EQ(lastLevelCacheBytes(read().allowed, root_), 64u << 20);
  thread(100, "1-4");
  EXPECT_EQ(lastLevelCacheBytes(read().allowed, root_), 32u << 20);
}

} // namespace
