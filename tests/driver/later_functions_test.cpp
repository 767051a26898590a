// SPDX-License-Identifier: MIT
// Functions that the specification has got after version 1.4: what lists, queues, events and pools were created with, errors in
// words, the default context, waiting for a whole device.
#include "cpu/ddi/later_types.h"
#include "later.h"

#include <atomic>
#include <thread>

using namespace hiplz::cpu::ddi;

namespace {

using LaterFunctions = LaterTest;

TEST_F(LaterFunctions, QueuesTellWhatTheyWereCreatedWith) {
  ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                               nullptr,
                               0,
                               3,
                               ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY,
                               ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
                               ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW};
  ze_command_queue_handle_t queue = nullptr;
  ZE_OK(zeCommandQueueCreate(context, dev, &desc, &queue));
  EXPECT_EQ(0u, valueOf<uint32_t>("zeCommandQueueGetOrdinal", queue));
  EXPECT_EQ(3u, valueOf<uint32_t>("zeCommandQueueGetIndex", queue));
  EXPECT_EQ(desc.flags, valueOf<ze_command_queue_flags_t>("zeCommandQueueGetFlags", queue));
  EXPECT_EQ(desc.mode, valueOf<ze_command_queue_mode_t>("zeCommandQueueGetMode", queue));
  EXPECT_EQ(desc.priority, valueOf<ze_command_queue_priority_t>("zeCommandQueueGetPriority", queue));
  ZE_OK(zeCommandQueueDestroy(queue));
}

TEST_F(LaterFunctions, ImmediateListsTellWhatTheyWereCreatedWith) {
  ze_command_queue_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                               nullptr,
                               0,
                               5,
                               ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY,
                               ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                               ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH};
  ze_command_list_handle_t list = nullptr;
  ZE_OK(zeCommandListCreateImmediate(context, dev, &desc, &list));
  EXPECT_TRUE(valueOf<ze_bool_t>("zeCommandListIsImmediate", list));
  EXPECT_EQ(dev, valueOf<ze_device_handle_t>("zeCommandListGetDeviceHandle", list));
  EXPECT_EQ(context, valueOf<ze_context_handle_t>("zeCommandListGetContextHandle", list));
  EXPECT_EQ(0u, valueOf<uint32_t>("zeCommandListGetOrdinal", list));
  EXPECT_EQ(5u, valueOf<uint32_t>("zeCommandListImmediateGetIndex", list));
  EXPECT_EQ(desc.flags, valueOf<ze_command_queue_flags_t>("zeCommandListImmediateGetFlags", list));
  EXPECT_EQ(desc.mode, valueOf<ze_command_queue_mode_t>("zeCommandListImmediateGetMode", list));
  EXPECT_EQ(desc.priority, valueOf<ze_command_queue_priority_t>("zeCommandListImmediateGetPriority", list));
  ZE_OK(zeCommandListDestroy(list));
}

TEST_F(LaterFunctions, RegularListsTellWhatTheyWereCreatedWith) {
  ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0,
                              ZE_COMMAND_LIST_FLAG_MAXIMIZE_THROUGHPUT | ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY};
  ze_command_list_handle_t list = nullptr;
  ZE_OK(zeCommandListCreate(context, dev, &desc, &list));
  EXPECT_FALSE(valueOf<ze_bool_t>("zeCommandListIsImmediate", list));
  EXPECT_EQ(dev, valueOf<ze_device_handle_t>("zeCommandListGetDeviceHandle", list));
  EXPECT_EQ(context, valueOf<ze_context_handle_t>("zeCommandListGetContextHandle", list));
  EXPECT_EQ(0u, valueOf<uint32_t>("zeCommandListGetOrdinal", list));
  EXPECT_EQ(desc.flags, valueOf<ze_command_list_flags_t>("zeCommandListGetFlags", list));
  uint64_t out = 0;
  for (const char *name : {"zeCommandListImmediateGetIndex", "zeCommandListImmediateGetFlags",
                           "zeCommandListImmediateGetMode", "zeCommandListImmediateGetPriority"})
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call(name, list, &out)) << name;
  ZE_OK(zeCommandListDestroy(list));
}

TEST_F(LaterFunctions, EventsAndPoolsTellWhatTheyWereCreatedWith) {
  ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 2};
  ze_event_pool_handle_t pool = nullptr;
  ZE_OK(zeEventPoolCreate(context, &poolDesc, 1, &dev, &pool));
  EXPECT_EQ(context, valueOf<ze_context_handle_t>("zeEventPoolGetContextHandle", pool));
  EXPECT_EQ(poolDesc.flags, valueOf<ze_event_pool_flags_t>("zeEventPoolGetFlags", pool));
  ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 1, ZE_EVENT_SCOPE_FLAG_DEVICE, ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t event = nullptr;
  ZE_OK(zeEventCreate(pool, &desc, &event));
  EXPECT_EQ(pool, valueOf<ze_event_pool_handle_t>("zeEventGetEventPool", event));
  EXPECT_EQ(desc.signal, valueOf<ze_event_scope_flags_t>("zeEventGetSignalScope", event));
  EXPECT_EQ(desc.wait, valueOf<ze_event_scope_flags_t>("zeEventGetWaitScope", event));
  ZE_OK(zeEventDestroy(event));
  ZE_OK(zeEventPoolDestroy(pool));
}

