// SPDX-License-Identifier: MIT
// Append functions of later versions of the specification: launches with their arguments and parameters, functions of the host,
// cloned lists, timestamps of the host's clock, attributes of memory.
#include "cpu/ddi/later_types.h"
#include "later.h"

#include <atomic>
#include <thread>

using namespace hiplz::cpu::ddi;

namespace {

using LaterAppend = LaterTest;
constexpr ze_event_handle_t kNoEvent = nullptr;
ze_event_handle_t *const kNoEvents = nullptr;
const void *const kNothing = nullptr;
constexpr ze_group_count_t kOneGroup{1, 1, 1};

TEST_F(LaterAppend, LaunchesTakeTheirArgumentsAlong) {
  int *data = device<int>(64);
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendMemoryFill(list, data, "\0", 1, 64 * sizeof(int), nullptr, 0, nullptr));
  auto add = kernel("add_one");
  uint32_t count = 40;
  void *arguments[] = {&data, &count};
  auto launch = [&](ze_kernel_handle_t what, GroupSize size, void **values, const void *parameters) {
    return call("zeCommandListAppendLaunchKernelWithArguments", list, what, kOneGroup, size, values, parameters,
                kNoEvent, 0u, kNoEvents);
  };
  ZE_OK(launch(add, {64, 1, 1}, arguments, nullptr));
  EXPECT_EQ(1, data[39]);
  EXPECT_EQ(0, data[40]);
  // The kernel has now the group size and the arguments, as if they had been set.
  ZE_OK(zeCommandListAppendLaunchKernel(list, add, &kOneGroup, nullptr, 0, nullptr));
  EXPECT_EQ(2, data[39]);

  // Of local memory the argument is its size.
  for (int index = 0; index < 8; ++index)
    data[index] = index;
  size_t bytes = 8 * sizeof(int);
  void *local[] = {&data, &bytes, &bytes};
  CooperativeParameter cooperative{CooperativeParameter::kType, nullptr, true};
  ZE_OK(launch(kernel("reverse"), {8, 1, 1}, local, &cooperative));
  EXPECT_EQ(7, data[0] % 1000);

  ze_kernel_handle_t none = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, launch(none, {1, 1, 1}, arguments, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, launch(add, {0, 1, 1}, arguments, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, launch(add, {1, 1, 1}, nullptr, nullptr));
  arguments[1] = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, launch(add, {1, 1, 1}, arguments, nullptr));
  cooperative.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, launch(add, {1, 1, 1}, arguments, &cooperative));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE,
            call("zeCommandListAppendLaunchKernelWithArguments", list, add, kOneGroup, GroupSize{1, 1, 1},
                 static_cast<void **>(arguments), kNothing, kNoEvent, 1u, kNoEvents));
}

TEST_F(LaterAppend, LaunchesTakeParameters) {
  int *data = device<int>(4);
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandListAppendMemoryFill(list, data, "\0", 1, 4 * sizeof(int), nullptr, 0, nullptr));
  auto add = kernel("add_one", 4);
  setArguments(add, data, uint32_t{4});
  auto launch = [&](const ze_group_count_t *groups, const void *parameters) {
    return call("zeCommandListAppendLaunchKernelWithParameters", list, add, groups, parameters, kNoEvent, 0u,
                kNoEvents);
  };
  ZE_OK(launch(&kOneGroup, nullptr));
  CooperativeParameter cooperative{CooperativeParameter::kType, nullptr, true};
  ZE_OK(launch(&kOneGroup, &cooperative));
  EXPECT_EQ(2, data[3]);
  ze_group_count_t tooMany{1 << 20, 1, 1};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, launch(&tooMany, &cooperative)) << "they could not all run at once";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, launch(nullptr, nullptr));
  CooperativeParameter unknown{structureType(0x12345678), nullptr, true};
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, launch(&kOneGroup, &unknown));
}

