// SPDX-License-Identifier: MIT
// Kernels that read and write images, compared with image_reference.h over formats, types of images and samplers.
#include "image_support.h"

#include <cmath>
#include <limits>
#include <thread>

namespace {

using Size = std::array<uint32_t, 3>;

/// The module is built with the flags of the parameter; null: none.
class ImageKernels : public ImageTest, public testing::WithParamInterface<const char *> {
protected:
  const char *buildFlags() const override { return GetParam(); }

  struct Shape {
    ze_image_type_t type;
    Size size;
  };
  static std::vector<Shape> allShapes() {
    return {{ZE_IMAGE_TYPE_1D, {8, 1, 1}},      {ZE_IMAGE_TYPE_1DARRAY, {5, 3, 1}}, {ZE_IMAGE_TYPE_2D, {7, 4, 1}},
            {ZE_IMAGE_TYPE_2DARRAY, {4, 3, 2}}, {ZE_IMAGE_TYPE_3D, {4, 2, 3}},      {ZE_IMAGE_TYPE_BUFFER, {24, 1, 1}}};
  }

  /// One position for each texel, and for some more that are in none if there have to be a multiple of eight.
  static std::vector<Position> everywhere(const Picture &picture) {
    std::vector<Position> at;
    for (uint32_t z = 0; z < picture.size[2]; ++z)
      for (uint32_t y = 0; y < picture.size[1]; ++y)
        for (uint32_t x = 0; x < picture.size[0]; ++x)
          at.push_back({float(x), float(y), float(z), 99});
    while (at.size() % 8)
      at.push_back({float(picture.size[0]), 0, 0, 0});
    return at;
  }

  /// The texel that a kernel reads or samples at each position.
  std::vector<Words> read(const std::string &name, const std::vector<Position> &at, ze_image_handle_t image,
                          ze_sampler_handle_t sampler = nullptr) {
    Position *positions = filled(at);
    Words *colors = device<Words>(at.size());
    if (sampler)
      run(name, at.size(), image, sampler, positions, colors);
    else
      run(name, at.size(), image, positions, colors);
    return {colors, colors + at.size()};
  }

  static void expectColor(const Color &wanted, const Words &words, const Format &format, double tolerance,
                          const Position &at) {
    const Color got = colorOf(words, format);
    for (size_t c = 0; c < 4; ++c)
      ASSERT_NEAR(wanted[c], got[c], format.isInteger() ? 0 : tolerance * std::max(1.0, std::fabs(wanted[c])))
          << format << " channel " << c << " at " << at[0] << ", " << at[1] << ", " << at[2];
  }

