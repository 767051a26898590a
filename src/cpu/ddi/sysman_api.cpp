// SPDX-License-Identifier: MIT
// See sysman_api.h. Devices have the handles that they have elsewhere. What the system does not tell is not there: a machine without
// frequency scaling has no frequency domain, one without powercap no power domain. Enumerations of what a processor does not have,
// fans or engines, find nothing.
#include "cpu/ddi/sysman_api.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/objects/processor_sensors.h"

#include <cstdio>
#include <cstring>
#include <level_zero/zes_ddi.h>

namespace hiplz::cpu::ddi {
namespace {

class MemoryModule : public Object<MemoryModule, zes_mem_handle_t> {
public:
  static constexpr uint64_t kKind = 13;
  explicit MemoryModule(const Device &device) : device(device) {}
  const Device &device;
};

class FrequencyDomain : public Object<FrequencyDomain, zes_freq_handle_t> {
public:
  static constexpr uint64_t kKind = 14;
};

class PowerDomain : public Object<PowerDomain, zes_pwr_handle_t> {
public:
  static constexpr uint64_t kKind = 15;
  explicit PowerDomain(std::filesystem::path counter) : counter(std::move(counter)) {}
  const std::filesystem::path counter;
};

/// The objects that the handles of all devices refer to; made at the first call, never destroyed.
struct Domains {
  ProcessorSensors sensors;
  std::vector<std::unique_ptr<MemoryModule>> memory; // by device
  std::vector<std::unique_ptr<FrequencyDomain>> frequency;
  std::vector<std::unique_ptr<PowerDomain>> power;

