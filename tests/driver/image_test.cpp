// SPDX-License-Identifier: MIT
// zeImage*, zeSampler* and copies of images: what they do, and each error.
#include "image_support.h"

#include <algorithm>

namespace {

class Images : public ImageTest {
protected:
  ze_image_desc_t desc(const char *format = "RGBA8 UNORM", ze_image_type_t type = ZE_IMAGE_TYPE_2D,
                       std::array<uint32_t, 3> size = {4, 4, 1}) {
    return Picture{formatNamed(format), type, size, {}}.desc();
  }
  ze_result_t tryCreate(const ze_image_desc_t &desc) {
    ze_image_handle_t image = nullptr;
    const ze_result_t result = zeImageCreate(context, dev, &desc, &image);
    EXPECT_EQ(result == ZE_RESULT_SUCCESS, image != nullptr);
    if (image)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeImageDestroy(image));
    return result;
  }
  ze_device_image_properties_t limits() {
    ze_device_image_properties_t limits{};
    limits.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeDeviceGetImageProperties(dev, &limits));
    return limits;
  }
};

TEST_F(Images, LimitsAreAsOpenClDemands) {
  const ze_device_image_properties_t properties = limits();
  EXPECT_GE(properties.maxImageDims1D, 16384u);
  EXPECT_GE(properties.maxImageDims2D, 16384u);
  EXPECT_GE(properties.maxImageDims3D, 2048u);
  EXPECT_GE(properties.maxImageBufferSize, 65536u * 16);
  EXPECT_GE(properties.maxImageArraySlices, 2048u);
  EXPECT_GE(properties.maxSamplers, 16u);
  EXPECT_GE(properties.maxReadImageArgs, 128u);
  EXPECT_GE(properties.maxWriteImageArgs, 64u);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDeviceGetImageProperties(dev, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeDeviceGetImageProperties(nullptr, nullptr));
}

TEST_F(Images, AreAsLargeAsTheLimitsAndNoLarger) {
  const ze_device_image_properties_t most = limits();
  EXPECT_EQ(ZE_RESULT_SUCCESS, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_1D, {most.maxImageDims1D, 1, 1})));
  EXPECT_EQ(ZE_RESULT_SUCCESS, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_2D, {most.maxImageDims2D, 2, 1})));
  EXPECT_EQ(ZE_RESULT_SUCCESS, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_2D, {2, most.maxImageDims2D, 1})));
  EXPECT_EQ(ZE_RESULT_SUCCESS, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_3D, {2, 2, most.maxImageDims3D})));
  EXPECT_EQ(ZE_RESULT_SUCCESS, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_2DARRAY, {2, 2, most.maxImageArraySlices})));
  const ze_result_t kTooLarge = ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  EXPECT_EQ(kTooLarge, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_1D, {most.maxImageDims1D + 1, 1, 1})));
  EXPECT_EQ(kTooLarge, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_2D, {2, most.maxImageDims2D + 1, 1})));
  EXPECT_EQ(kTooLarge, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_3D, {2, 2, most.maxImageDims3D + 1})));
  EXPECT_EQ(kTooLarge, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_1DARRAY, {2, most.maxImageArraySlices + 1, 1})));
  EXPECT_EQ(kTooLarge, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_2D, {0, 2, 1})));
  EXPECT_EQ(kTooLarge, tryCreate(desc("R8 UINT", ZE_IMAGE_TYPE_2D, {2, 0, 1})));
  ze_image_desc_t huge = desc();
  for (uint64_t width : {uint64_t{1} << 32, (uint64_t{1} << 32) + 4, UINT64_MAX, UINT64_MAX / 4 + 2}) {
    huge.width = width;
    for (auto type : {ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_BUFFER}) {
      huge.type = type;
      EXPECT_EQ(kTooLarge, tryCreate(huge)) << width;
    }
  }
  // More memory than there is cannot be had, however small each dimension is.
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
            tryCreate(desc("RGBA32 FLOAT", ZE_IMAGE_TYPE_2DARRAY, {16384, 16384, 2048})));
}

