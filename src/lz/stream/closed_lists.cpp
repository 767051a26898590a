// SPDX-License-Identifier: MIT
// See stream/closed_lists.h.
#include "lz/stream/closed_lists.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

namespace hiplz {

LZClosedLists::~LZClosedLists() {
  if (queue_ && !submitted_.empty())
    zeCommandQueueSynchronize(queue_.get(), UINT64_MAX);
}

ZeCommandList LZClosedLists::next(uint64_t drained) {
  // A list is certainly complete when a command of a later one is.
  if (!submitted_.empty() && submitted_.front().count < drained) {
    ZeCommandList list = std::move(submitted_.front().list);
    submitted_.pop_front();
    LZ_CALL(zeCommandListReset, (list.get()));
    return list;
  }
  ze_command_list_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  description.commandQueueGroupOrdinal = ordinal_;
  ZeCommandList list;
  zeCheck(list.create(zeCommandListCreate, device_.zeContext(), device_.ze(), &description), "zeCommandListCreate");
  return list;
}

ze_result_t LZClosedLists::submit(ZeCommandList list, uint64_t count) {
  ze_command_list_handle_t handle = list.get();
  submitted_.push_back({count, std::move(list)});
  if (ze_result_t result = zeCommandListClose(handle))
    return result;
  return zeCommandQueueExecuteCommandLists(queue_.get(), 1, &handle, nullptr);
}

} // namespace hiplz
