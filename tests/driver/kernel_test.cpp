// SPDX-License-Identifier: MIT
// Modules and kernels: building, arguments, group sizes, launches of all kinds.
#include "../../src/base/sanitizer.h"
#include "../compiler/greedy_module.h"
#include "support.h"

#include <algorithm>
#include <numeric>

namespace {

class Kernels : public KernelTest {
protected:
  void SetUp() override {
    KernelTest::SetUp();
    if (HasFatalFailure())
      return;
    list_ = immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  }
  ze_result_t launch(ze_kernel_handle_t kernel, uint32_t x, uint32_t y = 1, uint32_t z = 1) {
    ze_group_count_t groups{x, y, z};
    return zeCommandListAppendLaunchKernel(list_, kernel, &groups, nullptr, 0, nullptr);
  }
  uint32_t threads() {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeDeviceGetProperties(dev, &properties));
    return properties.numSubslicesPerSlice;
  }
  ze_command_list_handle_t list_ = nullptr;
};

TEST_F(Kernels, EveryWorkItemRunsOnce) {
  for (uint32_t count : {1u, 31u, 256u, 1000u, 100000u, 3000000u}) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 0);
    auto add = kernel("add_one", 256);
    int *data = values.data(); // any memory of the host may be used
    setArguments(add, data, count);
    ZE_OK(launch(add, (count + 255) / 256));
    for (uint32_t index = 0; index < count; ++index)
      ASSERT_EQ(static_cast<int>(index) + 1, values[index]);
  }
}

TEST_F(Kernels, ArgumentsOfAllKinds) {
  struct Parameters {
    char tag;
    double factor;
    int offsets[3];
  } parameters{'x', 2.5, {3, 4, 5}};
  auto *out = device<double>(5);
  auto all = kernel("by_value");
  char small = -3;
  int64_t large = int64_t{1} << 40;
  setArguments(all, parameters, small, large, out);
  ZE_OK(launch(all, 1));
  EXPECT_EQ('x', out[0]);
  EXPECT_EQ(2.5, out[1]);
  EXPECT_EQ(543, out[2]);
  EXPECT_EQ(-3, out[3]);
  EXPECT_EQ(double(large), out[4]);
}

TEST_F(Kernels, ArgumentsAreCopiedAtTheAppend) {
  auto waiting = immediate();
  auto gate = event(), done = event();
  auto *out = device<int>(64);
  std::fill_n(out, 64, 0);
  ZE_OK(zeCommandListAppendBarrier(waiting, nullptr, 1, &gate));
  auto store = kernel("store_at", 4);
  ze_group_count_t one{1, 1, 1};
  for (int64_t index = 0; index < 64; ++index) {
    int value = static_cast<int>(index) * 3;
    setArguments(store, out, index, value);
    ZE_OK(zeCommandListAppendLaunchKernel(waiting, store, &one, index == 63 ? done : nullptr, 0, nullptr));
  }
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  for (int index = 0; index < 64; ++index)
    EXPECT_EQ(index * 3, out[index]);
}

TEST_F(Kernels, CoordinatesInThreeDimensionsWithOffset) {
  constexpr uint32_t kGroups[3] = {3, 4, 5}, kSize[3] = {7, 2, 3}, kOffset[3] = {10, 20, 30};
  constexpr uint32_t kTotal = 3 * 7 * 4 * 2 * 5 * 3;
  auto *out = device<uint32_t>(kTotal * 4);
  auto where = kernel("coordinates", kSize[0], kSize[1], kSize[2]);
  setArguments(where, out);
  ZE_OK(zeKernelSetGlobalOffsetExp(where, kOffset[0], kOffset[1], kOffset[2]));
  ZE_OK(launch(where, kGroups[0], kGroups[1], kGroups[2]));
  uint32_t index = 0;
  for (uint32_t z = 0; z < kGroups[2] * kSize[2]; ++z)
    for (uint32_t y = 0; y < kGroups[1] * kSize[1]; ++y)
      for (uint32_t x = 0; x < kGroups[0] * kSize[0]; ++x, ++index) {
        uint32_t group = (z / kSize[2] * kGroups[1] + y / kSize[1]) * kGroups[0] + x / kSize[0];
        ASSERT_EQ(x + kOffset[0], out[index * 4]);
        ASSERT_EQ(y + kOffset[1], out[index * 4 + 1]);
        ASSERT_EQ(z + kOffset[2], out[index * 4 + 2]);
        ASSERT_EQ(group, out[index * 4 + 3]);
      }
}

