// SPDX-License-Identifier: MIT
// IPC handles of memory, of host memory too, with a descriptor that programs may send themselves.
#include "child.h"
#include "support.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

class IpcHandles : public IpcTest {};

// The contents of a handle.
struct Record {
  int32_t sent;
  uint16_t magic, kind;
  int32_t process, descriptor;
  uint64_t inode, size;
};

// Host allocations: a part of a page, small blocks and mappings of their own.
TEST_F(IpcHandles, HostMemoryIsSharedToo) {
  for (size_t bytes : {size_t{1}, size_t{100}, size_t{4096}, size_t{5000}, size_t{100'000}, size_t{1} << 20}) {
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
    // The allocation that takes its place has nothing to do with it.
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

/// A message in the socket: a handle, and a descriptor beside it.
struct Message {
  Message() {
    parts.iov_base = handle.data;
    parts.iov_len = sizeof handle.data;
    header.msg_iov = &parts;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  ze_ipc_mem_handle_t handle{};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec parts{};
  msghdr header{};
};

// The exporter frees the memory before anybody opens the handle: the descriptor on its way keeps it. With the number that
// the descriptor has in the other process and, as chance may have it, with the one that is in the handle already.
TEST_F(IpcHandles, AnotherProcessOpensADescriptorThatWasSent) {
  for (const char *isSame : {"0", "1"}) {
    SCOPED_TRACE(isSame);
    int sockets[2];
    ASSERT_EQ(0, ::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets));
    void *memory = nullptr;
    ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    ZE_OK(zeMemAllocDevice(context, &desc, 5000, 0, dev, &memory));
    std::memset(memory, 21, 5000);
    ze_ipc_mem_handle_t handle = handleOf(memory);
    auto *opened = reinterpret_cast<unsigned char *>(open(handle)); // a look at the memory afterwards
    ASSERT_TRUE(opened);
    int descriptor = -1;
    std::memcpy(&descriptor, handle.data, sizeof descriptor);
    Message message;
    message.handle = handle;
    cmsghdr *extra = CMSG_FIRSTHDR(&message.header);
    extra->cmsg_level = SOL_SOCKET;
    extra->cmsg_type = SCM_RIGHTS;
    extra->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(extra), &descriptor, sizeof descriptor);
    ASSERT_EQ(ssize_t{sizeof handle.data}, ::sendmsg(sockets[0], &message.header, 0));
    ZE_OK(zeMemFree(context, memory));
    const ChildResult result = runChild(
        "sentHandle", {"HIPLZ_TEST_SOCKET=" + std::to_string(sockets[1]), std::string("HIPLZ_TEST_SAME=") + isSame});
    EXPECT_EQ(0, result.exitCode) << result.output;
    EXPECT_EQ(42, opened[4999]);
    ZE_OK(zeMemCloseIpcHandle(context, opened));
    ::close(sockets[0]);
    ::close(sockets[1]);
  }
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

// Physical memory that is not mapped has no address: its handle takes the place.
TEST_F(IpcHandles, PhysicalMemoryIsSharedByItsHandle) {
  if (handlesAreWrapped())
    GTEST_SKIP() << "extension functions take the driver's own handles";
  auto withProperties = extension<ze_result_t (*)(ze_context_handle_t, const void *, void *, ze_ipc_mem_handle_t *)>(
      "zeMemGetIpcHandleWithProperties");
  size_t page = 0;
  ZE_OK(zeVirtualMemQueryPageSize(context, dev, 1, &page));
  ze_physical_mem_desc_t desc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, page};
  ze_physical_mem_handle_t physical = nullptr;
  ZE_OK(zePhysicalMemCreate(context, dev, &desc, &physical));
  ze_ipc_mem_handle_t handle{};
  ZE_OK(withProperties(context, physical, nullptr, &handle));
  char *opened = open(handle);
  ASSERT_TRUE(opened);
  opened[page - 1] = 7;
  ZE_OK(zeMemCloseIpcHandle(context, opened));
  void *range = nullptr;
  ZE_OK(zeVirtualMemReserve(context, nullptr, page, &range));
  ZE_OK(zeVirtualMemMap(context, range, page, physical, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  EXPECT_EQ(7, static_cast<char *>(range)[page - 1]);
  ZE_OK(zeVirtualMemUnmap(context, range, page));
  ZE_OK(zeVirtualMemFree(context, range, page));
  ZE_OK(zePhysicalMemDestroy(context, physical));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, withProperties(context, physical, nullptr, &handle)) << "destroyed";
}

} // namespace

/// A process that gets a descriptor of its parent's memory through a socket: doubles the last byte.
int sentHandleChild() {
  const char *socket = std::getenv("HIPLZ_TEST_SOCKET"), *isSame = std::getenv("HIPLZ_TEST_SAME");
  Message message;
  if (!socket || !isSame || ::recvmsg(std::atoi(socket), &message.header, 0) != ssize_t{sizeof message.handle.data} ||
      !CMSG_FIRSTHDR(&message.header))
    return 1;
  const auto [driver, device, context, ok] = ChildDevice();
  if (!ok)
    return 2;
  int received = -1, exporters = -1;
  std::memcpy(&received, CMSG_DATA(CMSG_FIRSTHDR(&message.header)), sizeof received);
  std::memcpy(&exporters, message.handle.data, sizeof exporters);
  const int number = *isSame == '1' ? ::dup2(received, exporters) : ::fcntl(received, F_DUPFD, 700);
  if (number != received)
    ::close(received);
  std::memcpy(message.handle.data, &number, sizeof number);
  void *opened = nullptr;
  if (zeMemOpenIpcHandle(context, device, message.handle, 0, &opened) != ZE_RESULT_SUCCESS)
    return 3;
  auto *bytes = static_cast<char *>(opened);
  if (bytes[0] != 21 || bytes[4999] != 21)
    return 4;
  bytes[4999] *= 2;
  return zeMemCloseIpcHandle(context, opened) == ZE_RESULT_SUCCESS ? 0 : 5;
}
