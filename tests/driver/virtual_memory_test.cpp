// SPDX-License-Identifier: MIT
// Reservations, physical memory, mappings and their access attributes.
#include "support.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr auto kNone = ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
constexpr auto kReadWrite = ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE;
constexpr auto kReadOnly = ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY;

class VirtualMemory : public KernelTest {
protected:
  void SetUp() override {
    KernelTest::SetUp();
    ZE_OK(zeVirtualMemQueryPageSize(context, dev, 1, &page));
    ASSERT_EQ(0u, page % 4096);
  }
  /// An address that is taken, so that the driver chooses another. It may also be null, which the validation layer of
  /// some loaders does not know.
  const void *anywhere() const {
    return reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(::environ) / page * page);
  }
  char *reserve(size_t pages) {
    void *pointer = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeVirtualMemReserve(context, anywhere(), pages * page, &pointer));
    return static_cast<char *>(pointer);
  }
  ze_physical_mem_handle_t physical(size_t pages, const void *extension = nullptr) {
    ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, extension, 0, pages * page};
    ze_physical_mem_handle_t memory = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zePhysicalMemCreate(context, dev, &desc, &memory));
    return memory;
  }
  void expectAccess(char *pointer, size_t pages, ze_memory_access_attribute_t wanted, size_t uniformPages) {
    ze_memory_access_attribute_t access{};
    size_t uniform = 0;
    ASSERT_EQ(ZE_RESULT_SUCCESS, zeVirtualMemGetAccessAttribute(context, pointer, pages * page, &access, &uniform));
    EXPECT_EQ(wanted, access);
    EXPECT_EQ(uniformPages * page, uniform);
  }
  /// Stores 1 at an address by a kernel, in a context of its own list; the result of waiting for it.
  ze_result_t storeByKernel(void *address) {
    auto list = immediate();
    auto done = event();
    auto store = kernel("store_at", 4);
    int *base = nullptr;
    int64_t index = reinterpret_cast<intptr_t>(address) / 4;
    int value = 1;
    setArguments(store, base, index, value);
    ze_group_count_t one{1, 1, 1};
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, store, &one, done, 0, nullptr));
    return zeEventHostSynchronize(done, kForever);
  }
  size_t page = 0;
};

TEST_F(VirtualMemory, PhysicalMemoryOfTheHost) {
  if (handlesAreWrapped())
    GTEST_SKIP() << "the validation layer of some loaders does not know the flag";
  constexpr ze_physical_mem_flags_t kOnDevice = ZE_BIT(0), kOnHost = ZE_BIT(1);
  char *range = reserve(1);
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, kOnHost, page};
  ze_physical_mem_handle_t memory = nullptr;
  for (ze_device_handle_t of : {dev, ze_device_handle_t{}}) { // host memory needs none
    ZE_OK(zePhysicalMemCreate(context, of, &desc, &memory));
    ZE_OK(zeVirtualMemMap(context, range, page, memory, 0, kReadWrite));
    range[0] = 1;
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    ze_device_handle_t owner = dev;
    ZE_OK(zeMemGetAllocProperties(context, range, &properties, &owner));
    EXPECT_EQ(ZE_MEMORY_TYPE_HOST, properties.type);
    EXPECT_EQ(nullptr, owner);
    ZE_OK(zeVirtualMemUnmap(context, range, page));
    ZE_OK(zePhysicalMemDestroy(context, memory));
  }
  ZE_OK(zeVirtualMemFree(context, range, page));
  for (ze_physical_mem_flags_t invalid : {kOnDevice | kOnHost, kOnHost << 1}) {
    desc.flags = invalid;
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zePhysicalMemCreate(context, dev, &desc, &memory)) << invalid;
  }
  desc.flags = kOnDevice;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zePhysicalMemCreate(context, nullptr, &desc, &memory));
}

