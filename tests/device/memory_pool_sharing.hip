// SPDX-License-Identifier: MIT
// Pools and their allocations between processes: a file descriptor for the pool, inherited by the child, and 64 bytes for
// each allocation.
#include "check.h"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr size_t kBytes = 500000;

hipMemPoolProps properties(hipMemAllocationHandleType handles) {
  hipMemPoolProps result{};
  result.allocType = hipMemAllocationTypePinned;
  result.handleTypes = handles;
  result.location = {hipMemLocationTypeDevice, 0};
  return result;
}

constexpr auto kDescriptor = hipMemHandleTypePosixFileDescriptor;

// The parent's message.
struct Exports {
  hipMemPoolPtrExportData memory, foreign;
  hipIpcMemHandle_t handle; // of the same memory
};

// The same memory by both kinds of handles: each is closed by its own function, whichever was opened or closed first.
void bothHandles(hipMemPool_t pool, Exports &exports) {
  for (int order = 0; order < 4; ++order) {
    void *imported = nullptr, *opened = nullptr;
    for (int step : {0, 1}) {
      if (step == (order & 1))
        HIP_CHECK(hipMemPoolImportPointer(&imported, pool, &exports.memory));
      else
        HIP_CHECK(hipIpcOpenMemHandle(&opened, exports.handle, 0));
    }
    CHECK(opened == imported);
    for (int step : {0, 1}) {
      void *base = nullptr;
      size_t size = 0;
      HIP_CHECK(hipMemGetAddressRange(&base, &size, imported));
      CHECK(base == imported && size == kBytes);
      if (step == order >> 1)
        HIP_CHECK(hipFree(imported));
      else
        HIP_CHECK(hipIpcCloseMemHandle(opened));
    }
    CHECK_EQ(hipMemset(imported, 0, 1), hipErrorInvalidValue);
    CHECK_EQ(hipFree(imported), hipErrorInvalidValue);
    CHECK_EQ(hipIpcCloseMemHandle(opened), hipErrorInvalidValue);
  }
}

// Fills the memory that the parent has exported with 9.
int child(int descriptor, int data) {
  Exports exports;
  if (read(data, &exports, sizeof exports) != sizeof exports)
    return 3;
  hipMemPoolPtrExportData &exported = exports.memory, &foreign = exports.foreign;
  hipMemPool_t pool, own;
  HIP_CHECK(hipMemPoolImportFromShareableHandle(&pool, &descriptor, kDescriptor, 0));
  void *memory = nullptr, *again = nullptr;
  HIP_CHECK(hipMemPoolImportPointer(&memory, pool, &exported));
  HIP_CHECK(hipMemPoolImportPointer(&again, pool, &exported));
  CHECK(memory == again);
  CHECK_EQ(memoryType(memory), hipMemoryTypeDevice);
  CHECK_EQ(hipMemPoolImportPointer(&again, pool, &foreign), hipErrorInvalidValue); // of another pool
  std::vector<unsigned char> host(kBytes);
  HIP_CHECK(hipMemcpy(host.data(), memory, kBytes, hipMemcpyDeviceToHost));
  CHECK_EQ(host[kBytes - 1], 5);
  CHECK_EQ(hipMemset(memory, 0, kBytes + 1), hipErrorInvalidValue);
  CHECK_EQ(hipIpcCloseMemHandle(memory), hipErrorInvalidValue);
  HIP_CHECK(hipMemset(memory, 9, kBytes));
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipFreeAsync(memory, nullptr)); // of two imports
  HIP_CHECK(hipMemset(memory, 9, 1));
  HIP_CHECK(hipFree(memory));
  CHECK_EQ(hipFree(memory), hipErrorInvalidValue);
  bothHandles(pool, exports);
  // An imported pool gives no memory, and is not a device's.
  CHECK_EQ(hipMallocFromPoolAsync(&memory, 100, pool, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetMemPool(0, pool), hipErrorInvalidValue);
  const hipMemPoolProps wanted = properties(kDescriptor);
  HIP_CHECK(hipMemPoolCreate(&own, &wanted));
  CHECK_EQ(hipMemPoolImportPointer(&memory, own, &exported), hipErrorInvalidValue);
  HIP_CHECK(hipMemPoolDestroy(own));
  HIP_CHECK(hipMemPoolDestroy(pool));
  return testResult();
}

} // namespace

// A descriptor may be any number, and what is neither one nor a pointer to one is refused.
void oddDescriptors(int descriptor) {
  rlimit many;
  getrlimit(RLIMIT_NOFILE, &many);
  rlimit more = many;
  more.rlim_cur = more.rlim_max = std::max<rlim_t>(many.rlim_max, 100000);
  hipMemPool_t pool;
  if (setrlimit(RLIMIT_NOFILE, &more) == 0) {
    const int large = fcntl(descriptor, F_DUPFD, 70000);
    CHECK(large >= 70000);
    HIP_CHECK(hipMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void *>(intptr_t(large)), kDescriptor, 0));
    HIP_CHECK(hipMemPoolDestroy(pool));
    HIP_CHECK(hipMemPoolImportFromShareableHandle(&pool, const_cast<int *>(&large), kDescriptor, 0));
    HIP_CHECK(hipMemPoolDestroy(pool));
    close(large);
    setrlimit(RLIMIT_NOFILE, &many);
  }
  hipMemGenericAllocationHandle_t memory;
  for (intptr_t value : {intptr_t(-1), intptr_t(60000), intptr_t(1) << 20, intptr_t(1) << 40, INTPTR_MIN}) {
    void *odd = reinterpret_cast<void *>(value);
    CHECK_EQ(hipMemPoolImportFromShareableHandle(&pool, odd, kDescriptor, 0), hipErrorInvalidValue);
    CHECK_EQ(hipMemImportFromShareableHandle(&memory, odd, kDescriptor), hipErrorInvalidValue);
  }
}

