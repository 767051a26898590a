// SPDX-License-Identifier: MIT
// printf of OpenCL C: to standard output, each call at once.
#include "support.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

namespace {

class Print : public KernelTest {
protected:
  void SetUp() override {
    KernelTest::SetUp();
    const std::vector<uint8_t> spirv = readKernelFile("print.spv");
    ze_module_desc_t desc = spirvModule(spirv);
    ZE_OK(zeModuleCreate(context, dev, &desc, &printing_, nullptr));
  }
  void TearDown() override {
    if (printing_)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleDestroy(printing_));
    KernelTest::TearDown();
  }
  /// The output of a launch.
  template <class... Args> std::string outputOf(const char *name, uint32_t items, const Args &...args) {
    ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
    ze_kernel_handle_t made = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelCreate(printing_, &desc, &made));
    const uint32_t group = std::min(items, 32u);
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetGroupSize(made, group, 1, 1));
    setArguments(made, args...);
    const ze_group_count_t groups{items / group, 1, 1};
    auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    const Captured output;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, made, &groups, nullptr, 0, nullptr));
    const std::string text = output.text();
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelDestroy(made));
    return text;
  }

private:
  /// Standard output goes to memory while this exists.
  class Captured {
  public:
    Captured() {
      std::fflush(stdout);
      ::dup2(memory_, STDOUT_FILENO);
    }
    ~Captured() {
      std::fflush(stdout);
      ::dup2(before_, STDOUT_FILENO);
      ::close(before_);
      ::close(memory_);
    }
    Captured(const Captured &) = delete;
    std::string text() const {
      std::fflush(stdout);
      std::string bytes(static_cast<size_t>(::lseek(memory_, 0, SEEK_END)), '\0');
      EXPECT_EQ(static_cast<ssize_t>(bytes.size()), ::pread(memory_, bytes.data(), bytes.size(), 0));
      return bytes;
    }

  private:
    const int before_ = ::dup(STDOUT_FILENO);
    const int memory_ = ::memfd_create("output", MFD_CLOEXEC);
  };
  ze_module_handle_t printing_ = nullptr;
};

TEST_F(Print, ConversionsOfScalars) {
  const int number = 42;
  const float single = 1.5f;
  int *pointer = device<int>(1);
  EXPECT_EQ("plain text, 100%\n"
            "42 -42    42|42   |00042 +42  42\n"
            "4294967295 ff FF 10 0xff 010\n"
            "-1 -2 -3 255 65535 18446744073709551615\n"
            "1.500000 1.50    1.500|1.500000e+00 1.5 0x1.8p+0 1.500000 1.500000E+00 1.5\n"
            "ok string st    abc|\n"
            "a half is 0.500000\n"
            "1\n",
            outputOf("conversions", 1, number, single, pointer));
}

TEST_F(Print, Vectors) {
  const int number = 4;
  EXPECT_EQ("1,-2,3,4 4,4\n"
            "1,ffffffff,3,4 1,2,3\n"
            "1,-1 1,255 1,2,3,-4 5,6\n"
            "1.500000,2.500000 1.0,2.0,3.0,4.0 3.000000,4.000000|5.000000,6.000000\n"
            "4,4,4,4,4,4,4,4 ab,ab,ab,ab,ab,ab,ab,ab,ab,ab,ab,ab,ab,ab,ab,ab\n",
            outputOf("vectors", 1, number));
}

// Vectorised kernels print for the work-items that get there, and lines of different ones do not mix.
TEST_F(Print, EachWorkItemForItself) {
  constexpr int kItems = 96;
  int *values = device<int>(kItems);
  for (int id = 0; id < kItems; ++id)
    values[id] = 1000 + id;
  std::istringstream lines(outputOf("perItem", kItems, values));
  std::vector<std::string> seen, wanted;
  for (std::string line; std::getline(lines, line);)
    seen.push_back(line);
  for (int id = 0; id < kItems; id += 3)
    wanted.push_back("item " + std::to_string(id) + " has " + std::to_string(1000 + id));
  std::sort(seen.begin(), seen.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(wanted, seen);
  for (int id = 0; id < kItems; ++id)
    EXPECT_EQ(id % 3 ? 1000 + id : 0, values[id]) << "what printf returns";
}

TEST_F(Print, OtherKernelsOfTheModuleSayNothing) {
  int *values = device<int>(32);
  EXPECT_EQ("", outputOf("silent", 32, values));
  EXPECT_EQ(7, values[31]);
  ze_device_module_properties_t modules{};
  modules.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  ZE_OK(zeDeviceGetModuleProperties(dev, &modules));
  EXPECT_GE(modules.printfBufferSize, 1u << 20);
}

} // namespace