TEST_F(Kernels, LocalMemoryFromTheHostAndFromTheKernel) {
  constexpr uint32_t kSize = 256, kGroups = 50;
  std::vector<int> values(kSize * kGroups);
  std::iota(values.begin(), values.end(), 0);
  auto reverse = kernel("reverse", kSize);
  int *data = values.data();
  ZE_OK(zeKernelSetArgumentValue(reverse, 0, sizeof data, &data));
  ZE_OK(zeKernelSetArgumentValue(reverse, 1, kSize * sizeof(int), nullptr));
  ZE_OK(zeKernelSetArgumentValue(reverse, 2, kSize * sizeof(int), nullptr));
  ZE_OK(launch(reverse, kGroups));
  for (uint32_t index = 0; index < values.size(); ++index) {
    uint32_t group = index / kSize, item = index % kSize;
    ASSERT_EQ(static_cast<int>(group * kSize + kSize - 1 - item + 1000), values[index]);
  }
  std::fill(values.begin(), values.end(), 1);
  auto sum = kernel("static_local", kSize);
  setArguments(sum, data);
  ZE_OK(launch(sum, kGroups));
  for (uint32_t group = 0; group < kGroups; ++group)
    EXPECT_EQ(static_cast<int>(kSize), values[group * kSize]);
}

TEST_F(Kernels, LocalMemoryHasALimit) {
  auto reverse = kernel("reverse", 16);
  int *data = device<int>(16);
  setArguments(reverse, data);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeKernelSetArgumentValue(reverse, 1, (64 << 10) + 1, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(reverse, 1, 0, nullptr));
  ZE_OK(zeKernelSetArgumentValue(reverse, 1, 40 << 10, nullptr));
  ZE_OK(zeKernelSetArgumentValue(reverse, 2, 40 << 10, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, launch(reverse, 1));
  ZE_OK(zeKernelSetArgumentValue(reverse, 2, 64, nullptr));
  ZE_OK(launch(reverse, 1));
}

TEST_F(Kernels, PointersTellTheirMemory) {
  auto *data = device<int>(3);
  auto kinds = kernel("pointer_kinds", 3);
  setArguments(kinds, data);
  ZE_OK(zeKernelSetArgumentValue(kinds, 1, sizeof(int), nullptr));
  ZE_OK(launch(kinds, 1));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(1 << i, data[i]);
}

TEST_F(Kernels, AtomicsCountEveryWorkItem) {
  auto *counter = device<int>(1);
  *counter = 0;
  auto count = kernel("count", 128);
  setArguments(count, counter);
  ZE_OK(launch(count, 4000));
  EXPECT_EQ(128 * 4000, *counter);
}

TEST_F(Kernels, GlobalsAreSharedWithTheHost) {
  void *address = nullptr;
  size_t size = 0;
  ZE_OK(zeModuleGetGlobalPointer(module, "exported", &size, &address));
  EXPECT_EQ(sizeof(int), size);
  EXPECT_EQ(5, *static_cast<int *>(address));
  int value = 41;
  ZE_OK(zeCommandListAppendMemoryCopy(list_, address, &value, sizeof value, nullptr, 0, nullptr));
  auto *out = device<int>(1);
  auto bump = kernel("bump_global");
  setArguments(bump, out);
  ZE_OK(launch(bump, 1));
  EXPECT_EQ(41, *out);
  EXPECT_EQ(42, *static_cast<int *>(address));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "missing", &size, &address));
}

