// SPDX-License-Identifier: MIT
// System management: devices, memory, and the clock and energy of the processor as far as the system tells them.
#include "cpu/objects/processor_sensors.h"
#include "support.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <level_zero/zes_api.h>
#include <unistd.h>

using hiplz::cpu::ProcessorSensors;

namespace {

class Sysman : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    // Of specification 1.5.
    auto *init = find<ze_result_t(uint32_t)>("zesInit");
    auto *drivers = find<ze_result_t(uint32_t *, void **)>("zesDriverGet");
    auto *devices = find<ze_result_t(void *, uint32_t *, zes_device_handle_t *)>("zesDeviceGet");
    if (!init || !drivers || !devices) { // ZES_ENABLE_SYSMAN is what there was before; main() has set it
      sysman_ = reinterpret_cast<zes_device_handle_t>(dev);
      return;
    }
    ZE_OK(init(0));
    uint32_t count = 1;
    void *sysmanDriver = nullptr;
    ZE_OK(drivers(&count, &sysmanDriver));
    ASSERT_EQ(1u, count);
    uint32_t all = 0;
    ZE_OK(devices(sysmanDriver, &all, nullptr));
    ASSERT_GE(all, 1u);
    count = 1;
    ZE_OK(devices(sysmanDriver, &count, &sysman_));
  }
  template <class Function> static Function *find(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
  }
  zes_device_handle_t sysman_ = nullptr;
};

TEST_F(Sysman, DevicesDescribeThemselves) {
  zes_device_properties_t properties{};
  properties.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ZE_OK(zesDeviceGetProperties(sysman_, &properties));
  ze_device_properties_t core{};
  core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ZE_OK(zeDeviceGetProperties(dev, &core));
  EXPECT_STREQ(core.name, properties.core.name);
  EXPECT_STREQ(core.name, properties.modelName);
  EXPECT_EQ(0, std::memcmp(&core.uuid, &properties.core.uuid, sizeof core.uuid));
  EXPECT_EQ(0u, properties.numSubdevices);
  EXPECT_STREQ("unknown", properties.serialNumber);
  zes_device_state_t state{};
  state.stype = ZES_STRUCTURE_TYPE_DEVICE_STATE;
  ZE_OK(zesDeviceGetState(sysman_, &state));
  EXPECT_EQ(0u, state.reset);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zesDeviceGetProperties(sysman_, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zesDeviceGetProperties(nullptr, &properties));
}

TEST_F(Sysman, WhatAProcessorDoesNotHaveIsEnumeratedAsNothing) {
  auto isNothing = [&](auto enumerate) {
    uint32_t count = 7;
    EXPECT_EQ(ZE_RESULT_SUCCESS, enumerate(sysman_, &count, nullptr));
    return count == 0;
  };
  EXPECT_TRUE(isNothing(zesDeviceEnumDiagnosticTestSuites));
  EXPECT_TRUE(isNothing(zesDeviceEnumEngineGroups));
  EXPECT_TRUE(isNothing(zesDeviceEnumFabricPorts));
  EXPECT_TRUE(isNothing(zesDeviceEnumFans));
  EXPECT_TRUE(isNothing(zesDeviceEnumFirmwares));
  EXPECT_TRUE(isNothing(zesDeviceEnumLeds));
  EXPECT_TRUE(isNothing(zesDeviceEnumPerformanceFactorDomains));
  EXPECT_TRUE(isNothing(zesDeviceEnumPsus));
  EXPECT_TRUE(isNothing(zesDeviceEnumRasErrorSets));
  EXPECT_TRUE(isNothing(zesDeviceEnumSchedulers));
  EXPECT_TRUE(isNothing(zesDeviceEnumStandbyDomains));
  EXPECT_TRUE(isNothing(zesDeviceEnumTemperatureSensors));
  uint32_t count = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zesDeviceEnumFans(nullptr, &count, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zesDeviceEnumFans(sysman_, nullptr, nullptr));
}

TEST_F(Sysman, MemoryHasAState) {
  uint32_t count = 0;
  ZE_OK(zesDeviceEnumMemoryModules(sysman_, &count, nullptr));
  ASSERT_EQ(1u, count);
  zes_mem_handle_t memory = nullptr;
  ZE_OK(zesDeviceEnumMemoryModules(sysman_, &count, &memory));
  zes_mem_properties_t properties{};
  properties.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES;
  ZE_OK(zesMemoryGetProperties(memory, &properties));
  EXPECT_EQ(ZES_MEM_LOC_SYSTEM, properties.location);
  zes_mem_state_t state{};
  state.stype = ZES_STRUCTURE_TYPE_MEM_STATE;
  ZE_OK(zesMemoryGetState(memory, &state));
  EXPECT_GT(state.size, 0u);
  EXPECT_GT(state.free, 0u);
  EXPECT_LE(state.free, state.size);
  zes_mem_bandwidth_t bandwidth{};
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zesMemoryGetBandwidth(memory, &bandwidth));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zesMemoryGetState(nullptr, &state));
}

