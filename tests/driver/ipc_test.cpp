// SPDX-License-Identifier: MIT
// Memory of other processes and interfaces: IPC handles, and export and import of file descriptors.
#include "child.h"
#include "support.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace {

class Ipc : public IpcTest {};

TEST_F(Ipc, AnotherProcessReadsAndWrites) {
  for (size_t size : {size_t{64}, size_t{100'000}, size_t{70} << 20}) {
    auto *memory = device<char>(size);
    memory[0] = 17;
    memory[size - 1] = 18;
    ChildResult child = runChild("ipcMemory", {"HIPLZ_TEST_HANDLE=" + handleToText(handleOf(memory)),
                                               "HIPLZ_TEST_SIZE=" + std::to_string(size)});
    EXPECT_EQ(0, child.exitCode) << child.output;
    EXPECT_EQ(27, memory[0]) << "the child has added 10";
    EXPECT_EQ(28, memory[size - 1]);
  }
}

TEST_F(Ipc, OpenedTwiceInTheSameProcess) {
  auto *memory = device<char>(5000);
  ze_ipc_mem_handle_t handle = handleOf(memory);
  EXPECT_EQ(handleToText(handle), handleToText(handleOf(memory)));
  char *first = open(handle), *second = open(handle);
  EXPECT_NE(first, second);
  memory[4999] = 3;
  EXPECT_EQ(3, first[4999]);
  EXPECT_EQ(3, second[4999]);
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t owner = nullptr;
  ZE_OK(zeMemGetAllocProperties(context, first + 100, &properties, &owner));
  EXPECT_EQ(ZE_MEMORY_TYPE_DEVICE, properties.type);
  EXPECT_EQ(dev, owner);
  void *base = nullptr;
  size_t size = 0;
  ZE_OK(zeMemGetAddressRange(context, first + 100, &base, &size));
  EXPECT_EQ(first, base);
  EXPECT_EQ(5000u, size);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, first)) << "it is closed, not freed";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemCloseIpcHandle(context, memory)) << "it is freed, not closed";
  ZE_OK(zeMemCloseIpcHandle(context, first));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemCloseIpcHandle(context, first));
  EXPECT_EQ(3, second[4999]);
  ZE_OK(zeMemCloseIpcHandle(context, second));
}

TEST_F(Ipc, OpenMemoryOutlivesItsExporter) {
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  ZE_OK(zeMemAllocDevice(context, &desc, 100, 0, dev, &memory));
  static_cast<char *>(memory)[50] = 9;
  ze_ipc_mem_handle_t handle = handleOf(memory);
  char *opened = open(handle);
  ZE_OK(zeMemFree(context, memory));
  EXPECT_EQ(9, opened[50]);
  void *late = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(context, dev, handle, 0, &late)) << "freed";
  ZE_OK(zeMemCloseIpcHandle(context, opened));
}

// The memory moves into a file while kernels and a host thread write it: nothing is lost.
TEST_F(Ipc, SharedWhileInUse) {
  constexpr uint32_t kCount = 24 << 20; // 96 MiB: moved in several pieces
  auto *memory = device<int>(kCount);
  auto list = immediate();
  auto addOne = kernel("add_one", 256);
  setArguments(addOne, memory, kCount);
  ze_group_count_t groups{kCount / 256, 1, 1};
  auto done = event();
  constexpr int kLaunches = 12;
  std::atomic<bool> stop{false};
  auto *counter = device<int>(1 << 20);
  int counted = 0;
  std::thread host([&] {
    while (!stop.load()) {
      __atomic_fetch_add(counter + counted % 4096 * 256, 1, __ATOMIC_RELAXED);
      ++counted;
    }
  });
  for (int launch = 0; launch < kLaunches; ++launch)
    ZE_OK(zeCommandListAppendLaunchKernel(list, addOne, &groups, launch + 1 == kLaunches ? done : nullptr, 0, nullptr));
  ze_ipc_mem_handle_t handle = handleOf(memory), counterHandle = handleOf(counter);
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventHostSynchronize(done, kForever));
  stop.store(true);
  host.join();
  auto *opened = reinterpret_cast<int *>(open(handle));
  for (uint32_t index = 0; index < kCount; ++index)
    ASSERT_EQ(kLaunches, opened[index]) << index;
  auto *openedCounter = reinterpret_cast<int *>(open(counterHandle));
  int sum = 0;
  for (int slot = 0; slot < 4096; ++slot)
    sum += openedCounter[slot * 256];
  EXPECT_EQ(counted, sum);
  ZE_OK(zeMemCloseIpcHandle(context, opened));
  ZE_OK(zeMemCloseIpcHandle(context, openedCounter));
}

