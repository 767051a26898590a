// SPDX-License-Identifier: MIT
// hiplz-info on machines that are made of files: why there is no GPU, and the forms of the report.
#include "tools/hiplz_info/gpu_diagnosis.h"
#include "tools/hiplz_info/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace hiplz;
using testing::HasSubstr;

namespace {

class WhyNoGpu : public testing::Test {
protected:
  WhyNoGpu() : root(std::filesystem::temp_directory_path() / ("hiplz-info-test-" + std::to_string(getpid()))) {
    machine.root = root.string();
    machine.mayOpen = [](const std::string &) { return true; };
    machine.canLoad = [](const std::string &) { return true; };
    machine.groupOf = [](const std::string &) { return "render"; };
  }
  ~WhyNoGpu() override { std::filesystem::remove_all(root); }

  void file(const std::string &path, const std::string &content) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << content << "\n";
  }
  void renderNode(const std::string &vendor) {
    file("dev/dri/renderD128", "");
    file("sys/class/drm/renderD128/device/vendor", vendor);
  }
  void pciGpu(const std::string &vendor) {
    file("sys/bus/pci/devices/0000:00:02.0/class", "0x030000");
    file("sys/bus/pci/devices/0000:00:02.0/vendor", vendor);
  }

  std::filesystem::path root;
  Machine machine;
};

} // namespace

TEST_F(WhyNoGpu, NoGpuInTheMachine) { EXPECT_THAT(whyNoGpu(machine), HasSubstr("/dev/dri does not exist")); }

TEST_F(WhyNoGpu, GpuOfAnotherVendor) {
  renderNode("0x1002");
  EXPECT_THAT(whyNoGpu(machine), HasSubstr("none of Intel's"));
}

TEST_F(WhyNoGpu, IntelGpuWithoutTheFolder) {
  pciGpu("0x8086");
  EXPECT_THAT(whyNoGpu(machine), testing::AllOf(HasSubstr("0000:00:02.0"), HasSubstr("--device /dev/dri")));
}

TEST_F(WhyNoGpu, IntelGpuWithoutAKernelDriver) {
  pciGpu("0x8086");
  file("dev/dri/card0", "");
  EXPECT_THAT(whyNoGpu(machine), HasSubstr("i915 or xe"));
}

TEST_F(WhyNoGpu, NoPermission) {
  renderNode("0x8086");
  machine.mayOpen = [](const std::string &) { return false; };
  EXPECT_THAT(whyNoGpu(machine), testing::AllOf(HasSubstr("/dev/dri/renderD128"), HasSubstr("usermod -aG render")));
}

TEST_F(WhyNoGpu, NoDriverLibrary) {
  renderNode("0x8086");
  machine.canLoad = [](const std::string &) { return false; };
  EXPECT_THAT(whyNoGpu(machine), HasSubstr("intel-opencl-icd"));
}

TEST_F(WhyNoGpu, DriverDoesNotKnowTheGpu) {
  renderNode("0x8086");
  EXPECT_THAT(whyNoGpu(machine), HasSubstr("does not show it"));
}

TEST_F(WhyNoGpu, SettingsThatLeaveItOut) {
  renderNode("0x8086");
  machine.wantedDevices = "cpu";
  EXPECT_THAT(whyNoGpu(machine), HasSubstr("HIPLZ_DEVICES=cpu"));
  machine.wantedDevices = "gpu,cpu";
  machine.loaderDrivers = "/x/libother.so";
  EXPECT_THAT(whyNoGpu(machine), HasSubstr("ZE_ENABLE_ALT_DRIVERS"));
}

TEST(InfoReport, TableAlignsAndNumbersLists) {
  Section first{"device", true, {}}, second{"device", true, {}};
  first.add("name", std::string("one"));
  first.addBytes("memory", 3ull << 29);
  second.add("name", std::vector<std::string>{"a", "b"});
  EXPECT_EQ(asTable({first, second}),
            "device 0\n  name    one\n  memory  1.5 GiB\n\ndevice 1\n  name    a\n          b\n");
}

TEST(InfoReport, JsonHoldsPlainValues) {
  Section one{"HIPLZ", false, {}}, device{"device", true, {}};
  one.add("a \"quoted\" name", std::string("line\nbreak\\"));
  device.addBytes("memory", 1024);
  device.add("clock", 5, "MHz");
  device.addFlag("images", true);
  device.add("list", std::vector<std::string>{"x", "y"});
  EXPECT_EQ(
      asJson({one, device, device}),
      "{\n  \"HIPLZ\": {\n    \"a_\\\"quoted\\\"_name\": \"line\\u000abreak\\\\\"\n  },\n"
      "  \"devices\": [{\n    \"memory\": 1024,\n    \"clock\": 5,\n    \"images\": true,\n    \"list\": [\"x\", "
      "\"y\"]\n  }, "
      "{\n    \"memory\": 1024,\n    \"clock\": 5,\n    \"images\": true,\n    \"list\": [\"x\", \"y\"]\n  }]\n}\n");
}

TEST(InfoReport, UuidInItsUsualForm) {
  Section section{"s", false, {}};
  section.addUuid("UUID", "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff");
  EXPECT_EQ(section.entries.at(0).text, "00112233-4455-6677-8899-aabbccddeeff");
}

TEST(InfoReport, BytesInTheUnitThatFits) {
  Section section{"s", false, {}};
  for (const uint64_t bytes : {0ull, 1023ull, 1024ull, 1536ull, 65536ull, 1ull << 40})
    section.addBytes("b", bytes);
  std::string texts;
  for (const Section::Entry &entry : section.entries)
    texts += entry.text + ";";
  EXPECT_EQ(texts, "0 bytes;1023 bytes;1 KiB;1.5 KiB;64 KiB;1 TiB;");
}
