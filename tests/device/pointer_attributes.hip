// SPDX-License-Identifier: MIT
// HIP's answers about pointers to memory of every kind.
#include "check.h"

namespace {

__device__ int variable[8];
__managed__ int managedVariable[8] = {1, 2, 3};

template <class T> T attribute(hipPointer_attribute which, void *pointer) {
  T value;
  std::memset(&value, 0x5a, sizeof value);
  HIP_CHECK(hipPointerGetAttribute(&value, which, pointer));
  return value;
}

struct Expected {
  hipMemoryType type;
  bool onHost;
};

void check(void *base, size_t bytes, size_t offset, Expected expected) {
  char *const pointer = static_cast<char *>(base) + offset;
  hipPointerAttribute_t all{};
  HIP_CHECK(hipPointerGetAttributes(&all, pointer));
  CHECK_EQ(all.type, expected.type);
  CHECK_EQ(all.device, 0);
  CHECK_EQ(all.devicePointer, static_cast<void *>(pointer));
  CHECK_EQ(all.hostPointer, static_cast<void *>(expected.onHost ? pointer : nullptr));
  CHECK_EQ(all.isManaged, expected.type == hipMemoryTypeManaged);

  CHECK_EQ(attribute<unsigned>(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer), static_cast<unsigned>(expected.type));
  CHECK_EQ(attribute<void *>(HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, pointer), static_cast<void *>(pointer));
  CHECK_EQ(attribute<bool>(HIP_POINTER_ATTRIBUTE_IS_MANAGED, pointer), expected.type == hipMemoryTypeManaged);
  CHECK_EQ(attribute<int>(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer), 0);
  CHECK_EQ(attribute<void *>(HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer), base);
  CHECK_EQ(attribute<unsigned>(HIP_POINTER_ATTRIBUTE_RANGE_SIZE, pointer), bytes);
  CHECK_EQ(attribute<bool>(HIP_POINTER_ATTRIBUTE_MAPPED, pointer), true);
  CHECK_EQ(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer), false);
  void *host = base;
  CHECK_EQ(hipPointerGetAttribute(&host, HIP_POINTER_ATTRIBUTE_HOST_POINTER, pointer),
           expected.onHost ? hipSuccess : hipErrorInvalidValue);
  CHECK_EQ(host, static_cast<void *>(expected.onHost ? pointer : nullptr));

  // Several at once; the host pointer that there is not is null, and no error.
  unsigned type = 99, size = 99;
  int ordinal = 99;
  void *start = nullptr;
  hipPointer_attribute which[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_HOST_POINTER,
                                  HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, HIP_POINTER_ATTRIBUTE_RANGE_SIZE,
                                  HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR};
  void *data[] = {&type, &host, &ordinal, &size, &start};
  host = base;
  HIP_CHECK(hipDrvPointerGetAttributes(5, which, data, pointer));
  CHECK_EQ(type, static_cast<unsigned>(expected.type));
  CHECK_EQ(host, static_cast<void *>(expected.onHost ? pointer : nullptr));
  CHECK_EQ(ordinal, 0);
  CHECK_EQ(size, bytes);
  CHECK_EQ(start, base);
}

