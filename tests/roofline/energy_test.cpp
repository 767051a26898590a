// SPDX-License-Identifier: MIT
// Energy counters of Linux, in a folder that looks like /sys.
#include "roofline/energy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace hiplz::roofline {
namespace {

class RooflineEnergy : public testing::Test {
protected:
  void SetUp() override {
    root_ = testing::TempDir() + "roofline_energy." + std::to_string(getpid());
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void zone(const std::string &folder, const std::string &name, uint64_t microjoules, uint64_t range = 1'000'000) {
    const std::filesystem::path path = root_ / "sys/class/powercap" / folder;
    std::filesystem::create_directories(path);
    std::ofstream(path / "name") << name << '\n';
    std::ofstream(path / "energy_uj") << microjoules << '\n';
    std::ofstream(path / "max_energy_range_uj") << range << '\n';
  }
  std::filesystem::path root_;
};

TEST_F(RooflineEnergy, SumsPackagesAndNothingElse) {
  zone("intel-rapl:0", "package-0", 100);
  zone("intel-rapl:0:0", "core", 100);
  zone("intel-rapl:1", "package-1", 5000);
  zone("intel-rapl:2", "psys", 100);
  zone("intel-rapl-mmio:0", "package-0", 100);
  EnergyMeter meter(nullptr, true, root_);
  ASSERT_TRUE(meter.readable());
  EXPECT_TRUE(meter.source().starts_with("RAPL")) << meter.source();
  EXPECT_FALSE(meter.stop()) << "before start()";
  meter.start();
  zone("intel-rapl:0", "package-0", 2'000'100);
  zone("intel-rapl:0:0", "core", 999'999);
  zone("intel-rapl:1", "package-1", 1'005'000);
  zone("intel-rapl:2", "psys", 999'999);
  ASSERT_TRUE(meter.stop());
  EXPECT_DOUBLE_EQ(*meter.stop(), 3);
}

TEST_F(RooflineEnergy, FollowsACounterThatStartsAgain) {
  zone("intel-rapl:0", "package-0", 900'000);
  EnergyMeter meter(nullptr, true, root_);
  meter.start();
  zone("intel-rapl:0", "package-0", 400'000);
  ASSERT_TRUE(meter.stop());
  EXPECT_DOUBLE_EQ(*meter.stop(), 0.5);
}

TEST_F(RooflineEnergy, SaysWhyThereIsNone) {
  EXPECT_NE(EnergyMeter(nullptr, true, root_).source().find("not readable"), std::string::npos);
  EXPECT_FALSE(EnergyMeter(nullptr, true, root_).readable());
  zone("intel-rapl:0", "package-0", 1);
  // The package's energy is not that of a card.
  EnergyMeter card(nullptr, false, root_);
  EXPECT_FALSE(card.readable());
  card.start();
  EXPECT_FALSE(card.stop());
  // A counter that goes away while something is measured.
  EnergyMeter meter(nullptr, true, root_);
  meter.start();
  std::filesystem::remove_all(root_ / "sys");
  EXPECT_FALSE(meter.stop());
}

TEST_F(RooflineEnergy, DoesNotGuessWhenTheCounterIsForRootAlone) {
  zone("intel-rapl:0", "package-0", 1);
  std::filesystem::remove(root_ / "sys/class/powercap/intel-rapl:0/energy_uj");
  const EnergyMeter meter(nullptr, true, root_);
  EXPECT_FALSE(meter.readable());
  EXPECT_NE(meter.source().find("only root"), std::string::npos);
}

} // namespace
} // namespace hiplz::roofline
