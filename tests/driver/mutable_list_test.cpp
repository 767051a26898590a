// SPDX-License-Identifier: MIT
// Mutable command lists: what changes between executions, and what may not.
#include "cpu/ddi/later_types.h"
#include "later.h"

using namespace hiplz::cpu::ddi;

namespace {

constexpr uint32_t kArguments = 1, kGroupCount = 2, kGroupSize = 4, kOffset = 8, kSignal = 16, kWaits = 32,
                   kKernel = 64;

class MutableLists : public LaterTest {
protected:
  void SetUp() override {
    LaterTest::SetUp();
    if (IsSkipped())
      return;
    MutableListDesc changes{MutableListDesc::kType, nullptr, 0};
    ze_command_list_desc_t desc{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, &changes, 0, 0};
    ZE_OK(zeCommandListCreate(context, dev, &desc, &list));
    commands = queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    data = device<int>(64);
    clear();
  }
  void TearDown() override {
    if (list)
      EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListDestroy(list));
    LaterTest::TearDown();
  }
  void clear() { std::memset(data, 0, 64 * sizeof(int)); }
  uint64_t announce(uint32_t flags) {
    MutableCommandIdDesc desc{structureType(MutableCommandIdDesc::kType), nullptr, flags};
    uint64_t id = 0;
    EXPECT_EQ(ZE_RESULT_SUCCESS, call("zeCommandListGetNextCommandIdExp", list, &desc, &id));
    return id;
  }
  void launch(ze_kernel_handle_t kernel, uint32_t groups = 1) {
    ze_group_count_t count{groups, 1, 1};
    ASSERT_EQ(ZE_RESULT_SUCCESS, zeCommandListAppendLaunchKernel(list, kernel, &count, nullptr, 0, nullptr));
  }
  template <class Desc> ze_result_t update(const Desc &change) {
    MutableCommandsDesc desc{structureType(MutableCommandsDesc::kType), &change, 0};
    return call("zeCommandListUpdateMutableCommandsExp", list, &desc);
  }
  int sumOfExecution() {
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandListClose(list));
    EXPECT_EQ(ZE_RESULT_SUCCESS, zeCommandQueueExecuteCommandLists(commands, 1, &list, nullptr));
    int sum = 0;
    for (int index = 0; index < 64; ++index)
      sum += data[index];
    clear();
    return sum;
  }
  ze_kernel_handle_t adding(uint32_t count, uint32_t groupSize) {
    auto add = kernel("add_one", groupSize);
    setArguments(add, data, count);
    return add;
  }
  ze_command_list_handle_t list = nullptr;
  ze_command_queue_handle_t commands = nullptr;
  int *data = nullptr;
};

TEST_F(MutableLists, ArgumentsShapesAndOffsetsChange) {
  EXPECT_TRUE(valueOf<ze_bool_t>("zeCommandListIsMutableExp", list));
  EXPECT_FALSE(valueOf<ze_bool_t>("zeCommandListIsMutableExp", regular()));
  const uint64_t id = announce(kArguments | kGroupCount | kGroupSize | kOffset);
  EXPECT_EQ(id, announce(kArguments | kGroupCount | kGroupSize | kOffset)) << "the next command is still the same";
  auto add = adding(64, 8);
  launch(add);
  EXPECT_NE(id, announce(kArguments));
  setArguments(add, data, uint32_t{0}); // the command has its own arguments
  EXPECT_EQ(8, sumOfExecution());

  uint32_t count = 5;
  MutableArgumentDesc argument{structureType(MutableArgumentDesc::kType), nullptr, id, 1, sizeof count, &count};
  ZE_OK(update(argument));
  count = 60; // the value has been copied
  EXPECT_EQ(5, sumOfExecution());

  const ze_group_count_t two{2, 1, 1};
  MutableGroupSizeDesc size{structureType(MutableGroupSizeDesc::kType), nullptr, id, {16, 1, 1}};
  MutableGroupCountDesc groups{structureType(MutableGroupCountDesc::kType), &size, id, &two};
  argument.next = &groups;
  ZE_OK(update(argument));
  EXPECT_EQ(32, sumOfExecution()) << "several changes in one call";

  MutableGlobalOffsetDesc offset{structureType(MutableGlobalOffsetDesc::kType), nullptr, id, {50, 0, 0}};
  ZE_OK(update(offset));
  EXPECT_EQ(10, sumOfExecution());
}

TEST_F(MutableLists, EventsChange) {
  auto first = event(), second = event(), gate = event();
  const uint64_t id = announce(kSignal | kWaits);
  int from = 1;
  ZE_OK(zeCommandListAppendMemoryCopy(list, data, &from, sizeof from, first, 1, &gate));
  ZE_OK(zeEventHostSignal(gate));
  EXPECT_EQ(1, sumOfExecution());
  ZE_OK(zeEventQueryStatus(first));
  ZE_OK(zeEventHostReset(first));
  ZE_OK(zeEventHostReset(gate));

  ze_event_handle_t none = nullptr;
  ZE_OK(call("zeCommandListUpdateMutableCommandSignalEventExp", list, id, second));
  ZE_OK(call("zeCommandListUpdateMutableCommandWaitEventsExp", list, id, 1u, &none));
  EXPECT_EQ(1, sumOfExecution()) << "it waits for nothing";
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(first));
  ZE_OK(zeEventQueryStatus(second));

  ZE_OK(zeEventHostReset(second));
  ZE_OK(call("zeCommandListUpdateMutableCommandSignalEventExp", list, id, none));
  ZE_OK(call("zeCommandListUpdateMutableCommandWaitEventsExp", list, id, 1u, &gate));
  ZE_OK(zeEventHostSignal(gate));
  EXPECT_EQ(1, sumOfExecution());
  EXPECT_EQ(ZE_RESULT_NOT_READY, zeEventQueryStatus(second));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_SIZE, call("zeCommandListUpdateMutableCommandWaitEventsExp", list, id, 2u,
                                               static_cast<ze_event_handle_t *>(nullptr)));
}

