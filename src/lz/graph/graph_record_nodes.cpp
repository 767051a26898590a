// SPDX-License-Identifier: MIT
// The commands of nodes. Copies of memory that the device does not reach pass through pinned memory of the recording: a
// host function moves the bytes when the graph gets there.
#include "lz/device/check_marks.h"
#include "lz/graph/condition.h"
#include "lz/graph/graph_recorder.h"
#include "lz/memory/fill_commands.h"
#include "lz/memory/graph_memory.h"
#include "lz/module/grid.h"
#include "lz/module/kernel.h"
#include "lz/module/module.h"
#include "lz/stream/copy_place.h"
#include "lz/stream/queue.h"

#include <algorithm>

namespace hiplz {
namespace {

void check(hipError_t error) {
  if (error)
    throw HipError(error);
}

std::shared_ptr<LZGraphMemory> graphMemoryAt(const void *pointer) {
  std::shared_ptr<LZGraphMemory> memory = LZGraphMemory::find(pointer);
  if (!memory)
    throw HipError(hipErrorInvalidValue, "the graph frees memory that no graph has allocated");
  return memory;
}

bool countable(const CopyRegion &region) {
  // Level Zero counts in 32 bits.
  return std::max({region.width, region.height, region.depth, region.to.pitch, region.to.slicePitch(),
                   region.from.pitch, region.from.slicePitch()}) <= UINT32_MAX;
}

} // namespace

bool LZGraphRecorder::writeNode(const LZGraphNode &node, ze_event_handle_t done) {
  if (&node.device().driver() != &lanes_.main().driver())
    throw HipError(hipErrorNotSupported, "the nodes of a graph are on devices of different drivers");
  if (const auto *kernel = node.as<KernelNode>())
    return write(node, *kernel, done);
  if (const auto *copy = node.as<CopyNode>())
    write(copy->region);
  else if (const auto *fill = node.as<FillNode>())
    write(fill->region);
  else if (const auto *host = node.as<HostNode>())
    write(*host);
  else if (const auto *conditional = node.as<ConditionalNode>())
    write(*conditional);
  else if (const auto *batch = node.as<BatchNode>())
    write(*batch);
  else if (const auto *allocation = node.as<AllocNode>())
    write(allocation->memory, true);
  else if (const auto *release = node.as<FreeNode>())
    write(graphMemoryAt(release->pointer), false);
  return false;
}

void LZGraphRecorder::write(std::shared_ptr<LZGraphMemory> memory, bool allocates) {
  if (checksMemory(device().driver()))
    command([&] { return memory->mark(list_.get(), allocates); });
  recording_.memory_.push_back({std::move(memory), allocates});
}

bool LZGraphRecorder::write(const LZGraphNode &node, const KernelNode &launch, ze_event_handle_t done) {
  if (launch.lost())
    throw HipError(hipErrorInvalidDeviceFunction, "a node launches a kernel whose module has been unloaded");
  const LZKernel &kernel = launch.kernel();
  const LaunchShape &shape = launch.shape();
  KernelInstance &instance = lanes_.kernel({&kernel, &device(), shape.block});
  const ze_group_count_t groups{shape.grid[0], shape.grid[1], shape.grid[2]};
  const bool cooperative = launch.attributes.cooperative != 0;
  uint64_t grid = 0;
  if (cooperative)
    grid = recording_.grids_.emplace_back(std::make_unique<LZGrid>(device()))->address();
  std::byte *memory = kernel.argumentMemory() ? pinned(kernel.argumentMemory()) : nullptr;
  check(instance.set(device(), shape, launch.arguments(), grid, memory));
  if (cooperative)
    check(LZQueue::checkCooperative(instance, groups));
  // Everything that the launch refers to beside its arguments stays as it is.
  const bool changeable = !cooperative && !memory && changesLaunches();
  if (recording_.changeable_ && !changeable)
    recording_.launches_.addFixed(node);
  command([&] {
    if (changeable)
      zeCheck(recording_.launches_.announce(lanes_.mutableLists(), list_.get(), node),
              "zeCommandListGetNextCommandIdExp");
    return (cooperative ? zeCommandListAppendLaunchCooperativeKernel
                        : zeCommandListAppendLaunchKernel)(list_.get(), instance.ze.get(), &groups, done, 0, nullptr);
  });
  recording_.modules_.insert(&kernel.module());
  if (kernel.prints() || kernel.callsHost() || kernel.printsToBuffer())
    notePrinting(device());
  return true;
}

void LZGraphRecorder::notePrinting(LZDevice &device) {
  std::vector<LZDevice *> &printing = recording_.printing_;
  if (std::find(printing.begin(), printing.end(), &device) == printing.end())
    printing.push_back(&device);
}

void LZGraphRecorder::write(const ConditionalNode &node) {
  for (LZDevice *device : node.printing)
    notePrinting(*device);
  hostStep([run = std::make_shared<ConditionalRun>(node)] { return run->advance(); }, {});
}

void LZGraphRecorder::write(const HostNode &node) {
  // Like a host function in a stream it is not run after a fault.
  hostStep({}, [function = node.function, userData = node.userData](hipError_t status) {
    if (status == hipSuccess)
      function(userData);
  });
}

void LZGraphRecorder::write(const CopyRegion &region) {
  if (region.empty())
    return;
  const CopyMemory memory = memoryOf(region);
  recording_.writesPageable_ |= !memory.to;
  const CopyPlace to = placeOf(device(), region.to.first(), memory.to),
                  from = placeOf(device(), region.from.first(), memory.from);
  if (to.foreign || from.foreign) {
    LZDevice &writes = to.foreign ? *to.foreign : device(), &reads = from.foreign ? *from.foreign : device();
    hostStep(
        [region, &writes, &reads] {
          copyThroughHost(region, writes, reads);
          return hipSuccess;
        },
        {});
    return;
  }
  const bool all = device().reachesAllMemory();
  const bool writable = all || to.reachable, readable = all || from.reachable;
  if (writable && readable) {
    appendRegion(region);
    return;
  }
  auto onHost = [this](const CopyRegion &part) {
    hostStep({}, [part, &device = device()](hipError_t status) {
      if (status == hipSuccess)
        device.copyUnlessLost([&] { copyOnHost(part); });
    });
  };
  if (!writable && !readable) {
    onHost(region);
    return;
  }
  CopyRegion first = region, second = region;
  first.to = second.from = packedEnd(pinned(region.width * region.height * region.depth), region.width, region.height);
  if (writable) {
    onHost(first);
    appendRegion(second);
  } else {
    appendRegion(first);
    onHost(second);
  }
}

void LZGraphRecorder::appendRegion(const CopyRegion &region) {
  const CopyRegion rows = joinRows(region);
  const bool linear = rows.height == 1 && rows.depth == 1;
  if (!linear && countable(rows)) {
    const ze_copy_region_t box{0,
                               0,
                               0,
                               static_cast<uint32_t>(rows.width),
                               static_cast<uint32_t>(rows.height),
                               static_cast<uint32_t>(rows.depth)};
    command([&] {
      return zeCommandListAppendMemoryCopyRegion(
          list_.get(), rows.to.first(), &box, static_cast<uint32_t>(rows.to.pitch),
          static_cast<uint32_t>(rows.to.slicePitch()), rows.from.first(), &box, static_cast<uint32_t>(rows.from.pitch),
          static_cast<uint32_t>(rows.from.slicePitch()), nullptr, 0, nullptr);
    });
    return;
  }
  for (size_t z = 0; z < rows.depth; ++z)
    for (size_t y = 0; y < rows.height; ++y)
      command([&] {
        return zeCommandListAppendMemoryCopy(
            list_.get(), rows.to.first() + z * rows.to.slicePitch() + y * rows.to.pitch,
            rows.from.first() + z * rows.from.slicePitch() + y * rows.from.pitch, rows.width, nullptr, 0, nullptr);
      });
}

void LZGraphRecorder::write(const FillRegion &region) {
  if (region.empty())
    return;
  if (LZDevice *foreign = placeOf(device(), region.to, memoryOf(region)).foreign) {
    hostStep(
        [region, foreign] {
          foreign->fillBlocking(region);
          return hipSuccess;
        },
        {});
    return;
  }
  forEachFillCommand(
      region,
      [&](std::byte *row, size_t bytes) {
        command([&] {
          return zeCommandListAppendMemoryFill(list_.get(), row, &region.value, region.elementBytes, bytes, nullptr, 0,
                                               nullptr);
        });
        return hipSuccess;
      },
      [&](const CopyRegion &part) {
        appendRegion(part);
        return hipSuccess;
      });
}

void LZGraphRecorder::write(const BatchNode &node) {
  for (const MemoryOperation &operation : node.operations) {
    switch (operation.kind) {
    case MemoryOperation::Kind::write:
      command([&] {
        return zeCommandListAppendMemoryFill(list_.get(), operation.address, &operation.value, operation.bytes,
                                             operation.bytes, nullptr, 0, nullptr);
      });
      // Somebody may poll the word; an event has the scope of the host.
      [[fallthrough]];
    case MemoryOperation::Kind::barrier: {
      const LZEventRef flushed = newEvent();
      resets_.push_back(flushed.ze());
      barrier({}, flushed.ze());
      break;
    }
    default:
      if (!appendWaitOnMemory(operation))
        hostStep([operation] { return pollOperation(operation); }, {});
      break;
    }
  }
}

bool LZGraphRecorder::appendWaitOnMemory(const MemoryOperation &operation) {
  const LZDriver &driver = device().driver();
  const bool equal = operation.kind == MemoryOperation::Kind::waitEqual;
  const bool comparable = equal || operation.kind == MemoryOperation::Kind::waitGreaterEqual;
  const bool known = operation.bytes == 4 ? driver.waitOnMemory32() != nullptr : driver.waitOnMemory64() != nullptr;
  if (!comparable || !known || !operation.wholeWord())
    return false;
  ZexWaitOnMemory description{equal ? ZexWaitOnMemory::kEqual : ZexWaitOnMemory::kGreaterEqual,
                              ZexWaitOnMemory::kHostScope};
  bool refused = false;
  command([&] {
    ze_command_list_handle_t list = driverHandle(list_.get());
    const ze_result_t result =
        operation.bytes == 4 ? driver.waitOnMemory32()(list, &description, operation.address,
                                                       static_cast<uint32_t>(operation.value), nullptr)
                             : driver.waitOnMemory64()(list, &description, operation.address, operation.value, nullptr);
    refused = result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    return refused ? ZE_RESULT_SUCCESS : result;
  });
  return !refused;
}

std::byte *LZGraphRecorder::pinned(size_t bytes) {
  return recording_.pinned_.emplace_back(ZeMemory::onHost(device().zeContext(), bytes, 64)).get();
}

} // namespace hiplz
