// Fills in a stream. Level Zero fills consecutive bytes only.
#include "lz/copy_place.h"
#include "lz/copy_region.h"
#include "lz/lz_queue_submit.h"

#include <algorithm>

namespace hiplz {
namespace {

// Rows with gaps between them are filled by a command each if they are few or long. Otherwise one row is filled, and the
// rest is copied from what is there already, twice as much with each command: reading costs less than a command a row.
constexpr size_t kFewRows = 8, kLongRow = 64 << 10;

} // namespace

hipError_t LZQueue::fill(void *to, uint32_t pattern, size_t patternBytes, size_t bytes) {
  return fillRegion(linearFill(to, pattern, patternBytes, bytes / patternBytes));
}

hipError_t LZQueue::fillRegion(const FillRegion &region) {
  if (region.empty())
    return hipSuccess;
  if (LZDevice *foreign = placeOf(device_, region.to).foreign) {
    // Another driver's memory: filled by its own device, in order with this stream.
    if (hipError_t error = synchronize())
      return error;
    foreign->fillBlocking(region);
    return hipSuccess;
  }
  // A fill joins rows like a copy onto itself.
  CopyRegion box;
  box.to = {static_cast<std::byte *>(region.to), region.pitch, region.rows};
  box.from = box.to;
  box.width = region.width * region.elementBytes;
  box.height = region.height;
  box.depth = region.depth;
  box = joinRows(box);
  auto fillRow = [&](size_t y, size_t z) {
    return submit([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
      return zeCommandListAppendMemoryFill(list_.get(), box.to.base + z * box.to.slicePitch() + y * box.to.pitch,
                                           &region.value, region.elementBytes, box.width, signal, waitCount, waits);
    });
  };
  if (box.height * box.depth <= kFewRows || box.width >= kLongRow) {
    for (size_t z = 0; z < box.depth; ++z)
      for (size_t y = 0; y < box.height; ++y)
        if (hipError_t error = fillRow(y, z))
          return error;
    return hipSuccess;
  }
  if (hipError_t error = fillRow(0, 0))
    return error;
  CopyRegion part = box;
  part.depth = 1;
  for (size_t rows = 1; rows < box.height; rows *= 2) {
    part.to.y = rows;
    part.height = std::min(rows, box.height - rows);
    if (hipError_t error = appendRegion(part))
      return error;
  }
  part.to.y = 0;
  part.height = box.height;
  for (size_t slices = 1; slices < box.depth; slices *= 2) {
    part.to.z = slices;
    part.depth = std::min(slices, box.depth - slices);
    if (hipError_t error = appendRegion(part))
      return error;
  }
  return hipSuccess;
}

} // namespace hiplz