TEST_F(VirtualMemory, MappedMemoryIsMemory) {
  char *range = reserve(4);
  auto memory = physical(2);
  ZE_OK(zeVirtualMemMap(context, range + page, 2 * page, memory, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_SUCCESS, storeByKernel(range + page + 400));
  EXPECT_EQ(1, *reinterpret_cast<int *>(range + page + 400));
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  char pattern = 9;
  ZE_OK(zeCommandListAppendMemoryFill(list, range + page, &pattern, 1, 2 * page, nullptr, 0, nullptr));
  EXPECT_EQ(9, range[3 * page - 1]);

  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t owner = nullptr;
  ZE_OK(zeMemGetAllocProperties(context, range + 2 * page, &properties, &owner));
  EXPECT_EQ(ZE_MEMORY_TYPE_DEVICE, properties.type);
  EXPECT_EQ(dev, owner);
  ZE_OK(zeMemGetAllocProperties(context, range, &properties, &owner));
  EXPECT_EQ(ZE_MEMORY_TYPE_UNKNOWN, properties.type) << "reserved, but not mapped";
  void *base = nullptr;
  size_t size = 0;
  ZE_OK(zeMemGetAddressRange(context, range + 2 * page + 5, &base, &size));
  EXPECT_EQ(range + page, base);
  EXPECT_EQ(2 * page, size);

  ZE_OK(zeVirtualMemUnmap(context, range + page, 2 * page));
  ZE_OK(zePhysicalMemDestroy(context, memory));
  ZE_OK(zeVirtualMemFree(context, range, 4 * page));
}

TEST_F(VirtualMemory, TwoMappingsOfTheSameMemory) {
  char *first = reserve(2), *second = reserve(2);
  auto memory = physical(2);
  ZE_OK(zeVirtualMemMap(context, first, 2 * page, memory, 0, kReadWrite));
  ZE_OK(zeVirtualMemMap(context, second, page, memory, page, kReadWrite));
  first[page + 3] = 42;
  EXPECT_EQ(42, second[3]);
  EXPECT_EQ(ZE_RESULT_SUCCESS, storeByKernel(second + 8));
  EXPECT_EQ(1, *reinterpret_cast<int *>(first + page + 8));
  // Contents stay while the object lives, whatever is unmapped.
  ZE_OK(zeVirtualMemUnmap(context, first, 2 * page));
  ZE_OK(zeVirtualMemMap(context, first, page, memory, page, kReadOnly));
  EXPECT_EQ(42, first[3]);
  // And while a mapping lives, whatever becomes of the object.
  ZE_OK(zePhysicalMemDestroy(context, memory));
  EXPECT_EQ(42, second[3]);
  ZE_OK(zeVirtualMemFree(context, first, 2 * page));
  ZE_OK(zeVirtualMemFree(context, second, 2 * page));
}

TEST_F(VirtualMemory, AccessAttributesOfPartsOfARange) {
  char *range = reserve(6);
  expectAccess(range, 6, kNone, 6);
  auto memory = physical(4);
  ZE_OK(zeVirtualMemMap(context, range, 4 * page, memory, 0, kReadWrite));
  expectAccess(range, 6, kReadWrite, 4);
  expectAccess(range + 4 * page, 2, kNone, 2);
  ZE_OK(zeVirtualMemSetAccessAttribute(context, range + page, page, kReadOnly));
  expectAccess(range, 4, kReadWrite, 1);
  expectAccess(range + page, 3, kReadOnly, 1);
  expectAccess(range + 2 * page, 1, kReadWrite, 1);
  void *base = nullptr;
  size_t size = 0;
  ZE_OK(zeMemGetAddressRange(context, range + 3 * page, &base, &size));
  EXPECT_EQ(range, base) << "a mapping stays one, however it may be accessed";
  EXPECT_EQ(4 * page, size);
  // A part of a mapping goes, the rest stays.
  range[0] = 1;
  range[3 * page] = 2;
  ZE_OK(zeVirtualMemUnmap(context, range + page, 2 * page));
  expectAccess(range + page, 5, kNone, 2);
  EXPECT_EQ(1, range[0]);
  EXPECT_EQ(2, range[3 * page]);
  ZE_OK(zeVirtualMemSetAccessAttribute(context, range, 6 * page, kReadOnly));
  expectAccess(range, 6, kReadOnly, 6);
  // A freed part can be reserved again, at the address asked for.
  ZE_OK(zeVirtualMemFree(context, range + 4 * page, 2 * page));
  void *again = nullptr;
  ZE_OK(zeVirtualMemReserve(context, range + 4 * page, 2 * page, &again));
  EXPECT_EQ(range + 4 * page, again);
  void *elsewhere = nullptr;
  ZE_OK(zeVirtualMemReserve(context, range, page, &elsewhere));
  EXPECT_NE(range, elsewhere) << "taken already";
  ZE_OK(zeVirtualMemFree(context, elsewhere, page));
  ZE_OK(zeVirtualMemFree(context, range, 6 * page)) << "two reservations side by side";
  ZE_OK(zePhysicalMemDestroy(context, memory));
}

TEST_F(VirtualMemory, ReadOnlyMemoryIsRead) {
  char *range = reserve(1);
  auto memory = physical(1);
  ZE_OK(zeVirtualMemMap(context, range, page, memory, 0, kReadWrite));
  range[7] = 3;
  ZE_OK(zeVirtualMemSetAccessAttribute(context, range, page, kReadOnly));
  char copy[16] = {};
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendMemoryCopy(list, copy, range, sizeof copy, nullptr, 0, nullptr));
  EXPECT_EQ(3, copy[7]);
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, storeByKernel(range));
  EXPECT_EQ(0, range[0]);
  ZE_OK(zeVirtualMemFree(context, range, page));
  ZE_OK(zePhysicalMemDestroy(context, memory));
}