// ze_image_pitched_exp_desc_t: rows are as far apart as zeMemGetPitchFor2dImage says.
TEST_F(Images, LieInMemoryOfTheProgram) {
  constexpr size_t kPitch = 64;
  auto *memory = device<uint8_t>(4 * kPitch);
  std::memset(memory, 0xee, 4 * kPitch);
  struct {
    uint32_t stype;
    const void *next;
    void *memory;
  } pitched{0x2001f, nullptr, memory};
  ze_image_desc_t wanted = desc("R8 UINT", ZE_IMAGE_TYPE_2D, {10, 4, 1});
  wanted.pNext = &pitched;
  ze_image_handle_t image = create(wanted);
  uint8_t texels[40];
  for (uint8_t index = 0; index < 40; ++index)
    texels[index] = index;
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendImageCopyFromMemory(list, image, texels, nullptr, nullptr, 0, nullptr));
  for (size_t y = 0; y < 4; ++y) {
    EXPECT_EQ(0, std::memcmp(memory + y * kPitch, texels + 10 * y, 10)) << y;
    EXPECT_EQ(0xee, memory[y * kPitch + 10]) << "padding";
  }
  memory[kPitch] = 99;
  ZE_OK(zeCommandListAppendImageCopyToMemory(list, texels, image, nullptr, nullptr, 0, nullptr));
  EXPECT_EQ(99, texels[10]);
  wanted.height = 5;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, tryCreate(wanted)) << "beyond the allocation";
  int own = 0;
  pitched.memory = &own;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, tryCreate(wanted)) << "not an allocation";
  pitched.memory = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, tryCreate(wanted));
}

TEST_F(Images, AreOnTheAccountOfTheirDevice) {
  ze_device_memory_properties_t memory{};
  uint32_t count = 1;
  memory.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  ZE_OK(zeDeviceGetMemoryProperties(dev, &count, &memory));
  // Twice the memory, an eighth of it at a time: that works if images give theirs back.
  constexpr uint32_t kRow = 16384 * 16;
  const auto rows = static_cast<uint32_t>(std::min<uint64_t>(16384, memory.totalSize / 8 / kRow));
  const uint32_t layers = static_cast<uint32_t>(memory.totalSize / 8 / kRow / rows);
  for (int round = 0; round < 16; ++round)
    ASSERT_EQ(ZE_RESULT_SUCCESS,
              tryCreate(desc("RGBA32 FLOAT", ZE_IMAGE_TYPE_2DARRAY, {16384, rows, std::clamp(layers, 1u, 2048u)})));
}

TEST_F(Images, HaveAllFormatsAndNoOthers) {
  ze_image_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES;
  for (const Format &format : allFormats()) {
    const ze_image_desc_t asked = desc(format.name);
    ZE_OK(zeImageGetProperties(dev, &asked, &properties));
    EXPECT_EQ(format.isInteger() ? ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT
                                 : ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR,
              properties.samplerFilterFlags)
        << format;
    EXPECT_EQ(ZE_RESULT_SUCCESS, tryCreate(asked)) << format;
  }
  auto refused = [&](ze_image_format_layout_t layout, ze_image_format_type_t type) {
    ze_image_desc_t asked = desc();
    asked.format.layout = layout;
    asked.format.type = type;
    EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, tryCreate(asked)) << layout << " " << type;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeImageGetProperties(dev, &asked, &properties));
    EXPECT_EQ(0u, properties.samplerFilterFlags);
  };
  refused(ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_FLOAT);
  refused(ZE_IMAGE_FORMAT_LAYOUT_11_11_10, ZE_IMAGE_FORMAT_TYPE_UNORM);
  refused(ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, ZE_IMAGE_FORMAT_TYPE_SNORM);
  refused(ZE_IMAGE_FORMAT_LAYOUT_5_6_5, ZE_IMAGE_FORMAT_TYPE_UINT);
  refused(ZE_IMAGE_FORMAT_LAYOUT_NV12, ZE_IMAGE_FORMAT_TYPE_UNORM);
  refused(static_cast<ze_image_format_layout_t>(1000), ZE_IMAGE_FORMAT_TYPE_UNORM);
  refused(ZE_IMAGE_FORMAT_LAYOUT_8, static_cast<ze_image_format_type_t>(1000));
  ze_image_desc_t asked = desc();
  asked.format.y = static_cast<ze_image_format_swizzle_t>(7);
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, tryCreate(asked));
}

