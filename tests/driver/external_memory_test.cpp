// SPDX-License-Identifier: MIT
// Memory that is exported and imported as a file descriptor: as an opaque one and in the way of a dma_buf, of every kind of
// allocation and of images.
#include "image_support.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

class ExternalMemory : public ImageTest {
protected:
  static constexpr ze_external_memory_type_flag_t kTypes[] = {ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
                                                              ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};

  ze_result_t tryAllocate(ze_memory_type_t type, size_t bytes, const void *extension, void **memory) {
    ze_device_mem_alloc_desc_t onDevice{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, extension, 0, 0};
    ze_host_mem_alloc_desc_t onHost{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, extension, 0};
    switch (type) {
    case ZE_MEMORY_TYPE_HOST: return zeMemAllocHost(context, &onHost, bytes, 0, memory);
    case ZE_MEMORY_TYPE_SHARED:
      onHost.pNext = nullptr;
      return zeMemAllocShared(context, &onDevice, &onHost, bytes, 0, dev, memory);
    default: return zeMemAllocDevice(context, &onDevice, bytes, 0, dev, memory);
    }
  }
  unsigned char *exportable(ze_memory_type_t kind, size_t bytes, ze_external_memory_type_flags_t types) {
    ze_external_memory_export_desc_t wanted{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr, types};
    void *memory = nullptr;
    EXPECT_EQ(ZE_RESULT_SUCCESS, tryAllocate(kind, bytes, &wanted, &memory));
    return static_cast<unsigned char *>(memory);
  }
  static ze_external_memory_import_fd_t importOf(int descriptor, ze_external_memory_type_flags_t types) {
    return {ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr, types, descriptor};
  }
  ze_result_t tryImport(ze_memory_type_t kind, size_t bytes, int descriptor, ze_external_memory_type_flags_t types,
                        void **memory) {
    const ze_external_memory_import_fd_t import = importOf(descriptor, types);
    return tryAllocate(kind, bytes, &import, memory);
  }
  ze_result_t tryExport(const void *memory, ze_external_memory_type_flags_t types, int *descriptor) {
    ze_external_memory_export_fd_t out{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr, types, -1};
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    properties.pNext = &out;
    const ze_result_t result = zeMemGetAllocProperties(context, memory, &properties, nullptr);
    *descriptor = out.fd;
    return result;
  }
  ze_memory_type_t typeOf(const void *memory) {
    ze_memory_allocation_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemGetAllocProperties(context, memory, &properties, nullptr));
    return properties.type;
  }
};

TEST_F(ExternalMemory, EveryKindIsExportedAndImported) {
  ze_device_external_memory_properties_t external{};
  external.stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES;
  ZE_OK(zeDeviceGetExternalMemoryProperties(dev, &external));
  const ze_external_memory_type_flags_t both =
      ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
  for (auto types : {external.memoryAllocationImportTypes, external.memoryAllocationExportTypes,
                     external.imageImportTypes, external.imageExportTypes})
    EXPECT_EQ(both, types);

  const uint8_t pattern = 0xab;
  for (auto type : kTypes)
    for (auto kind : {ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_SHARED})
      for (size_t bytes : {size_t{1}, size_t{1024}, size_t{10000}}) {
        SCOPED_TRACE(std::to_string(type) + " " + std::to_string(kind) + " " + std::to_string(bytes));
        unsigned char *memory = exportable(kind, bytes, type);
        ASSERT_TRUE(memory);
        EXPECT_EQ(kind, typeOf(memory));
        ZE_OK(zeCommandListAppendMemoryFill(list(), memory, &pattern, 1, bytes, nullptr, 0, nullptr));
        int descriptor = -1;
        ZE_OK(tryExport(memory, type, &descriptor));
        ASSERT_GE(descriptor, 0);
        auto *mapped =
            static_cast<unsigned char *>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
        ASSERT_NE(MAP_FAILED, static_cast<void *>(mapped));
        EXPECT_EQ(pattern, mapped[bytes - 1]);
        void *imported = nullptr;
        ZE_OK(tryImport(kind, bytes, descriptor, type, &imported));
        EXPECT_EQ(kind, typeOf(imported));
        EXPECT_EQ(pattern, static_cast<unsigned char *>(imported)[bytes - 1]);
        mapped[0] = 9;
        EXPECT_EQ(9, memory[0]);
        ZE_OK(zeMemFree(context, memory));
        EXPECT_EQ(9, *static_cast<unsigned char *>(imported)) << "it outlives its exporter";
        ZE_OK(zeMemFree(context, imported));
        ::munmap(mapped, bytes);
      }
}

