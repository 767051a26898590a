// SPDX-License-Identifier: MIT
// See level_zero.h.
#include "tools/hiplz_info/level_zero.h"

#include <level_zero/ze_api.h>

#include <cstdio>
#include <cstring>
#include <iterator>

namespace hiplz {
namespace {

std::string version(uint32_t value) { return std::to_string(value >> 16) + "." + std::to_string(value & 0xffff); }

std::string hex(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string triple(uint32_t x, uint32_t y, uint32_t z) {
  return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z);
}

/// True if a query has succeeded; if not, the section says what it returned.
bool answered(Section &section, const char *query, ze_result_t result) {
  if (result != ZE_RESULT_SUCCESS)
    section.add(query, hex(static_cast<uint32_t>(result)));
  return result == ZE_RESULT_SUCCESS;
}

template <class T> T structure(ze_structure_type_t type) {
  T value{};
  value.stype = type;
  return value;
}

/// The answers of a query that is first asked how many there are.
template <class T, class Query> std::vector<T> list(Section &section, const char *name, Query query, const T &initial) {
  uint32_t count = 0;
  if (!answered(section, name, query(&count, static_cast<T *>(nullptr))))
    return {};
  std::vector<T> items(count, initial);
  if (count && !answered(section, name, query(&count, items.data())))
    return {};
  items.resize(count);
  return items;
}

Section driverSection(ze_driver_handle_t driver) {
  Section section{"Level Zero driver", true, {}};
  ze_api_version_t api{};
  if (answered(section, "zeDriverGetApiVersion", zeDriverGetApiVersion(driver, &api)))
    section.add("API version", version(api));
  auto properties = structure<ze_driver_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES);
  if (answered(section, "zeDriverGetProperties", zeDriverGetProperties(driver, &properties))) {
    section.addUuid("UUID", properties.uuid.id);
    section.add("driver version", properties.driverVersion);
  }
  auto ipc = structure<ze_driver_ipc_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES);
  if (answered(section, "zeDriverGetIpcProperties", zeDriverGetIpcProperties(driver, &ipc)))
    section.add("IPC flags", hex(ipc.flags));
  std::vector<std::string> names;
  for (const auto &extension : list<ze_driver_extension_properties_t>(
           section, "zeDriverGetExtensionProperties",
           [&](auto *count, auto *items) { return zeDriverGetExtensionProperties(driver, count, items); }, {}))
    names.push_back(std::string(extension.name) + " " + version(extension.version));
  section.add("extensions", names);
  return section;
}

void addProperties(Section &section, ze_device_handle_t device) {
  auto p = structure<ze_device_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2);
  if (!answered(section, "zeDeviceGetProperties", zeDeviceGetProperties(device, &p)))
    return;
  section.add("name", std::string(p.name));
  section.add("type", p.type);
  section.add("vendor", hex(p.vendorId));
  section.add("device id", hex(p.deviceId));
  section.add("device flags", hex(p.flags));
  section.add("sub-device id", p.subdeviceId);
  section.addUuid("UUID", p.uuid.id);
  section.add("core clock", p.coreClockRate, "MHz");
  section.addBytes("largest allocation", p.maxMemAllocSize);
  section.add("hardware contexts", p.maxHardwareContexts);
  section.add("queue priorities", p.maxCommandQueuePriority);
  section.add("threads per EU", p.numThreadsPerEU);
  section.add("EU SIMD width", p.physicalEUSimdWidth);
  section.add("EUs", triple(p.numSlices, p.numSubslicesPerSlice, p.numEUsPerSubslice));
  section.add("timer resolution", p.timerResolution, "ticks/s");
  section.add("timestamp bits", p.timestampValidBits);
  section.add("kernel timestamp bits", p.kernelTimestampValidBits);
}