TEST_F(Images, CreationSaysWhatIsWrong) {
  const ze_image_desc_t good = desc();
  ze_image_handle_t image = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageCreate(nullptr, dev, &good, &image));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageCreate(context, nullptr, &good, &image));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageCreate(context, dev, nullptr, &image));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageCreate(context, dev, &good, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageDestroy(nullptr));
  ze_image_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageGetProperties(nullptr, &good, &properties));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageGetProperties(dev, nullptr, &properties));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageGetProperties(dev, &good, nullptr));
  ze_image_desc_t bad = good;
  bad.flags = 0x4;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, tryCreate(bad));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeImageGetProperties(dev, &bad, &properties));
  bad = good;
  bad.type = static_cast<ze_image_type_t>(ZE_IMAGE_TYPE_BUFFER + 1);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, tryCreate(bad));
  bad = good;
  bad.miplevels = 3;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, tryCreate(bad));
  ze_external_memory_import_win32_handle_t import{};
  import.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32;
  bad = good;
  bad.pNext = &import;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, tryCreate(bad));
  ze_srgb_ext_desc_t srgb{ZE_STRUCTURE_TYPE_SRGB_EXT_DESC, nullptr, true};
  bad.pNext = &srgb;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, tryCreate(bad));
  srgb.sRGB = false;
  EXPECT_EQ(ZE_RESULT_SUCCESS, tryCreate(bad));
}

TEST_F(Images, SamplersSayWhatIsWrong) {
  const ze_sampler_desc_t good = samplerDesc(ZE_SAMPLER_ADDRESS_MODE_MIRROR, ZE_SAMPLER_FILTER_MODE_LINEAR, true);
  ze_sampler_handle_t made = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeSamplerCreate(nullptr, dev, &good, &made));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeSamplerCreate(context, nullptr, &good, &made));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeSamplerCreate(context, dev, nullptr, &made));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeSamplerCreate(context, dev, &good, nullptr));
  ze_sampler_desc_t bad = good;
  bad.addressMode = static_cast<ze_sampler_address_mode_t>(5);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeSamplerCreate(context, dev, &bad, &made));
  bad = good;
  bad.filterMode = static_cast<ze_sampler_filter_mode_t>(2);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeSamplerCreate(context, dev, &bad, &made));
  EXPECT_FALSE(made);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeSamplerDestroy(nullptr));
}

TEST_F(Images, AreZeroAtFirst) {
  EXPECT_EQ(std::vector<uint8_t>(5 * 3 * 4), download(create(desc("RGBA8 UNORM", ZE_IMAGE_TYPE_2D, {5, 3, 1})), 60));
}

TEST_F(Images, AreCopied) {
  const struct {
    ze_image_type_t type;
    std::array<uint32_t, 3> size;
  } shapes[] = {{ZE_IMAGE_TYPE_1D, {9, 1, 1}},    {ZE_IMAGE_TYPE_1DARRAY, {5, 3, 1}},
                {ZE_IMAGE_TYPE_2D, {300, 70, 1}}, {ZE_IMAGE_TYPE_2DARRAY, {5, 4, 3}},
                {ZE_IMAGE_TYPE_3D, {65, 4, 3}},   {ZE_IMAGE_TYPE_BUFFER, {77, 1, 1}}};
  for (const auto &shape : shapes)
    for (const char *format : {"R8 UINT", "RGBA16 FLOAT", "RGBA32 SINT"}) {
      SCOPED_TRACE(shape.type);
      const Picture picture = Picture::random(formatNamed(format), shape.type, shape.size, 20);
      ze_image_handle_t image = upload(picture), copy = create(picture.desc());
      EXPECT_EQ(picture.bytes, download(image, picture.bytes.size()));
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendImageCopy(list(), copy, image, nullptr, 0, nullptr));
      EXPECT_EQ(picture.bytes, download(copy, picture.bytes.size()));
    }
}

