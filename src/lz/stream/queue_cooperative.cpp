// SPDX-License-Identifier: MIT
// Cooperative launches, with their needs beyond ordinary ones: the state of the barrier, and room for all blocks at the same
// time.
#include "base/log.h"
#include "lz/device/device.h"
#include "lz/module/grid.h"
#include "lz/module/kernel.h"
#include "lz/stream/queue.h"

namespace hiplz {

// The launches of a stream follow each other, so one state serves them all. Not to be called under the lock: another queue
// fills the memory.
uint64_t LZQueue::gridAddress() {
  std::call_once(gridOnce_, [this] { grid_ = std::make_unique<LZGrid>(device_); });
  return grid_->address();
}

hipError_t LZQueue::checkCooperative(const KernelInstance &instance, const ze_group_count_t &groups) {
  uint32_t most = 0;
  if (hipError_t error = LZ_TRY(zeKernelSuggestMaxCooperativeGroupCount, (instance.ze.get(), &most)))
    return error;
  const uint64_t wanted = uint64_t{groups.groupCountX} * groups.groupCountY; // at most 2^62, and times 2^31 overflows
  if (wanted <= most && wanted * groups.groupCountZ <= most)
    return hipSuccess;
  HIPLZ_LOG_INFO("a cooperative launch of %s with %u x %u x %u blocks; only %u can run at the same time",
                 instance.kernel->name().c_str(), groups.groupCountX, groups.groupCountY, groups.groupCountZ, most);
  return hipErrorCooperativeLaunchTooLarge;
}

} // namespace hiplz