TEST_F(LaterFunctions, GettersRefuseNullAndForeignHandles) {
  auto list = immediate();
  auto commands = queue();
  auto signal = event();
  auto pool = valueOf<ze_event_pool_handle_t>("zeEventGetEventPool", signal);
  struct Getter {
    const char *name;
    void *object;
  };
  const Getter getters[] = {
      {"zeCommandQueueGetOrdinal", commands},
      {"zeCommandQueueGetIndex", commands},
      {"zeCommandQueueGetFlags", commands},
      {"zeCommandQueueGetMode", commands},
      {"zeCommandQueueGetPriority", commands},
      {"zeCommandListGetDeviceHandle", list},
      {"zeCommandListGetContextHandle", list},
      {"zeCommandListGetOrdinal", list},
      {"zeCommandListImmediateGetIndex", list},
      {"zeCommandListIsImmediate", list},
      {"zeCommandListGetFlags", list},
      {"zeCommandListImmediateGetFlags", list},
      {"zeCommandListImmediateGetMode", list},
      {"zeCommandListImmediateGetPriority", list},
      {"zeEventPoolGetContextHandle", pool},
      {"zeEventPoolGetFlags", pool},
      {"zeEventGetEventPool", signal},
      {"zeEventGetSignalScope", signal},
      {"zeEventGetWaitScope", signal},
      {"zeDeviceGetRootDevice", dev},
      {"zeDriverGetLastErrorDescription", driver},
  };
  for (const Getter &getter : getters) {
    uint64_t out = 0;
    void *none = nullptr;
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, call(getter.name, none, &out)) << getter.name;
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, call(getter.name, getter.object, static_cast<uint64_t *>(nullptr)))
        << getter.name;
    void *foreign = context;
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call(getter.name, foreign, &out)) << getter.name;
  }
}

TEST_F(LaterFunctions, ErrorsHaveADescriptionForEachThread) {
  auto text = [&] { return std::string(valueOf<const char *>("zeDriverGetLastErrorDescription", driver)); };
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            zeCommandListAppendMemoryCopy(immediate(), nullptr, nullptr, 4, nullptr, 0, nullptr));
  EXPECT_EQ("zeCommandListAppendMemoryCopy: a pointer is null", text());
  ze_device_properties_t properties{};
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  EXPECT_EQ("zeCommandListAppendMemoryCopy: a pointer is null", text()) << "a success changes nothing";
  auto regularList = regular();
  std::thread([&] {
    EXPECT_EQ("", text());
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call("zeCommandListHostSynchronize", regularList, uint64_t{0}));
    EXPECT_EQ("zeCommandListHostSynchronize: an argument is invalid", text());
  }).join();
  EXPECT_EQ("zeCommandListAppendMemoryCopy: a pointer is null", text()) << "each thread has its own";
}

TEST_F(LaterFunctions, DriversInitialiseByType) {
  uint32_t count = 0;
  InitDriverTypeDesc desc{structureType(0x20021), nullptr, UINT32_MAX};
  ZE_OK(call("zeInitDrivers", &count, static_cast<ze_driver_handle_t *>(nullptr), &desc));
  EXPECT_EQ(1u, count);
  ze_driver_handle_t same = nullptr;
  ZE_OK(call("zeInitDrivers", &count, &same, &desc));
  EXPECT_EQ(driver, same);
  desc.flags = kInitDriverTypes;
  EXPECT_EQ(ZE_RESULT_ERROR_UNINITIALIZED, call("zeInitDrivers", &count, &same, &desc)) << "neither a GPU nor an NPU";
  for (uint32_t invalid : {0u, 4u}) {
    desc.flags = invalid;
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, call("zeInitDrivers", &count, &same, &desc)) << invalid;
  }
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeInitDrivers", static_cast<uint32_t *>(nullptr), &same, &desc));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeInitDrivers", &count, &same, static_cast<InitDriverTypeDesc *>(nullptr)));
}

TEST_F(LaterFunctions, TheDefaultContextHasAllDevicesAndStays) {
  auto get = extension<ze_context_handle_t (*)(ze_driver_handle_t)>("zeDriverGetDefaultContext");
  ze_context_handle_t standard = get(driver);
  ASSERT_TRUE(standard);
  EXPECT_NE(context, standard);
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index)
    threads.emplace_back([&] { EXPECT_EQ(standard, get(driver)); });
  for (std::thread &thread : threads)
    thread.join();
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  ZE_OK(zeMemAllocDevice(standard, &desc, 64, 64, dev, &memory));
  ZE_OK(zeMemFree(standard, memory));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeContextDestroy(standard)) << "it is the driver's";
  EXPECT_FALSE(get(nullptr));
  EXPECT_EQ("zeDriverGetDefaultContext: a handle is null",
            std::string(valueOf<const char *>("zeDriverGetLastErrorDescription", driver)));
}