TEST_F(Kernels, IndirectLaunchesReadTheirCountsLate) {
  auto *counts = device<ze_group_count_t>(3);
  auto *number = device<uint32_t>(1);
  auto *counter = device<int>(2);
  counter[0] = counter[1] = 0;
  counts[0] = {0, 0, 0};
  auto waiting = immediate();
  auto gate = event(), done = event();
  auto first = kernel("count", 4), second = kernel("count", 8);
  int *other = counter + 1;
  setArguments(first, counter);
  setArguments(second, other);
  ZE_OK(zeCommandListAppendBarrier(waiting, nullptr, 1, &gate));
  ZE_OK(zeCommandListAppendLaunchKernelIndirect(waiting, first, counts, nullptr, 0, nullptr));
  ze_kernel_handle_t kernels[3] = {first, second, second};
  ZE_OK(zeCommandListAppendLaunchMultipleKernelsIndirect(waiting, 3, kernels, number, counts, done, 0, nullptr));
  counts[0] = {2, 3, 1};
  counts[1] = {5, 1, 1};
  counts[2] = {100, 1, 1};
  *number = 2; // the third one is not executed
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(2 * (2 * 3 * 4), counter[0]);
  EXPECT_EQ(5 * 8, counter[1]);
  ze_kernel_timestamp_result_t times{};
  ZE_OK(zeEventQueryKernelTimestamp(done, &times));
  EXPECT_LE(times.global.kernelStart, times.global.kernelEnd);
  EXPECT_NE(0u, times.global.kernelStart);
}

TEST_F(Kernels, EmptyGridsOnlySignal) {
  auto *counter = device<int>(1);
  *counter = 0;
  auto count = kernel("count");
  setArguments(count, counter);
  auto done = event();
  ze_group_count_t none{0, 1, 1};
  ZE_OK(zeCommandListAppendLaunchKernel(list_, count, &none, done, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_SUCCESS, zeEventQueryStatus(done));
  EXPECT_EQ(0, *counter);
}

TEST_F(Kernels, CooperativeGroupsRunTogether) {
  auto meet = kernel("meet", 32);
  uint32_t most = 0;
  ZE_OK(zeKernelSuggestMaxCooperativeGroupCount(meet, &most));
  EXPECT_GT(most, threads());
  auto *arrived = device<int>(2);
  auto *out = device<int>(most * 2);
  // Two lists at once, each with more groups than there are threads, which wait in a loop that says nothing about it.
  for (int round = 0; round < 20; ++round) {
    arrived[0] = arrived[1] = 0;
    std::fill_n(out, most * 2, 0);
    ze_event_handle_t done[2];
    ze_group_count_t groups{most, 1, 1};
    for (int index = 0; index < 2; ++index) {
      int *mine = arrived + index, *results = out + index * most, count = static_cast<int>(most);
      setArguments(meet, mine, count, results);
      done[index] = event();
      ZE_OK(zeCommandListAppendLaunchCooperativeKernel(immediate(), meet, &groups, done[index], 0, nullptr));
    }
    ZE_OK(zeEventHostSynchronize(done[0], kForever));
    ZE_OK(zeEventHostSynchronize(done[1], kForever));
    EXPECT_EQ(2 * static_cast<int>(most), std::accumulate(out, out + most * 2, 0));
  }
  ze_group_count_t tooMany{most + 1, 1, 1};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            zeCommandListAppendLaunchCooperativeKernel(list_, meet, &tooMany, nullptr, 0, nullptr));
}

TEST_F(Kernels, RegularListsOfKernels) {
  auto recorded = regular();
  auto commands = queue();
  constexpr uint32_t kCount = 10000;
  auto *data = device<int>(kCount);
  std::fill_n(data, kCount, 0);
  auto add = kernel("add_one", 64);
  uint32_t count = kCount;
  setArguments(add, data, count);
  ze_group_count_t groups{(kCount + 63) / 64, 1, 1};
  for (int index = 0; index < 10; ++index)
    ZE_OK(zeCommandListAppendLaunchKernel(recorded, add, &groups, nullptr, 0, nullptr));
  ZE_OK(zeCommandListClose(recorded));
  for (int round = 0; round < 50; ++round)
    ZE_OK(zeCommandQueueExecuteCommandLists(commands, 1, &recorded, nullptr));
  ZE_OK(zeCommandQueueSynchronize(commands, kForever));
  for (uint32_t index = 0; index < kCount; ++index)
    ASSERT_EQ(500, data[index]);
}

