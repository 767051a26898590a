// SPDX-License-Identifier: MIT
// Words in memory that a stream writes or waits for. A driver that can wait for a word itself does so, which holds
// neither a thread nor the host; what it cannot compare is polled by the callback thread of the stream, at growing
// intervals of up to a millisecond. Other streams are not held up in either case.
#include "lz/device/device.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/memory_operation.h"
#include "lz/stream/queue.h"

namespace hiplz {

hipError_t LZQueue::batch(std::span<const MemoryOperation> operations) {
  if (CaptureSink *sink = captured()) [[unlikely]]
    return sink->batch(*this, operations);
  for (const MemoryOperation &operation : operations) {
    hipError_t error;
    switch (operation.kind) {
    case MemoryOperation::Kind::write: error = writeWord(operation); break;
    case MemoryOperation::Kind::barrier: error = flush(); break;
    default: error = waitForWord(operation); break;
    }
    if (error)
      return error;
  }
  return hipSuccess;
}

hipError_t LZQueue::writeWord(const MemoryOperation &operation) {
  hipError_t error = submit([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    return zeCommandListAppendMemoryFill(appender_.listLocked(), operation.address, &operation.value, operation.bytes,
                                         operation.bytes, signal, waitCount, waits);
  });
  // Somebody polls the word, maybe the host, before the stream is waited for.
  return error ? error : flush();
}

hipError_t LZQueue::flush() {
  if (hipError_t error = prepare())
    return error;
  appender_.marker(); // its event has the scope of the host
  return hipSuccess;
}

hipError_t LZQueue::waitForWord(const MemoryOperation &operation) {
  const LZDriver &driver = device_.driver();
  const bool equal = operation.kind == MemoryOperation::Kind::waitEqual;
  const bool comparable = equal || operation.kind == MemoryOperation::Kind::waitGreaterEqual;
  const bool known = operation.bytes == 4 ? driver.waitOnMemory32() != nullptr : driver.waitOnMemory64() != nullptr;
  if (comparable && known && operation.wholeWord()) {
    if (hipError_t error = prepare())
      return error;
    ZexWaitOnMemory description{equal ? ZexWaitOnMemory::kEqual : ZexWaitOnMemory::kGreaterEqual,
                                ZexWaitOnMemory::kHostScope};
    bool refused = false;
    std::lock_guard lock(appender_.mutex());
    hipError_t error =
        appender_.appendLocked([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
          if (waitCount)
            if (ze_result_t result = zeCommandListAppendBarrier(appender_.listLocked(), nullptr, waitCount, waits))
              return result;
          ze_command_list_handle_t list = driverHandle(appender_.listLocked());
          ze_event_handle_t done = signal ? driverHandle(signal) : nullptr;
          const ze_result_t result =
              operation.bytes == 4
                  ? driver.waitOnMemory32()(list, &description, operation.address,
                                            static_cast<uint32_t>(operation.value), done)
                  : driver.waitOnMemory64()(list, &description, operation.address, operation.value, done);
          refused = result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; // the hardware cannot compare words of this size
          return refused ? zeCommandListAppendBarrier(appender_.listLocked(), signal, 0, nullptr) : result;
        });
    if (!refused)
      return error;
  }
  return hostStep({}, {}, [operation] { return pollOperation(operation); });
}

} // namespace hiplz