int main(int argc, char **argv) {
  if (argc > 2)
    return child(std::stoi(argv[1]), std::stoi(argv[2]));
  hipMemPool_t pool, other, plain, bad;
  hipMemPoolProps wanted = properties(kDescriptor);
  HIP_CHECK(hipMemPoolCreate(&pool, &wanted));
  HIP_CHECK(hipMemPoolCreate(&other, &wanted));
  wanted = properties(hipMemHandleTypeNone);
  HIP_CHECK(hipMemPoolCreate(&plain, &wanted));
  int descriptor = -1;
  CHECK_EQ(hipMemPoolExportToShareableHandle(&descriptor, plain, kDescriptor, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypeWin32, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolExportToShareableHandle(nullptr, pool, kDescriptor, 0), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolExportToShareableHandle(&descriptor, pool, kDescriptor, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolImportFromShareableHandle(&bad, nullptr, kDescriptor, 0), hipErrorInvalidValue);
  int pipes[2];
  if (pipe(pipes))
    return 1;
  CHECK_EQ(hipMemPoolImportFromShareableHandle(&bad, &pipes[0], kDescriptor, 0), hipErrorInvalidValue);
  HIP_CHECK(hipMemPoolExportToShareableHandle(&descriptor, pool, kDescriptor, 0));

  void *memory = nullptr, *before = nullptr, *foreign = nullptr, *unshared = nullptr;
  HIP_CHECK(hipMallocFromPoolAsync(&before, 1000, pool, nullptr));
  HIP_CHECK(hipMallocFromPoolAsync(&memory, kBytes, pool, nullptr));
  HIP_CHECK(hipMallocFromPoolAsync(&foreign, kBytes, other, nullptr));
  HIP_CHECK(hipMallocFromPoolAsync(&unshared, kBytes, plain, nullptr));
  HIP_CHECK(hipMemset(memory, 5, kBytes));
  HIP_CHECK(hipDeviceSynchronize());
  Exports data;
  CHECK_EQ(hipMemPoolExportPointer(&data.memory, unshared), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolExportPointer(&data.memory, static_cast<char *>(memory) + 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolExportPointer(nullptr, memory), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolExportPointer(&data.memory, nullptr), hipErrorInvalidValue);
  HIP_CHECK(hipMemPoolExportPointer(&data.memory, memory));
  HIP_CHECK(hipMemPoolExportPointer(&data.foreign, foreign));
  HIP_CHECK(hipIpcGetMemHandle(&data.handle, memory));
  if (write(pipes[1], &data, sizeof data) != sizeof data)
    return 1;

  // The exporting process may import as well: the same bytes, and freeing them frees nothing of the pool.
  hipMemPool_t imported;
  void *mapped = nullptr;
  HIP_CHECK(hipMemPoolImportFromShareableHandle(&imported, &descriptor, kDescriptor, 0));
  HIP_CHECK(hipMemPoolImportPointer(&mapped, imported, &data.memory));
  CHECK_EQ(hipMemPoolImportPointer(&mapped, imported, &data.foreign), hipErrorInvalidValue);
  HIP_CHECK(hipMemset(mapped, 5, 1));
  unsigned char bytes[2] = {};
  HIP_CHECK(hipMemset(memory, 6, 1));
  HIP_CHECK(hipMemcpy(bytes, mapped, 2, hipMemcpyDeviceToHost));
  CHECK_EQ(bytes[0] * 10 + bytes[1], 65);
  HIP_CHECK(hipFree(mapped));
  HIP_CHECK(hipMemPoolDestroy(imported));
  HIP_CHECK(hipMemcpy(bytes, memory, 2, hipMemcpyDeviceToHost));
  CHECK_EQ(bytes[0] * 10 + bytes[1], 65);
  HIP_CHECK(hipMemset(memory, 5, kBytes));
  HIP_CHECK(hipDeviceSynchronize());

  const int inherited = dup(descriptor); // without close-on-exec
  const pid_t process = fork();
  if (process == 0) {
    execl("/proc/self/exe", "sharing", std::to_string(inherited).c_str(), std::to_string(pipes[0]).c_str(), nullptr);
    _exit(127);
  }
  int status = -1;
  waitpid(process, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::vector<unsigned char> host(kBytes);
  HIP_CHECK(hipMemcpy(host.data(), memory, kBytes, hipMemcpyDeviceToHost));
  CHECK_EQ(host[0], 9);
  CHECK_EQ(host[kBytes - 1], 9);
  oddDescriptors(descriptor);
  for (int end : {descriptor, inherited, pipes[0], pipes[1]})
    close(end);
  for (void *each : {memory, before, foreign, unshared})
    HIP_CHECK(hipFreeAsync(each, nullptr));
  for (hipMemPool_t each : {pool, other, plain})
    HIP_CHECK(hipMemPoolDestroy(each));
  return testResult();
}