void addComputeAndModule(Section &section, ze_device_handle_t device) {
  auto compute = structure<ze_device_compute_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES);
  if (answered(section, "zeDeviceGetComputeProperties", zeDeviceGetComputeProperties(device, &compute))) {
    section.add("group items", compute.maxTotalGroupSize);
    section.add("group size", triple(compute.maxGroupSizeX, compute.maxGroupSizeY, compute.maxGroupSizeZ));
    section.add("group count", triple(compute.maxGroupCountX, compute.maxGroupCountY, compute.maxGroupCountZ));
    section.addBytes("local memory", compute.maxSharedLocalMemory);
    std::vector<std::string> sizes;
    for (uint32_t index = 0; index < compute.numSubGroupSizes; ++index)
      sizes.push_back(std::to_string(compute.subGroupSizes[index]));
    section.add("sub-group sizes", sizes);
  }
  auto module = structure<ze_device_module_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES);
  if (answered(section, "zeDeviceGetModuleProperties", zeDeviceGetModuleProperties(device, &module))) {
    section.add("SPIR-V", version(module.spirvVersionSupported));
    section.add("module flags", hex(module.flags));
    section.add("half flags", hex(module.fp16flags));
    section.add("float flags", hex(module.fp32flags));
    section.add("double flags", hex(module.fp64flags));
    section.addBytes("kernel arguments", module.maxArgumentsSize);
    section.addBytes("printf buffer", module.printfBufferSize);
  }
}

void addMemory(Section &section, ze_device_handle_t device) {
  const auto memory = structure<ze_device_memory_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES);
  for (const auto &one : list<ze_device_memory_properties_t>(
           section, "zeDeviceGetMemoryProperties",
           [&](auto *count, auto *items) { return zeDeviceGetMemoryProperties(device, count, items); }, memory)) {
    section.add("memory", std::string(one.name));
    section.addBytes("memory size", one.totalSize);
    section.add("memory clock", one.maxClockRate, "MHz");
    section.add("memory bus", one.maxBusWidth, "bits");
  }
  auto access = structure<ze_device_memory_access_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES);
  if (answered(section, "zeDeviceGetMemoryAccessProperties", zeDeviceGetMemoryAccessProperties(device, &access))) {
    section.add("access to host memory", hex(access.hostAllocCapabilities));
    section.add("access to device memory", hex(access.deviceAllocCapabilities));
    section.add("access to shared memory", hex(access.sharedSingleDeviceAllocCapabilities));
    section.add("access to memory shared by devices", hex(access.sharedCrossDeviceAllocCapabilities));
    section.add("access to system memory", hex(access.sharedSystemAllocCapabilities));
  }
  const auto cache = structure<ze_device_cache_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES);
  for (const auto &one : list<ze_device_cache_properties_t>(
           section, "zeDeviceGetCacheProperties",
           [&](auto *count, auto *items) { return zeDeviceGetCacheProperties(device, count, items); }, cache))
    section.addBytes("cache", one.cacheSize);
  auto external =
      structure<ze_device_external_memory_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES);
  if (answered(section, "zeDeviceGetExternalMemoryProperties",
               zeDeviceGetExternalMemoryProperties(device, &external))) {
    section.add("memory import", hex(external.memoryAllocationImportTypes));
    section.add("memory export", hex(external.memoryAllocationExportTypes));
    section.add("image import", hex(external.imageImportTypes));
    section.add("image export", hex(external.imageExportTypes));
  }
}

/// A line for each layout, with the types that images have in it and whether they can be filtered.
void addImageFormats(Section &section, ze_device_handle_t device) {
  // In the order of ze_image_format_layout_t, without media formats, and of ze_image_format_type_t.
  constexpr const char *kLayouts[] = {"8",        "16",          "32",      "8_8",         "8_8_8_8",
                                      "16_16",    "16_16_16_16", "32_32",   "32_32_32_32", "10_10_10_2",
                                      "11_11_10", "5_6_5",       "5_5_5_1", "4_4_4_4"};
  constexpr const char *kTypes[] = {"UINT", "SINT", "UNORM", "SNORM", "FLOAT"};
  std::vector<std::string> formats;
  for (uint32_t layout = 0; layout < std::size(kLayouts); ++layout) {
    std::string types;
    for (uint32_t type = 0; type < std::size(kTypes); ++type) {
      auto desc = structure<ze_image_desc_t>(ZE_STRUCTURE_TYPE_IMAGE_DESC);
      desc.type = ZE_IMAGE_TYPE_2D;
      desc.format = {static_cast<ze_image_format_layout_t>(layout),
                     static_cast<ze_image_format_type_t>(type),
                     ZE_IMAGE_FORMAT_SWIZZLE_R,
                     ZE_IMAGE_FORMAT_SWIZZLE_G,
                     ZE_IMAGE_FORMAT_SWIZZLE_B,
                     ZE_IMAGE_FORMAT_SWIZZLE_A};
      desc.width = desc.height = 1;
      auto properties = structure<ze_image_properties_t>(ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES);
      if (zeImageGetProperties(device, &desc, &properties) != ZE_RESULT_SUCCESS || !properties.samplerFilterFlags)
        continue;
      types += types.empty() ? " " : ", ";
      types += kTypes[type];
      if (properties.samplerFilterFlags & ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR)
        types += " linear";
    }
    if (!types.empty())
      formats.push_back(kLayouts[layout] + types);
  }
  section.add("image formats", formats);
}

