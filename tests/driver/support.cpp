// SPDX-License-Identifier: MIT
// See support.h. main() is here: it selects this driver before the first call of the loader.
#include "support.h"
#include "child.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <iterator>

void DriverTest::SetUp() {
  ZE_OK(zeInit(0));
  uint32_t count = 1;
  ZE_OK(zeDriverGet(&count, &driver));
  count = 1;
  ZE_OK(zeDeviceGet(driver, &count, &dev));
  ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ZE_OK(zeContextCreate(driver, &desc, &context));
}

void DriverTest::TearDown() {
  for (; !kept_.empty(); kept_.pop_back())
    EXPECT_EQ(ZE_RESULT_SUCCESS, kept_.back().second(kept_.back().first));
  if (pool_)
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventPoolDestroy(pool_));
  for (void *pointer : allocations_)
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemFree(context, pointer));
  if (context)
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeContextDestroy(context));
}

template <class Handle> Handle DriverTest::keep(Handle handle, ze_result_t (*destroy)(Handle)) {
  kept_.emplace_back(handle, reinterpret_cast<ze_result_t (*)(void *)>(destroy));
  return handle;
}

ze_command_list_handle_t DriverTest::immediate(ze_command_queue_mode_t mode, ze_device_handle_t on) {
  ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, mode,
                               ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_list_handle_t list = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListCreateImmediate(context, on ? on : dev, &desc, &list));
  return keep(list, zeCommandListDestroy);
}

ze_command_list_handle_t DriverTest::regular() {
  ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  ze_command_list_handle_t list = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListCreate(context, dev, &desc, &list));
  return keep(list, zeCommandListDestroy);
}

ze_command_queue_handle_t DriverTest::queue(ze_command_queue_mode_t mode) {
  ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, mode,
                               ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_queue_handle_t queue = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandQueueCreate(context, dev, &desc, &queue));
  return keep(queue, zeCommandQueueDestroy);
}

ze_event_handle_t DriverTest::event() {
  if (!pool_) {
    ze_event_pool_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                              ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 4096};
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventPoolCreate(context, &desc, 1, &dev, &pool_));
  }
  ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, events_++, ZE_EVENT_SCOPE_FLAG_HOST,
                       ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t event = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventCreate(pool_, &desc, &event));
  return keep(event, zeEventDestroy);
}

ze_fence_handle_t DriverTest::fence(ze_command_queue_handle_t queue) {
  ze_fence_desc_t desc{ZE_STRUCTURE_TYPE_FENCE_DESC, nullptr, 0};
  ze_fence_handle_t fence = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeFenceCreate(queue, &desc, &fence));
  return keep(fence, zeFenceDestroy);
}

void *DriverTest::allocate(size_t bytes) {
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *pointer = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeMemAllocDevice(context, &desc, bytes, 64, dev, &pointer));
  if (pointer)
    allocations_.push_back(pointer);
  return pointer;
}

void KernelTest::SetUp() {
  DriverTest::SetUp();
  std::vector<uint8_t> spirv = readKernelFile(moduleFile());
  ASSERT_FALSE(spirv.empty());
  ze_module_desc_t desc = spirvModule(spirv, buildFlags());
  ze_module_build_log_handle_t log = nullptr;
  ze_result_t result = zeModuleCreate(context, dev, &desc, &module, &log);
  if (result != ZE_RESULT_SUCCESS) {
    char text[4096];
    size_t size = sizeof text;
    zeModuleBuildLogGetString(log, &size, text);
    ADD_FAILURE() << text;
  }
  ZE_OK(zeModuleBuildLogDestroy(log));
  ZE_OK(result);
}

void KernelTest::TearDown() {
  for (ze_kernel_handle_t kernel : kernels_)
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelDestroy(kernel));
  if (module)
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeModuleDestroy(module));
  DriverTest::TearDown();
}

ze_kernel_handle_t KernelTest::kernel(const char *name, uint32_t x, uint32_t y, uint32_t z) {
  ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  ze_kernel_handle_t kernel = nullptr;
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelCreate(module, &desc, &kernel));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetGroupSize(kernel, x, y, z));
  kernels_.push_back(kernel);
  return kernel;
}

std::vector<uint8_t> readKernelFile(const std::string &name) {
  std::ifstream file(std::string(HIPLZ_KERNEL_FOLDER "/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int main(int argc, char **argv) {
  if (!dlsym(RTLD_DEFAULT, "zesInit"))
    setenv("ZES_ENABLE_SYSMAN", "1", 0);
  ::setenv("ZE_ENABLE_ALT_DRIVERS", HIPLZ_CPU_DRIVER, 0);
  if (argc == 3 && std::string(argv[1]) == "--child")
    return childMain(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