TEST_F(MutableLists, KernelsChange) {
  ze_kernel_handle_t kernels[] = {adding(3, 8), kernel("count", 4)};
  setArguments(kernels[1], data);
  MutableCommandIdDesc desc{structureType(MutableCommandIdDesc::kType), nullptr, kKernel | kArguments};
  uint64_t id = 0;
  ZE_OK(call("zeCommandListGetNextCommandIdWithKernelsExp", list, &desc, 2u, static_cast<ze_kernel_handle_t *>(kernels),
             &id));
  launch(kernels[1]);
  EXPECT_EQ(4, sumOfExecution());
  auto replace = [&](ze_kernel_handle_t by) {
    return call("zeCommandListUpdateMutableCommandKernelsExp", list, 1u, &id, &by);
  };
  ZE_OK(replace(kernels[0]));
  EXPECT_EQ(3, sumOfExecution());
  EXPECT_EQ(kInvalidKernelHandle, replace(adding(3, 8))) << "not one of those that were announced";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeCommandListUpdateMutableCommandKernelsExp", list, 1u, static_cast<uint64_t *>(nullptr),
                 static_cast<ze_kernel_handle_t *>(kernels)));
}

TEST_F(MutableLists, OnlyWhatWasAnnouncedChanges) {
  const uint64_t id = announce(kGroupCount);
  launch(adding(64, 8));
  uint32_t count = 1;
  MutableArgumentDesc argument{structureType(MutableArgumentDesc::kType), nullptr, id, 1, sizeof count, &count};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, update(argument));
  argument.command = id + 1;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, update(argument)) << "no such command";
  MutableGroupCountDesc groups{structureType(MutableGroupCountDesc::kType), nullptr, id, nullptr};
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER, update(groups));
  groups.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, update(groups)) << "not a change";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT,
            call("zeCommandListUpdateMutableCommandSignalEventExp", list, id, event()));
  EXPECT_EQ(8, sumOfExecution());

  MutableCommandIdDesc desc{structureType(MutableCommandIdDesc::kType), nullptr, kArguments};
  uint64_t next = 0;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call("zeCommandListGetNextCommandIdExp", list, &desc, &next)) << "closed";
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, call("zeCommandListGetNextCommandIdExp", regular(), &desc, &next));
  desc.flags = 0x100;
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ENUMERATION, call("zeCommandListGetNextCommandIdExp", list, &desc, &next));
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            call("zeCommandListGetNextCommandIdExp", list, static_cast<MutableCommandIdDesc *>(nullptr), &next));
  ZE_OK(zeCommandListReset(list));
  groups.stype = structureType(MutableGroupCountDesc::kType);
  EXPECT_EQ(ZE_RESULT_ERROR_INVALID_ARGUMENT, update(groups)) << "the list has no commands any more";
}

TEST_F(MutableLists, DevicesTellWhatMayChange) {
  MutableListProperties changes{MutableListProperties::kType, nullptr, 1, 0};
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  properties.pNext = &changes;
  ZE_OK(zeDeviceGetProperties(dev, &properties));
  EXPECT_EQ(kArguments | kGroupCount | kGroupSize | kOffset | kSignal | kWaits | kKernel, changes.commandFlags);
  EXPECT_EQ(0u, changes.listFlags);
}

// Newer headers have these structures, too.
#ifdef ZE_MUTABLE_COMMAND_LIST_EXP_NAME
static_assert(MutableListProperties::kType == ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_PROPERTIES);
static_assert(MutableListDesc::kType == ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC);
static_assert(MutableCommandIdDesc::kType == ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC);
static_assert(MutableCommandsDesc::kType == ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC);
static_assert(MutableArgumentDesc::kType == ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC);
static_assert(MutableGroupCountDesc::kType == ZE_STRUCTURE_TYPE_MUTABLE_GROUP_COUNT_EXP_DESC);
static_assert(MutableGroupSizeDesc::kType == ZE_STRUCTURE_TYPE_MUTABLE_GROUP_SIZE_EXP_DESC);
static_assert(MutableGlobalOffsetDesc::kType == ZE_STRUCTURE_TYPE_MUTABLE_GLOBAL_OFFSET_EXP_DESC);
static_assert(sizeof(MutableArgumentDesc) == sizeof(ze_mutable_kernel_argument_exp_desc_t));
static_assert(sizeof(MutableGroupSizeDesc) == sizeof(ze_mutable_group_size_exp_desc_t));
static_assert(sizeof(MutableGlobalOffsetDesc) == sizeof(ze_mutable_global_offset_exp_desc_t));
static_assert(sizeof(MutableListProperties) == sizeof(ze_mutable_command_list_exp_properties_t));
#endif

} // namespace