  /// Samples a picture at these coordinates and compares.
  void compare(const Picture &picture, const ze_sampler_desc_t &desc, const std::vector<Position> &at) {
    const std::string kernelName =
        std::string(picture.format.isInteger() ? "sample_int_" : "sample_") + typeName(picture.type);
    const std::vector<Words> got = read(kernelName, at, upload(picture), sampler(desc));
    for (size_t index = 0; index < at.size(); ++index)
      expectColor(picture.sample(desc, {at[index][0], at[index][1], at[index][2]}), got[index], picture.format, 1e-5,
                  at[index]);
  }
};

TEST_P(ImageKernels, ReadTexelsOfAllFormats) {
  for (const Format &format : allFormats()) {
    const Picture picture = Picture::random(format, ZE_IMAGE_TYPE_2D, {16, 2, 1}, 1);
    const std::vector<Position> at = everywhere(picture);
    const std::vector<Words> got = read(format.isInteger() ? "read_int_image2d" : "read_image2d", at, upload(picture));
    for (size_t index = 0; index < at.size(); ++index)
      expectColor(picture.texel(int64_t(at[index][0]), int64_t(at[index][1]), 0), got[index], format, 1.2e-7,
                  at[index]);
  }
}

TEST_P(ImageKernels, WriteTexelsOfAllFormats) {
  const double kHuge = 1e10, kNan = std::nan(""), kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<Color> numbers{{0, 1, 0.5, -1},
                                   {0.1, 0.9, -0.3, 2},
                                   {0.5 / 255, 1.5 / 255, 2.5 / 255, 3.5 / 255}, // halfway between two
                                   {-0.0, 1e-9, 6e-8, 1e-5},
                                   {65504, 65519, 65520, -65536},
                                   {1 + 0x1p-11, 1 + 3 * 0x1p-11, 1 + 0x1p-12, 0x1p-25 * 3},
                                   {kHuge, -kHuge, kInfinity, -kInfinity},
                                   {0.25, kNan, 0.75, 1}};
  const std::vector<Color> whole{{0, 1, 2, 3},
                                 {127, 128, 255, 256},
                                 {32767, 32768, 65535, 65536},
                                 {2147483647, 5, 6, 7},
                                 {-1, -128, -129, -32769},
                                 {-2147483648.0, -5, 300, 1},
                                 {4294967295.0, 4000000000.0, 70000, 9},
                                 {10, 20, 30, 40}};
  for (const Format &format : allFormats()) {
    SCOPED_TRACE(format.name);
    Picture picture = Picture::random(format, ZE_IMAGE_TYPE_2D, {8, 1, 1}, 2);
    std::vector<Words> colors;
    for (const Color &color : format.isInteger() ? whole : numbers)
      colors.push_back(wordsOf(color, format));
    const std::vector<Position> at = everywhere(picture);
    ze_image_handle_t image = upload(picture);
    Position *positions = filled(at);
    Words *words = filled(colors);
    run(format.isInteger() ? "write_int_image2d" : "write_image2d", at.size(), image, positions, words);
    for (uint32_t x = 0; x < 8; ++x)
      picture.write(x, 0, 0, colorOf(colors[x], format));
    const std::vector<uint8_t> got = download(image, picture.bytes.size());
    if (format.format.type != ZE_IMAGE_FORMAT_TYPE_FLOAT) {
      EXPECT_EQ(picture.bytes, got);
      continue;
    }
    Picture written = picture; // every NaN is as good as another
    written.bytes = got;
    for (uint32_t x = 0; x < 7; ++x)
      EXPECT_EQ(0, std::memcmp(picture.at(x, 0, 0), written.at(x, 0, 0), format.texelBytes)) << x;
  }
}

TEST_P(ImageKernels, NansKeepTheirBits) {
  for (const char *name : {"RGBA16 FLOAT", "RGBA32 FLOAT"}) {
    SCOPED_TRACE(name);
    Picture picture = Picture::random(formatNamed(name), ZE_IMAGE_TYPE_2D, {8, 1, 1}, 2);
    const bool isHalf = picture.format.texelBytes == 8;
    for (uint32_t index = 0; index < 32; ++index) {
      // Quiet and signalling ones of both signs, with one bit of the fraction or with all.
      const uint32_t bits = isHalf ? 10 : 23, all = (1u << bits) - 1;
      const uint32_t fraction = index % 16 < bits ? 1u << (index % 16) : all;
      const uint32_t word = (index / 16) << (isHalf ? 15 : 31) | (isHalf ? 0x7c00u : 0x7f800000u) | fraction;
      std::memcpy(picture.bytes.data() + index * (isHalf ? 2 : 4), &word, isHalf ? 2 : 4);
    }
    ze_image_handle_t image = upload(picture), copy = create(picture.desc());
    const std::vector<Position> at = everywhere(picture);
    Position *positions = filled(at);
    Words *colors = device<Words>(at.size());
    run("read_image2d", at.size(), image, positions, colors);
    run("write_image2d", at.size(), copy, positions, colors);
    EXPECT_EQ(picture.bytes, download(copy, picture.bytes.size()));
  }
}

TEST_P(ImageKernels, ReadAndWriteAllTypes) {
  for (const Shape &shape : allShapes())
    for (const char *name : {"RGBA8 UNORM", "R32 FLOAT", "RG16 SINT", "RGBA32 UINT"}) {
      SCOPED_TRACE(std::string(typeName(shape.type)) + " of " + name);
      const Format &format = formatNamed(name);
      const Picture picture = Picture::random(format, shape.type, shape.size, 3);
      const std::vector<Position> at = everywhere(picture);
      const std::string infix = format.isInteger() ? "_int_" : "_";
      ze_image_handle_t image = upload(picture), copy = create(picture.desc());
      Position *positions = filled(at);
      Words *colors = device<Words>(at.size());
      run("read" + infix + typeName(shape.type), at.size(), image, positions, colors);
      for (size_t index = 0; index < at.size(); ++index)
        expectColor(picture.texel(int64_t(at[index][0]), int64_t(at[index][1]), int64_t(at[index][2])), colors[index],
                    format, 1.2e-7, at[index]);
      run("write" + infix + typeName(shape.type), at.size(), copy, positions, colors);
      EXPECT_EQ(picture.bytes, download(copy, picture.bytes.size()));
    }
}

TEST_P(ImageKernels, ReadWhatTheyHaveWritten) {
  for (const Shape &shape : allShapes()) {
    SCOPED_TRACE(typeName(shape.type));
    Picture picture{formatNamed("RGBA16 SINT"), shape.type, shape.size, {}};
    picture.bytes.resize(picture.count() * 8);
    for (size_t at = 0; at < picture.bytes.size(); at += 2)
      picture.bytes[at] = static_cast<uint8_t>(at);
    ze_image_handle_t image = upload(picture);
    const std::vector<Position> at = everywhere(picture);
    Position *positions = filled(at);
    run(std::string("double_") + typeName(shape.type), at.size(), image, positions);
    const std::vector<uint8_t> got = download(image, picture.bytes.size());
    for (size_t byte = 0; byte < got.size(); byte += 2)
      ASSERT_EQ(2 * picture.bytes[byte], got[byte] + 256 * got[byte + 1]);
  }
}

TEST_P(ImageKernels, SampleInAllModes) {
  struct Mode {
    ze_sampler_address_mode_t mode;
    bool isNormalized;
  };
  const Mode modes[] = {{ZE_SAMPLER_ADDRESS_MODE_NONE, false},
                        {ZE_SAMPLER_ADDRESS_MODE_CLAMP, false},
                        {ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, false},
                        {ZE_SAMPLER_ADDRESS_MODE_CLAMP, true},
                        {ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, true},
                        {ZE_SAMPLER_ADDRESS_MODE_REPEAT, true},
                        {ZE_SAMPLER_ADDRESS_MODE_MIRROR, true}};
  for (const Shape &shape : allShapes()) {
    if (shape.type == ZE_IMAGE_TYPE_BUFFER)
      continue; // has no samplers
    for (const Mode &mode : modes)
      for (auto filter : {ZE_SAMPLER_FILTER_MODE_NEAREST, ZE_SAMPLER_FILTER_MODE_LINEAR})
        for (const char *name : {"RGBA8 UNORM", "R32 FLOAT", "RG16 FLOAT", "RGBA32 SINT", "A8 UNORM"}) {
          const Format &format = formatNamed(name);
          if (format.isInteger() && filter == ZE_SAMPLER_FILTER_MODE_LINEAR)
            continue; // undefined
          SCOPED_TRACE(std::string(typeName(shape.type)) + " of " + name + ", mode " + std::to_string(mode.mode) +
                       (mode.isNormalized ? " normalised" : "") + (filter ? " linear" : ""));
          const Picture picture = Picture::random(format, shape.type, shape.size, 4);
          // Beyond all edges, and nowhere as near to the middle or the edge of a texel as rounding leads.
          std::vector<Position> at;
          const bool isInside = mode.mode == ZE_SAMPLER_ADDRESS_MODE_NONE;
          for (int index = 0; index < 64; ++index) {
            Position position{};
            for (uint32_t d = 0; d < 3; ++d) {
              const auto n = static_cast<float>(picture.size[d]);
              const int whole = d == 0 ? index % 8 : d == 1 ? index / 8 : index * 5 % 8;
              float u =
                  (static_cast<float>(whole) - 2) * (isInside ? 0 : n / 3) + 0.2f + 0.03f * static_cast<float>(whole);
              if (isInside)
                u = std::fmod(static_cast<float>(whole) + 0.7f, n);
              position[d] = d == picture.layers() ? static_cast<float>(whole) - 2.3f : mode.isNormalized ? u / n : u;
            }
            at.push_back(position);
          }
          compare(picture, samplerDesc(mode.mode, filter, mode.isNormalized), at);
        }
  }
}

TEST_P(ImageKernels, SampleAtWholeCoordinates) {
  for (const Shape &shape : allShapes()) {
    if (shape.type == ZE_IMAGE_TYPE_BUFFER)
      continue;
    const Picture picture = Picture::random(formatNamed("RGBA8 UNORM"), shape.type, shape.size, 5);
    for (auto mode : {ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER}) {
      const ze_sampler_desc_t desc = samplerDesc(mode, ZE_SAMPLER_FILTER_MODE_NEAREST, false);
      std::vector<Position> at;
      for (int index = 0; index < 64; ++index)
        at.push_back({float(index % 12 - 2), float(index / 12 - 1), float(index % 5 - 1), 0});
      const std::vector<Words> got =
          read(std::string("sample_at_ints_") + typeName(shape.type), at, upload(picture), sampler(desc));
      for (size_t index = 0; index < at.size(); ++index)
        expectColor(picture.sample(desc, {at[index][0], at[index][1], at[index][2]}), got[index], picture.format,
                    1.2e-7, at[index]);
    }
  }
}

TEST_P(ImageKernels, HaveSamplersOfTheirOwn) {
  const Picture picture = Picture::random(formatNamed("RGBA8 UNORM"), ZE_IMAGE_TYPE_2D, {8, 4, 1}, 6);
  ze_image_handle_t image = upload(picture);
  const std::pair<const char *, ze_sampler_desc_t> samplers[] = {
      {"edge", samplerDesc(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_NEAREST, false)},
      {"border", samplerDesc(ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_FILTER_MODE_LINEAR, false)},
      {"repeat", samplerDesc(ZE_SAMPLER_ADDRESS_MODE_REPEAT, ZE_SAMPLER_FILTER_MODE_NEAREST, true)},
      {"mirror", samplerDesc(ZE_SAMPLER_ADDRESS_MODE_MIRROR, ZE_SAMPLER_FILTER_MODE_LINEAR, true)}};
  for (const auto &[name, desc] : samplers) {
    SCOPED_TRACE(name);
    std::vector<Position> at;
    for (int index = 0; index < 64; ++index)
      at.push_back({float(index % 16) * (desc.isNormalized ? 0.2f : 0.7f) - 1.03f,
                    float(index / 16) * (desc.isNormalized ? 0.6f : 1.7f) - 0.87f, 0, 0});
    const std::vector<Words> got = read(std::string("constant_") + name, at, image);
    for (size_t index = 0; index < at.size(); ++index)
      expectColor(picture.sample(desc, {at[index][0], at[index][1], 0}), got[index], picture.format, 1e-5, at[index]);
  }
}

// Wherever coordinates lead, reading returns a colour of the image or its border, and writing changes nothing else.
TEST_P(ImageKernels, StayWithinTheirImages) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float wild[] = {-1,     1e9f,  -1e9f,   2147483520.f, -2147483648.f, 1e30f,
                        -1e30f, 16384, 0x1p31f, kInfinity,    -kInfinity,    std::nanf("")};
  for (const Shape &shape : allShapes()) {
    SCOPED_TRACE(typeName(shape.type));
    const Picture picture = Picture::random(formatNamed("RGBA8 UNORM"), shape.type, shape.size, 7);
    ze_image_handle_t image = upload(picture);
    std::vector<Position> at;
    for (uint32_t d = 0; d < picture.dimensions(); ++d)
      for (float value : wild) {
        Position position{0, 0, 0, 0};
        position[d] = value;
        if (d == picture.layers() && std::isnan(value))
          continue;
        at.push_back(position);
      }
    while (at.size() % 32)
      at.push_back({-1, -1, -1, -1});
    for (auto mode : {ZE_SAMPLER_ADDRESS_MODE_NONE, ZE_SAMPLER_ADDRESS_MODE_REPEAT, ZE_SAMPLER_ADDRESS_MODE_CLAMP,
                      ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, ZE_SAMPLER_ADDRESS_MODE_MIRROR})
      for (auto filter : {ZE_SAMPLER_FILTER_MODE_NEAREST, ZE_SAMPLER_FILTER_MODE_LINEAR})
        for (bool isNormalized : {false, true}) {
          if (shape.type == ZE_IMAGE_TYPE_BUFFER)
            continue;
          for (const Words &words : read(std::string("sample_") + typeName(shape.type), at, image,
                                         sampler(samplerDesc(mode, filter, isNormalized))))
            for (double value : colorOf(words, picture.format))
              ASSERT_TRUE(std::isnan(value) || (value >= 0 && value <= 1.00001)) << value;
        }
    std::vector<Position> outside;
    for (const Position &position : at)
      if (std::fabs(position[0]) + std::fabs(position[1]) + std::fabs(position[2]) < 1e30f) // converts to an integer
        outside.push_back(position);
    while (outside.size() % 8)
      outside.push_back({-1, -1, -1, -1});
    for (const Words &words : read(std::string("read_") + typeName(shape.type), outside, image))
      EXPECT_EQ((Words{}), words);
    Position *positions = filled(outside);
    Words *colors = filled(std::vector<Words>(outside.size(), Words{0x3f800000, 0, 0x3f000000, 0}));
    run(std::string("write_") + typeName(shape.type), outside.size(), image, positions, colors);
    EXPECT_EQ(picture.bytes, download(image, picture.bytes.size()));
  }
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextGetStatus(context));
}