TEST_F(VirtualMemory, UnmappedMemoryFaults) {
  char *range = reserve(2);
  auto memory = physical(1);
  ZE_OK(zeVirtualMemMap(context, range, page, memory, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_SUCCESS, storeByKernel(range));
  ZE_OK(zeVirtualMemUnmap(context, range, page));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, storeByKernel(range));
  ZE_OK(zeVirtualMemFree(context, range, 2 * page));
  ZE_OK(zePhysicalMemDestroy(context, memory));
}

TEST_F(VirtualMemory, PhysicalMemoryIsAccountedUntilTheLastMapping) {
  ze_device_memory_properties_t total{};
  total.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  uint32_t count = 1;
  ZE_OK(zeDeviceGetMemoryProperties(dev, &count, &total));
  size_t most = total.totalSize / page * page, half = most / 2 / page + 1;
  char *range = reserve(1);
  auto memory = physical(half);
  ZE_OK(zeVirtualMemMap(context, range, page, memory, 0, kReadWrite));
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, half * page};
  ze_physical_mem_handle_t more = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, zePhysicalMemCreate(context, dev, &desc, &more));
  ZE_OK(zePhysicalMemDestroy(context, memory));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, zePhysicalMemCreate(context, dev, &desc, &more));
  ZE_OK(zeVirtualMemUnmap(context, range, page));
  ZE_OK(zePhysicalMemCreate(context, dev, &desc, &more));
  ZE_OK(zePhysicalMemDestroy(context, more));
  ZE_OK(zeVirtualMemFree(context, range, page));
}

TEST_F(VirtualMemory, ExportedPhysicalMemoryIsImported) {
  ze_external_memory_export_desc_t wanted{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  char *range = reserve(2);
  auto memory = physical(1, &wanted);
  ZE_OK(zeVirtualMemMap(context, range, page, memory, 0, kReadWrite));
  ze_external_memory_export_fd_t out{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                     ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, -1};
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  properties.pNext = &out;
  ZE_OK(zeMemGetAllocProperties(context, range, &properties, nullptr));
  ASSERT_GE(out.fd, 0);
  // The function of specification 1.15 says the same; it takes the driver's own handles, which these are.
  struct {
    uint32_t type;
    void *next;
    uint64_t id, size;
  } physicalProperties{0x20040, &out, 0, 0};
  void *function = nullptr;
  ZE_OK(zeDriverGetExtensionFunctionAddress(driver, "zePhysicalMemGetProperties", &function));
  using GetProperties = ze_result_t (*)(ze_context_handle_t, ze_physical_mem_handle_t, void *);
  int first = std::exchange(out.fd, -1);
  ZE_OK(reinterpret_cast<GetProperties>(function)(context, memory, &physicalProperties));
  EXPECT_EQ(first, out.fd);
  EXPECT_EQ(page, physicalProperties.size);
  EXPECT_EQ(properties.id, physicalProperties.id);

  ze_external_memory_import_fd_t in{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                    ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, out.fd};
  auto imported = physical(1, &in);
  ZE_OK(zeVirtualMemMap(context, range + page, page, imported, 0, kReadWrite));
  range[11] = 5;
  EXPECT_EQ(5, range[page + 11]);
  ZE_OK(zeVirtualMemFree(context, range, 2 * page));
  ZE_OK(zePhysicalMemDestroy(context, memory));
  ZE_OK(zePhysicalMemDestroy(context, imported));
  // So is memory that nobody said it of before.
  auto ordinary = physical(1);
  ZE_OK(reinterpret_cast<GetProperties>(function)(context, ordinary, &physicalProperties));
  EXPECT_GE(out.fd, 0);
  ZE_OK(zePhysicalMemDestroy(context, ordinary));
}

TEST_F(VirtualMemory, HasHandlesForOtherProcesses) {
  char *range = reserve(4);
  auto memory = physical(2);
  ZE_OK(zeVirtualMemMap(context, range, 2 * page, memory, 0, kReadWrite));
  ZE_OK(zeVirtualMemMap(context, range + 2 * page, page, memory, page, kReadWrite));
  ze_ipc_mem_handle_t handle{};
  ZE_OK(zeMemGetIpcHandle(context, range, &handle));
  void *opened = nullptr;
  ZE_OK(zeMemOpenIpcHandle(context, dev, handle, 0, &opened));
  range[2 * page - 1] = 5;
  EXPECT_EQ(5, static_cast<char *>(opened)[2 * page - 1]);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(context, range + page, &handle)) << "in the middle";
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeMemGetIpcHandle(context, range + 2 * page, &handle));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(context, range + 3 * page, &handle)) << "not mapped";

  if (!handlesAreWrapped()) {
    ze_external_memory_export_fd_t out{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                       ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF, -1};
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    properties.pNext = &out;
    ZE_OK(zeMemGetAllocProperties(context, range, &properties, nullptr));
    auto toHandle = extension<ze_result_t (*)(ze_context_handle_t, uint64_t, ze_ipc_mem_handle_t *)>(
        "zeMemGetIpcHandleFromFileDescriptorExp");
    ZE_OK(toHandle(context, static_cast<uint64_t>(out.fd), &handle));
    void *again = nullptr;
    ZE_OK(zeMemOpenIpcHandle(context, dev, handle, 0, &again));
    EXPECT_EQ(5, static_cast<char *>(again)[2 * page - 1]);
    ZE_OK(zeMemCloseIpcHandle(context, again));
  }
  // Memory of others is not shared in turn.
  ze_external_memory_import_fd_t in{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                    ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, ::memfd_create("test", MFD_CLOEXEC)};
  ASSERT_EQ(0, ::ftruncate(in.fd, static_cast<off_t>(page)));
  auto imported = physical(1, &in);
  ZE_OK(zeVirtualMemMap(context, range + 3 * page, page, imported, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeMemGetIpcHandle(context, range + 3 * page, &handle));
  ::close(in.fd);
  ZE_OK(zeVirtualMemFree(context, range, 4 * page));
  ZE_OK(zePhysicalMemDestroy(context, memory));
  ZE_OK(zePhysicalMemDestroy(context, imported));
  EXPECT_EQ(5, static_cast<char *>(opened)[2 * page - 1]) << "it outlives its exporter";
  ZE_OK(zeMemCloseIpcHandle(context, opened));
}

