// SPDX-License-Identifier: MIT
// Fills in a stream.
#include "lz/memory/fill_commands.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/copy_place.h"
#include "lz/stream/queue.h"

namespace hiplz {

hipError_t LZQueue::fillRegion(const FillRegion &region, const std::optional<Allocation> &memory) {
  if (region.empty())
    return hipSuccess;
  if (CaptureSink *sink = captured()) [[unlikely]]
    return sink->fill(*this, region);
  if (LZDevice *foreign = placeOf(device_, region.to, memory).foreign) {
    // Another driver's memory: filled by its own device, in order with this stream.
    if (hipError_t error = waitInPlace(*this))
      return error;
    foreign->fillBlocking(region);
    return hipSuccess;
  }
  return forEachFillCommand(
      region,
      [&](std::byte *row, size_t bytes) {
        return submit(
            [&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
              return zeCommandListAppendMemoryFill(appender_.listLocked(), row, &region.value, region.elementBytes,
                                                   bytes, signal, waitCount, waits);
            },
            [&] { return commandNote(trace::CommandType::fill, bytes); });
      },
      [&](const CopyRegion &part) {
        return appendRegion(part, {trace::Place::device, trace::Place::device});
      });
}

} // namespace hiplz