TEST_F(Kernels, ProgramsLiveAsLongAsTheirLaunches) {
  auto waiting = immediate();
  auto gate = event(), done = event();
  auto *counter = device<int>(1);
  *counter = 0;
  std::vector<uint8_t> spirv = readKernelFile("kernels.spv");
  ze_module_desc_t desc = spirvModule(spirv);
  ze_module_handle_t other = nullptr;
  ZE_OK(zeModuleCreate(context, dev, &desc, &other, nullptr));
  ze_kernel_desc_t kernelDesc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "count"};
  ze_kernel_handle_t count = nullptr;
  ZE_OK(zeKernelCreate(other, &kernelDesc, &count));
  setArguments(count, counter);
  ze_group_count_t groups{10, 1, 1};
  ZE_OK(zeCommandListAppendBarrier(waiting, nullptr, 1, &gate));
  ZE_OK(zeCommandListAppendLaunchKernel(waiting, count, &groups, done, 0, nullptr));
  ZE_OK(zeKernelDestroy(count));
  ZE_OK(zeModuleDestroy(other));
  ZE_OK(zeEventHostSignal(gate));
  ZE_OK(zeEventHostSynchronize(done, kForever));
  EXPECT_EQ(10, *counter);
}

TEST_F(Kernels, PropertiesAndNames) {
  uint32_t count = 0;
  ZE_OK(zeModuleGetKernelNames(module, &count, nullptr));
  std::vector<const char *> names(count);
  ZE_OK(zeModuleGetKernelNames(module, &count, names.data()));
  for (const char *wanted : {"add_one", "saxpy", "by_value", "meet", "required"})
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const char *name) { return !std::strcmp(name, wanted); }))
        << wanted;
  auto required = kernel("required", 8, 4, 1);
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ze_kernel_preferred_group_size_properties_t preferred{};
  preferred.stype = ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES;
  properties.pNext = &preferred;
  ZE_OK(zeKernelGetProperties(required, &properties));
  EXPECT_EQ(1u, properties.numKernelArgs);
  EXPECT_EQ(8u, properties.requiredGroupSizeX);
  EXPECT_EQ(4u, properties.requiredGroupSizeY);
  EXPECT_EQ(32u, properties.maxSubgroupSize);
  EXPECT_EQ(32u, preferred.preferredMultiple);
  ZE_OK(zeKernelGetProperties(kernel("static_local"), &properties));
  EXPECT_EQ(1024u, properties.localMemSize);
  size_t size = 0;
  ZE_OK(zeKernelGetName(required, &size, nullptr));
  std::string name(size, '?');
  ZE_OK(zeKernelGetName(required, &size, name.data()));
  EXPECT_STREQ("required", name.c_str());
  ze_kernel_indirect_access_flags_t flags = 0;
  ZE_OK(zeKernelSetIndirectAccess(required, ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE));
  ZE_OK(zeKernelGetIndirectAccess(required, &flags));
  EXPECT_EQ(uint32_t{ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE}, flags);
  ZE_OK(zeKernelSetCacheConfig(required, ZE_CACHE_CONFIG_FLAG_LARGE_SLM));
}

TEST_F(Kernels, GroupSizes) {
  auto add = kernel("add_one");
  ZE_OK(zeKernelSetGroupSize(add, 1024, 1, 1));
  ZE_OK(zeKernelSetGroupSize(add, 1, 1, 1024));
  for (auto [x, y, z] : {std::tuple{0u, 1u, 1u}, {1025u, 1u, 1u}, {32u, 32u, 2u}, {1u << 31, 2u, 1u}})
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(add, x, y, z));
  auto required = kernel("required", 8, 4, 1);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(required, 4, 8, 1));
  uint32_t x = 0, y = 0, z = 0;
  ZE_OK(zeKernelSuggestGroupSize(required, 800, 400, 1, &x, &y, &z));
  EXPECT_EQ(std::tuple(8u, 4u, 1u), std::tuple(x, y, z));
  for (uint32_t global : {1u, 7u, 1000u, 1 << 20 | 1u, 4096u}) {
    ZE_OK(zeKernelSuggestGroupSize(add, global, 1, 1, &x, &y, &z));
    EXPECT_EQ(0u, global % x);
    EXPECT_LE(x * y * z, 1024u);
  }
}