TEST_F(Images, RegionsAreCopied) {
  Picture to = Picture::random(formatNamed("RG16 UINT"), ZE_IMAGE_TYPE_3D, {6, 5, 4}, 21);
  Picture from = Picture::random(formatNamed("RG16 UINT"), ZE_IMAGE_TYPE_3D, {5, 6, 3}, 22);
  ze_image_handle_t target = upload(to), source = upload(from);
  const ze_image_region_t there{1, 2, 1, 3, 2, 2}, here{2, 3, 0, 3, 2, 2};
  ZE_OK(zeCommandListAppendImageCopyRegion(list(), target, source, &there, &here, nullptr, 0, nullptr));
  for (uint32_t z = 0; z < 2; ++z)
    for (uint32_t y = 0; y < 2; ++y)
      std::memcpy(to.at(1, 2 + y, 1 + z), from.at(2, 3 + y, z), 3 * 4);
  EXPECT_EQ(to.bytes, download(target, to.bytes.size()));

  // Between memory and a region: dense, or with the caller's pitches.
  std::vector<uint8_t> memory(12 * 4);
  ZE_OK(zeCommandListAppendImageCopyToMemory(list(), memory.data(), source, &here, nullptr, 0, nullptr));
  for (uint32_t z = 0; z < 2; ++z)
    for (uint32_t y = 0; y < 2; ++y)
      EXPECT_EQ(0, std::memcmp(memory.data() + (z * 2 + y) * 12, from.at(2, 3 + y, z), 12));
  std::vector<uint8_t> padded(200, 0xee);
  ZE_OK(zeCommandListAppendImageCopyToMemoryExt(list(), padded.data(), source, &here, 20, 100, nullptr, 0, nullptr));
  for (uint32_t z = 0; z < 2; ++z)
    for (uint32_t y = 0; y < 2; ++y) {
      EXPECT_EQ(0, std::memcmp(padded.data() + z * 100 + y * 20, from.at(2, 3 + y, z), 12));
      EXPECT_EQ(0xee, padded[z * 100 + y * 20 + 12]);
    }
  ZE_OK(zeCommandListAppendImageCopyFromMemoryExt(list(), source, padded.data(), &there, 20, 100, nullptr, 0, nullptr));
  for (uint32_t z = 0; z < 2; ++z)
    for (uint32_t y = 0; y < 2; ++y)
      std::memcpy(from.at(1, 2 + y, 1 + z), padded.data() + z * 100 + y * 20, 12);
  EXPECT_EQ(from.bytes, download(source, from.bytes.size()));
  // Two parts of one image.
  const ze_image_region_t left{0, 0, 0, 2, 2, 1}, right{2, 0, 0, 2, 2, 1};
  ZE_OK(zeCommandListAppendImageCopyRegion(list(), source, source, &left, &right, nullptr, 0, nullptr));
  for (uint32_t y = 0; y < 2; ++y)
    std::memcpy(from.at(0, y, 0), from.at(2, y, 0), 8);
  EXPECT_EQ(from.bytes, download(source, from.bytes.size()));
}

TEST_F(Images, RegionsWithoutWidthAreNotCopied) {
  const Picture picture = Picture::random(formatNamed("R8 UINT"), ZE_IMAGE_TYPE_2D, {4, 4, 1}, 26);
  ze_image_handle_t image = upload(picture);
  const std::vector<uint8_t> other(16, 0xee);
  const ze_image_region_t nothing{1, 1, 0, 0, 2, 1}, row{0, 3, 0, 4, 0, 0};
  ze_event_handle_t done = event();
  ZE_OK(zeCommandListAppendImageCopyFromMemory(list(), image, other.data(), &nothing, done, 0, nullptr));
  ZE_OK(zeEventQueryStatus(done));
  EXPECT_EQ(picture.bytes, download(image, 16));
  // No height and no depth are one row.
  ZE_OK(zeCommandListAppendImageCopyFromMemory(list(), image, other.data(), &row, nullptr, 0, nullptr));
  const std::vector<uint8_t> got = download(image, 16);
  EXPECT_EQ(0, std::memcmp(got.data(), picture.bytes.data(), 12));
  EXPECT_EQ(0, std::memcmp(got.data() + 12, other.data(), 4));
}