TEST_F(VirtualMemory, BadRequestsGetTheirErrors) {
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeVirtualMemReserve(context, anywhere(), 0, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeVirtualMemReserve(context, anywhere(), page + 1, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeVirtualMemReserve(context, anywhere(), page, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeVirtualMemReserve(nullptr, anywhere(), page, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, zeVirtualMemReserve(context, anywhere(), size_t{1} << 62, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeVirtualMemQueryPageSize(context, dev, 0, &page));

  if (!std::getenv("ZE_ENABLE_VALIDATION_LAYER")) {
    ZE_OK(zeVirtualMemReserve(context, nullptr, page, &pointer));
    ZE_OK(zeVirtualMemFree(context, pointer, page));
  }
  char *range = reserve(4);
  auto memory = physical(2);
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeVirtualMemMap(context, range + 1, page, memory, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeVirtualMemMap(context, range, page - 1, memory, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeVirtualMemMap(context, range, 3 * page, memory, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zeVirtualMemMap(context, range, page, memory, 2 * page, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeVirtualMemMap(context, range, page, memory, 5, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION,
            zeVirtualMemMap(context, range, page, memory, 0, static_cast<ze_memory_access_attribute_t>(3)));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeVirtualMemMap(context, range, page, nullptr, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeVirtualMemMap(context, range + 3 * page, 2 * page, memory, 0, kReadWrite))
      << "beyond the reservation";
  ZE_OK(zeVirtualMemMap(context, range, page, memory, 0, kReadWrite));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeVirtualMemMap(context, range, 2 * page, memory, 0, kReadWrite))
      << "mapped already";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeVirtualMemUnmap(context, range + page, page)) << "nothing there";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeVirtualMemFree(context, range, 5 * page));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, range)) << "not an allocation";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION,
            zeVirtualMemSetAccessAttribute(context, range, page, static_cast<ze_memory_access_attribute_t>(7)));

  ze_context_desc_t contextDesc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t other = nullptr;
  ZE_OK(zeContextCreate(driver, &contextDesc, &other));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeVirtualMemFree(other, range, 4 * page));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zePhysicalMemDestroy(other, memory));
  void *left = nullptr;
  ZE_OK(zeVirtualMemReserve(other, anywhere(), page, &left));
  ZE_OK(zeContextDestroy(other)) << "with a reservation";

  ZE_OK(zeVirtualMemFree(context, range, 4 * page));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeVirtualMemFree(context, range, 4 * page)) << "freed twice";
  ZE_OK(zePhysicalMemDestroy(context, memory));
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, page + 1};
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, zePhysicalMemCreate(context, dev, &desc, &memory));
  desc.size = size_t{1} << 60;
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, zePhysicalMemCreate(context, dev, &desc, &memory));
  desc.flags = 4;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zePhysicalMemCreate(context, dev, &desc, &memory));
}

} // namespace
