// SPDX-License-Identifier: MIT
// hiplz-info: shows what HIPLZ found on this machine: drivers, devices, their limits and extensions, and, when no GPU is
// used, why. The devices come from libhiplz, which also chooses the drivers; the details of drivers from Level Zero.
#include "base/disk_cache.h"
#include "base/env.h"
#include "hip/hip_runtime_api.h"
#include "hip/hip_version.h"
#include "hiplz/version.h"
#include "roofline/report.h"
#include "roofline/result_files.h"
#include "tools/hiplz_info/driver_files.h"
#include "tools/hiplz_info/gpu_diagnosis.h"
#include "tools/hiplz_info/level_zero.h"
#include "tools/hiplz_info/report.h"

#include <CLI/CLI.hpp>
#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <string>

namespace hiplz {

namespace {

std::string libraryOf(const void *function) {
  Dl_info info;
  if (!dladdr(function, &info) || !info.dli_fname)
    return {};
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : path.string();
}

std::string version(uint32_t value) { return std::to_string(value >> 16) + "." + std::to_string(value & 0xffff); }

template <class Item, class Function> std::vector<Item> enumerate(Function function, const Item &initial = {}) {
  uint32_t count = 0;
  if (function(&count, nullptr) != ZE_RESULT_SUCCESS)
    return {};
  std::vector<Item> items(count, initial);
  if (count && function(&count, items.data()) != ZE_RESULT_SUCCESS)
    return {};
  items.resize(count);
  return items;
}

void addCache(Section &section) {
  const std::string folder = DiskCache::root();
  if (folder.empty()) {
    section.add("cache", std::string("off"));
    return;
  }
  uint64_t bytes = 0, files = 0;
  std::error_code ignored;
  for (std::filesystem::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored))
    if (std::error_code error; at->is_regular_file(error)) {
      const uint64_t size = at->file_size(error);
      bytes += error ? 0 : size;
      files += !error;
    }
  section.add("cache", folder);
  section.addBytes("cache size", bytes);
  section.add("cache entries", files);
}

Section installation() {
  Section section{"HIPLZ", false, {}};
  section.add("version", std::string(HIPLZ_VERSION_STRING));
  section.add("HIP version", std::to_string(HIP_VERSION_MAJOR) + "." + std::to_string(HIP_VERSION_MINOR));
  section.add("library", libraryOf(reinterpret_cast<const void *>(&hipGetDeviceCount)));
  section.add("loader", libraryOf(reinterpret_cast<const void *>(&zeInit)));
  size_t count = 0;
  if (zelLoaderGetVersions(&count, nullptr) == ZE_RESULT_SUCCESS) {
    std::vector<zel_component_version_t> components(count);
    if (zelLoaderGetVersions(&count, components.data()) == ZE_RESULT_SUCCESS)
      for (const zel_component_version_t &component : components)
        section.add(
            std::string(component.component_name, strnlen(component.component_name, ZEL_COMPONENT_STRING_SIZE)) +
                " version",
            std::to_string(component.component_lib_version.major) + "." +
                std::to_string(component.component_lib_version.minor) + "." +
                std::to_string(component.component_lib_version.patch));
  }
  addCache(section);
  std::vector<std::string> settings;
  for (unsigned i = 0; i < envVarCount(); ++i) {
    const char *name = envVarInfo(static_cast<EnvVar>(i)).name;
    if (const char *value = std::getenv(name))
      settings.push_back(std::string(name) + "=" + value);
  }
  if (!settings.empty())
    section.add("environment", settings);
  return section;
}

const char *typeName(ze_device_type_t type) {
  switch (type) {
  case ZE_DEVICE_TYPE_GPU: return "GPU";
  case ZE_DEVICE_TYPE_CPU: return "CPU";
  case ZE_DEVICE_TYPE_FPGA: return "FPGA";
  default: return "accelerator";
  }
}

struct ZeDevice {
  size_t driver = 0;
  ze_device_handle_t handle = nullptr;
  ze_device_type_t type = ZE_DEVICE_TYPE_GPU;
};

using ZeDevicesByUuid = std::map<std::string, ZeDevice>;

// The drivers that the loader has open; also fills in their devices.
std::vector<Section> drivers(ZeDevicesByUuid &devices, bool withExtensions) {
  std::vector<Section> sections;
  // A loader without a driver crashes in every other call.
  if (zeInit(0) != ZE_RESULT_SUCCESS)
    return sections;
  const std::map<std::string, std::string> files = driverFiles();
  for (ze_driver_handle_t driver : enumerate<ze_driver_handle_t>(zeDriverGet)) {
    Section section{"driver", true, {}};
    ze_api_version_t api = ZE_API_VERSION_1_0;
    if (zeDriverGetApiVersion(driver, &api) == ZE_RESULT_SUCCESS)
      section.add("Level Zero", version(api));
    ze_driver_properties_t properties{ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES, nullptr, {}, 0};
    if (zeDriverGetProperties(driver, &properties) == ZE_RESULT_SUCCESS) {
      const auto file =
          files.find(std::string(reinterpret_cast<const char *>(properties.uuid.id), sizeof properties.uuid.id));
      if (file != files.end())
        section.add("file", file->second);
      section.add("driver version", properties.driverVersion);
      section.addUuid("UUID", properties.uuid.id);
    }
    const auto handles = enumerate<ze_device_handle_t>(
        [&](uint32_t *count, ze_device_handle_t *items) { return zeDeviceGet(driver, count, items); });
    section.add("devices", handles.size());
    for (ze_device_handle_t handle : handles) {
      ze_device_properties_t device{};
      device.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
      if (zeDeviceGetProperties(handle, &device) == ZE_RESULT_SUCCESS)
        devices[std::string(reinterpret_cast<const char *>(device.uuid.id), sizeof device.uuid.id)] =
            ZeDevice{sections.size(), handle, device.type};
    }
    if (withExtensions) {
      std::vector<std::string> names;
      for (const ze_driver_extension_properties_t &extension :
           enumerate<ze_driver_extension_properties_t>([&](uint32_t *count, ze_driver_extension_properties_t *items) {
             return zeDriverGetExtensionProperties(driver, count, items);
           }))
        names.push_back(std::string(extension.name) + " " + version(extension.version));
      section.add("extensions", names);
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

std::string dimensions(const int (&size)[3]) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

void addLevelZero(Section &section, const ZeDevice &device) {
  section.add("kind", std::string(typeName(device.type)));
  section.add("driver", device.driver);
  ze_device_module_properties_t module{};
  module.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  if (zeDeviceGetModuleProperties(device.handle, &module) == ZE_RESULT_SUCCESS) {
    section.add("SPIR-V", version(module.spirvVersionSupported));
    section.addFlag("half precision", module.flags & ZE_DEVICE_MODULE_FLAG_FP16);
    section.addFlag("double precision", module.flags & ZE_DEVICE_MODULE_FLAG_FP64);
    section.addFlag("64-bit atomics", module.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS);
    section.addBytes("kernel arguments", module.maxArgumentsSize);
  }
  ze_device_compute_properties_t compute{};
  compute.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  if (zeDeviceGetComputeProperties(device.handle, &compute) == ZE_RESULT_SUCCESS) {
    std::string sizes;
    for (uint32_t i = 0; i < compute.numSubGroupSizes; ++i)
      sizes += (i ? ", " : "") + std::to_string(compute.subGroupSizes[i]);
    section.add("sub-group sizes", sizes);
  }
  ze_device_image_properties_t image{};
  image.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES;
  if (zeDeviceGetImageProperties(device.handle, &image) == ZE_RESULT_SUCCESS)
    section.addFlag("images", image.maxImageDims2D > 0);
}

// The result that hiplz-roofline --save has kept for the device with this UUID.
void addRoofline(Section &section) {
  const auto uuid = std::ranges::find(section.entries, "UUID", &Section::Entry::name);
  const auto name = std::ranges::find(section.entries, "name", &Section::Entry::name);
  const std::optional<roofline::Result> saved = roofline::loadSaved(uuid->text, name->text);
  if (!saved)
    return;
  std::vector<std::string> lines;
  for (const auto &[what, value] : roofline::headlines(*saved))
    lines.push_back(what + " " + value);
  if (!lines.empty())
    section.add("roofline", lines);
}

std::vector<Section> devices(int count, const ZeDevicesByUuid &zeDevices) {
  std::vector<Section> sections;
  for (int index = 0; index < count; ++index) {
    Section section{"device", true, {}};
    hipDeviceProp_t p;
    if (const hipError_t error = hipGetDeviceProperties(&p, index)) {
      section.add("error", std::string(hipGetErrorString(error)));
      sections.push_back(std::move(section));
      continue;
    }
    section.add("name", std::string(p.name));
    section.add("architecture", std::string(p.gcnArchName));
    section.add("code", std::string("spirv64"));
    const auto device = zeDevices.find(std::string(p.uuid.bytes, sizeof p.uuid.bytes));
    if (device != zeDevices.end())
      addLevelZero(section, device->second);
    section.addUuid("UUID", p.uuid.bytes);
    // The address that HIP tells of a processor is made up, because HIP wants one.
    char address[32] = "";
    if (device != zeDevices.end() && device->second.type != ZE_DEVICE_TYPE_CPU &&
        hipDeviceGetPCIBusId(address, sizeof address, index) == hipSuccess)
      section.add("PCI", std::string(address));
    section.addBytes("memory", p.totalGlobalMem);
    if (p.l2CacheSize > 0)
      section.addBytes("L2 cache", p.l2CacheSize);
    section.addFlag("integrated", p.integrated);
    section.addFlag("managed memory", p.managedMemory);
    section.add("multiprocessors", p.multiProcessorCount);
    if (p.clockRate > 0)
      section.add("clock", p.clockRate / 1000, "MHz");
    section.add("warp size", p.warpSize);
    section.add("threads per block", p.maxThreadsPerBlock);
    section.add("block", dimensions(p.maxThreadsDim));
    section.add("grid", dimensions(p.maxGridSize));
    section.addBytes("shared memory per block", p.sharedMemPerBlock);
    size_t printfBytes = 0;
    if (hipSetDevice(index) == hipSuccess && hipDeviceGetLimit(&printfBytes, hipLimitPrintfFifoSize) == hipSuccess &&
        printfBytes > 0)
      section.addBytes("printf buffer", printfBytes);
    addRoofline(section);
    sections.push_back(std::move(section));
  }
  return sections;
}

} // namespace

} // namespace hiplz

// An exception ends the program, which is right. NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argumentCount, char **arguments) {
  using namespace hiplz;
  CLI::App options("Shows the drivers and devices that HIPLZ uses, and why there is no GPU if there is none.");
  bool json = false, extensions = false, levelZero = false;
  options.add_flag("--json", json, "print JSON");
  options.add_flag("-e,--extensions", extensions, "list the drivers' extensions (always in JSON)");
  options.add_flag("--level-zero", levelZero, "what the Level Zero drivers answer to every query");
  CLI11_PARSE(options, argumentCount, arguments);

  // libhiplz chooses which drivers the loader opens; Level Zero may be asked only after it has.
  int count = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  if (error != hipSuccess)
    count = 0;
  ZeDevicesByUuid zeDevices;
  std::vector<Section> sections = {installation()};
  for (Section &section : drivers(zeDevices, extensions || json))
    sections.push_back(std::move(section));
  for (Section &section : devices(count, zeDevices))
    sections.push_back(std::move(section));
  if (levelZero)
    for (Section &section : levelZeroQueries())
      sections.push_back(std::move(section));

  bool hasGpu = false;
  for (const auto &[uuid, device] : zeDevices)
    hasGpu |= device.type == ZE_DEVICE_TYPE_GPU;
  if (!hasGpu || count == 0) {
    Section section{"remarks", false, {}};
    if (!hasGpu)
      section.add("no GPU", whyNoGpu(thisMachine()));
    if (count == 0)
      section.add("no device", std::string(hipGetErrorName(error)) +
                                   ": HIP programs cannot run here; HIPLZ_LOG=info shows what was tried.");
    sections.push_back(std::move(section));
  }
  std::fputs((json ? asJson(sections) : asTable(sections)).c_str(), stdout);
  return count > 0 ? 0 : 1;
}
