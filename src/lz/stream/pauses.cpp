// SPDX-License-Identifier: MIT
// Pauses keep their events until somebody asks how long they were, or there are many.
#include "lz/stream/pauses.h"
#include "lz/device/device.h"

namespace hiplz {
namespace {

// 0 if the driver does not know: then the time that passed is told.
double lengthOf(const LZPauses::Pause &pause, const LZDevice &device) {
  ze_kernel_timestamp_result_t from{}, to{};
  if (zeEventQueryKernelTimestamp(pause.before.ze(), &from) != ZE_RESULT_SUCCESS ||
      zeEventQueryKernelTimestamp(pause.after.ze(), &to) != ZE_RESULT_SUCCESS)
    return 0;
  const double host = std::chrono::duration<double, std::nano>(pause.end - pause.begin).count();
  return device.elapsedNanoseconds(from.global.kernelEnd, to.global.kernelEnd, host);
}

} // namespace

void LZPauses::State::settle(const LZDevice &device) {
  std::erase_if(open, [&](const Pause &pause) {
    if (!pause.after.isSignalled())
      return false;
    settled.push_back({pause.count, lengthOf(pause, device)});
    return true;
  });
}

void LZPauses::add(const LZDevice &device, Pause pause) {
  const auto state = state_.lock();
  if (state->open.size() >= kMostOpen)
    state->settle(device);
  state->open.push_back(std::move(pause));
}

double LZPauses::nanoseconds(const LZDevice &device, uint64_t from, uint64_t to) {
  const auto state = state_.lock();
  state->settle(device);
  double sum = 0;
  for (const Settled &pause : state->settled)
    if (from <= pause.count && pause.count < to)
      sum += pause.nanoseconds;
  return sum;
}

} // namespace hiplz
