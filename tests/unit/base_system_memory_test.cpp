// SPDX-License-Identifier: MIT
// The memory that a process may have, under every kind of limit. The files of the kernel are made in a folder.
#include "base/system_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace hiplz;

namespace {

constexpr uint64_t kMiB = 1 << 20;

class SystemMemoryTest : public testing::Test {
protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("hiplz-memory-test-" + std::to_string(::getpid()));
    std::filesystem::remove_all(root_);
    write("/proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         1000000 kB\nMemAvailable:    8388608 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string &path, const std::string &text) {
    const std::filesystem::path whole = root_.string() + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  void second(const std::string &folder, const std::string &limit, uint64_t usage, uint64_t files = 0) {
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", std::to_string(usage) + "\n");
    write(folder + "/memory.stat",
          "anon 5\ninactive_file " + std::to_string(files / 2) + "\nactive_file " + std::to_string(files / 2) + "\n");
  }
  void first(const std::string &folder, uint64_t limit, uint64_t usage, uint64_t files = 0) {
    write(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    write(folder + "/memory.usage_in_bytes", std::to_string(usage) + "\n");
    // Those without "total_" do not count the groups below.
    write(folder + "/memory.stat", "inactive_file 1\ntotal_inactive_file " + std::to_string(files / 2) +
                                       "\ntotal_active_file " + std::to_string(files / 2) + "\n");
  }
  void mountSecond(const std::string &group = "/") {
    write("/proc/self/mountinfo", "22 1 0:20 / /proc rw - proc proc rw\n31 22 0:26 " + group +
                                      " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void mountFirst(const std::string &group = "/") {
    write("/proc/self/mountinfo", "33 31 0:31 " + group +
                                      " /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                                      "34 31 0:32 " +
                                      group +
                                      " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                                      "35 31 0:33 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  }
  SystemMemory read() { return readSystemMemory(root_); }
  std::filesystem::path root_;
};

TEST_F(SystemMemoryTest, withoutLimitsOtherUsersCount) {
  EXPECT_EQ(read().total, 16384 * kMiB);
  EXPECT_EQ(read().available, 8192 * kMiB);
}

TEST_F(SystemMemoryTest, theSmallestLimitOnTheWayToTheRoot) {
  mountSecond();
  write("/proc/self/cgroup", "0::/slurm/job_7/step_0/task\n");
  second("/sys/fs/cgroup/slurm", "10737418240", 1 * kMiB);
  second("/sys/fs/cgroup/slurm/job_7", std::to_string(4096 * kMiB), 1500 * kMiB, 500 * kMiB);
  second("/sys/fs/cgroup/slurm/job_7/step_0", "max", 1200 * kMiB);
  second("/sys/fs/cgroup/slurm/job_7/step_0/task", "max", 900 * kMiB);
  EXPECT_EQ(read().total, 4096 * kMiB);
  EXPECT_EQ(read().available, 3096 * kMiB);
  // Another job of the same user fills what is above.
  second("/sys/fs/cgroup/slurm", std::to_string(5000 * kMiB), 4900 * kMiB);
  EXPECT_EQ(read().total, 4096 * kMiB);
  EXPECT_EQ(read().available, 100 * kMiB);
  // Less than the machine has left is no promise.
  second("/sys/fs/cgroup/slurm", "max", 0);
  second("/sys/fs/cgroup/slurm/job_7", std::to_string(15000 * kMiB), 0);
  EXPECT_EQ(read().total, 15000 * kMiB);
  EXPECT_EQ(read().available, 8192 * kMiB);
}

TEST_F(SystemMemoryTest, aLimitAboveTheMachineCountsWhenItIsNearlyUsed) {
  mountSecond();
  write("/proc/self/cgroup", "0::/a\n");
  second("/sys/fs/cgroup/a", std::to_string(17000 * kMiB), 16000 * kMiB);
  EXPECT_EQ(read().total, 16384 * kMiB);
  EXPECT_EQ(read().available, 1000 * kMiB);
}

TEST_F(SystemMemoryTest, aLimitThatIsExceeded) {
  mountSecond();
  write("/proc/self/cgroup", "0::/a\n");
  second("/sys/fs/cgroup/a", std::to_string(100 * kMiB), 120 * kMiB);
  EXPECT_EQ(read().available, 0u);
}

TEST_F(SystemMemoryTest, theFirstVersion) {
  mountFirst();
  write("/proc/self/cgroup", "12:cpu,cpuacct:/other\n4:memory:/job/step\n0::/unified\n");
  first("/sys/fs/cgroup/memory", 9223372036854771712u, 7000 * kMiB);
  first("/sys/fs/cgroup/memory/job", 2048 * kMiB, 1000 * kMiB, 400 * kMiB);
  first("/sys/fs/cgroup/memory/job/step", 9223372036854771712u, 900 * kMiB);
  EXPECT_EQ(read().total, 2048 * kMiB);
  EXPECT_EQ(read().available, 1448 * kMiB);
}

TEST_F(SystemMemoryTest, containersSeeTheirGroupsElsewhere) {
  // The group is named from outside, its folder is what is mounted.
  mountFirst("/docker/abc");
  write("/proc/self/cgroup", "4:memory:/docker/abc\n");
  first("/sys/fs/cgroup/memory", 512 * kMiB, 12 * kMiB);
  EXPECT_EQ(read().total, 512 * kMiB);
  EXPECT_EQ(read().available, 500 * kMiB);
  write("/proc/self/cgroup", "4:memory:/docker/abc/inner\n");
  first("/sys/fs/cgroup/memory/inner", 256 * kMiB, 6 * kMiB);
  EXPECT_EQ(read().available, 250 * kMiB);
  // The group lies outside of what the container sees.
  mountSecond();
  write("/proc/self/cgroup", "0::/../../elsewhere\n");
  second("/sys/fs/cgroup", std::to_string(300 * kMiB), 100 * kMiB);
  EXPECT_EQ(read().available, 200 * kMiB);
}

TEST_F(SystemMemoryTest, nothingToRead) {
  std::filesystem::remove_all(root_);
  const SystemMemory memory = read();
  EXPECT_EQ(memory.total, static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE));
  EXPECT_EQ(memory.available, memory.total);
}

} // namespace
