// SPDX-License-Identifier: MIT
// The commands of Level Zero as those of OpenCL.
#include "opencl/command_list.h"
#include "opencl/user_event.h"

#include <algorithm>
#include <cstring>

namespace hiplz::opencl {
namespace {

// Of OpenCL's fills.
constexpr size_t kMostPattern = 128;
// Other patterns are copied, this much at once.
constexpr size_t kChunk = 1 << 20;

/// For a command of several parts, of which the first one waits.
class Parts {
public:
  explicit Parts(const Enqueuing &with) : with_(with) {}
  Enqueuing next(bool isLast) {
    Enqueuing part = with_;
    if (!isFirst_) {
      part.waitCount = 0;
      part.waits = nullptr;
    }
    isFirst_ = false;
    if (!isLast)
      part.done = nullptr;
    return part;
  }

private:
  const Enqueuing with_;
  bool isFirst_ = true;
};

/// Calls the function on some thread when a command has been executed.
template <class Function> void afterwards(cl_event command, Function function) {
  auto held = std::make_unique<Function>(std::move(function));
  checkCl(cl().clSetEventCallback(
              command, CL_COMPLETE,
              [](cl_event, cl_int, void *data) { (*std::unique_ptr<Function>(static_cast<Function *>(data)))(); },
              held.get()),
          "clSetEventCallback");
  static_cast<void>(held.release());
}

bool isPowerOfTwo(size_t number) { return (number & (number - 1)) == 0; }

/// Ends a command of several parts that use \p memory of the host.
void keepUntilDone(const Enqueuing &last, std::shared_ptr<std::vector<std::byte>> memory) {
  cl_event done = nullptr;
  Enqueuing with = last;
  with.done = &done;
  enqueueBarrier(with);
  const ClEvent owner(done);
  afterwards(done, [memory = std::move(memory)] {});
  if (last.done)
    *last.done = retained(owner).release();
}

/// Chunk by chunk through memory of the host, from the end that is overwritten last.
void copyOverlapping(const Enqueuing &with, std::byte *to, const std::byte *from, size_t size) {
  const auto chunk = std::make_shared<std::vector<std::byte>>(std::min(size, kChunk));
  Parts parts(with);
  for (size_t copied = 0; copied < size; copied += chunk->size()) {
    const size_t part = std::min(chunk->size(), size - copied), at = to < from ? copied : size - copied - part;
    enqueueCopy(parts.next(false), chunk->data(), from + at, part);
    enqueueCopy(parts.next(false), to + at, chunk->data(), part);
  }
  keepUntilDone(parts.next(true), chunk);
}

} // namespace

// The queue is in order, so there is nothing to do unless somebody waits or is waited for. A marker is the same there, and with Intel's
// runtime for processors the thread that waits for it executes what comes before, while it sleeps for a barrier.
void enqueueBarrier(const Enqueuing &with) {
  if (with.waitCount == 0) {
    if (with.done)
      checkCl(cl().clEnqueueMarkerWithWaitList(with.queue, 0, nullptr, with.done), "clEnqueueMarkerWithWaitList");
    return;
  }
  checkCl(cl().clEnqueueBarrierWithWaitList(with.queue, with.waitCount, with.waits, with.done),
          "clEnqueueBarrierWithWaitList");
}

void enqueueCopy(const Enqueuing &with, void *to, const void *from, size_t size) {
  if (size == 0 || to == from)
    return enqueueBarrier(with);
  // OpenCL refuses these.
  const auto target = reinterpret_cast<uintptr_t>(to), source = reinterpret_cast<uintptr_t>(from);
  if (target < source + size && source < target + size)
    return copyOverlapping(with, static_cast<std::byte *>(to), static_cast<const std::byte *>(from), size);
  checkCl(with.memory.copy(with.queue, CL_FALSE, to, from, size, with.waitCount, with.waits, with.done),
          "enqueueing a copy");
}

void enqueueCopy(const Enqueuing &with, const CopyBox &box) {
  const size_t rows = box.height * box.depth;
  if (rows == 0 || box.width == 0)
    return enqueueBarrier(with);
  Parts parts(with);
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y)
      enqueueCopy(parts.next(z * box.height + y + 1 == rows), box.to + z * box.toSlicePitch + y * box.toPitch,
                  box.from + z * box.fromSlicePitch + y * box.fromPitch, box.width);
}