TEST_P(ImageKernels, WithDivergingWorkItems) {
  const Picture picture = Picture::random(formatNamed("R32 FLOAT"), ZE_IMAGE_TYPE_2D, {8, 4, 1}, 8);
  ze_image_handle_t image = upload(picture);
  ze_sampler_handle_t edge = sampler(samplerDesc(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_LINEAR, false));
  constexpr size_t kItems = 64;
  Words *colors = filled(std::vector<Words>(kItems, Words{7, 7, 7, 7}));
  run("diverge", kItems, image, edge, colors);
  for (uint32_t id = 0; id < kItems; ++id) {
    if (id % 7 == 3) {
      EXPECT_EQ((Words{7, 7, 7, 7}), colors[id]);
      continue;
    }
    double sum = 0;
    for (uint32_t x = 0; x < id % 5; ++x)
      sum += picture.texel(x, id % 3, 0)[0];
    const Color got = colorOf(colors[id], picture.format);
    EXPECT_NEAR(sum, got[0], 1e-5) << id;
    EXPECT_EQ(id % 5, got[3]) << id;
  }
}

TEST_P(ImageKernels, AreToldWhatImagesAre) {
  std::vector<ze_image_handle_t> images;
  for (const Shape &shape : allShapes())
    images.push_back(create(Picture{formatNamed("RG16 UINT"), shape.type, shape.size, {}}.desc()));
  auto *told = device<int32_t>(16);
  run("describe", 1, images[0], images[1], images[2], images[3], images[4], images[5], told);
  const std::vector<int32_t> wanted{8, 5, 3, 7, 4, 7, 4, 4, 3, 2, 3, 4, 2, 3, 3, 24};
  EXPECT_EQ(wanted, std::vector<int32_t>(told, told + 16));
  for (const Format &format : allFormats()) {
    ze_image_handle_t image = create(Picture{format, ZE_IMAGE_TYPE_2D, {1, 1, 1}, {}}.desc());
    run("tellFormat", 1, image, told);
    EXPECT_EQ(format.dataType, static_cast<uint32_t>(told[0])) << format;
    EXPECT_EQ(format.order, static_cast<uint32_t>(told[1])) << format;
  }
}