TEST_F(LaterAppend, CopiesFillsAndListsTakeNoParameters) {
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  auto recorded = regular();
  int from = 5, to = 0;
  ZE_OK(call("zeCommandListAppendMemoryCopyWithParameters", list, static_cast<void *>(&to),
             static_cast<const void *>(&from), sizeof(int), kNothing, kNoEvent, 0u, kNoEvents));
  EXPECT_EQ(5, to);
  char pattern = 1;
  auto fill = [&](size_t patternSize, size_t size, const void *parameters) {
    return call("zeCommandListAppendMemoryFillWithParameters", list, static_cast<void *>(&to),
                static_cast<const void *>(&pattern), patternSize, size, parameters, kNoEvent, 0u, kNoEvents);
  };
  ZE_OK(fill(1, sizeof(int), nullptr));
  EXPECT_EQ(0x01010101, to);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, fill(4, 3, nullptr));
  ZE_OK(zeCommandListAppendMemoryCopy(recorded, &to, &from, sizeof(int), nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(recorded));
  ZE_OK(call("zeCommandListImmediateAppendCommandListsWithParameters", list, 1u, &recorded, kNothing, kNoEvent, 0u,
             kNoEvents));
  EXPECT_EQ(5, to);
  CooperativeParameter any{CooperativeParameter::kType, nullptr, true};
  const void *parameters = &any;
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, fill(1, 4, parameters));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
            call("zeCommandListAppendMemoryCopyWithParameters", list, static_cast<void *>(&to),
                 static_cast<const void *>(&from), sizeof(int), parameters, kNoEvent, 0u, kNoEvents));
  EXPECT_EQ(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, call("zeCommandListImmediateAppendCommandListsWithParameters", list,
                                                      1u, &recorded, parameters, kNoEvent, 0u, kNoEvents));
}

TEST_F(LaterAppend, HostFunctionsRunInOrder) {
  struct State {
    int value = 0;
    int seen[2] = {};
    std::atomic<int> calls{0};
  } state;
  auto note = [](void *argument) {
    auto *its = static_cast<State *>(argument);
    its->seen[its->calls++ % 2] = its->value;
  };
  using Function = void (*)(void *);
  const Function function = note;
  int one = 1, two = 2;
  auto record = [&](ze_command_list_handle_t list, ze_event_handle_t signal, ze_event_handle_t wait) {
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemoryCopy(list, &state.value, &one, sizeof one, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS, call("zeCommandListAppendHostFunction", list, function, static_cast<void *>(&state),
                                      kNothing, kNoEvent, wait ? 1u : 0u, wait ? &wait : kNoEvents));
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemoryCopy(list, &state.value, &two, sizeof two, nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS, call("zeCommandListAppendHostFunction", list, function, static_cast<void *>(&state),
                                      kNothing, signal, 0u, kNoEvents));
  };
  auto gate = event(), done = event();
  record(immediate(), done, gate);
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventHostSynchronize(done, 1'000'000));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(1, state.seen[0]);
  EXPECT_EQ(2, state.seen[1]);

  auto recorded = regular();
  record(recorded, nullptr, nullptr);
  ZE_OK(zeCommandListClose(recorded));
  auto commands = queue();
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &recorded, nullptr));
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &recorded, nullptr));
  ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  EXPECT_EQ(6, state.calls);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, call("zeCommandListAppendHostFunction", immediate(), Function{},
                                                       static_cast<void *>(&state), kNothing, kNoEvent, 0u, kNoEvents));
}

TEST_F(LaterAppend, ClonedListsExecuteLikeTheirSource) {
  ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, kCloneableList};
  ze_command_list_handle_t source = nullptr, clone = nullptr;
  ZE_OK(zeCommandListCreate(context, dev, &desc, &source));
  int from = 3, to = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(source, &to, &from, sizeof(int), nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call("zeCommandListCreateCloneExp", source, &clone)) << "not closed";
  ZE_OK(zeCommandListClose(source));
  ZE_OK(call("zeCommandListCreateCloneExp", source, &clone));
  EXPECT_EQ(desc.flags, valueOf<ze_command_list_flags_t>("zeCommandListGetFlags", clone));
  ZE_OK(zeCommandListReset(source)); // the clone keeps its commands
  auto commands = queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &clone, nullptr));
  EXPECT_EQ(3, to);
  ZE_OK(zeCommandListDestroy(clone));
  ZE_OK(zeCommandListDestroy(source));
  auto other = regular();
  ZE_OK(zeCommandListClose(other));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call("zeCommandListCreateCloneExp", other, &clone))
      << "not created to be cloned";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeCommandListCreateCloneExp", other, static_cast<ze_command_list_handle_t *>(nullptr)));
}