TEST_F(LaterFunctions, TheRuntimesFunctionsFindTheDriverThemselves) {
  auto toIdentifier = extension<uint32_t (*)(ze_device_handle_t)>("zerTranslateDeviceHandleToIdentifier");
  auto toHandle = extension<ze_device_handle_t (*)(uint32_t)>("zerTranslateIdentifierToDeviceHandle");
  EXPECT_EQ(0u, toIdentifier(dev));
  EXPECT_EQ(dev, toHandle(0));
  EXPECT_EQ(UINT32_MAX, toIdentifier(nullptr));
  EXPECT_EQ(nullptr, toHandle(1000));
  const char *text = nullptr;
  ZE_OK(call("zerGetLastErrorDescription", &text));
  EXPECT_EQ("zerTranslateIdentifierToDeviceHandle: no device has this identifier", std::string(text));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zerGetLastErrorDescription", static_cast<const char **>(nullptr)));
  auto standard = extension<ze_context_handle_t (*)()>("zerGetDefaultContext");
  EXPECT_EQ(extension<ze_context_handle_t (*)(ze_driver_handle_t)>("zeDriverGetDefaultContext")(driver), standard());
}

TEST_F(LaterFunctions, ADeviceIsSynchronisedInAllContexts) {
  ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t other = nullptr;
  ZE_OK(zeContextCreate(driver, &desc, &other));
  ze_command_queue_desc_t queueDesc{
      ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, nullptr, 0, 0, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
  ze_command_list_handle_t far = nullptr;
  ZE_OK(zeCommandListCreateImmediate(other, dev, &queueDesc, &far));
  auto near = immediate();
  auto gate = event();
  int from[2] = {7, 8}, to[2] = {0, 0};
  ZE_OK(zeCommandListAppendMemoryCopy(near, &to[0], &from[0], sizeof(int), nullptr, 1, &gate));
  ZE_OK(zeCommandListAppendMemoryCopy(far, &to[1], &from[1], sizeof(int), nullptr, 1, &gate));
  std::atomic<bool> ended{false};
  std::thread waiting([&] {
    EXPECT_EQ(ZE_RESULT_SUCCESS, call("zeDeviceSynchronize", dev));
    EXPECT_EQ(7, to[0]);
    EXPECT_EQ(8, to[1]);
    ended = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(ended);
  // A thread that waits for a device keeps nobody from creating and destroying.
  ze_context_handle_t third = nullptr;
  ZE_OK(zeContextCreate(driver, &desc, &third));
  ZE_OK(zeContextDestroy(third));
  ze_command_list_handle_t brief = nullptr;
  ZE_OK(zeCommandListCreateImmediate(context, dev, &queueDesc, &brief));
  ZE_OK(zeCommandListDestroy(brief));
  ZE_OK(zeEventHostSignal(gate));
  waiting.join();
  ZE_OK(zeCommandListDestroy(far));
  ZE_OK(zeContextDestroy(other));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, call("zeDeviceSynchronize", static_cast<ze_device_handle_t>(nullptr)));
}

TEST_F(LaterFunctions, TheDeviceHasNoRootAndOneVectorWidth) {
  EXPECT_EQ(nullptr, valueOf<ze_device_handle_t>("zeDeviceGetRootDevice", dev));
  uint32_t count = 0;
  ZE_OK(call("zeDeviceGetVectorWidthPropertiesExt", dev, &count, static_cast<VectorWidthProperties *>(nullptr)));
  ASSERT_EQ(1u, count);
  VectorWidthProperties widths{};
  ZE_OK(call("zeDeviceGetVectorWidthPropertiesExt", dev, &count, &widths));
  EXPECT_GE(widths.size, 16u);
  EXPECT_EQ(widths.size / 4, widths.native.ofFloat);
  EXPECT_EQ(widths.size / 8, widths.native.ofDouble);
  EXPECT_EQ(widths.size, widths.preferred.ofChar);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeDeviceGetVectorWidthPropertiesExt", dev, static_cast<uint32_t *>(nullptr), &widths));
}

// Newer headers have these structures, too.
#ifdef ZE_DEVICE_VECTOR_SIZES_EXT_NAME
static_assert(sizeof(VectorWidthProperties) == sizeof(ze_device_vector_width_properties_ext_t));
static_assert(offsetof(VectorWidthProperties, native.ofHalf) ==
              offsetof(ze_device_vector_width_properties_ext_t, native_vector_width_half));
static_assert(offsetof(VectorWidthProperties, preferred.ofDouble) ==
              offsetof(ze_device_vector_width_properties_ext_t, preferred_vector_width_double));
static_assert(sizeof(InitDriverTypeDesc) == sizeof(ze_init_driver_type_desc_t));
static_assert(offsetof(InitDriverTypeDesc, flags) == offsetof(ze_init_driver_type_desc_t, flags));
#endif

} // namespace