TEST_P(ImageKernels, HalfsAndDepth) {
  const Picture picture = Picture::random(formatNamed("RGBA16 FLOAT"), ZE_IMAGE_TYPE_2D, {8, 4, 1}, 9);
  ze_image_handle_t image = upload(picture), copy = create(picture.desc());
  ze_sampler_handle_t edge = sampler(samplerDesc(ZE_SAMPLER_ADDRESS_MODE_CLAMP, ZE_SAMPLER_FILTER_MODE_NEAREST, false));
  std::vector<Position> at = everywhere(picture);
  Position *positions = filled(at);
  auto *halfs = device<uint64_t>(at.size());
  run("halfs", at.size(), image, copy, edge, positions, halfs);
  EXPECT_EQ(0, std::memcmp(picture.bytes.data(), halfs, picture.bytes.size()));
  EXPECT_EQ(picture.bytes, download(copy, picture.bytes.size()));

  const Picture depths = Picture::random(formatNamed("R32 FLOAT"), ZE_IMAGE_TYPE_2D, {8, 4, 1}, 10);
  ze_image_desc_t depthDesc = depths.desc();
  depthDesc.format.x = static_cast<ze_image_format_swizzle_t>(7); // ZE_IMAGE_FORMAT_SWIZZLE_D
  image = upload(depths);
  copy = create(depthDesc);
  auto *numbers = device<float>(at.size());
  run("depth", at.size(), image, copy, edge, positions, numbers);
  EXPECT_EQ(0, std::memcmp(depths.bytes.data(), numbers, depths.bytes.size()));
  const std::vector<uint8_t> doubled = download(copy, depths.bytes.size());
  for (size_t index = 0; index < at.size(); ++index) {
    float value;
    std::memcpy(&value, doubled.data() + 4 * index, 4);
    EXPECT_EQ(2 * numbers[index], value);
  }
}