TEST_F(LaterAppend, MappedTimestampsAreOfTheHostsClock) {
  constexpr ze_event_pool_flags_t kMapped = ZE_BIT(3);
  ze_event_pool_desc_t poolDesc{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                ZE_EVENT_POOL_FLAG_HOST_VISIBLE | kMapped | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1};
  ze_event_pool_handle_t pool = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeEventPoolCreate(context, &poolDesc, 1, &dev, &pool))
      << "mapped or not";
  poolDesc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | kMapped;
  ZE_OK(zeEventPoolCreate(context, &poolDesc, 1, &dev, &pool));
  ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t stamped = nullptr;
  ZE_OK(zeEventCreate(pool, &desc, &stamped));
  ze_kernel_timestamp_result_t kernelTimes{};
  SynchronizedTimestamps hostTimes{};
  KernelTimestampsResults results{KernelTimestampsResults::kType, nullptr, &kernelTimes, &hostTimes};
  uint32_t count = 1;
  auto query = [&](ze_event_handle_t of) { return call("zeEventQueryKernelTimestampsExt", of, dev, &count, &results); };
  EXPECT_EQ(ZE_RESULT_NOT_READY, query(stamped));
  uint64_t before = 0, after = 0, unused = 0;
  ZE_OK(zeDeviceGetGlobalTimestamps(dev, &before, &unused));
  int from = 3, to = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(immediate(), &to, &from, sizeof(int), stamped, 0, nullptr));
  ZE_OK(zeEventHostSynchronize(stamped, kForever));
  ZE_OK(zeDeviceGetGlobalTimestamps(dev, &after, &unused));
  ZE_OK(query(stamped));
  EXPECT_LE(before, hostTimes.global.start);
  EXPECT_LE(hostTimes.global.start, hostTimes.global.end);
  EXPECT_LE(hostTimes.global.end, after);
  EXPECT_EQ(hostTimes.global.start, kernelTimes.global.kernelStart);
  count = 0;
  ZE_OK(query(stamped));
  EXPECT_EQ(1u, count);

  auto plain = event(); // of a pool whose timestamps are not mapped
  ZE_OK(zeEventHostSignal(plain));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, query(plain));
  results.synchronized = nullptr;
  ZE_OK(query(plain));
  ZE_OK(zeEventDestroy(stamped));
  ZE_OK(zeEventPoolDestroy(pool));

  KernelTimestampsProperties properties{KernelTimestampsProperties::kType, nullptr, 0};
  ze_device_properties_t deviceProperties{};
  deviceProperties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  deviceProperties.pNext = &properties;
  ZE_OK(zeDeviceGetProperties(dev, &deviceProperties));
  EXPECT_EQ(3u, properties.flags);
}

TEST_F(LaterAppend, SharedMemoryKeepsItsAtomicAttributes) {
  ze_device_mem_alloc_desc_t deviceDesc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  ze_host_mem_alloc_desc_t hostDesc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *shared = nullptr;
  ZE_OK(zeMemAllocShared(context, &deviceDesc, &hostDesc, 4096, 0, dev, &shared));
  auto set = [&](const void *pointer, size_t size, uint32_t access) {
    return call("zeMemSetAtomicAccessAttributeExp", context, dev, pointer, size, access);
  };
  uint32_t access = 1;
  auto get = [&](const void *pointer) {
    return call("zeMemGetAtomicAccessAttributeExp", context, dev, pointer, size_t{16}, &access);
  };
  ZE_OK(get(shared));
  EXPECT_EQ(0u, access);
  ZE_OK(set(shared, 4096, 0x14));
  ZE_OK(get(static_cast<char *>(shared) + 100));
  EXPECT_EQ(0x14u, access);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, set(shared, 4096, 0x80));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, set(shared, 4097, 0x14));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, set(allocate(64), 64, 0x14)) << "not shared";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, set(nullptr, 4, 0));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, get(nullptr));
  ZE_OK(zeMemFree(context, shared));
}

