// SPDX-License-Identifier: MIT
// The driver's answers about itself and its devices, and the handles and counts that it accepts.
#include "support.h"

#include <set>
#include <thread>

namespace {

using Device = DriverTest;

std::set<std::string> extensions(ze_driver_handle_t driver) {
  uint32_t count = 0;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeDriverGetExtensionProperties(driver, &count, nullptr));
  std::vector<ze_driver_extension_properties_t> properties(count);
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeDriverGetExtensionProperties(driver, &count, properties.data()));
  std::set<std::string> names;
  for (auto &property : properties)
    names.insert(property.name);
  return names;
}

TEST_F(Device, DriverDescribesItself) {
  ze_api_version_t version{};
  ZE_OK(zeDriverGetApiVersion(driver, &version));
  EXPECT_EQ(ZE_MAKE_VERSION(1, 17), static_cast<int>(version));
  ze_driver_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES;
  ZE_OK(zeDriverGetProperties(driver, &properties));
  EXPECT_NE(0u, properties.driverVersion);
  ze_driver_ipc_properties_t ipc{};
  ipc.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES;
  ZE_OK(zeDriverGetIpcProperties(driver, &ipc));
  EXPECT_EQ(uint32_t{ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL}, ipc.flags);
  auto names = extensions(driver);
  for (const char *name : {ZE_GLOBAL_OFFSET_EXP_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_FLOAT_ATOMICS_EXT_NAME,
                           "HIPLZ_in_order_command_lists", "HIPLZ_fault_reports", "HIPLZ_queue_units"})
    EXPECT_TRUE(names.count(name)) << name;
  void *address = &names;
  EXPECT_NE(ZE_RESULT_SUCCESS, zeDriverGetExtensionFunctionAddress(driver, "zeNoSuchFunction", &address));
  EXPECT_EQ(nullptr, address);
  ZE_OK(zeDriverGetExtensionFunctionAddress(driver, "zeCommandListHostSynchronize", &address));
  EXPECT_NE(nullptr, address);
}

TEST_F(Device, InitTwiceGivesTheSameHandles) {
  ZE_OK(zeInit(0));
  uint32_t count = 5;
  ze_driver_handle_t again[5] = {};
  ZE_OK(zeDriverGet(&count, again));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(driver, again[0]);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDriverGet(nullptr, nullptr));
}

TEST_F(Device, CountsFollowTheProtocol) {
  uint32_t total = 0;
  ZE_OK(zeDeviceGet(driver, &total, nullptr));
  ASSERT_GE(total, 1u);
  std::vector<ze_device_handle_t> devices(total + 3, nullptr);
  uint32_t count = total + 3;
  ZE_OK(zeDeviceGet(driver, &count, devices.data()));
  EXPECT_EQ(total, count) << "a count that is too large is corrected";
  EXPECT_EQ(nullptr, devices[total]);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDeviceGet(driver, nullptr, nullptr));
  uint32_t subdevices = 7;
  ZE_OK(zeDeviceGetSubDevices(dev, &subdevices, nullptr));
  EXPECT_EQ(0u, subdevices);
}

TEST_F(Device, PropertiesAreConsistent) {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  EXPECT_EQ(ZE_DEVICE_TYPE_CPU, properties.type);
  EXPECT_NE('\0', properties.name[0]);
  EXPECT_GT(properties.coreClockRate, 0u);
  EXPECT_EQ(1u, properties.timerResolution) << "nanoseconds per tick";
  uint32_t threads = properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice *
                     properties.numThreadsPerEU;
  EXPECT_GE(threads, 1u);
  if (!getenv("HIPLZ_CPU_THREADS"))
    EXPECT_LE(threads, std::thread::hardware_concurrency()) << "a quota may allow fewer";
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  EXPECT_EQ(1'000'000'000u, properties.timerResolution) << "ticks per second";

  ze_device_compute_properties_t compute{};
  compute.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  ZE_OK(zeDeviceGetComputeProperties(dev, &compute));
  EXPECT_EQ(1024u, compute.maxTotalGroupSize);
  EXPECT_EQ(64u << 10, compute.maxSharedLocalMemory);
  ASSERT_EQ(1u, compute.numSubGroupSizes);
  EXPECT_EQ(32u, compute.subGroupSizes[0]);
  EXPECT_GE(compute.maxGroupCountX, 0x7fffffffu);

  ze_device_module_properties_t modules{};
  modules.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  ZE_OK(zeDeviceGetModuleProperties(dev, &modules));
  EXPECT_GE(modules.spirvVersionSupported, uint32_t{ZE_MAKE_VERSION(1, 3)});
  EXPECT_TRUE(modules.flags & ZE_DEVICE_MODULE_FLAG_FP64);
  EXPECT_GE(modules.maxArgumentsSize, 4096u);

  uint32_t count = 0;
  ZE_OK(zeDeviceGetMemoryProperties(dev, &count, nullptr));
  ASSERT_EQ(1u, count);
  ze_device_memory_properties_t memory{};
  memory.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  ZE_OK(zeDeviceGetMemoryProperties(dev, &count, &memory));
  EXPECT_GT(memory.totalSize, 0u);
  EXPECT_LE(properties.maxMemAllocSize, memory.totalSize);

  count = 0;
  ZE_OK(zeDeviceGetCommandQueueGroupProperties(dev, &count, nullptr));
  ASSERT_EQ(2u, count);
  count = 1;
  ze_command_queue_group_properties_t group{};
  group.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  ZE_OK(zeDeviceGetCommandQueueGroupProperties(dev, &count, &group));
  EXPECT_TRUE(group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE);
  EXPECT_TRUE(group.flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY);
  EXPECT_GE(group.numQueues, 1u);

  ze_device_memory_access_properties_t access{};
  access.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES;
  ZE_OK(zeDeviceGetMemoryAccessProperties(dev, &access));
  EXPECT_TRUE(access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  count = 0;
  ZE_OK(zeDeviceGetCacheProperties(dev, &count, nullptr));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeDeviceGetStatus(dev));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextGetStatus(context));
}