// The names of types in a module are the program's own.
TEST_P(ImageKernels, WhateverTheirTypesAreCalled) {
  const Picture picture = Picture::random(formatNamed("RGBA8 UNORM"), ZE_IMAGE_TYPE_2D, {2, 1, 1}, 11);
  ze_image_handle_t image = upload(picture);
  ze_kernel_handle_t renamed = kernel("renamed", 1);
  auto *colors = device<Words>(1);
  ZE_OK(zeKernelSetArgumentValue(renamed, 0, sizeof image, &image));
  ZE_OK(zeKernelSetArgumentValue(renamed, 1, 64, nullptr));
  ZE_OK(zeKernelSetArgumentValue(renamed, 2, sizeof colors, &colors));
  const ze_group_count_t one{1, 1, 1};
  ZE_OK(zeCommandListAppendLaunchKernel(list(), renamed, &one, nullptr, 0, nullptr));
  expectColor(picture.texel(1, 0, 0), colors[0], picture.format, 1.2e-7, {1, 0, 0, 0});
}

TEST_P(ImageKernels, OfManyThreads) {
  constexpr int kThreads = 4, kRounds = 8;
  const Picture picture = Picture::random(formatNamed("RGBA8 UINT"), ZE_IMAGE_TYPE_2D, {32, 2, 1}, 12);
  const std::vector<Position> at = everywhere(picture);
  Position *positions = filled(at);
  std::vector<Words *> colors;
  std::vector<ze_kernel_handle_t> kernels;
  std::vector<ze_command_list_handle_t> lists;
  for (int thread = 0; thread < kThreads; ++thread) {
    colors.push_back(device<Words>(at.size()));
    kernels.push_back(kernel("read_int_image2d", 32));
    lists.push_back(immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS));
  }
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      const ze_image_desc_t desc = picture.desc();
      const ze_group_count_t groups{static_cast<uint32_t>(at.size() / 32), 1, 1};
      for (int round = 0; round < kRounds; ++round) {
        ze_image_handle_t image = nullptr;
        ASSERT_EQ(ZE_RESULT_SUCCESS, zeImageCreate(context, dev, &desc, &image));
        ASSERT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendImageCopyFromMemory(lists[thread], image, picture.bytes.data(),
                                                                            nullptr, nullptr, 0, nullptr));
        setArguments(kernels[thread], image, positions, colors[thread]);
        ASSERT_EQ(ZE_RESULT_SUCCESS,
                  zeCommandListAppendLaunchKernel(lists[thread], kernels[thread], &groups, nullptr, 0, nullptr));
        ASSERT_EQ(ZE_RESULT_SUCCESS, zeImageDestroy(image));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int thread = 0; thread < kThreads; ++thread)
    for (size_t index = 0; index < at.size(); ++index)
      expectColor(picture.texel(int64_t(at[index][0]), int64_t(at[index][1]), 0), colors[thread][index], picture.format,
                  0, at[index]);
}

// Vectorised, one work-item after the other, and as a debugger wants it.
INSTANTIATE_TEST_SUITE_P(Vector, ImageKernels, testing::Values(nullptr));
INSTANTIATE_TEST_SUITE_P(Scalar, ImageKernels, testing::Values("-hiplz-scalar"));
INSTANTIATE_TEST_SUITE_P(FastMath, ImageKernels, testing::Values("-cl-fast-relaxed-math"));
INSTANTIATE_TEST_SUITE_P(Unoptimized, ImageKernels, testing::Values("-ze-opt-disable"));

} // namespace