// As with Intel's driver; the handle that a descriptor is turned into is the same that the memory itself has.
TEST_F(ExternalMemory, MemoryNeedNotHaveBeenMadeForIt) {
  for (auto type : kTypes)
    for (auto kind : {ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_HOST}) {
      void *memory = nullptr, *imported = nullptr;
      ZE_OK(tryAllocate(kind, 10000, nullptr, &memory));
      auto *bytes = static_cast<unsigned char *>(memory);
      bytes[9999] = 4;
      int descriptor = -1, again = -1;
      ZE_OK(tryExport(bytes + 100, type, &descriptor));
      ZE_OK(tryExport(bytes, type, &again));
      EXPECT_EQ(descriptor, again);
      ZE_OK(tryImport(kind, 10000, descriptor, type, &imported));
      EXPECT_EQ(4, static_cast<unsigned char *>(imported)[9999]);
      if (!handlesAreWrapped()) {
        ze_ipc_mem_handle_t fromDescriptor{}, own{};
        ZE_OK((extension<ze_result_t (*)(ze_context_handle_t, uint64_t, ze_ipc_mem_handle_t *)>(
            "zeMemGetIpcHandleFromFileDescriptorExp")(context, static_cast<uint64_t>(descriptor), &fromDescriptor)));
        ZE_OK(zeMemGetIpcHandle(context, memory, &own));
        EXPECT_EQ(0, std::memcmp(&own, &fromDescriptor, sizeof own));
      }
      ZE_OK(zeMemFree(context, imported));
      ZE_OK(zeMemFree(context, memory));
    }
}

TEST_F(ExternalMemory, ImportedFilesAreThoseOfTheCaller) {
  const int file = ::memfd_create("test", MFD_CLOEXEC);
  ASSERT_EQ(0, ::ftruncate(file, 8192));
  void *imported = nullptr;
  ZE_OK(tryImport(ZE_MEMORY_TYPE_DEVICE, 8192, file, kTypes[0], &imported));
  static_cast<char *>(imported)[5] = 6;
  char byte = 0;
  EXPECT_EQ(1, ::pread(file, &byte, 1, 5));
  EXPECT_EQ(6, byte);
  EXPECT_EQ(0, ::lseek(file, 0, SEEK_CUR)) << "the position is the caller's as well";
  for (auto kind : {ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_SHARED}) {
    void *refused = nullptr;
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, tryImport(kind, 8193, file, kTypes[0], &refused));
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, tryImport(kind, 0, file, kTypes[0], &refused));
  }
  ZE_OK(zeMemFree(context, imported));
  ::close(file);
}