TEST(kinds) {
  void *device, *pinned, *managed, *pitched;
  size_t pitch;
  HIP_CHECK(hipMalloc(&device, 1000));
  HIP_CHECK(hipHostMalloc(&pinned, 1000, hipHostMallocPortable));
  HIP_CHECK(hipMallocManaged(&managed, 1000, hipMemAttachHost));
  HIP_CHECK(hipMallocPitch(&pitched, &pitch, 100, 7));
  std::vector<char> registered(5000);
  HIP_CHECK(hipHostRegister(registered.data(), registered.size(), hipHostRegisterMapped));
  void *symbol, *managedSymbol;
  HIP_CHECK(hipGetSymbolAddress(&symbol, HIP_SYMBOL(variable)));
  HIP_CHECK(hipGetSymbolAddress(&managedSymbol, HIP_SYMBOL(managedVariable)));
  for (size_t offset : {0, 17}) {
    check(device, 1000, offset, {hipMemoryTypeDevice, false});
    check(pinned, 1000, offset, {hipMemoryTypeHost, true});
    check(managed, 1000, offset, {hipMemoryTypeManaged, true});
    check(pitched, pitch * 7, offset, {hipMemoryTypeDevice, false});
    check(registered.data(), registered.size(), offset, {hipMemoryTypeHost, true});
    check(symbol, sizeof variable, offset, {hipMemoryTypeDevice, false});
    check(managedSymbol, sizeof managedVariable, offset, {hipMemoryTypeManaged, true});
  }
  CHECK_EQ(managedSymbol, static_cast<void *>(managedVariable));
  CHECK_EQ(attribute<unsigned>(HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, pinned), hipHostMallocPortable);
  CHECK_EQ(attribute<unsigned>(HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, managed), hipMemAttachHost);

  // Memory in stream order, of the default pool and of another, of a graph, and virtual memory.
  void *ordered, *pooled;
  HIP_CHECK(hipMallocAsync(&ordered, 1000, nullptr));
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool;
  HIP_CHECK(hipMemPoolCreate(&pool, &properties));
  HIP_CHECK(hipMallocFromPoolAsync(&pooled, 1000, pool, nullptr));
  hipGraph_t graph;
  HIP_CHECK(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams allocation{};
  allocation.poolProps = properties;
  allocation.bytesize = 64 << 10;
  hipGraphNode_t node;
  HIP_CHECK(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &allocation));
  hipMemAllocationProp physical{};
  physical.type = hipMemAllocationTypePinned;
  physical.location = {hipMemLocationTypeDevice, 0};
  size_t page;
  HIP_CHECK(hipMemGetAllocationGranularity(&page, &physical, hipMemAllocationGranularityMinimum));
  hipMemGenericAllocationHandle_t handle;
  void *mapped;
  HIP_CHECK(hipMemCreate(&handle, page, &physical, 0));
  HIP_CHECK(hipMemAddressReserve(&mapped, page, 0, nullptr, 0));
  HIP_CHECK(hipMemMap(mapped, page, 0, handle, 0));
  for (size_t offset : {0, 17}) {
    check(ordered, 1000, offset, {hipMemoryTypeDevice, false});
    check(pooled, 1000, offset, {hipMemoryTypeDevice, false});
    check(allocation.dptr, allocation.bytesize, offset, {hipMemoryTypeDevice, false});
    check(mapped, page, offset, {hipMemoryTypeDevice, false});
  }
  HIP_CHECK(hipMemUnmap(mapped, page));
  HIP_CHECK(hipMemAddressFree(mapped, page));
  HIP_CHECK(hipMemRelease(handle));
  HIP_CHECK(hipGraphDestroy(graph));
  HIP_CHECK(hipFreeAsync(ordered, nullptr));
  HIP_CHECK(hipFreeAsync(pooled, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipMemPoolDestroy(pool));

  // An array is named by its handle.
  hipArray_t array;
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  HIP_CHECK(hipMallocArray(&array, &format, 16, 16));
  CHECK_EQ(attribute<unsigned>(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, array), hipMemoryTypeArray);
  hipPointerAttribute_t all{};
  HIP_CHECK(hipPointerGetAttributes(&all, array));
  CHECK_EQ(all.type, hipMemoryTypeArray);
  CHECK_EQ(all.hostPointer, static_cast<void *>(nullptr));
  HIP_CHECK(hipFreeArray(array));

  HIP_CHECK(hipHostUnregister(registered.data()));
  HIP_CHECK(hipFree(pitched));
  HIP_CHECK(hipFree(managed));
  HIP_CHECK(hipHostFree(pinned));
  HIP_CHECK(hipFree(device));
}

// The same address has another identity when it is allocated again.
TEST(identities) {
  unsigned before = 0;
  for (int i = 0; i < 4; ++i) {
    void *memory;
    HIP_CHECK(hipMalloc(&memory, 1 << 20));
    const unsigned id = attribute<unsigned>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory);
    CHECK_EQ(attribute<unsigned>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, static_cast<char *>(memory) + 100), id);
    CHECK(id != before);
    before = id;
    HIP_CHECK(hipFree(memory));
  }
}