void enqueueFill(const Enqueuing &with, void *to, bool isHost, const std::vector<std::byte> &pattern, size_t size) {
  if (size == 0)
    return enqueueBarrier(with);
  const size_t length = pattern.size();
  const bool isOneByte = std::ranges::all_of(pattern, [&](std::byte byte) { return byte == pattern[0]; });
  const size_t unit = isOneByte ? 1 : length;
  // PoCL ends the process when it fills memory that it has not allocated. Copies take all memory.
  if (!isHost && isPowerOfTwo(unit) && unit <= kMostPattern && size % unit == 0 &&
      reinterpret_cast<uintptr_t>(to) % unit == 0) {
    checkCl(with.memory.fill(with.queue, to, pattern.data(), unit, size, with.waitCount, with.waits, with.done),
            "enqueueing a fill");
    return;
  }
  const size_t most = std::max(kChunk / length, size_t{1}) * length;
  const auto chunk = std::make_shared<std::vector<std::byte>>(std::min(size, most));
  for (size_t at = 0; at < chunk->size(); at += length)
    std::memcpy(chunk->data() + at, pattern.data(), std::min(length, chunk->size() - at));
  Parts parts(with);
  for (size_t at = 0; at < size; at += most)
    enqueueCopy(parts.next(false), static_cast<std::byte *>(to) + at, chunk->data(), std::min(most, size - at));
  keepUntilDone(parts.next(true), chunk);
}

void enqueueLaunch(const Enqueuing &with, cl_kernel kernel, const LaunchShape &shape, const ze_group_count_t &count) {
  const auto &group = shape.group;
  const size_t global[3] = {count.groupCountX * group[0], count.groupCountY * group[1], count.groupCountZ * group[2]};
  if (global[0] == 0 || global[1] == 0 || global[2] == 0)
    return enqueueBarrier(with);
  // Implementations for processors take longer to share groups of more dimensions out, also where these have one group.
  cl_uint dimensions = 3;
  while (dimensions > 1 && global[dimensions - 1] == 1 && shape.offset[dimensions - 1] == 0)
    --dimensions;
  checkCl(cl().clEnqueueNDRangeKernel(with.queue, kernel, dimensions, shape.offset, global, group, with.waitCount,
                                      with.waits, with.done),
          "clEnqueueNDRangeKernel");
}

void enqueueWrite(const Enqueuing &with, cl_context context, void *to, size_t size,
                  std::function<void(std::byte *)> produce) {
  auto bytes = std::make_shared<std::vector<std::byte>>(size);
  auto produced = std::make_shared<ClEvent>(makeUserEvent(context));
  cl_event reached = nullptr;
  checkCl(cl().clEnqueueMarkerWithWaitList(with.queue, with.waitCount, with.waits, &reached),
          "clEnqueueMarkerWithWaitList");
  const ClEvent marker(reached);
  afterwards(reached, [bytes, produced, produce = std::move(produce)] {
    try {
      produce(bytes->data());
    } catch (const Error &) { // what could not be found out is 0
    }
    signalUserEvent(*produced, CL_COMPLETE);
  });
  const cl_event wait = produced->get();
  cl_event written = nullptr;
  checkCl(with.memory.copy(with.queue, CL_FALSE, to, bytes->data(), size, 1, &wait, &written), "enqueueing a copy");
  ClEvent owner(written);
  afterwards(written, [bytes] {});
  if (with.done)
    *with.done = owner.release();
}

} // namespace hiplz::opencl