TEST_F(Sysman, ClocksAndEnergyAreWhatTheSystemTells) {
  const ProcessorSensors sensors;
  uint32_t count = 77;
  ZE_OK(zesDeviceEnumFrequencyDomains(sysman_, &count, nullptr));
  EXPECT_EQ(sensors.clockRange() ? 1u : 0u, count);
  if (count) {
    zes_freq_handle_t frequency = nullptr;
    ZE_OK(zesDeviceEnumFrequencyDomains(sysman_, &count, &frequency));
    zes_freq_properties_t properties{};
    properties.stype = ZES_STRUCTURE_TYPE_FREQ_PROPERTIES;
    ZE_OK(zesFrequencyGetProperties(frequency, &properties));
    EXPECT_EQ(sensors.clockRange()->most, properties.max);
    zes_freq_state_t state{};
    state.stype = ZES_STRUCTURE_TYPE_FREQ_STATE;
    ZE_OK(zesFrequencyGetState(frequency, &state));
    EXPECT_LT(state.tdp, 0);
  }
  count = 77;
  ZE_OK(zesDeviceEnumPowerDomains(sysman_, &count, nullptr));
  ASSERT_EQ(sensors.energyCounters().size(), count);
  std::vector<zes_pwr_handle_t> domains(count);
  if (count)
    ZE_OK(zesDeviceEnumPowerDomains(sysman_, &count, domains.data()));
  for (zes_pwr_handle_t power : domains) {
    zes_power_energy_counter_t counter{};
    const ze_result_t result = zesPowerGetEnergyCounter(power, &counter);
    EXPECT_EQ(::geteuid() == 0 ? ZE_RESULT_SUCCESS : result, result);
    EXPECT_TRUE(result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS);
  }
}

/// A sysfs of its own.
class Sensors : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(mkdtemp(folder_)); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const std::string &file, const std::string &text) {
    const std::filesystem::path path = std::filesystem::path(folder_) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
    return path;
  }
  char folder_[24] = "/tmp/hiplz-sysfs-XXXXXX";
};

TEST_F(Sensors, TellNothingWithoutFiles) {
  const ProcessorSensors sensors{folder_};
  EXPECT_FALSE(sensors.clockRange());
  EXPECT_FALSE(sensors.currentClock());
  EXPECT_TRUE(sensors.energyCounters().empty());
}

TEST_F(Sensors, ReadClocks) {
  write("devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq", "800000");
  EXPECT_FALSE(ProcessorSensors{folder_}.clockRange()) << "one end is no range";
  write("devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000");
  write("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1200000");
  write("devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2400000");
  write("devices/system/cpu/cpufreq/boost", "1");
  const ProcessorSensors sensors{folder_};
  ASSERT_TRUE(sensors.clockRange());
  EXPECT_DOUBLE_EQ(800, sensors.clockRange()->least);
  EXPECT_DOUBLE_EQ(3500, sensors.clockRange()->most);
  EXPECT_DOUBLE_EQ(2400, sensors.currentClock().value());
}

TEST_F(Sensors, ReadTheEnergyOfPackages) {
  const auto second = write("class/powercap/intel-rapl:1/energy_uj", "7");
  const auto first = write("class/powercap/intel-rapl:0/energy_uj", "262143328850");
  write("class/powercap/intel-rapl:0:0/energy_uj", "5"); // the cores of the package
  write("class/powercap/dtpm/energy_uj", "6");
  const auto counters = ProcessorSensors{folder_}.energyCounters();
  EXPECT_EQ((std::vector<std::filesystem::path>{first, second}), counters);
  uint64_t energy = 0;
  EXPECT_EQ(ProcessorSensors::Reading::good, ProcessorSensors::readEnergy(first, energy));
  EXPECT_EQ(262143328850u, energy);
  EXPECT_EQ(ProcessorSensors::Reading::failed, ProcessorSensors::readEnergy(write("empty", ""), energy));
  if (::geteuid() == 0)
    return; // may read everything
  std::filesystem::permissions(first, std::filesystem::perms::none);
  EXPECT_EQ(ProcessorSensors::Reading::notAllowed, ProcessorSensors::readEnergy(first, energy));
}

} // namespace
