// SPDX-License-Identifier: MIT
// Copies and fills of boxes and arrays, registered memory, advice and prefetches on Intel's driver in capture mode: every
// call must be taken; nothing is executed, so no byte is looked at.
#include "sequence.h"

#include <vector>

#pragma clang diagnostic ignored "-Wdeprecated-declarations" // hipMemcpyToArray, hipMemcpyFromArray

namespace {

__global__ void increment(int *data, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    ++data[index];
}

} // namespace

int main() {
  if (int code = requireIntel())
    return code;
  hipStream_t stream;
  MUST(hipStreamCreate(&stream));

  // Boxes between memory of all kinds; the pageable ones take more than one chunk, and the rows are short.
  constexpr size_t kWidth = 60, kPitch = 64, kHeight = 700, kDepth = 12, kBytes = kPitch * kHeight * kDepth;
  std::vector<char> pageable(kBytes);
  void *device, *pinned, *managed;
  MUST(hipMalloc(&device, kBytes));
  MUST(hipHostMalloc(&pinned, kBytes, hipHostMallocDefault));
  MUST(hipMallocManaged(&managed, kBytes, hipMemAttachGlobal));
  void *const memories[] = {device, pinned, managed, pageable.data()};
  for (void *to : memories)
    for (void *from : memories) {
      if (to == from)
        continue;
      hipMemcpy3DParms box{};
      box.dstPtr = make_hipPitchedPtr(to, kPitch, kWidth, kHeight);
      box.srcPtr = make_hipPitchedPtr(from, kPitch, kWidth, kHeight);
      box.extent = make_hipExtent(kWidth, kHeight, kDepth);
      box.kind = hipMemcpyDefault;
      MUST(hipMemcpy3DAsync(&box, stream));
      box.dstPos = make_hipPos(1, 2, 3);
      box.extent = make_hipExtent(kWidth - 1, kHeight - 2, kDepth - 3);
      MUST(hipMemcpy3D(&box));
      MUST(hipMemcpy2DAsync(to, kPitch, from, kPitch, kWidth, kHeight, hipMemcpyDefault, stream));
    }
  MUST(hipStreamSynchronize(stream));

  // Fills: consecutive rows, few rows, many rows, slices.
  const hipPitchedPtr whole = make_hipPitchedPtr(device, kPitch, kWidth, kHeight);
  MUST(hipMemset2DAsync(device, kPitch, 1, kPitch, kHeight, stream));
  MUST(hipMemset2DAsync(device, kPitch, 1, kWidth, 3, stream));
  MUST(hipMemset2DAsync(device, kPitch, 1, kWidth, kHeight, stream));
  MUST(hipMemset3DAsync(whole, 1, make_hipExtent(kWidth, kHeight, kDepth), stream));
  MUST(hipMemset3D(whole, 1, make_hipExtent(kPitch, kHeight - 1, kDepth)));
  MUST(hipMemset2D(managed, kPitch, 1, kWidth, kHeight));

  // Arrays.
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t array, volume, line;
  MUST(hipMallocArray(&array, &format, 40, 30));
  MUST(hipMalloc3DArray(&volume, &format, make_hipExtent(10, 8, 6), hipArrayDefault));
  MUST(hipMallocArray(&line, &format, 500));
  MUST(hipMemcpy2DToArray(array, 0, 0, pageable.data(), 160, 160, 30, hipMemcpyHostToDevice));
  MUST(hipMemcpy2DToArrayAsync(array, 8, 3, pinned, 64, 48, 20, hipMemcpyHostToDevice, stream));
  MUST(hipMemcpy2DFromArrayAsync(device, kPitch, array, 4, 1, 40, 20, hipMemcpyDeviceToDevice, stream));
  MUST(hipMemcpy2DFromArray(pageable.data(), 160, array, 0, 0, 160, 30, hipMemcpyDeviceToHost));
  MUST(hipMemcpyToArray(array, 20, 2, pageable.data(), 1000, hipMemcpyHostToDevice));
  MUST(hipMemcpyFromArray(pageable.data(), array, 20, 2, 1000, hipMemcpyDeviceToHost));
  MUST(hipMemcpy2DArrayToArray(array, 0, 0, array, 0, 15, 160, 15, hipMemcpyDeviceToDevice));
  hipMemcpy3DParms box{};
  box.srcPtr = make_hipPitchedPtr(pageable.data(), 40, 40, 8);
  box.dstArray = volume;
  box.extent = make_hipExtent(10, 8, 6);
  box.kind = hipMemcpyHostToDevice;
  MUST(hipMemcpy3D(&box));
  MUST(hipMemcpyHtoA(line, 4, pageable.data(), 1000));
  MUST(hipMemcpyAtoD(device, line, 4, 1000));
  MUST(hipMemcpyAtoHAsync(pinned, line, 0, 2000, stream));
  MUST(hipMemcpyAtoA(line, 0, line, 1000, 500));
  MUST(hipStreamSynchronize(stream));

  // Memory of the application: kernels and copies use it under its own address, on no page's boundary.
  std::vector<int> own(3 * 1024);
  for (int part = 0; part < 3; ++part)
    MUST(hipHostRegister(own.data() + part * 1024, 4096, hipHostRegisterDefault));
  EXPECT(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(own.data() + 512, 4096, hipHostRegisterDefault));
  EXPECT(hipErrorHostMemoryAlreadyRegistered, hipGetLastError());
  void *reached = nullptr;
  MUST(hipHostGetDevicePointer(&reached, own.data() + 7, 0));
  increment<<<4, 256, 0, stream>>>(static_cast<int *>(reached), 1000);
  MUST(hipGetLastError());
  MUST(hipMemcpyAsync(device, own.data(), 4096, hipMemcpyHostToDevice, stream));
  MUST(hipMemcpyAsync(own.data() + 1024, device, 4096, hipMemcpyDeviceToHost, stream));
  MUST(hipMemsetAsync(own.data() + 2048, 0, 4096, stream));
  MUST(hipMemcpy2DAsync(own.data(), 64, device, kPitch, 60, 50, hipMemcpyDeviceToHost, stream));
  hipPointerAttribute_t attributes{};
  MUST(hipPointerGetAttributes(&attributes, own.data() + 1030));
  for (int part = 0; part < 3; ++part)
    MUST(hipHostUnregister(own.data() + part * 1024));
  EXPECT(hipErrorHostMemoryNotRegistered, hipHostUnregister(own.data()));

  EXPECT(hipErrorHostMemoryNotRegistered, hipGetLastError());

  // Advice and prefetches; Intel's GPUs do not reach memory that nobody told them of.
  for (hipMemoryAdvise advice :
       {hipMemAdviseSetReadMostly, hipMemAdviseUnsetReadMostly, hipMemAdviseSetPreferredLocation,
        hipMemAdviseUnsetPreferredLocation, hipMemAdviseSetAccessedBy, hipMemAdviseUnsetAccessedBy,
        hipMemAdviseSetCoarseGrain, hipMemAdviseUnsetCoarseGrain})
    MUST(hipMemAdvise(managed, kBytes, advice, 0));
  MUST(hipMemPrefetchAsync(managed, kBytes, 0, stream));
  increment<<<4, 256, 0, stream>>>(static_cast<int *>(managed), 1000);
  MUST(hipGetLastError());
  MUST(hipMemPrefetchAsync(managed, kBytes, hipCpuDeviceId, stream));
  int location = 9;
  MUST(hipMemRangeGetAttribute(&location, sizeof location, hipMemRangeAttributeLastPrefetchLocation, managed, kBytes));
  if (location != hipCpuDeviceId) {
    std::printf("the last prefetch went to %d\n", location);
    return 1;
  }
  EXPECT(hipErrorInvalidValue, hipMemAdvise(pageable.data(), 4096, hipMemAdviseSetReadMostly, 0));
  MUST(hipStreamSynchronize(stream));

  MUST(hipFreeArray(line));
  MUST(hipFreeArray(volume));
  MUST(hipFreeArray(array));
  MUST(hipFree(managed));
  MUST(hipHostFree(pinned));
  MUST(hipFree(device));
  MUST(hipStreamDestroy(stream));
  std::printf("passed\n");
  return 0;
}
