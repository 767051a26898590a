// SPDX-License-Identifier: MIT
// Images: copies from memory, to memory and between two, and kernels that read, sample and write each texel.
#include "bench.h"

#include <cstring>

namespace {

struct Format {
  const char *name;
  ze_image_format_layout_t layout;
  ze_image_format_type_t type;
  uint32_t texelBytes;
};
constexpr Format kFormats[] = {
    {"RGBA8 UNORM", ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, 4},
    {"R32 FLOAT", ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4},
    {"RGBA32 FLOAT", ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 16},
};

ze_image_handle_t imageOf(const Bench &bench, const Format &format, uint32_t side) {
  ze_image_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.flags = ZE_IMAGE_FLAG_KERNEL_WRITE;
  desc.type = ZE_IMAGE_TYPE_2D;
  desc.format = {format.layout,
                 format.type,
                 ZE_IMAGE_FORMAT_SWIZZLE_R,
                 ZE_IMAGE_FORMAT_SWIZZLE_G,
                 ZE_IMAGE_FORMAT_SWIZZLE_B,
                 ZE_IMAGE_FORMAT_SWIZZLE_A};
  desc.width = desc.height = side;
  ze_image_handle_t made = nullptr;
  CALL(zeImageCreate(bench.context, bench.device(), &desc, &made));
  return made;
}

/// Seconds of a list with what `append` puts into it.
double timeOf(const Bench &bench, const std::function<void(ze_command_list_handle_t)> &append) {
  ze_command_queue_handle_t queue = bench.queue(bench.device());
  ze_command_list_handle_t list = bench.list(bench.device());
  append(list);
  CALL(zeCommandListAppendBarrier(list, nullptr, 0, nullptr));
  CALL(zeCommandListClose(list));
  const double seconds = bench.best([&] { bench.execute(queue, list); });
  CALL(zeCommandListDestroy(list));
  CALL(zeCommandQueueDestroy(queue));
  return seconds;
}

double launch(const Bench &bench, const char *name, ze_image_handle_t image, ze_sampler_handle_t sampler, void *out,
              uint32_t side) {
  ze_kernel_handle_t kernel = bench.kernel(name);
  uint32_t argument = 0;
  CALL(zeKernelSetArgumentValue(kernel, argument++, sizeof image, &image));
  if (sampler)
    CALL(zeKernelSetArgumentValue(kernel, argument++, sizeof sampler, &sampler));
  CALL(zeKernelSetArgumentValue(kernel, argument++, sizeof out, &out));
  CALL(zeKernelSetGroupSize(kernel, 32, 8, 1));
  const ze_group_count_t groups{side / 32, side / 8, 1};
  const double seconds = timeOf(bench, [&](ze_command_list_handle_t list) {
    CALL(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr));
  });
  CALL(zeKernelDestroy(kernel));
  return seconds;
}

void measure(const Bench &bench, const Format &format, uint32_t side) {
  const size_t texels = size_t{side} * side, bytes = texels * format.texelBytes;
  const std::string name = std::string(format.name) + ", ";
  void *memory = bench.hostMemory(bytes), *out = bench.deviceMemory(texels * sizeof(float), bench.device());
  std::memset(memory, 0x3c, bytes);
  ze_image_handle_t image = imageOf(bench, format, side), other = imageOf(bench, format, side);
  auto printCopy = [&](const char *what, double seconds) {
    Bench::print(name + what, static_cast<double>(bytes) / seconds / 1e9, "GB/s");
  };
  printCopy("memory to image", timeOf(bench, [&](ze_command_list_handle_t list) {
              CALL(zeCommandListAppendImageCopyFromMemory(list, image, memory, nullptr, nullptr, 0, nullptr));
            }));
  printCopy("image to memory", timeOf(bench, [&](ze_command_list_handle_t list) {
              CALL(zeCommandListAppendImageCopyToMemory(list, memory, image, nullptr, nullptr, 0, nullptr));
            }));
  printCopy("image to image", timeOf(bench, [&](ze_command_list_handle_t list) {
              CALL(zeCommandListAppendImageCopy(list, other, image, nullptr, 0, nullptr));
            }));
  auto printKernel = [&](const char *what, double seconds) {
    Bench::print(name + what, static_cast<double>(texels) / seconds / 1e6, "Mtexel/s");
  };
  printKernel("kernel reads", launch(bench, "image_read", image, nullptr, out, side));
  for (const auto &[filter, what] : {std::pair(ZE_SAMPLER_FILTER_MODE_NEAREST, "kernel samples, nearest"),
                                     std::pair(ZE_SAMPLER_FILTER_MODE_LINEAR, "kernel samples, linear")}) {
    ze_sampler_desc_t desc{ZE_STRUCTURE_TYPE_SAMPLER_DESC, nullptr, ZE_SAMPLER_ADDRESS_MODE_CLAMP, filter, false};
    ze_sampler_handle_t sampler = nullptr;
    CALL(zeSamplerCreate(bench.context, bench.device(), &desc, &sampler));
    printKernel(what, launch(bench, "image_sample", image, sampler, out, side));
    CALL(zeSamplerDestroy(sampler));
  }
  printKernel("kernel writes", launch(bench, "image_write", image, nullptr, out, side));
  CALL(zeImageDestroy(image));
  CALL(zeImageDestroy(other));
  bench.free(memory);
  bench.free(out);
}

} // namespace

void measureImages(const Bench &bench) {
  ze_device_image_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES;
  CALL(zeDeviceGetImageProperties(bench.device(), &properties));
  if (properties.maxImageDims2D == 0) {
    std::printf("the device has no images\n");
    return;
  }
  for (const Format &format : kFormats)
    measure(bench, format, bench.smoke ? 64 : 2048);
}