void addImages(Section &section, ze_device_handle_t device) {
  auto image = structure<ze_device_image_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES);
  if (!answered(section, "zeDeviceGetImageProperties", zeDeviceGetImageProperties(device, &image)))
    return;
  section.add("image sizes", triple(image.maxImageDims1D, image.maxImageDims2D, image.maxImageDims3D));
  section.addBytes("image buffer", image.maxImageBufferSize);
  section.add("image array slices", image.maxImageArraySlices);
  section.add("samplers", image.maxSamplers);
  section.add("read images", image.maxReadImageArgs);
  section.add("write images", image.maxWriteImageArgs);
  addImageFormats(section, device);
}

void addQueuesAndBus(Section &section, ze_device_handle_t device) {
  const auto group = structure<ze_command_queue_group_properties_t>(ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES);
  for (const auto &one : list<ze_command_queue_group_properties_t>(
           section, "zeDeviceGetCommandQueueGroupProperties",
           [&](auto *count, auto *items) { return zeDeviceGetCommandQueueGroupProperties(device, count, items); },
           group)) {
    section.add("queue group flags", hex(one.flags));
    section.add("queues", one.numQueues);
    section.addBytes("fill pattern", one.maxMemoryFillPatternSize);
  }
  auto pci = structure<ze_pci_ext_properties_t>(ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES);
  if (answered(section, "zeDevicePciGetPropertiesExt", zeDevicePciGetPropertiesExt(device, &pci))) {
    char address[32];
    std::snprintf(address, sizeof address, "%04x:%02x:%02x.%x", pci.address.domain, pci.address.bus, pci.address.device,
                  pci.address.function);
    section.add("PCI address", std::string(address));
  }
  section.add("status", hex(static_cast<uint32_t>(zeDeviceGetStatus(device))));
  section.add("sub-devices",
              list<ze_device_handle_t>(
                  section, "zeDeviceGetSubDevices",
                  [&](auto *count, auto *items) { return zeDeviceGetSubDevices(device, count, items); }, nullptr)
                  .size());
}

} // namespace

std::vector<Section> levelZeroQueries() {
  std::vector<Section> sections;
  if (zeInit(0) != ZE_RESULT_SUCCESS) // a loader without a driver crashes in every other call
    return sections;
  Section nowhere;
  std::vector<Section> deviceSections;
  for (ze_driver_handle_t driver : list<ze_driver_handle_t>(nowhere, "zeDriverGet", zeDriverGet, nullptr)) {
    sections.push_back(driverSection(driver));
    for (ze_device_handle_t device : list<ze_device_handle_t>(
             sections.back(), "zeDeviceGet",
             [&](auto *count, auto *items) { return zeDeviceGet(driver, count, items); }, nullptr)) {
      Section section{"Level Zero device", true, {}};
      section.add("driver", sections.size() - 1);
      addProperties(section, device);
      addComputeAndModule(section, device);
      addMemory(section, device);
      addImages(section, device);
      addQueuesAndBus(section, device);
      deviceSections.push_back(std::move(section));
    }
  }
  sections.insert(sections.end(), deviceSections.begin(), deviceSections.end());
  return sections;
}

} // namespace hiplz