TEST_F(Device, ChainedStructuresAreFilled) {
  ze_eu_count_ext_t units{};
  units.stype = ZE_STRUCTURE_TYPE_EU_COUNT_EXT;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &units;
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  EXPECT_EQ(properties.numSubslicesPerSlice, units.numTotalEUs);
  ze_float_atomic_ext_properties_t atomics{};
  atomics.stype = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES;
  ze_device_module_properties_t modules{};
  modules.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES;
  modules.pNext = &atomics;
  ZE_OK(zeDeviceGetModuleProperties(dev, &modules));
  // AtomicFloats has kernels of these.
  constexpr ze_device_fp_atomic_ext_flags_t kSums =
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD;
  constexpr ze_device_fp_atomic_ext_flags_t kOthers =
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_LOAD_STORE |
      ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_MIN_MAX | ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
  EXPECT_EQ(kOthers | kSums, atomics.fp32Flags);
  EXPECT_EQ(kOthers | kSums, atomics.fp64Flags);
  EXPECT_EQ(kOthers, atomics.fp16Flags);
}

TEST_F(Device, DevicesDifferAndReachEachOther) {
  uint32_t count = 64;
  ze_device_handle_t devices[64];
  ZE_OK(zeDeviceGet(driver, &count, devices));
  std::set<std::vector<uint8_t>> uuids;
  for (uint32_t index = 0; index < count; ++index) {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ZE_OK(zeDeviceGetProperties(devices[index], &properties));
    uuids.insert({properties.uuid.id, properties.uuid.id + sizeof properties.uuid.id});
    ze_bool_t reachable = false;
    ZE_OK(zeDeviceCanAccessPeer(dev, devices[index], &reachable));
    EXPECT_TRUE(reachable);
    ze_device_p2p_properties_t peer{};
    peer.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES;
    ZE_OK(zeDeviceGetP2PProperties(dev, devices[index], &peer));
    EXPECT_TRUE(peer.flags & ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS);
  }
  EXPECT_EQ(count, uuids.size());
}

TEST_F(Device, ContextsOfSomeDevices) {
  ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t other = nullptr;
  ZE_OK(zeContextCreateEx(driver, &desc, 1, &dev, &other));
  ze_device_mem_alloc_desc_t memory{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *pointer = nullptr;
  ZE_OK(zeMemAllocDevice(other, &memory, 64, 0, dev, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, pointer)) << "the pointer of another context";
  uint32_t count = 2;
  ze_device_handle_t devices[2];
  ZE_OK(zeDeviceGet(driver, &count, devices));
  if (count == 2)
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemAllocDevice(other, &memory, 64, 0, devices[1], &pointer));
  ZE_OK(zeContextDestroy(other)); // frees the allocation
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeContextDestroy(nullptr));
}

TEST_F(Device, BadHandlesAreErrors) {
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeDeviceGetProperties(nullptr, &properties));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDeviceGetProperties(dev, nullptr));
  // A handle of another kind.
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeDeviceGetProperties(reinterpret_cast<ze_device_handle_t>(context), &properties));
  alignas(64) char noObject[64] = {};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeDeviceGetProperties(reinterpret_cast<ze_device_handle_t>(noObject), &properties));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeDeviceGetProperties(reinterpret_cast<ze_device_handle_t>(noObject + 1), &properties));
}

TEST_F(Device, HasABusAddress) {
  ze_pci_ext_properties_t pci{};
  pci.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES;
  ZE_OK(zeDevicePciGetPropertiesExt(dev, &pci));
  EXPECT_EQ(0xffffu, pci.address.domain) << "none of a real bus";
  EXPECT_EQ(0u, pci.address.bus);
  EXPECT_EQ(-1, pci.maxSpeed.maxBandwidth);
  EXPECT_TRUE(extensions(driver).count(ZE_PCI_PROPERTIES_EXT_NAME));
}

TEST_F(Device, ThereIsNoFabric) {
  uint32_t count = 7;
  ZE_OK(zeFabricVertexGetExp(driver, &count, nullptr));
  EXPECT_EQ(0u, count);
  ze_fabric_vertex_handle_t vertex = nullptr;
  EXPECT_EQ(ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX, zeDeviceGetFabricVertexExp(dev, &vertex));
}

} // namespace
