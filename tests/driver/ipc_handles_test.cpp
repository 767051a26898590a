// SPDX-License-Identifier: MIT
// What IPC handles of memory are: of host memory, too, with a descriptor that programs may send themselves.
#include "support.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

class IpcHandles : public IpcTest {};

// What a handle consists of.
struct Record {
  int32_t sent;
  uint16_t magic, kind;
  int32_t process, descriptor;
  uint64_t inode, size;
};

// Host allocations of a page and more, small blocks and mappings of their own.
TEST_F(IpcHandles, HostMemoryIsSharedToo) {
  for (size_t bytes : {size_t{4096}, size_t{5000}, size_t{100'000}, size_t{1} << 20}) {
    SCOPED_TRACE(bytes);
    ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    void *memory = nullptr, *neighbour = nullptr;
    ZE_OK(zeMemAllocHost(context, &desc, bytes, 0, &memory));
    ZE_OK(zeMemAllocHost(context, &desc, bytes, 0, &neighbour));
    std::memset(memory, 3, bytes);
    std::memset(neighbour, 4, bytes);
    auto *opened = reinterpret_cast<unsigned char *>(open(handleOf(static_cast<char *>(memory))));
    ASSERT_TRUE(opened);
    EXPECT_EQ(3, opened[bytes - 1]);
    opened[0] = 9;
    EXPECT_EQ(9, *static_cast<unsigned char *>(memory));
    EXPECT_EQ(4, *static_cast<unsigned char *>(neighbour));
    ZE_OK(zeMemFree(context, memory));
    EXPECT_EQ(9, opened[0]) << "it outlives its exporter";
    // What takes the place of the allocation has nothing to do with it.
    void *next = nullptr;
    ZE_OK(zeMemAllocHost(context, &desc, bytes, 0, &next));
    std::memset(next, 1, bytes);
    EXPECT_EQ(9, opened[0]);
    ZE_OK(zeMemCloseIpcHandle(context, opened));
    ZE_OK(zeMemFree(context, next));
    ZE_OK(zeMemFree(context, neighbour));
  }
}

// As programs for Intel's driver do it: the descriptor goes through a socket, and its number there takes the place of the first
// one in the handle.
TEST_F(IpcHandles, HandlesBeginWithADescriptorThatMayBeSent) {
  auto *memory = device<char>(5000);
  ze_ipc_mem_handle_t handle = handleOf(memory);
  int descriptor = -1;
  std::memcpy(&descriptor, handle.data, sizeof descriptor);
  struct stat status {};
  ASSERT_EQ(0, ::fstat(descriptor, &status));
  EXPECT_EQ(8192, status.st_size);
  // Sent to oneself: another number for the same file, and an exporter that could not be reached by its own.
  const int sent = ::dup(descriptor);
  Record record;
  std::memcpy(&record, handle.data, sizeof record);
  record.sent = sent;
  record.process = 1 << 30;
  std::memcpy(handle.data, &record, sizeof record);
  char *opened = open(handle);
  ASSERT_TRUE(opened);
  memory[0] = 7;
  EXPECT_EQ(7, opened[0]);
  ZE_OK(zeMemCloseIpcHandle(context, opened));
  ::close(sent);
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(context, dev, handle, 0, &pointer));
  // Some other file of this process in its place.
  const int other = ::memfd_create("hiplz-cpu-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  record.sent = other;
  std::memcpy(handle.data, &record, sizeof record);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(context, dev, handle, 0, &pointer));
  ::close(other);
}

TEST_F(IpcHandles, HandlesAndDescriptorsAreConverted) {
  if (handlesAreWrapped())
    GTEST_SKIP() << "the validation layer wraps handles";
  auto toDescriptor = extension<ze_result_t (*)(ze_context_handle_t, ze_ipc_mem_handle_t, uint64_t *)>(
      "zeMemGetFileDescriptorFromIpcHandleExp");
  auto toHandle = extension<ze_result_t (*)(ze_context_handle_t, uint64_t, ze_ipc_mem_handle_t *)>(
      "zeMemGetIpcHandleFromFileDescriptorExp");
  ze_external_memory_export_desc_t wanted{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD};
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, &wanted, 0, 0};
  void *memory = nullptr;
  ZE_OK(zeMemAllocDevice(context, &desc, 5000, 0, dev, &memory));
  ze_external_memory_export_fd_t exported{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr,
                                          ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, -1};
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  properties.pNext = &exported;
  ZE_OK(zeMemGetAllocProperties(context, memory, &properties, nullptr));
  ze_ipc_mem_handle_t handle{};
  ZE_OK(toHandle(context, static_cast<uint64_t>(exported.fd), &handle));
  uint64_t descriptor = 0;
  ZE_OK(toDescriptor(context, handle, &descriptor));
  EXPECT_EQ(static_cast<uint64_t>(exported.fd), descriptor);
  char *opened = open(handle);
  ASSERT_TRUE(opened);
  static_cast<char *>(memory)[0] = 6;
  EXPECT_EQ(6, opened[0]);
  ZE_OK(zeMemCloseIpcHandle(context, opened));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, toHandle(context, 0, &handle)) << "not an exported one";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, toDescriptor(context, ze_ipc_mem_handle_t{}, &descriptor));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, toHandle(context, descriptor, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, toDescriptor(context, handle, nullptr));
  auto withProperties = extension<ze_result_t (*)(ze_context_handle_t, const void *, void *, ze_ipc_mem_handle_t *)>(
      "zeMemGetIpcHandleWithProperties");
  struct {
    uint32_t stype;
    const void *next;
    uint32_t types;
  } type{0x2003d, nullptr, 1};
  ZE_OK(withProperties(context, memory, &type, &handle));
  type.types = 2;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, withProperties(context, memory, &type, &handle)) << "no fabric";
  type.types = 4;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, withProperties(context, memory, &type, &handle));
  ZE_OK(withProperties(context, memory, nullptr, &handle));
  ZE_OK(zeMemFree(context, memory));
}

} // namespace