TEST_F(Ipc, AKernelThatFaultsAfterAMoveIsStillCaught) {
  auto *memory = device<int>(1024);
  handleOf(memory);
  auto list = immediate();
  auto done = event();
  auto store = kernel("store_at", 4);
  int *base = nullptr;
  int64_t index = int64_t{1} << 44;
  int value = 1;
  setArguments(store, base, index, value);
  ze_group_count_t one{1, 1, 1};
  ZE_OK(zeCommandListAppendLaunchKernel(list, store, &one, done, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
}

TEST_F(Ipc, BadHandles) {
  auto *memory = device<char>(5000);
  ze_ipc_mem_handle_t handle{};
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(context, dev, handle, 0, &pointer));
  std::memset(handle.data, 0x5a, sizeof handle.data);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemOpenIpcHandle(context, dev, handle, 0, &pointer));
  handle = handleOf(memory);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeMemOpenIpcHandle(context, dev, handle, 4, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeMemOpenIpcHandle(context, dev, handle, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeMemOpenIpcHandle(context, nullptr, handle, 0, &pointer));
  for (size_t byte = 0; byte < 24; ++byte) { // each byte that says which memory it is
    if (byte / 4 == 2 || byte / 4 == 3)      // the exporter's numbers, for a process that has no such descriptor itself
      continue;
    ze_ipc_mem_handle_t damaged = handle;
    damaged.data[byte] ^= 0x40;
    EXPECT_NE(ZE_RESULT_SUCCESS, zeMemOpenIpcHandle(context, dev, damaged, 0, &pointer)) << byte;
  }
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(context, memory + 1, &handle)) << "not the beginning";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeMemGetIpcHandle(context, nullptr, &handle));
  ze_host_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ze_device_mem_alloc_desc_t deviceDesc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ZE_OK(zeMemAllocShared(context, &deviceDesc, &desc, 1 << 20, 0, dev, &pointer));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(context, pointer, &handle)) << "shared memory";
  ZE_OK(zeMemFree(context, pointer));
  char *opened = open(handleOf(memory));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemGetIpcHandle(context, opened, &handle)) << "of another process";
  ZE_OK(zeMemCloseIpcHandle(context, opened));
  void *function = nullptr;
  ZE_OK(zeDriverGetExtensionFunctionAddress(driver, "zeMemPutIpcHandle", &function));
  auto put = reinterpret_cast<ze_result_t (*)(ze_context_handle_t, ze_ipc_mem_handle_t)>(function);
  ZE_OK(put(context, handleOf(memory)));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, put(context, ze_ipc_mem_handle_t{}));
}

// The contents of a handle, to forge one.
struct Record {
  int32_t sent;
  uint16_t magic, kind;
  int32_t process, descriptor;
  uint64_t inode, size;
};

TEST_F(Ipc, ForgedHandlesOpenNothing) {
  auto *memory = device<char>(5000);
  const ze_ipc_mem_handle_t genuine = handleOf(memory);
  Record record;
  std::memcpy(&record, genuine.data, sizeof record);
  ASSERT_EQ(5000u, record.size);
  auto isRefused = [&](const Record &forged) {
    ze_ipc_mem_handle_t handle = genuine;
    std::memcpy(handle.data, &forged, sizeof forged);
    void *pointer = nullptr;
    return zeMemOpenIpcHandle(context, dev, handle, 0, &pointer) == ZE_RESULT_ERROR_INVALID_ARGUMENT && !pointer;
  };
  for (uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{4096}, uint64_t{8193}, uint64_t{1} << 40, ~uint64_t{99}}) {
    Record forged = record;
    forged.size = size;
    EXPECT_TRUE(isRefused(forged)) << size;
  }
  // Files of the user, under every name; a memory file that is somebody else's; what is no file.
  char name[] = "/tmp/hiplz_ipc_XXXXXX";
  const int file = ::mkstemp(name);
  ASSERT_GE(file, 0);
  ::unlink(name);
  const int other = ::memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const int unsealed = ::memfd_create("hiplz-cpu-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  int pipe[2];
  ASSERT_EQ(0, ::pipe(pipe));
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor : {file, other, unsealed})
    ASSERT_EQ(0, ::ftruncate(descriptor, 8192));
  for (int descriptor : {file, other, unsealed, pipe[0], pipe[1], null, 100000}) {
    struct stat status {};
    ::fstat(descriptor, &status);
    Record forged = record;
    forged.descriptor = descriptor;
    forged.sent = descriptor;
    forged.inode = status.st_ino;
    EXPECT_TRUE(isRefused(forged)) << descriptor;
  }
  for (int descriptor : {file, other, unsealed, pipe[0], pipe[1], null})
    ::close(descriptor);
  // Memory that was never exported: physical memory, and the state of events.
  ze_physical_mem_desc_t physicalDesc{ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, nullptr, 0, 8192};
  ze_physical_mem_handle_t physical = nullptr;
  ZE_OK(zePhysicalMemCreate(context, dev, &physicalDesc, &physical));
  ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC, 4};
  ze_event_pool_handle_t pool = nullptr;
  ZE_OK(zeEventPoolCreate(context, &poolDesc, 1, &dev, &pool));
  int memoryFiles = 0;
  for (int descriptor = 0; descriptor < 200; ++descriptor) {
    char target[100] = "";
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    if (::readlink(link.c_str(), target, sizeof target - 1) < 0 || !std::strstr(target, "memfd:hiplz-cpu") ||
        descriptor == record.descriptor)
      continue;
    ++memoryFiles;
    struct stat status {};
    ASSERT_EQ(0, ::fstat(descriptor, &status));
    Record forged = record;
    forged.descriptor = descriptor;
    forged.sent = descriptor;
    forged.inode = status.st_ino;
    forged.size = static_cast<uint64_t>(status.st_size);
    EXPECT_TRUE(isRefused(forged)) << target;
  }
  EXPECT_EQ(2, memoryFiles);
  ZE_OK(zePhysicalMemDestroy(context, physical));
  ZE_OK(zeEventPoolDestroy(pool));
  // The size of what is open cannot be taken away.
  const std::string path = "/proc/self/fd/" + std::to_string(record.descriptor);
  const int again = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_NE(0, ::ftruncate(again, 0));
  ::close(again);
}

