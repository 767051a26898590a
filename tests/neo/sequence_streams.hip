// SPDX-License-Identifier: MIT
// Streams on Intel's driver in capture mode: kinds and priorities, words that are written and waited for, attachments.
// Nothing is executed there, so a wait for a value that only a command would write must be satisfied by the host.
#include "sequence.h"

namespace {

__global__ void store(unsigned *to, unsigned value) { *to = value; }

} // namespace

int main() {
  if (int code = requireIntel())
    return code;
  unsigned *device, *managed;
  uint64_t *words;
  MUST(hipMalloc(&device, 64));
  MUST(hipMallocManaged(&managed, 64));
  MUST(hipHostMalloc(&words, 64));
  for (int i = 0; i < 8; ++i)
    words[i] = 0;
  hipStream_t low, high, plain;
  int least, greatest;
  MUST(hipDeviceGetStreamPriorityRange(&least, &greatest));
  MUST(hipStreamCreateWithPriority(&low, hipStreamNonBlocking, least));
  MUST(hipStreamCreateWithPriority(&high, hipStreamDefault, greatest));
  MUST(hipStreamCreate(&plain));

  for (hipStream_t stream : {low, high, plain, hipStreamPerThread, hipStreamLegacy}) {
    store<<<1, 1, 0, stream>>>(device, 1);
    MUST(hipGetLastError());
    MUST(hipStreamWriteValue32(stream, device, 3, 0));
    MUST(hipStreamWriteValue64(stream, words, 5, 0));
    MUST(hipStreamAttachMemAsync(stream, managed, 0, hipMemAttachSingle));
    MUST(hipStreamWaitValue32(stream, words + 1, 0, hipStreamWaitValueGte)); // true from the beginning
    MUST(hipStreamWaitValue64(stream, words + 1, 0, hipStreamWaitValueEq));
    MUST(hipStreamWaitValue32(stream, words + 1, 0xff, hipStreamWaitValueNor, 0xf0f));
    hipStreamBatchMemOpParams operations[3] = {};
    operations[0].operation = hipStreamMemOpWriteValue64;
    operations[0].writeValue.address = words + 2;
    operations[0].writeValue.value64 = 1;
    operations[1].operation = hipStreamMemOpBarrier;
    operations[2].operation = hipStreamMemOpWaitValue32;
    operations[2].waitValue.address = words + 1;
    operations[2].waitValue.flags = hipStreamWaitValueEq;
    MUST(hipStreamBatchMemOp(stream, 3, operations, 0));
    store<<<1, 1, 0, stream>>>(device, 2);
    MUST(hipGetLastError());
    MUST(hipStreamSynchronize(stream));
  }
  MUST(hipDeviceSynchronize());
  for (hipStream_t stream : {low, high, plain})
    MUST(hipStreamDestroy(stream));
  MUST(hipFree(device));
  MUST(hipFree(managed));
  MUST(hipHostFree(words));
  std::printf("all calls were taken\n");
  return 0;
}