TEST_F(ExternalMemory, WhatIsNoMemoryIsRefused) {
  int pipe[2], sockets[2];
  ASSERT_EQ(0, ::pipe(pipe));
  ASSERT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
  const int sealed = ::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(0, ::ftruncate(sealed, 8192));
  ASSERT_EQ(0, ::fcntl(sealed, F_ADD_SEALS, F_SEAL_WRITE));
  const int event = ::eventfd(0, EFD_CLOEXEC), program = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC),
            folder = ::open("/", O_RDONLY | O_CLOEXEC), null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  void *memory = nullptr;
  for (auto type : kTypes) {
    for (int descriptor : {pipe[0], pipe[1], sockets[0], event, program, folder, null, sealed, -1, 1 << 20}) {
      SCOPED_TRACE(descriptor);
      for (auto kind : {ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_SHARED}) {
        const ze_result_t result = tryImport(kind, 1, descriptor, type, &memory);
        EXPECT_TRUE(result == ZE_RESULT_ERROR_INVALID_ARGUMENT || result == ZE_RESULT_ERROR_INVALID_SIZE) << result;
      }
      const ze_external_memory_import_fd_t import = importOf(descriptor, type);
      ze_image_desc_t image = Picture{formatNamed("R8 UINT"), ZE_IMAGE_TYPE_1D, {16, 1, 1}, {}}.desc();
      image.pNext = &import;
      ze_image_handle_t made = nullptr;
      EXPECT_NE(ZE_RESULT_SUCCESS, zeImageCreate(context, dev, &image, &made));
    }
  }
  for (uint32_t types : {0u, 3u, 4u, 1u << 31}) { // none, two, another, one that there is not
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, tryImport(ZE_MEMORY_TYPE_DEVICE, 1, sealed, types, &memory));
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, tryImport(ZE_MEMORY_TYPE_HOST, 1, sealed, types, &memory));
  }
  int descriptor = -1;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, tryExport(&descriptor, kTypes[1], &descriptor)) << "nobody's memory";
  unsigned char *shared = exportable(ZE_MEMORY_TYPE_DEVICE, 64, kTypes[0] | kTypes[1]);
  for (auto type : kTypes)
    EXPECT_EQ(ZE_RESULT_SUCCESS, tryExport(shared, type, &descriptor));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, tryExport(shared, 3, &descriptor)) << "one descriptor, one type";
  ZE_OK(zeMemFree(context, shared));
  ze_external_memory_export_desc_t wanted{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr, 4};
  for (auto kind : {ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_SHARED})
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, tryAllocate(kind, 64, &wanted, &memory));
  ze_external_memory_import_win32_handle_t windows{};
  windows.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, tryAllocate(ZE_MEMORY_TYPE_HOST, 64, &windows, &memory));
  for (int done : {pipe[0], pipe[1], sockets[0], sockets[1], sealed, event, program, folder, null})
    ::close(done);
}

// A process that has given away a file of its own may shrink it at any time.
TEST_F(ExternalMemory, AFileThatShrinksLosesTheDevice) {
  const int file = ::memfd_create("test", MFD_CLOEXEC);
  ASSERT_EQ(0, ::ftruncate(file, 8192));
  ze_context_desc_t contextDesc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t other = nullptr;
  ZE_OK(zeContextCreate(driver, &contextDesc, &other));
  const ze_external_memory_import_fd_t import = importOf(file, kTypes[1]);
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, &import, 0, 0};
  void *imported = nullptr;
  ZE_OK(zeMemAllocDevice(other, &desc, 8192, 0, dev, &imported));
  ze_command_queue_desc_t queueDesc{};
  queueDesc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queueDesc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t commands = nullptr;
  ZE_OK(zeCommandListCreateImmediate(other, dev, &queueDesc, &commands));
  const char pattern = 1;
  ZE_OK(zeCommandListAppendMemoryFill(commands, imported, &pattern, 1, 8192, nullptr, 0, nullptr));
  ASSERT_EQ(0, ::ftruncate(file, 0));
  EXPECT_EQ(ZE_RESULT_ERROR_DEVICE_LOST,
            zeCommandListAppendMemoryFill(commands, imported, &pattern, 1, 8192, nullptr, 0, nullptr));
  ZE_OK(zeCommandListDestroy(commands));
  ZE_OK(zeMemFree(other, imported));
  ZE_OK(zeContextDestroy(other));
  ::close(file);
}