TEST_F(Images, LayersAreRowsOrSlicesOfRegions) {
  Picture picture = Picture::random(formatNamed("R8 UINT"), ZE_IMAGE_TYPE_1DARRAY, {4, 3, 1}, 23);
  ze_image_handle_t image = upload(picture);
  std::vector<uint8_t> padded(64, 0xee);
  const ze_image_region_t layers{1, 1, 0, 2, 2, 1};
  ZE_OK(zeCommandListAppendImageCopyToMemoryExt(list(), padded.data(), image, &layers, 2, 16, nullptr, 0, nullptr));
  for (uint32_t layer = 0; layer < 2; ++layer)
    EXPECT_EQ(0, std::memcmp(padded.data() + 16 * layer, picture.at(1, 1 + layer, 0), 2));
  EXPECT_EQ(0xee, padded[2]);
}

TEST_F(Images, CopiesSayWhatIsWrong) {
  ze_image_handle_t image = create(desc()), other = create(desc("RGBA16 FLOAT"));
  std::vector<uint8_t> memory(64);
  auto *bytes = memory.data();
  auto *const commands = list();
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            zeCommandListAppendImageCopy(nullptr, image, image, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            zeCommandListAppendImageCopy(commands, nullptr, image, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            zeCommandListAppendImageCopy(commands, image, nullptr, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeCommandListAppendImageCopy(commands, image, other, nullptr, 1, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeCommandListAppendImageCopy(commands, image, other, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_OVERLAPPING_REGIONS,
            zeCommandListAppendImageCopy(commands, image, image, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            zeCommandListAppendImageCopyToMemory(commands, nullptr, image, nullptr, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            zeCommandListAppendImageCopyFromMemory(commands, image, nullptr, nullptr, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            zeCommandListAppendImageCopyToMemory(commands, bytes, nullptr, nullptr, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
            zeCommandListAppendImageCopyFromMemoryExt(commands, nullptr, bytes, nullptr, 0, 0, nullptr, 0, nullptr));
  const ze_image_region_t outside[] = {{4, 0, 0, 1, 1, 1},          {0, 0, 0, 5, 1, 1},
                                       {0, 3, 0, 1, 2, 1},          {0, 0, 1, 1, 1, 1},
                                       {0, 0, 0, 1, 1, 2},          {UINT32_MAX, 0, 0, 2, 1, 1},
                                       {1, 0, 0, UINT32_MAX, 1, 1}, {0, UINT32_MAX, UINT32_MAX, 1, 1, 1}};
  for (const ze_image_region_t &region : outside) {
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
              zeCommandListAppendImageCopyToMemory(commands, bytes, image, &region, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
              zeCommandListAppendImageCopyFromMemory(commands, image, bytes, &region, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
              zeCommandListAppendImageCopyRegion(commands, image, image, &region, nullptr, nullptr, 0, nullptr));
  }
  const ze_image_region_t two{0, 0, 0, 2, 2, 1}, three{0, 0, 0, 3, 1, 1}, overlapping{1, 1, 0, 2, 2, 1};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE,
            zeCommandListAppendImageCopyRegion(commands, image, image, &two, &three, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_OVERLAPPING_REGIONS,
            zeCommandListAppendImageCopyRegion(commands, image, image, &two, &overlapping, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeCommandListAppendImageCopyToMemoryExt(commands, bytes, image, &two, 7, 0, nullptr, 0, nullptr));
}

TEST_F(Images, CopiesSignalAndWait) {
  const Picture picture = Picture::random(formatNamed("R8 UINT"), ZE_IMAGE_TYPE_2D, {8, 8, 1}, 24);
  ze_image_handle_t image = create(picture.desc());
  ze_event_handle_t go = event(), filled = event(), done = event();
  std::vector<uint8_t> memory(64);
  auto commands = regular();
  ZE_OK(zeCommandListAppendImageCopyFromMemory(commands, image, picture.bytes.data(), nullptr, filled, 1, &go));
  ZE_OK(zeCommandListAppendImageCopyToMemory(commands, memory.data(), image, nullptr, done, 1, &filled));
  ZE_OK(zeCommandListClose(commands));
  auto where = queue();
  ZE_OK(zeCommandQueueExecuteCommandLists(where, 1, &commands, nullptr));
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(filled));
  ZE_OK(zeEventHostSignal(go));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(picture.bytes, memory);
}

TEST_F(Images, AreResidentAndHaveMemory) {
  ze_image_handle_t image = create(desc("RGBA8 UNORM", ZE_IMAGE_TYPE_3D, {20, 3, 2}));
  ZE_OK(zeContextMakeImageResident(context, dev, image));
  ZE_OK(zeContextEvictImage(context, dev, image));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeContextMakeImageResident(context, dev, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeContextEvictImage(context, nullptr, image));
  ze_image_allocation_ext_properties_t allocation{};
  allocation.stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES;
  ZE_OK(zeImageGetAllocPropertiesExt(context, image, &allocation));
  EXPECT_NE(0u, allocation.id);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageGetAllocPropertiesExt(context, image, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageGetAllocPropertiesExt(context, nullptr, &allocation));
  ze_image_memory_properties_exp_t memory{};
  memory.stype = ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES;
  ZE_OK(zeImageGetMemoryPropertiesExp(image, &memory));
  EXPECT_GE(memory.rowPitch, 80u);
  EXPECT_GE(memory.slicePitch, 3 * memory.rowPitch);
  EXPECT_GE(memory.size, 2 * memory.slicePitch);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageGetMemoryPropertiesExp(image, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageGetMemoryPropertiesExp(nullptr, &memory));
}

TEST_F(Images, ViewsShowTheTexelsInTheirOwnWay) {
  const Picture picture = Picture::random(formatNamed("RGBA8 UINT"), ZE_IMAGE_TYPE_2D, {8, 2, 1}, 25);
  ze_image_desc_t viewed = picture.desc();
  ze_image_handle_t image = nullptr, view = nullptr;
  ZE_OK(zeImageCreate(context, dev, &viewed, &image));
  ZE_OK(zeCommandListAppendImageCopyFromMemory(list(), image, picture.bytes.data(), nullptr, nullptr, 0, nullptr));
  ze_image_desc_t asked = desc("R32 UINT", ZE_IMAGE_TYPE_2D, {8, 2, 1});
  ZE_OK(zeImageViewCreateExp(context, dev, &asked, image, &view));
  EXPECT_EQ(picture.bytes, download(view, picture.bytes.size()));
  ZE_OK(zeImageDestroy(view));
  asked = desc("RGBA16 FLOAT", ZE_IMAGE_TYPE_2D, {8, 2, 1});
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, zeImageViewCreateExp(context, dev, &asked, image, &view));
  asked = desc("R32 UINT", ZE_IMAGE_TYPE_2D, {16, 2, 1});
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeImageViewCreateExp(context, dev, &asked, image, &view));
  asked = desc("R32 UINT", ZE_IMAGE_TYPE_2D, {8, 2, 1});
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeImageViewCreateExp(context, dev, &asked, nullptr, &view));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageViewCreateExp(context, dev, nullptr, image, &view));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeImageViewCreateExp(context, dev, &asked, image, nullptr));
  asked.type = static_cast<ze_image_type_t>(9);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeImageViewCreateExp(context, dev, &asked, image, &view));
  ZE_OK(zeImageDestroy(image));
}

TEST_F(Images, ArgumentsAreHandles) {
  ze_kernel_handle_t sample = kernel("sample_image2d", 8);
  ze_image_handle_t image = create(desc());
  ze_sampler_handle_t nearest =
      sampler(samplerDesc(ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_FILTER_MODE_NEAREST, false));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetArgumentValue(sample, 0, sizeof image, &image));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetArgumentValue(sample, 1, sizeof nearest, &nearest));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(sample, 0, 4, &image));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(sample, 1, 16, &nearest));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeKernelSetArgumentValue(sample, 0, sizeof image, nullptr));
  // Something else where an image is expected.
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeKernelSetArgumentValue(sample, 0, sizeof nearest, &nearest));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeKernelSetArgumentValue(sample, 1, sizeof image, &image));
  alignas(64) char noObject[64] = {};
  void *pointer = noObject;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeKernelSetArgumentValue(sample, 0, sizeof pointer, &pointer));
}

