/* SPDX-License-Identifier: MIT
 * A Level Zero program in C with nothing of HIP: it finds a device, builds a kernel that came from OpenCL C, launches it and
 * checks the result. It runs on any driver; ZE_ENABLE_ALT_DRIVERS=<prefix>/lib/libze_hiplz_cpu.so.1 selects the processor. */
#include <level_zero/ze_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    ze_result_t check_result = (call);                                                                                 \
    if (check_result != ZE_RESULT_SUCCESS) {                                                                           \
      fprintf(stderr, "%s:%d: %s: 0x%x\n", __FILE__, __LINE__, #call, (unsigned)check_result);                         \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { kCount = 1 << 20, kGroup = 256 };

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(1);
  }
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *bytes = malloc(*size);
  if (!bytes || fread(bytes, 1, *size, file) != *size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

static ze_module_handle_t build(ze_context_handle_t context, ze_device_handle_t device, const char *path) {
  ze_module_desc_t desc = {ZE_STRUCTURE_TYPE_MODULE_DESC, NULL, ZE_MODULE_FORMAT_IL_SPIRV, 0, NULL, "", NULL};
  desc.pInputModule = read_file(path, &desc.inputSize);
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result = zeModuleCreate(context, device, &desc, &module, &log);
  if (result != ZE_RESULT_SUCCESS) {
    char text[4096] = "";
    size_t size = sizeof text;
    zeModuleBuildLogGetString(log, &size, text);
    fprintf(stderr, "%s cannot be built (0x%x): %s\n", path, (unsigned)result, text);
    exit(1);
  }
  CHECK(zeModuleBuildLogDestroy(log));
  free((void *)desc.pInputModule);
  return module;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "scale.spv";
  uint32_t count = 1;
  ze_driver_handle_t driver = NULL;
  ze_device_handle_t device = NULL;
  CHECK(zeInit(0));
  CHECK(zeDriverGet(&count, &driver));
  CHECK(zeDeviceGet(driver, &count, &device));
  ze_device_properties_t properties = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  CHECK(zeDeviceGetProperties(device, &properties));
  ze_context_desc_t context_desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC, NULL, 0};
  ze_context_handle_t context = NULL;
  CHECK(zeContextCreate(driver, &context_desc, &context));

  ze_command_queue_desc_t queue_desc = {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  queue_desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list = NULL;
  CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &list));

  ze_module_handle_t module = build(context, device, path);
  ze_kernel_desc_t kernel_desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, NULL, 0, "scale"};
  ze_kernel_handle_t kernel = NULL;
  CHECK(zeKernelCreate(module, &kernel_desc, &kernel));

  ze_device_mem_alloc_desc_t device_desc = {ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, NULL, 0, 0};
  ze_host_mem_alloc_desc_t host_desc = {ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, NULL, 0};
  void *memory = NULL;
  CHECK(zeMemAllocShared(context, &device_desc, &host_desc, kCount * sizeof(float), 64, device, &memory));
  float *data = memory;
  for (int i = 0; i < kCount; ++i)
    data[i] = (float)i;

  ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, NULL,
                                    ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1};
  ze_event_pool_handle_t pool = NULL;
  CHECK(zeEventPoolCreate(context, &pool_desc, 1, &device, &pool));
  ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC, NULL, 0, ZE_EVENT_SCOPE_FLAG_HOST,
                                ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t done = NULL;
  CHECK(zeEventCreate(pool, &event_desc, &done));

  const float factor = 3;
  const ze_group_count_t groups = {kCount / kGroup, 1, 1};
  CHECK(zeKernelSetGroupSize(kernel, kGroup, 1, 1));
  CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
  CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof factor, &factor));
  CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
  CHECK(zeEventHostSynchronize(done, UINT64_MAX));

  int passed = 1;
  for (int i = 0; i < kCount; ++i)
    passed = passed && data[i] == (float)i * factor;
  ze_kernel_timestamp_result_t times;
  CHECK(zeEventQueryKernelTimestamp(done, &times));
  const double ticks = (double)(times.global.kernelEnd - times.global.kernelStart);
  printf("RESULT name=level_zero_driver device=\"%s\" check=%s figure=%.4g unit=us\n", properties.name,
         passed ? "PASS" : "FAIL", ticks * (double)properties.timerResolution / 1000);

  CHECK(zeEventDestroy(done));
  CHECK(zeEventPoolDestroy(pool));
  CHECK(zeMemFree(context, memory));
  CHECK(zeKernelDestroy(kernel));
  CHECK(zeModuleDestroy(module));
  CHECK(zeCommandListDestroy(list));
  CHECK(zeContextDestroy(context));
  return passed ? 0 : 1;
}