TEST(setting) {
  void *memory;
  HIP_CHECK(hipMalloc(&memory, 64));
  int value = 1;
  HIP_CHECK(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, static_cast<char *>(memory) + 8));
  CHECK_EQ(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), true);
  value = 0;
  HIP_CHECK(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  CHECK_EQ(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), false);
  CHECK_EQ(hipPointerSetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), hipErrorInvalidValue);
  CHECK_EQ(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, memory), hipErrorInvalidValue);
  CHECK_EQ(hipPointerSetAttribute(&value, static_cast<hipPointer_attribute>(-1), memory), hipErrorInvalidValue);
  bool alone = true;
  HIP_CHECK(hipPointerSetAttribute(&alone, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  CHECK_EQ(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), true);
  CHECK_EQ(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, &value), hipErrorInvalidDevicePointer);
  HIP_CHECK(hipFree(memory));
  CHECK_EQ(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), hipErrorInvalidDevicePointer);
}

// Memory that HIP does not know is the host's, and asking for it is no error.
void unregistered(void *pointer) {
  hipPointerAttribute_t all;
  std::memset(&all, 0x5a, sizeof all);
  HIP_CHECK(hipPointerGetAttributes(&all, pointer));
  CHECK_EQ(all.type, hipMemoryTypeUnregistered);
  CHECK_EQ(all.device, hipInvalidDeviceId);
  CHECK_EQ(all.devicePointer, static_cast<void *>(nullptr));
  CHECK_EQ(all.hostPointer, static_cast<void *>(nullptr));
  CHECK_EQ(all.isManaged, 0);
  CHECK_EQ(all.allocationFlags, 0u);
  // Functions that ask for one thing do not find it.
  void *address = pointer;
  size_t bytes = 99;
  unsigned flags = 99;
  CHECK_EQ(hipMemGetAddressRange(&address, &bytes, pointer), hipErrorNotFound);
  CHECK_EQ(hipMemPtrGetInfo(pointer, &bytes), hipErrorInvalidValue);
  CHECK_EQ(hipHostGetDevicePointer(&address, pointer, 0), hipErrorInvalidValue);
  CHECK_EQ(hipHostGetFlags(&flags, pointer), hipErrorInvalidValue);
}

TEST(unknown) {
  std::vector<char> host(100);
  hipPointerAttribute_t all{};
  unregistered(host.data());
  unregistered(reinterpret_cast<void *>(uintptr_t{16})); // no memory at all
  CHECK_EQ(hipPointerGetAttributes(&all, nullptr), since7(hipSuccess, hipErrorInvalidValue));
  void *memory;
  HIP_CHECK(hipMalloc(&memory, 64));
  CHECK_EQ(hipPointerGetAttributes(nullptr, memory), since7(hipSuccess, hipErrorInvalidValue));
  CHECK_EQ(hipPointerGetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, memory), hipErrorInvalidValue);
  int value = 99;
  CHECK_EQ(hipPointerGetAttribute(&value, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipPointerGetAttribute(&value, static_cast<hipPointer_attribute>(-1), memory), hipErrorInvalidValue);
  for (hipPointer_attribute which : {HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                     HIP_POINTER_ATTRIBUTE_RANGE_SIZE, HIP_POINTER_ATTRIBUTE_BUFFER_ID})
    CHECK_EQ(hipPointerGetAttribute(&value, which, host.data()), hipErrorInvalidValue);
  for (hipPointer_attribute which :
       {HIP_POINTER_ATTRIBUTE_CONTEXT, HIP_POINTER_ATTRIBUTE_P2P_TOKENS,
        HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE, HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
        HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE, HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE})
    CHECK_EQ(hipPointerGetAttribute(&value, which, memory), hipErrorNotSupported);

  // Several at once: no error, nothing known.
  hipPointer_attribute which[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  unsigned type = 99;
  void *data[] = {&type, &value};
  HIP_CHECK(hipDrvPointerGetAttributes(2, which, data, host.data()));
  CHECK_EQ(type, hipMemoryTypeUnregistered);
  CHECK_EQ(value, hipInvalidDeviceId);
  CHECK_EQ(hipDrvPointerGetAttributes(0, which, data, memory), hipErrorInvalidValue);
  CHECK_EQ(hipDrvPointerGetAttributes(2, nullptr, data, memory), hipErrorInvalidValue);
  CHECK_EQ(hipDrvPointerGetAttributes(2, which, nullptr, memory), hipErrorInvalidValue);
  CHECK_EQ(hipDrvPointerGetAttributes(2, which, data, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipFree(memory));
  unregistered(memory);
  HIP_CHECK(hipHostRegister(host.data(), host.size(), hipHostRegisterDefault));
  HIP_CHECK(hipHostUnregister(host.data()));
  unregistered(host.data());
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue); // of the calls above; those for unknown memory are not errors
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
