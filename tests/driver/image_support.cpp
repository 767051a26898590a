// SPDX-License-Identifier: MIT
// See image_support.h.
#include "image_support.h"

#include <bit>

void ImageTest::TearDown() {
  for (ze_image_handle_t image : images_)
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeImageDestroy(image));
  for (ze_sampler_handle_t sampler : samplers_)
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeSamplerDestroy(sampler));
  KernelTest::TearDown();
}

ze_image_handle_t ImageTest::create(const ze_image_desc_t &desc) {
  ze_image_handle_t image = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeImageCreate(context, dev, &desc, &image));
  if (image)
    images_.push_back(image);
  return image;
}

ze_image_handle_t ImageTest::upload(const Picture &picture) {
  ze_image_handle_t image = create(picture.desc());
  EXPECT_EQ(ZE_RESULT_SUCCESS,
            zeCommandListAppendImageCopyFromMemory(list(), image, picture.bytes.data(), nullptr, nullptr, 0, nullptr));
  return image;
}

std::vector<uint8_t> ImageTest::download(ze_image_handle_t image, size_t bytes) {
  std::vector<uint8_t> texels(bytes);
  EXPECT_EQ(ZE_RESULT_SUCCESS,
            zeCommandListAppendImageCopyToMemory(list(), texels.data(), image, nullptr, nullptr, 0, nullptr));
  return texels;
}

ze_sampler_handle_t ImageTest::sampler(const ze_sampler_desc_t &desc) {
  ze_sampler_handle_t sampler = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeSamplerCreate(context, dev, &desc, &sampler));
  if (sampler)
    samplers_.push_back(sampler);
  return sampler;
}

const char *typeName(ze_image_type_t type) {
  switch (type) {
  case ZE_IMAGE_TYPE_1D: return "image1d";
  case ZE_IMAGE_TYPE_1DARRAY: return "image1d_array";
  case ZE_IMAGE_TYPE_2D: return "image2d";
  case ZE_IMAGE_TYPE_2DARRAY: return "image2d_array";
  case ZE_IMAGE_TYPE_3D: return "image3d";
  default: return "image1d_buffer";
  }
}

Color colorOf(const Words &words, const Format &format) {
  Color color;
  for (size_t c = 0; c < 4; ++c)
    color[c] = format.isSigned()    ? static_cast<int32_t>(words[c])
               : format.isInteger() ? static_cast<double>(words[c])
                                    : std::bit_cast<float>(words[c]);
  return color;
}

Words wordsOf(const Color &color, const Format &format) {
  Words words;
  for (size_t c = 0; c < 4; ++c)
    words[c] = format.isInteger() ? static_cast<uint32_t>(static_cast<int64_t>(color[c]))
                                  : std::bit_cast<uint32_t>(static_cast<float>(color[c]));
  return words;
}