std::atomic<int> applicationFaults{0};
char *faultPage = nullptr;
struct sigaction replacedByApplication;
void applicationHandler(int, siginfo_t *info, void *) {
  ++applicationFaults;
  if (info->si_addr == faultPage)
    ::mprotect(faultPage, 4096, PROT_READ | PROT_WRITE);
  else
    ::_exit(77);
}
void chainingHandler(int signal, siginfo_t *info, void *context) {
  if (info->si_addr == faultPage)
    return applicationHandler(signal, info, context);
  replacedByApplication.sa_sigaction(signal, info, context);
}

// Python's faulthandler, UCX and others install a handler of SIGSEGV after the driver has installed its own.
TEST_F(Ipc, SharedBehindAHandlerOfTheApplication) {
  constexpr size_t kSize = 96 << 20;
  faultPage = static_cast<char *>(::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  handleOf(device<char>(64)); // the driver's handler is there first
  struct sigaction before {};
  ::sigaction(SIGSEGV, nullptr, &before);
  for (auto function : {applicationHandler, chainingHandler, applicationHandler}) {
    auto *memory = device<char>(kSize);
    std::memset(memory, 1, kSize);
    struct sigaction action {};
    action.sa_sigaction = function;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGSEGV, &action, &replacedByApplication);
    std::atomic<bool> done{false};
    std::thread writer([&] {
      for (unsigned value = 0; !done; ++value)
        for (size_t at = 0; at < kSize; at += 4096)
          static_cast<volatile char *>(memory)[at] = static_cast<char>(value);
      for (size_t at = 0; at < kSize; at += 4096)
        memory[at] = 9;
    });
    const ze_ipc_mem_handle_t handle = handleOf(memory);
    done = true;
    writer.join();
    char *opened = open(handle);
    EXPECT_EQ(9, opened[kSize - 4096]);
    ZE_OK(zeMemCloseIpcHandle(context, opened));
    // Its own faults are still its own.
    const int count = applicationFaults;
    ::mprotect(faultPage, 4096, PROT_NONE);
    *static_cast<volatile char *>(faultPage) = 1;
    EXPECT_EQ(count + 1, applicationFaults);
  }
  // Once it has taken its handler away, nobody asks it about the faults of kernels.
  ::sigaction(SIGSEGV, &before, nullptr);
  const int count = applicationFaults;
  ::mprotect(faultPage, 4096, PROT_READ);
  auto list = immediate();
  auto done = event();
  auto store = kernel("store_at", 4);
  int *base = reinterpret_cast<int *>(faultPage);
  int64_t index = 0;
  int value = 1;
  setArguments(store, base, index, value);
  ze_group_count_t one{1, 1, 1};
  ZE_OK(zeCommandListAppendLaunchKernel(list, store, &one, done, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST, zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(count, applicationFaults);
  ::munmap(faultPage, 4096);
}

} // namespace

/// A process that gets a handle of its parent: adds 10 to the first and the last byte.
int ipcMemoryChild() {
  const auto [driver, device, context, ok] = ChildDevice();
  const char *hex = std::getenv("HIPLZ_TEST_HANDLE"), *size = std::getenv("HIPLZ_TEST_SIZE");
  if (!hex || !size || !ok)
    return 1;
  auto handle = handleFromText<ze_ipc_mem_handle_t>(hex);
  void *opened = nullptr;
  if (zeMemOpenIpcHandle(context, device, handle, 0, &opened) != ZE_RESULT_SUCCESS)
    return 2;
  auto *bytes = static_cast<char *>(opened);
  size_t last = std::strtoull(size, nullptr, 10) - 1;
  if (bytes[0] != 17 || bytes[last] != 18)
    return 3;
  bytes[0] += 10;
  bytes[last] += 10;
  return zeMemCloseIpcHandle(context, opened) == ZE_RESULT_SUCCESS ? 0 : 4;
}