TEST_F(Kernels, BadArguments) {
  auto add = kernel("add_one");
  int *data = device<int>(1);
  uint32_t count = 1;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, zeKernelSetArgumentValue(add, 2, 4, &count));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(add, 1, 0, &count));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(add, 0, 4, &data));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeKernelSetArgumentValue(add, 1, 4, nullptr));
  ZE_OK(zeKernelSetArgumentValue(add, 0, sizeof data, nullptr)) << "a null pointer";
  ze_kernel_desc_t desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "no_such_kernel"};
  ze_kernel_handle_t none = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, zeKernelCreate(module, &desc, &none));
  ze_group_count_t huge{UINT32_MAX, UINT32_MAX, UINT32_MAX};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandListAppendLaunchKernel(list_, add, &huge, nullptr, 0, nullptr));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            zeCommandListAppendLaunchKernel(list_, add, nullptr, nullptr, 0, nullptr));
}

TEST_F(Kernels, NativeBinariesComeBack) {
  size_t size = 0;
  ZE_OK(zeModuleGetNativeBinary(module, &size, nullptr));
  std::vector<uint8_t> binary(size);
  ZE_OK(zeModuleGetNativeBinary(module, &size, binary.data()));
  ze_module_desc_t desc{
      ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_NATIVE, size, binary.data(), nullptr, nullptr};
  ze_module_handle_t other = nullptr;
  ZE_OK(zeModuleCreate(context, dev, &desc, &other, nullptr));
  ze_kernel_desc_t kernelDesc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "count"};
  ze_kernel_handle_t count = nullptr;
  ZE_OK(zeKernelCreate(other, &kernelDesc, &count));
  auto *counter = device<int>(1);
  *counter = 0;
  setArguments(count, counter);
  ZE_OK(launch(count, 6));
  EXPECT_EQ(6, *counter);
  ZE_OK(zeKernelDestroy(count));
  ZE_OK(zeModuleDestroy(other));
  for (size_t cut : {size_t{1}, size / 2, size - 1}) {
    desc.inputSize = cut;
    EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, zeModuleCreate(context, dev, &desc, &other, nullptr)) << cut;
  }
}

TEST_F(Kernels, AKernelThatCannotBeCompiledFailsWhenItIsAppended) {
#if HIPLZ_ADDRESS_SANITIZER || HIPLZ_THREAD_SANITIZER
  GTEST_SKIP() << "there is no limit of address space beside a sanitizer";
#endif
  const std::vector<uint32_t> words = greedyModule(true); // its kernel "k" cannot be compiled, "g" can
  ze_module_desc_t desc{ZE_STRUCTURE_TYPE_MODULE_DESC,
                        nullptr,
                        ZE_MODULE_FORMAT_IL_SPIRV,
                        words.size() * sizeof words[0],
                        reinterpret_cast<const uint8_t *>(words.data()),
                        nullptr,
                        nullptr};
  ze_module_handle_t other = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  ZE_OK(zeModuleCreate(context, dev, &desc, &other, &log));
  ze_kernel_handle_t kernels[2];
  const char *names[] = {"k", "g"};
  for (int i = 0; i < 2; ++i) {
    ze_kernel_desc_t kernelDesc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, names[i]};
    ZE_OK(zeKernelCreate(other, &kernelDesc, &kernels[i]));
    ZE_OK(zeKernelSetGroupSize(kernels[i], 1, 1, 1));
    for (uint32_t argument : {0u, 1u})
      ZE_OK(zeKernelSetArgumentValue(kernels[i], argument, sizeof(void *), nullptr));
    const uint32_t number = 0;
    ZE_OK(zeKernelSetArgumentValue(kernels[i], 2, sizeof number, &number));
  }
  ze_group_count_t one{1, 1, 1};
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE,
              zeCommandListAppendLaunchKernel(list_, kernels[0], &one, nullptr, 0, nullptr));
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  EXPECT_EQ(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, zeKernelGetProperties(kernels[0], &properties));
  ZE_OK(zeCommandListAppendLaunchKernel(list_, kernels[1], &one, nullptr, 0, nullptr));
  size_t size = 0;
  ZE_OK(zeModuleBuildLogGetString(log, &size, nullptr));
  std::string text(size, '\0');
  ZE_OK(zeModuleBuildLogGetString(log, &size, text.data()));
  EXPECT_NE(text.find("kernel k: "), std::string::npos) << text;
  for (ze_kernel_handle_t kernel : kernels)
    ZE_OK(zeKernelDestroy(kernel));
  ZE_OK(zeModuleDestroy(other));
  ZE_OK(zeModuleBuildLogDestroy(log)); // it may outlive the module
}