// Functions for which Debian 12's loader has no place.
class LaterImages : public Images {
protected:
  void SetUp() override {
    if (handlesAreWrapped())
      GTEST_SKIP() << "the validation layer wraps handles";
    Images::SetUp();
  }
};

TEST_F(LaterImages, LaunchWithArguments) {
  using Launch = ze_result_t (*)(ze_command_list_handle_t, ze_kernel_handle_t, ze_group_count_t, ze_group_count_t,
                                 void **, const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
  const auto launch = extension<Launch>("zeCommandListAppendLaunchKernelWithArguments");
  const Picture picture = Picture::random(formatNamed("R32 UINT"), ZE_IMAGE_TYPE_2D, {8, 1, 1}, 27);
  ze_image_handle_t image = upload(picture);
  ze_sampler_handle_t edge = sampler(samplerDesc(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_NEAREST, true));
  std::vector<Position> at;
  for (int x = 0; x < 8; ++x)
    at.push_back({(static_cast<float>(x) + 0.5f) / 8, 0.5f, 0, 0});
  Position *positions = filled(at);
  Words *colors = device<Words>(8);
  void *arguments[] = {&image, &edge, &positions, &colors};
  ZE_OK(launch(list(), kernel("sample_int_image2d"), {1, 1, 1}, {8, 1, 1}, arguments, nullptr, nullptr, 0, nullptr));
  for (uint32_t x = 0; x < 8; ++x)
    EXPECT_EQ(picture.texel(x, 0, 0), colorOf(colors[x], picture.format));
  void *nothing[] = {&image, nullptr, &positions, &colors};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            launch(list(), kernel("sample_int_image2d"), {1, 1, 1}, {8, 1, 1}, nothing, nullptr, nullptr, 0, nullptr));
}

