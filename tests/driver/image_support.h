// SPDX-License-Identifier: MIT
// Images in driver tests: creation, copies, and launches of the kernels of kernels/images.cl.
#pragma once
#include "image_reference.h"
#include "support.h"

using Words = std::array<uint32_t, 4>; ///< a colour as it is in registers
using Position = std::array<float, 4>;

class ImageTest : public KernelTest {
protected:
  void TearDown() override;
  const char *moduleFile() const override { return "images.spv"; }

  ze_image_handle_t create(const ze_image_desc_t &desc);
  /// An image with the texels of a picture.
  ze_image_handle_t upload(const Picture &picture);
  /// The texels of an image, without padding.
  std::vector<uint8_t> download(ze_image_handle_t image, size_t bytes);
  ze_sampler_handle_t sampler(const ze_sampler_desc_t &desc);
  static ze_sampler_desc_t samplerDesc(ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter,
                                       bool isNormalized) {
    return {ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, mode, filter, isNormalized};
  }

  /// Memory of the device with these values.
  template <class T> T *filled(const std::vector<T> &values) {
    T *memory = device<T>(values.size());
    std::memcpy(static_cast<void *>(memory), values.data(), values.size() * sizeof(T));
    return memory;
  }
  /// Runs a kernel for as many work-items as a multiple of eight has, and waits.
  template <class... Args> void run(const std::string &name, size_t items, const Args &...args) {
    ze_kernel_handle_t made = kernel(name.c_str(), items % 32 == 0 ? 32 : items % 8 == 0 ? 8 : 1);
    setArguments(made, args...);
    const ze_group_count_t groups{static_cast<uint32_t>(items % 32 == 0  ? items / 32
                                                        : items % 8 == 0 ? items / 8
                                                                         : items),
                                  1, 1};
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list(), made, &groups, nullptr, 0, nullptr)) << name;
  }
  /// A list that executes what is appended before the call returns.
  ze_command_list_handle_t list() {
    if (!list_)
      list_ = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    return list_;
  }

private:
  std::vector<ze_image_handle_t> images_;
  std::vector<ze_sampler_handle_t> samplers_;
  ze_command_list_handle_t list_ = nullptr;
};

/// The part of a kernel's name that is the type of its image.
const char *typeName(ze_image_type_t type);

/// The words of a colour: integers for integer formats, else numbers of single precision.
Color colorOf(const Words &words, const Format &format);
Words wordsOf(const Color &color, const Format &format);
