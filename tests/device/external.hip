// SPDX-License-Identifier: MIT
// Memory from file descriptors, as another API would hand it over, and what there is to say about semaphores and OpenGL.
#include "tests/device/check.h"

#include <fcntl.h>
#include <hip/hip_gl_interop.h>
#include <sys/mman.h>
#include <unistd.h>

__global__ void increment(int *data, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    data[index] += index;
}

static hipExternalMemoryHandleDesc describe(int descriptor, size_t bytes) {
  hipExternalMemoryHandleDesc description{};
  description.type = hipExternalMemoryHandleTypeOpaqueFd;
  description.handle.fd = descriptor;
  description.size = bytes;
  return description;
}

static int newFile(size_t bytes) {
  const int file = memfd_create("external", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
    std::abort();
  return file;
}

static bool isOpen(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

/// False if the device imports no file descriptors; the scenario then ends.
static bool imports() {
  hipExternalMemory_t memory = nullptr;
  const int file = newFile(4096);
  const hipExternalMemoryHandleDesc description = describe(file, 4096);
  const hipError_t imported = hipImportExternalMemory(&memory, &description);
  if (imported == hipErrorNotSupported) {
    CHECK(isOpen(file)); // what could not be imported is the caller's still
    close(file);
    return false;
  }
  HIP_CHECK(imported);
  HIP_CHECK(hipDestroyExternalMemory(memory));
  return true;
}

TEST(importedMemory) {
  if (!imports())
    return;
  constexpr int kCount = 4096;
  constexpr size_t kBytes = kCount * sizeof(int);
  const int file = newFile(kBytes);
  auto *view = static_cast<int *>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  for (int index = 0; index < kCount; ++index)
    view[index] = 1000;
  hipExternalMemory_t memory = nullptr;
  const hipExternalMemoryHandleDesc description = describe(file, kBytes);
  HIP_CHECK(hipImportExternalMemory(&memory, &description));
  CHECK(isOpen(file)); // HIP's now
  void *whole = nullptr, *half = nullptr;
  hipExternalMemoryBufferDesc buffer{};
  buffer.size = kBytes;
  HIP_CHECK(hipExternalMemoryGetMappedBuffer(&whole, memory, &buffer));
  buffer.offset = kBytes / 2;
  buffer.size = kBytes / 2;
  HIP_CHECK(hipExternalMemoryGetMappedBuffer(&half, memory, &buffer));
  CHECK(memoryType(whole) == hipMemoryTypeDevice && memoryType(half) == hipMemoryTypeDevice);
  (void)hipGetLastError(); // what was refused on purpose
  increment<<<kCount / 256, 256>>>(static_cast<int *>(whole), kCount);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(view[kCount - 1], 1000 + kCount - 1); // the other side sees it
  view[kCount / 2] = -1;
  int seen = 0;
  HIP_CHECK(hipMemcpy(&seen, half, sizeof seen, hipMemcpyDeviceToHost));
  CHECK_EQ(seen, -1);
  hipPointerAttribute_t attributes{};
  HIP_CHECK(hipPointerGetAttributes(&attributes, half));
  CHECK_EQ(attributes.type, hipMemoryTypeDevice);
  HIP_CHECK(hipMemset(half, 0, kBytes / 2));
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(view[kCount - 1], 0);

  buffer.offset = kBytes / 2;
  buffer.size = kBytes / 2 + 1;
  void *none = nullptr;
  CHECK_EQ(hipExternalMemoryGetMappedBuffer(&none, memory, &buffer), hipErrorInvalidValue);
  buffer.size = 0;
  CHECK_EQ(hipExternalMemoryGetMappedBuffer(&none, memory, &buffer), hipErrorInvalidValue);
  CHECK_EQ(hipExternalMemoryGetMappedBuffer(&none, memory, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipExternalMemoryGetMappedBuffer(nullptr, memory, &buffer), hipErrorInvalidValue);
  hipMipmappedArray_t array = nullptr;
  hipExternalMemoryMipmappedArrayDesc levels{};
  CHECK_EQ(hipExternalMemoryGetMappedMipmappedArray(&array, memory, &levels), hipErrorNotSupported);
  CHECK_EQ(hipExternalMemoryGetMappedMipmappedArray(&array, nullptr, &levels), hipErrorInvalidValue);
  CHECK_EQ(hipExternalMemoryGetMappedMipmappedArray(nullptr, memory, &levels), hipErrorInvalidValue);
  HIP_CHECK(hipDestroyExternalMemory(memory));
  CHECK(!isOpen(file));
  CHECK_EQ(hipDestroyExternalMemory(memory), hipErrorInvalidValue);
  CHECK_EQ(hipExternalMemoryGetMappedBuffer(&none, memory, &buffer), hipErrorInvalidValue);
  // Mappings are freed one by one, also after the object that they come from.
  HIP_CHECK(hipFree(half));
  CHECK_EQ(hipFree(half), hipErrorInvalidValue);
  HIP_CHECK(hipMemset(whole, 0, kBytes));
  HIP_CHECK(hipFree(whole));
  munmap(view, kBytes);
}

TEST(badMemory) {
  if (!imports())
    return;
  hipExternalMemory_t memory = nullptr;
  const int file = newFile(4096);
  hipExternalMemoryHandleDesc description = describe(file, 4096);
  CHECK_EQ(hipImportExternalMemory(nullptr, &description), hipErrorInvalidValue);
  CHECK_EQ(hipImportExternalMemory(&memory, nullptr), hipErrorInvalidValue);
  description.size = 0;
  CHECK_EQ(hipImportExternalMemory(&memory, &description), hipErrorInvalidValue);
  description.size = 8192;
  CHECK_EQ(hipImportExternalMemory(&memory, &description), hipErrorInvalidValue); // more than there is
  CHECK(isOpen(file));
  description = describe(file, 4096);
  description.flags = 8;
  CHECK_EQ(hipImportExternalMemory(&memory, &description), hipErrorInvalidValue);
  description = describe(file, 4096);
  description.type = hipExternalMemoryHandleTypeOpaqueWin32;
  CHECK_EQ(hipImportExternalMemory(&memory, &description), hipErrorNotSupported);
  description.type = static_cast<hipExternalMemoryHandleType>(99);
  CHECK_EQ(hipImportExternalMemory(&memory, &description), hipErrorInvalidValue);
  close(file);
  description = describe(file, 4096);
  CHECK_EQ(hipImportExternalMemory(&memory, &description), hipErrorInvalidValue);
  CHECK_EQ(hipDestroyExternalMemory(nullptr), hipErrorInvalidValue);
}

TEST(semaphores) {
  hipExternalSemaphore_t semaphore = nullptr;
  hipExternalSemaphoreHandleDesc description{};
  description.type = hipExternalSemaphoreHandleTypeOpaqueFd;
  description.handle.fd = newFile(8);
  const hipError_t imported = hipImportExternalSemaphore(&semaphore, &description);
  CHECK(imported == hipErrorNotSupported || imported == hipErrorInvalidValue); // it is no semaphore in any case
  CHECK(isOpen(description.handle.fd));
  close(description.handle.fd);
  CHECK_EQ(hipImportExternalSemaphore(nullptr, &description), hipErrorInvalidValue);
  CHECK_EQ(hipImportExternalSemaphore(&semaphore, nullptr), hipErrorInvalidValue);
  description.type = hipExternalSemaphoreHandleTypeD3D12Fence;
  CHECK_EQ(hipImportExternalSemaphore(&semaphore, &description), hipErrorNotSupported);
  CHECK_EQ(hipDestroyExternalSemaphore(nullptr), hipErrorInvalidValue);
  hipExternalSemaphoreSignalParams signal{};
  hipExternalSemaphoreWaitParams wait{};
  int noSemaphore = 0;
  semaphore = &noSemaphore;
  CHECK_EQ(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipSignalExternalSemaphoresAsync(&semaphore, &signal, 0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipWaitExternalSemaphoresAsync(nullptr, &wait, 1, nullptr), hipErrorInvalidValue);
}

TEST(openGl) {
  unsigned count = 7;
  int device = 0;
  CHECK_EQ(hipGLGetDevices(&count, &device, 1, hipGLDeviceListAll), hipErrorNoDevice);
  CHECK_EQ(count, 0u);
  CHECK_EQ(hipGLGetDevices(nullptr, &device, 1, hipGLDeviceListAll), hipErrorInvalidValue);
  hipGraphicsResource *resource = nullptr;
  CHECK_EQ(hipGraphicsGLRegisterBuffer(&resource, 1, hipGraphicsRegisterFlagsNone), hipErrorNotSupported);
  CHECK_EQ(hipGraphicsGLRegisterImage(&resource, 1, 0x0DE1, hipGraphicsRegisterFlagsNone), hipErrorNotSupported);
  CHECK_EQ(hipGraphicsGLRegisterBuffer(nullptr, 1, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphicsMapResources(1, &resource, nullptr), hipErrorInvalidHandle);
  CHECK_EQ(hipGraphicsMapResources(0, &resource, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipGraphicsUnmapResources(1, &resource, nullptr), hipErrorInvalidHandle);
  void *pointer = nullptr;
  size_t bytes = 0;
  hipArray_t array = nullptr;
  CHECK_EQ(hipGraphicsResourceGetMappedPointer(&pointer, &bytes, resource), hipErrorInvalidValue);
  CHECK_EQ(hipGraphicsSubResourceGetMappedArray(&array, resource, 0, 0), hipErrorInvalidValue);
  CHECK_EQ(hipGraphicsUnregisterResource(resource), hipErrorInvalidValue);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