TEST_F(ExternalMemory, ImagesAreInItWithoutPadding) {
  const std::pair<ze_image_type_t, std::array<uint32_t, 3>> shapes[] = {
      {ZE_IMAGE_TYPE_1D, {1024, 1, 1}},    {ZE_IMAGE_TYPE_2D, {33, 8, 1}},     {ZE_IMAGE_TYPE_3D, {31, 8, 4}},
      {ZE_IMAGE_TYPE_1DARRAY, {65, 3, 1}}, {ZE_IMAGE_TYPE_2DARRAY, {7, 5, 3}}, {ZE_IMAGE_TYPE_BUFFER, {1000, 1, 1}}};
  for (auto type : kTypes)
    for (const auto &[kind, size] : shapes) {
      SCOPED_TRACE(kind);
      const Picture picture = Picture::random(formatNamed("RG16 UINT"), kind, size, 5);
      const size_t bytes = picture.bytes.size();
      unsigned char *memory = exportable(ZE_MEMORY_TYPE_DEVICE, bytes, type);
      std::memcpy(memory, picture.bytes.data(), bytes);
      int descriptor = -1;
      ZE_OK(tryExport(memory, type, &descriptor));

      // An image in the memory: what one writes the other reads.
      ze_external_memory_import_fd_t import = importOf(descriptor, type);
      ze_image_desc_t desc = picture.desc();
      desc.pNext = &import;
      ze_image_handle_t image = create(desc);
      ASSERT_TRUE(image);
      EXPECT_EQ(picture.bytes, download(image, bytes));
      memory[bytes - 1] ^= 0xff;
      EXPECT_EQ(memory[bytes - 1], download(image, bytes)[bytes - 1]);
      desc.width += kind == ZE_IMAGE_TYPE_BUFFER ? 4096 : 1024; // of more than the file has
      ze_image_handle_t refused = nullptr;
      EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeImageCreate(context, dev, &desc, &refused));
      ZE_OK(zeMemFree(context, memory));
      EXPECT_EQ(picture.bytes[0], download(image, bytes)[0]);

      // An image of its own whose descriptor is memory for others.
      ze_external_memory_export_desc_t wanted{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, nullptr, type};
      desc = picture.desc();
      desc.pNext = &wanted;
      image = create(desc);
      ASSERT_TRUE(image);
      ZE_OK(zeCommandListAppendImageCopyFromMemory(list(), image, picture.bytes.data(), nullptr, nullptr, 0, nullptr));
      ze_external_memory_export_fd_t out{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr, type, -1};
      ze_image_allocation_ext_properties_t properties{ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES, &out, 0};
      ZE_OK(zeImageGetAllocPropertiesExt(context, image, &properties));
      void *imported = nullptr;
      ZE_OK(tryImport(ZE_MEMORY_TYPE_DEVICE, bytes, out.fd, type, &imported));
      EXPECT_EQ(0, std::memcmp(imported, picture.bytes.data(), bytes));
      ZE_OK(zeMemFree(context, imported));
      // Kernels find the rows, too, and so do views.
      ze_image_desc_t viewDesc = picture.desc();
      viewDesc.format.type = ZE_IMAGE_FORMAT_TYPE_SINT;
      ze_image_handle_t view = nullptr;
      ZE_OK(zeImageViewCreateExp(context, dev, &viewDesc, image, &view));
      EXPECT_EQ(picture.bytes, download(view, bytes));
      ZE_OK(zeImageDestroy(view));
    }
  ze_image_handle_t ordinary = create(Picture{formatNamed("R8 UINT"), ZE_IMAGE_TYPE_1D, {16, 1, 1}, {}}.desc());
  ze_external_memory_export_fd_t out{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, nullptr, kTypes[0], -1};
  ze_image_allocation_ext_properties_t properties{ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES, &out, 0};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeImageGetAllocPropertiesExt(context, ordinary, &properties));
}

} // namespace