TEST_F(Kernels, BrokenModulesAreRefusedWithALog) {
  std::vector<uint8_t> spirv = readKernelFile("kernels.spv");
  ze_module_desc_t desc = spirvModule(spirv);
  ze_module_handle_t other = nullptr;
  // Cut between two instructions, a module without functions is valid; so one is cut in its middle.
  size_t inside = 20;
  const auto wordsAt = [&](size_t at) { return spirv[at + 2] | spirv[at + 3] << 8; };
  while (inside < 1000 || wordsAt(inside) < 2)
    inside += static_cast<size_t>(wordsAt(inside)) * 4;
  for (size_t cut : {size_t{3}, size_t{19}, inside + 4}) {
    desc.inputSize = cut;
    ze_module_build_log_handle_t log = nullptr;
    EXPECT_EQ(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, zeModuleCreate(context, dev, &desc, &other, &log)) << cut;
    size_t size = 0;
    ZE_OK(zeModuleBuildLogGetString(log, &size, nullptr));
    EXPECT_GT(size, 1u) << cut;
    std::string text(size, '\0');
    ZE_OK(zeModuleBuildLogGetString(log, &size, text.data()));
    EXPECT_EQ('\0', text[size - 1]);
    ZE_OK(zeModuleBuildLogDestroy(log));
  }
  desc.inputSize = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, zeModuleCreate(context, dev, &desc, &other, nullptr));
  desc.inputSize = spirv.size();
  desc.pInputModule = nullptr;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeModuleCreate(context, dev, &desc, &other, nullptr));
}

// In whole warps, the last one partial, and under a mask.
TEST_F(Kernels, LongVectorsKeepTheirElements) {
  constexpr size_t kItems = 100;
  const struct {
    const char *type;
    size_t bytes;
  } kTypes[] = {{"uchar", 1}, {"ushort", 2}, {"uint", 4}, {"ulong", 8}};
  auto check = [&](const std::string &name, size_t elements, size_t bytes, uint32_t items, uint32_t count) {
    SCOPED_TRACE(name + " " + std::to_string(items));
    const size_t size = kItems * elements * bytes, vector = elements * bytes;
    std::vector<uint8_t> before(size), expected(size);
    for (size_t index = 0; index < size; ++index)
      before[index] = static_cast<uint8_t>(index * 167 + index / 251);
    expected = before;
    for (size_t item = 0; item < std::min<size_t>(items, count); ++item)
      for (size_t element = 0; element < elements; ++element)
        std::memcpy(&expected[item * vector + element * bytes],
                    &before[item * vector + (elements - 1 - element) * bytes], bytes);
    auto *data = device<uint8_t>(size);
    std::memcpy(data, before.data(), size);
    auto backwards = kernel(name.c_str(), items);
    if (name.find("backwards16") == 0)
      setArguments(backwards, data, count);
    else
      setArguments(backwards, data);
    ZE_OK(launch(backwards, 1));
    EXPECT_EQ(0, std::memcmp(expected.data(), data, size));
  };
  for (uint32_t items : {64u, 100u}) {
    for (const auto &[type, bytes] : kTypes) {
      check(std::string("backwards8_") + type, 8, bytes, items, items);
      check(std::string("backwardsAll16_") + type, 16, bytes, items, items);
      check(std::string("backwards16_") + type, 16, bytes, items, 50);
    }
    check("bytesBackwards", 8, 1, items, items);
  }
}

} // namespace