TEST_F(LaterImages, ViewsAndPitches) {
  const auto createView = extension<decltype(&zeImageViewCreateExp)>("zeImageViewCreateExt");
  const Picture picture = Picture::random(formatNamed("RGBA8 UINT"), ZE_IMAGE_TYPE_2D, {8, 2, 1}, 28);
  ze_image_handle_t image = upload(picture), view = nullptr;
  const ze_image_desc_t asked = desc("R32 UINT", ZE_IMAGE_TYPE_2D, {8, 2, 1});
  ZE_OK(createView(context, dev, &asked, image, &view));
  EXPECT_EQ(picture.bytes, download(view, picture.bytes.size()));
  ZE_OK(zeImageDestroy(view));

  using GetPitch = ze_result_t (*)(ze_context_handle_t, ze_device_handle_t, size_t, size_t, unsigned, size_t *);
  const auto getPitch = extension<GetPitch>("zeMemGetPitchFor2dImage");
  size_t pitch = 0;
  ZE_OK(getPitch(context, dev, 33, 5, 4, &pitch));
  EXPECT_GE(pitch, 33u * 4);
  EXPECT_EQ(0u, pitch % 64);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, getPitch(nullptr, dev, 33, 5, 4, &pitch));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, getPitch(context, nullptr, 33, 5, 4, &pitch));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, getPitch(context, dev, 33, 5, 4, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, getPitch(context, dev, 0, 5, 4, &pitch));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, getPitch(context, dev, SIZE_MAX / 2, 5, 4, &pitch));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, getPitch(context, dev, SIZE_MAX, 5, 1, &pitch));
}

} // namespace