TEST_F(LaterAppend, ScalarsOfAnotherSizeAreTakenFromTheirFirstBytes) {
  int *data = device<int>(8);
  auto list = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  auto add = kernel("add_one", 8);
  ZE_OK(zeKernelSetArgumentValue(add, 0, sizeof data, &data));
  auto countOf = [&](size_t size, uint64_t value) {
    EXPECT_EQ(ZE_RESULT_SUCCESS,
              zeCommandListAppendMemoryFill(list, data, "\0", 1, 8 * sizeof(int), nullptr, 0, nullptr));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeKernelSetArgumentValue(add, 1, size, &value));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, add, &kOneGroup, nullptr, 0, nullptr));
    int sum = 0;
    for (int index = 0; index < 8; ++index)
      sum += data[index];
    return sum;
  };
  EXPECT_EQ(6, countOf(4, 6));
  EXPECT_EQ(5, countOf(8, 5)) << "the rest is ignored";
  EXPECT_EQ(3, countOf(1, 0xffff'ff03)) << "the rest is zero";
}

TEST_F(LaterAppend, HintsToOffloadCopiesAreTakenAndTold) {
  ze_command_queue_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.flags = 0x4; // ZE_COMMAND_QUEUE_FLAG_COPY_OFFLOAD_HINT
  ze_command_list_handle_t list = nullptr;
  ZE_OK(zeCommandListCreateImmediate(context, dev, &desc, &list));
  EXPECT_EQ(0x4u, valueOf<uint32_t>("zeCommandListImmediateGetFlags", list));
  int from = 5, to = 0;
  ZE_OK(zeCommandListAppendMemoryCopy(list, &to, &from, sizeof to, nullptr, 0, nullptr));
  ZE_OK(call("zeCommandListHostSynchronize", list, kForever));
  EXPECT_EQ(5, to);
  ZE_OK(zeCommandListDestroy(list));
  ze_command_list_desc_t listDesc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0x20};
  ZE_OK(zeCommandListCreate(context, dev, &listDesc, &list));
  EXPECT_EQ(0x20u, valueOf<uint32_t>("zeCommandListGetFlags", list));
  ZE_OK(zeCommandListDestroy(list));
  desc.flags = 0x8;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, zeCommandListCreateImmediate(context, dev, &desc, &list));
}

TEST_F(LaterAppend, MemoryThatIsAllocatedIsNotUsable) {
  const auto usable = [&] {
    UsableMemoryProperties memory{UsableMemoryProperties::kType, nullptr, 0};
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    properties.pNext = &memory;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeDeviceGetProperties(dev, &properties));
    return memory.bytes;
  };
  const uint64_t before = usable(), bytes = before / 2;
  ze_device_mem_alloc_desc_t desc{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  ZE_OK(zeMemAllocDevice(context, &desc, bytes, 0, dev, &memory));
  // Other processes may free and allocate meanwhile, though not an eighth of it.
  EXPECT_LE(usable(), before - bytes + before / 8);
  ZE_OK(zeMemFree(context, memory));
  EXPECT_GE(usable(), before - before / 8);
}