  Domains() {
    for (const auto &device : Driver::get().devices())
      memory.push_back(std::make_unique<MemoryModule>(*device));
    if (sensors.clockRange())
      frequency.push_back(std::make_unique<FrequencyDomain>());
    for (const std::filesystem::path &counter : sensors.energyCounters())
      power.push_back(std::make_unique<PowerDomain>(counter));
  }
  static const Domains &get() {
    static const Domains *domains = new Domains;
    return *domains;
  }
};

const Device &deviceFrom(zes_device_handle_t device) {
  return Device::from(reinterpret_cast<ze_device_handle_t>(device));
}

template <class Domain, class Handle>
ze_result_t enumerate(zes_device_handle_t device, uint32_t *count, Handle *handles,
                      const std::vector<std::unique_ptr<Domain>> Domains::*domains) {
  return guarded([&] {
    deviceFrom(device);
    const auto &all = Domains::get().*domains;
    return listInto(count, handles, all.size(), [&](uint32_t index, Handle &handle) { handle = all[index]->handle(); });
  });
}

ze_result_t sysmanInit(uint32_t flags) {
  return guarded([&] {
    require(flags == 0, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    Driver::initialise();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t sysmanDriverGet(uint32_t *count, zes_driver_handle_t *drivers) {
  return driverGet(count, reinterpret_cast<ze_driver_handle_t *>(drivers));
}

ze_result_t sysmanDeviceGet(zes_driver_handle_t driver, uint32_t *count, zes_device_handle_t *devices) {
  return deviceGet(reinterpret_cast<ze_driver_handle_t>(driver), count,
                   reinterpret_cast<ze_device_handle_t *>(devices));
}

template <size_t Size> void copyText(char (&to)[Size], const char *from) { std::snprintf(to, Size, "%s", from); }

ze_result_t sysmanDeviceGetProperties(zes_device_handle_t device, zes_device_properties_t *properties) {
  return guarded([&] {
    const Device &object = deviceFrom(device);
    zes_device_properties_t &out = deref(properties);
    out.core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    out.core.pNext = nullptr;
    object.getProperties(out.core);
    out.numSubdevices = 0;
    copyText(out.serialNumber, "unknown");
    copyText(out.boardNumber, "unknown");
    copyText(out.brandName, "unknown");
    copyText(out.modelName, out.core.name);
    copyText(out.vendorName, out.core.vendorId == 0x8086 ? "Intel" : out.core.vendorId == 0x1022 ? "AMD" : "unknown");
    ze_driver_properties_t driver{};
    driver.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
    driverGetProperties(Driver::get().handle(), &driver);
    copyText(out.driverVersion, std::to_string(driver.driverVersion).c_str());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t sysmanDeviceGetState(zes_device_handle_t device, zes_device_state_t *state) {
  return guarded([&] {
    deviceFrom(device);
    zes_device_state_t &out = deref(state);
    out.reset = 0;
    out.repaired = ZES_REPAIR_STATUS_UNSUPPORTED;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t enumMemoryModules(zes_device_handle_t device, uint32_t *count, zes_mem_handle_t *handles) {
  return guarded([&] {
    const Device &object = deviceFrom(device);
    return listInto(count, handles, 1, [&](uint32_t, zes_mem_handle_t &handle) {
      for (const auto &module : Domains::get().memory)
        if (&module->device == &object)
          handle = module->handle();
    });
  });
}

ze_result_t memoryGetProperties(zes_mem_handle_t memory, zes_mem_properties_t *properties) {
  return guarded([&] {
    MemoryModule::from(memory);
    zes_mem_properties_t &out = deref(properties);
    out.type = ZES_MEM_TYPE_DDR;
    out.onSubdevice = false;
    out.subdeviceId = 0;
    out.location = ZES_MEM_LOC_SYSTEM;
    out.physicalSize = Driver::get().budget().total();
    out.busWidth = out.numChannels = -1; // not known
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t memoryGetState(zes_mem_handle_t memory, zes_mem_state_t *state) {
  return guarded([&] {
    const Device &device = MemoryModule::from(memory).device;
    zes_mem_state_t &out = deref(state);
    out.health = ZES_MEM_HEALTH_UNKNOWN;
    out.size = device.memoryLimit();
    out.free = std::min(device.memoryLimit(), Driver::get().budget().free());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t enumFrequencyDomains(zes_device_handle_t device, uint32_t *count, zes_freq_handle_t *handles) {
  return enumerate(device, count, handles, &Domains::frequency);
}

ze_result_t frequencyGetProperties(zes_freq_handle_t frequency, zes_freq_properties_t *properties) {
  return guarded([&] {
    FrequencyDomain::from(frequency);
    zes_freq_properties_t &out = deref(properties);
    const auto range = Domains::get().sensors.clockRange();
    require(range.has_value(), ZE_RESULT_ERROR_NOT_AVAILABLE, "the system does not tell the range any more");
    out.type = ZES_FREQ_DOMAIN_GPU; // the cores: there is no type for those of a processor
    out.onSubdevice = out.canControl = out.isThrottleEventSupported = false;
    out.subdeviceId = 0;
    out.min = range->least;
    out.max = range->most;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t frequencyGetState(zes_freq_handle_t frequency, zes_freq_state_t *state) {
  return guarded([&] {
    FrequencyDomain::from(frequency);
    zes_freq_state_t &out = deref(state);
    constexpr double kUnknown = -1;
    out.currentVoltage = out.request = out.tdp = out.efficient = kUnknown;
    out.actual = Domains::get().sensors.currentClock().value_or(kUnknown);
    out.throttleReasons = 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t enumPowerDomains(zes_device_handle_t device, uint32_t *count, zes_pwr_handle_t *handles) {
  return enumerate(device, count, handles, &Domains::power);
}

ze_result_t powerGetProperties(zes_pwr_handle_t power, zes_power_properties_t *properties) {
  return guarded([&] {
    PowerDomain::from(power);
    zes_power_properties_t &out = deref(properties);
    out.onSubdevice = out.canControl = out.isEnergyThresholdSupported = false;
    out.subdeviceId = 0;
    out.defaultLimit = out.minLimit = out.maxLimit = -1; // not known
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t powerGetEnergyCounter(zes_pwr_handle_t power, zes_power_energy_counter_t *counter) {
  return guarded([&] {
    const PowerDomain &domain = PowerDomain::from(power);
    zes_power_energy_counter_t &out = deref(counter);
    const auto reading = ProcessorSensors::readEnergy(domain.counter, out.energy);
    require(reading != ProcessorSensors::Reading::notAllowed, ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS,
            "the system shows the processor's energy to privileged users only");
    require(reading == ProcessorSensors::Reading::good, ZE_RESULT_ERROR_NOT_AVAILABLE,
            "the processor's energy cannot be read");
    out.timestamp = now() / 1000;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t enumNothing(zes_device_handle_t device, uint32_t *count, void *) {
  return guarded([&] {
    deviceFrom(device);
    deref(count) = 0;
    return ZE_RESULT_SUCCESS;
  });
}

struct Entry {
  std::string_view table;
  size_t place;
  void *function;
};
#define HIPLZ_ENTRY(name, table, member, function)                                                                     \
  Entry { "zesGet" name "ProcAddrTable", offsetof(table, member) / sizeof(void *), reinterpret_cast<void *>(function) }

} // namespace

void fillSysmanEntries(std::string_view function, void **table, size_t entries) {
  static const Entry kEntries[] = {
      // Of specification 1.5.
      {"zesGetGlobalProcAddrTable", 0, reinterpret_cast<void *>(sysmanInit)},
      {"zesGetDriverProcAddrTable", 2, reinterpret_cast<void *>(sysmanDriverGet)},
      {"zesGetDeviceProcAddrTable", 29, reinterpret_cast<void *>(sysmanDeviceGet)},
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnGetProperties, sysmanDeviceGetProperties),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnGetState, sysmanDeviceGetState),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumMemoryModules, enumMemoryModules),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumFrequencyDomains, enumFrequencyDomains),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumPowerDomains, enumPowerDomains),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumDiagnosticTestSuites, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumEngineGroups, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumFabricPorts, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumFans, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumFirmwares, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumLeds, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumPerformanceFactorDomains, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumPsus, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumRasErrorSets, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumSchedulers, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumStandbyDomains, enumNothing),
      HIPLZ_ENTRY("Device", zes_device_dditable_t, pfnEnumTemperatureSensors, enumNothing),
      {"zesGetDeviceProcAddrTable", 35, reinterpret_cast<void *>(enumNothing)},   // zesDeviceEnumOverclockDomains, 1.5
      {"zesGetDeviceExpProcAddrTable", 1, reinterpret_cast<void *>(enumNothing)}, // zesDeviceEnumActiveVFExp, 1.9
      {"zesGetDeviceExpProcAddrTable", 2, reinterpret_cast<void *>(enumNothing)}, // zesDeviceEnumEnabledVFExp, 1.10
      HIPLZ_ENTRY("Memory", zes_memory_dditable_t, pfnGetProperties, memoryGetProperties),
      HIPLZ_ENTRY("Memory", zes_memory_dditable_t, pfnGetState, memoryGetState),
      HIPLZ_ENTRY("Frequency", zes_frequency_dditable_t, pfnGetProperties, frequencyGetProperties),
      HIPLZ_ENTRY("Frequency", zes_frequency_dditable_t, pfnGetState, frequencyGetState),
      HIPLZ_ENTRY("Power", zes_power_dditable_t, pfnGetProperties, powerGetProperties),
      HIPLZ_ENTRY("Power", zes_power_dditable_t, pfnGetEnergyCounter, powerGetEnergyCounter),
  };
  for (const Entry &entry : kEntries)
    if (entry.table == function && entry.place < entries)
      table[entry.place] = entry.function;
}

} // namespace hiplz::cpu::ddi
