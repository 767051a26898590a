// SPDX-License-Identifier: MIT
// See graph/mutable_launches.h.
#include "lz/graph/mutable_launches.h"
#include "lz/device/driver.h"
#include "lz/module/kernel.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace hiplz {
namespace {

bool sameShape(const LaunchShape &a, const LaunchShape &b) {
  return std::equal(a.grid, a.grid + 3, b.grid) && std::equal(a.block, a.block + 3, b.block);
}

} // namespace

ZeMutableLists::ZeMutableLists(const LZDriver &driver) {
  if (!driver.hasExtension(kZeMutableListsExtension))
    return;
  getNextCommandId = driver.function<ZeGetNextCommandId>("zeCommandListGetNextCommandIdExp", kZeMutableListsExtension);
  updateMutableCommands =
      driver.function<ZeUpdateMutableCommands>("zeCommandListUpdateMutableCommandsExp", kZeMutableListsExtension);
}

/// The changes of one list, as a chain of descriptions.
class LZMutableLaunches::Changes {
public:
  /// From what has been recorded to what the node says.
  void add(const Launch &launch, const KernelNode &now) {
    uint32_t index = 0;
    for (const spirv::Arg &argument : now.kernel().args()) {
      const void *value = now.arguments().pointers[index];
      if (std::memcmp(value, launch.recorded.arguments().pointers[index], argument.size) != 0) {
        const bool null = argument.kind == spirv::ArgKind::pointer && !*static_cast<void *const *>(value);
        ZeMutableArgument &change = arguments_.emplace_back();
        change.index = index;
        change.bytes = argument.size;
        change.value = null ? nullptr : value;
        link(change, launch);
      }
      ++index;
    }
    const LaunchShape &shape = now.shape(), &before = launch.recorded.shape();
    if (!std::equal(shape.block, shape.block + 3, before.block)) {
      ZeMutableGroupSize &change = sizes_.emplace_back();
      std::copy_n(shape.block, 3, change.size);
      link(change, launch);
    }
    if (!std::equal(shape.grid, shape.grid + 3, before.grid)) {
      groups_.push_back({shape.grid[0], shape.grid[1], shape.grid[2]});
      ZeMutableGroupCount &change = counts_.emplace_back();
      change.count = &groups_.back();
      link(change, launch);
    }
  }

  /// Applies them, and the list can be executed again.
  bool apply(const ZeMutableLists &functions, ze_command_list_handle_t list) {
    return !head_.pNext || (functions.updateMutableCommands(list, &head_) == ZE_RESULT_SUCCESS &&
                            zeCommandListClose(list) == ZE_RESULT_SUCCESS);
  }

private:
  template <class Change> void link(Change &change, const Launch &launch) {
    change.command = launch.command;
    change.pNext = head_.pNext;
    head_.pNext = &change;
  }

  ZeMutableCommandsDesc head_;
  std::deque<ZeMutableArgument> arguments_; // addresses must not change
  std::deque<ZeMutableGroupSize> sizes_;
  std::deque<ZeMutableGroupCount> counts_;
  std::deque<ze_group_count_t> groups_;
};

ze_result_t LZMutableLaunches::announce(const ZeMutableLists &functions, ze_command_list_handle_t list,
                                        const LZGraphNode &node) {
  ZeMutableCommandIdDesc description;
  description.flags = kZeMutableArguments | kZeMutableGroupCount | kZeMutableGroupSize;
  uint64_t command = 0;
  const ze_result_t result = functions.getNextCommandId(list, &description, &command);
  if (result == ZE_RESULT_SUCCESS)
    launches_.push_back({&node, *node.as<KernelNode>(), list, command});
  return result;
}

void LZMutableLaunches::addFixed(const LZGraphNode &node) {
  launches_.push_back({&node, *node.as<KernelNode>(), nullptr, 0});
}

bool LZMutableLaunches::update(const ZeMutableLists &functions) {
  for (auto launch = launches_.begin(); launch != launches_.end();) {
    Changes changes;
    const ze_command_list_handle_t list = launch->list;
    for (; launch != launches_.end() && launch->list == list; ++launch) {
      const KernelNode &now = *launch->node->as<KernelNode>();
      KernelNode &before = launch->recorded;
      if (now.lost() || &now.kernel() != &before.kernel() || now.shape().sharedBytes != before.shape().sharedBytes ||
          now.attributes.cooperative != before.attributes.cooperative)
        return false;
      if (now.sameArguments(before) && sameShape(now.shape(), before.shape()))
        continue;
      if (!list)
        return false;
      changes.add(*launch, now);
      before = now;
    }
    if (!changes.apply(functions, list))
      return false;
  }
  return true;
}

} // namespace hiplz