TEST_F(LaterAppend, LaterPropertiesAreFilledBehindOthers) {
  ReadOnlyMemoryProperties readOnly{ReadOnlyMemoryProperties::kType, nullptr, 0};
  UsableMemoryProperties usable{UsableMemoryProperties::kType, &readOnly, 0};
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &usable;
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  EXPECT_GT(usable.bytes, 0u);
  EXPECT_LE(usable.bytes, properties.maxMemAllocSize);
  EXPECT_EQ(ReadOnlyMemoryProperties::kEnforced, readOnly.capability); // VirtualMemory.ReadOnlyMemoryIsRead
  for (auto [layout, isSupported] :
       {std::pair(ZE_IMAGE_FORMAT_LAYOUT_8, true), std::pair(ZE_IMAGE_FORMAT_LAYOUT_NV12, false)}) {
    ImageFormatProperties format{ImageFormatProperties::kType, nullptr, !isSupported};
    ze_image_properties_t image{};
    image.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES;
    image.pNext = &format;
    ze_image_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
    desc.width = desc.height = 1;
    desc.type = ZE_IMAGE_TYPE_2D;
    desc.format.layout = layout;
    ZE_OK(zeImageGetProperties(dev, &desc, &image));
    EXPECT_EQ(isSupported, format.isSupported);
  }
  CacheLineProperties line{CacheLineProperties::kType, nullptr, 0};
  ze_device_cache_properties_t cache{};
  cache.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES;
  cache.pNext = &line;
  uint32_t count = 1;
  ZE_OK(zeDeviceGetCacheProperties(dev, &count, &cache));
  EXPECT_EQ(64u, line.bytes);
  KernelMaxGroupSizeProperties largest{KernelMaxGroupSizeProperties::kType, nullptr, 0};
  ze_kernel_properties_t kernelProperties{};
  kernelProperties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  kernelProperties.pNext = &largest;
  ZE_OK(zeKernelGetProperties(kernel("add_one"), &kernelProperties));
  EXPECT_EQ(1024u, largest.maxGroupSize);
}

// Newer headers have these structures, too.
#ifdef ZE_DEVICE_USABLEMEM_SIZE_PROPERTIES_EXT_NAME
static_assert(sizeof(GroupSize) == sizeof(ze_group_size_t));
static_assert(sizeof(CooperativeParameter) == sizeof(ze_command_list_append_launch_kernel_param_cooperative_desc_t));
static_assert(CooperativeParameter::kType == ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC);
static_assert(sizeof(KernelTimestampsResults) == sizeof(ze_event_query_kernel_timestamps_results_ext_properties_t));
static_assert(KernelTimestampsResults::kType == ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES);
static_assert(KernelTimestampsProperties::kType == ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES);
static_assert(sizeof(SynchronizedTimestamps) == sizeof(ze_synchronized_timestamp_result_ext_t));
static_assert(sizeof(UsableMemoryProperties) == sizeof(ze_device_usablemem_size_ext_properties_t));
static_assert(UsableMemoryProperties::kType == ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES);
#ifdef ZE_VIRTUAL_MEM_READONLY_PROPERTIES_EXT_NAME
static_assert(sizeof(ReadOnlyMemoryProperties) == sizeof(ze_device_readonly_memory_ext_properties_t));
static_assert(ReadOnlyMemoryProperties::kType == ZE_STRUCTURE_TYPE_DEVICE_READONLY_MEMORY_EXT_PROPERTIES);
static_assert(sizeof(ImageFormatProperties) == sizeof(ze_image_format_support_ext_properties_t));
static_assert(ImageFormatProperties::kType == ZE_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES);
#endif
static_assert(sizeof(CacheLineProperties) == sizeof(ze_device_cache_line_size_ext_t));
static_assert(CacheLineProperties::kType == ZE_STRUCTURE_TYPE_DEVICE_CACHELINE_SIZE_EXT);
static_assert(sizeof(KernelMaxGroupSizeProperties) == sizeof(ze_kernel_max_group_size_properties_ext_t));
static_assert(KernelMaxGroupSizeProperties::kType == ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES);
static_assert(sizeof(CounterPoolDesc) == sizeof(ze_event_pool_counter_based_exp_desc_t));
static_assert(CounterPoolDesc::kType == ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
static_assert(sizeof(CounterEventDesc) == sizeof(ze_event_counter_based_desc_t));
static_assert(sizeof(EventProperties) == sizeof(ze_device_event_properties_t));
static_assert(EventProperties::kType == ZE_STRUCTURE_TYPE_DEVICE_EVENT_PROPERTIES);
static_assert(IpcHandleTypeDesc::kType == ZE_STRUCTURE_TYPE_IPC_MEM_HANDLE_TYPE_EXT_DESC);
#endif

} // namespace
