// SPDX-License-Identifier: MIT
// VkFFT with its Level Zero back end, without HIP: it generates OpenCL C, has `clang` and `llvm-spirv` of the PATH make SPIR-V of it,
// and gives that to the driver.
#define VKFFT_BACKEND 4
#include <level_zero/ze_api.h>

// Two calls of the library go through the program, because its Level Zero back end is wrong with every driver
// (https://github.com/DTolm/VkFFT/issues/228): it copies tables by immediate lists, waits for another queue and frees the tables;
// and it asks for properties with a structure that it has not initialised.
static ze_result_t createSynchronousList(ze_context_handle_t context, ze_device_handle_t device,
                                         const ze_command_queue_desc_t *wanted, ze_command_list_handle_t *list) {
  ze_command_queue_desc_t description = *wanted;
  description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  return zeCommandListCreateImmediate(context, device, &description, list);
}
static ze_result_t getProperties(ze_device_handle_t device, ze_device_properties_t *properties) {
  *properties = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  return zeDeviceGetProperties(device, properties);
}
static ze_result_t getComputeProperties(ze_device_handle_t device, ze_device_compute_properties_t *properties) {
  *properties = {ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  return zeDeviceGetComputeProperties(device, properties);
}
#define zeCommandListCreateImmediate createSynchronousList
#define zeDeviceGetProperties getProperties
#define zeDeviceGetComputeProperties getComputeProperties

#include "tests/ecosystem/vkfft_transforms.h"

#define ZE_CHECK(call)                                                                                                 \
  do {                                                                                                                 \
    const ze_result_t result_ = (call);                                                                                \
    if (result_ != ZE_RESULT_SUCCESS) {                                                                                \
      printPlace(__FILE__, __LINE__);                                                                                  \
      std::fprintf(stderr, "%s: 0x%x\n", #call, static_cast<unsigned>(result_));                                       \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

static ze_context_handle_t context;
static ze_device_handle_t device;
static ze_command_queue_handle_t queue;

static void copy(void *to, const void *from, size_t bytes) {
  ze_command_queue_desc_t description = {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  ZE_CHECK(zeCommandListCreateImmediate(context, device, &description, &list));
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, to, from, bytes, nullptr, 0, nullptr));
  ZE_CHECK(zeCommandListDestroy(list));
}

void execute(VkFFTConfiguration configuration, void *data, uint64_t bytes, bool back) {
  ze_device_mem_alloc_desc_t memory = {ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *buffer = nullptr;
  ZE_CHECK(zeMemAllocDevice(context, &memory, bytes, 64, device, &buffer));
  copy(buffer, data, bytes);
  configuration.device = &device;
  configuration.context = &context;
  configuration.commandQueue = &queue;
  configuration.buffer = &buffer;
  configuration.bufferSize = &bytes;
  VkFFTApplication application = {};
  CHECK_EQ(initializeVkFFT(&application, configuration), VKFFT_SUCCESS);
  ze_command_list_desc_t description = {ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list = nullptr;
  ZE_CHECK(zeCommandListCreate(context, device, &description, &list));
  VkFFTLaunchParams parameters = {};
  parameters.commandList = &list;
  CHECK_EQ(VkFFTAppend(&application, -1, &parameters), VKFFT_SUCCESS);
  if (back)
    CHECK_EQ(VkFFTAppend(&application, 1, &parameters), VKFFT_SUCCESS);
  ZE_CHECK(zeCommandListClose(list));
  ZE_CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, nullptr));
  ZE_CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  copy(data, buffer, bytes);
  ZE_CHECK(zeCommandListDestroy(list));
  deleteVkFFT(&application);
  ZE_CHECK(zeMemFree(context, buffer));
}

int main(int argc, char **argv) {
  ZE_CHECK(zeInit(0));
  ze_driver_handle_t driver = nullptr;
  uint32_t count = 1;
  ZE_CHECK(zeDriverGet(&count, &driver));
  count = 1;
  ZE_CHECK(zeDeviceGet(driver, &count, &device));
  ze_context_desc_t description = {ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ZE_CHECK(zeContextCreate(driver, &description, &context));
  ze_command_queue_desc_t queueDescription = {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ZE_CHECK(zeCommandQueueCreate(context, device, &queueDescription, &queue));
  const int result = runTests(argc, argv);
  ZE_CHECK(zeCommandQueueDestroy(queue));
  ZE_CHECK(zeContextDestroy(context));
  return result;
}
