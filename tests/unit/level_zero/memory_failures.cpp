// SPDX-License-Identifier: MIT
// Each call of Level Zero fails: memory, copies, arrays, pools, virtual memory.
#include "failures.h"

#include <algorithm>
#include <atomic>

namespace failures {
namespace {

void memory() {
  Memory a, b;
  std::vector<int> back(kCount, -1);
  TRY(hipMalloc(&a.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&b.handle, kCount * sizeof(int)));
  TRY(hipMemset(a, 0x11, kCount * sizeof(int)));
  TRY(hipMemcpy(b, a, kCount * sizeof(int), hipMemcpyDeviceToDevice));
  TRY(hipMemcpy(back.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(back == std::vector<int>(kCount, 0x11111111));
  TRY(hipMemcpy(a, numbers(5).data(), kCount * sizeof(int), hipMemcpyHostToDevice));
  TRY(hipMemsetD32(b, 7, kCount));
  TRY(hipMemcpy(back.data(), a, kCount * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(back == numbers(5));
  TRY(hipMemcpy(back.data(), b, kCount * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(back == std::vector<int>(kCount, 7));
}

void hostMemory() {
  HostMemory pinned;
  Memory managed, device;
  TRY(hipHostMalloc(&pinned.handle, kCount * sizeof(int)));
  TRY(hipMallocManaged(&managed.handle, kCount * sizeof(int)));
  TRY(hipMalloc(&device.handle, kCount * sizeof(int)));
  const std::vector<int> given = numbers(3);
  std::copy(given.begin(), given.end(), pinned.handle);
  TRY(hipMemcpyAsync(device, pinned, kCount * sizeof(int), hipMemcpyDefault, nullptr));
  TRY(launchAddTo(managed, device, 2));
  TRY(hipDeviceSynchronize());
  CHECK(std::equal(managed.handle, managed.handle + kCount, numbers(5).begin()));
  std::vector<int> registered = numbers(1);
  TRY(hipHostRegister(registered.data(), kCount * sizeof(int), hipHostRegisterDefault));
  const bool copied = noted(hipMemcpy(registered.data(), managed, kCount * sizeof(int), hipMemcpyDefault), "copy");
  noted(hipHostUnregister(registered.data()), "hipHostUnregister");
  CHECK(!copied || registered == numbers(5));
}

void managedMemory() {
  Memory memory;
  TRY(hipMallocManaged(&memory.handle, kCount * sizeof(int)));
  TRY(hipMemAdvise(memory, kCount * sizeof(int), hipMemAdviseSetReadMostly, 0));
  TRY(hipMemPrefetchAsync(memory, kCount * sizeof(int), 0, nullptr));
  TRY(hipMemset(memory, 4, kCount * sizeof(int)));
  TRY(hipDeviceSynchronize());
  CHECK(std::all_of(memory.handle, memory.handle + kCount, [](int v) { return v == 0x04040404; }));
}

void pitchedMemory() {
  Memory rows;
  size_t pitch = 0;
  TRY(hipMallocPitch(reinterpret_cast<void **>(&rows.handle), &pitch, 30 * sizeof(int), 20));
  std::vector<int> given = numbers(2), back(30 * 20, -1);
  TRY(hipMemset2D(rows, pitch, 0, 30 * sizeof(int), 20));
  TRY(hipMemcpy2D(rows, pitch, given.data(), 30 * sizeof(int), 30 * sizeof(int), 20, hipMemcpyHostToDevice));
  TRY(hipMemcpy2D(back.data(), 30 * sizeof(int), rows, pitch, 30 * sizeof(int), 20, hipMemcpyDeviceToHost));
  CHECK(std::equal(back.begin(), back.end(), given.begin()));
}

void largeCopies() {
  constexpr size_t count = 300000; // more than the chunks through which pageable memory passes
  Memory memory;
  std::vector<int> given(count), back(count, -1);
  for (size_t i = 0; i < count; ++i)
    given[i] = static_cast<int>(3 * i);
  TRY(hipMalloc(&memory.handle, count * sizeof(int)));
  TRY(hipMemcpyAsync(memory, given.data(), count * sizeof(int), hipMemcpyHostToDevice, nullptr));
  const std::vector<int> kept = given;
  std::fill(given.begin(), given.end(), 0); // read when the call has returned
  TRY(hipMemcpy(back.data(), memory, count * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(back == kept);
}

void streamOrderedMemory() {
  Stream stream;
  Pool pool;
  std::vector<int> back(kCount, -1);
  int *memory = nullptr;
  TRY(hipStreamCreate(&stream));
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  TRY(hipMemPoolCreate(&pool, &properties));
  for (int round = 0; round < 2; ++round) {
    TRY(hipMallocFromPoolAsync(reinterpret_cast<void **>(&memory), kCount * sizeof(int), pool, stream));
    const bool filled = noted(hipMemsetAsync(memory, round, kCount * sizeof(int), stream), "hipMemsetAsync") &&
                        noted(hipMemcpyAsync(back.data(), memory, kCount * sizeof(int), hipMemcpyDeviceToHost, stream),
                              "hipMemcpyAsync");
    TRY(hipFreeAsync(memory, stream));
    TRY(hipStreamSynchronize(stream));
    CHECK(!filled || back == std::vector<int>(kCount, round * 0x01010101));
  }
  TRY(hipMemPoolTrimTo(pool, 0));
}

void graphMemory() {
  Stream stream;
  Graph graph;
  GraphExec exec;
  std::vector<int> back(kCount, -1);
  int *memory = nullptr;
  TRY(hipStreamCreate(&stream));
  TRY(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
  auto capture = [&] {
    TRY(hipMallocAsync(reinterpret_cast<void **>(&memory), kCount * sizeof(int), stream));
    TRY(hipMemsetAsync(memory, 3, kCount * sizeof(int), stream));
    TRY(hipMemcpyAsync(back.data(), memory, kCount * sizeof(int), hipMemcpyDeviceToHost, stream));
    TRY(hipFreeAsync(memory, stream));
  };
  capture();
  TRY(hipStreamEndCapture(stream, &graph));
  if (ending.error)
    return;
  TRY(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int round = 0; round < 2; ++round) {
    TRY(hipGraphLaunch(exec, stream));
    TRY(hipStreamSynchronize(stream));
    CHECK(back == std::vector<int>(kCount, 0x03030303));
  }
  TRY(hipDeviceGraphMemTrim(0));
}

void textures() {
  Array array;
  Texture texture;
  const hipChannelFormatDesc format = hipCreateChannelDesc<int>();
  TRY(hipMallocArray(&array, &format, 32, 16));
  std::vector<int> given = numbers(9), back(32 * 16, -1);
  TRY(hipMemcpy2DToArray(array, 0, 0, given.data(), 32 * sizeof(int), 32 * sizeof(int), 16, hipMemcpyHostToDevice));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc description{};
  TRY(hipCreateTextureObject(&texture, &resource, &description, nullptr));
  TRY(hipMemcpy2DFromArray(back.data(), 32 * sizeof(int), array, 0, 0, 32 * sizeof(int), 16, hipMemcpyDeviceToHost));
  CHECK(std::equal(back.begin(), back.end(), given.begin()));
}

void threeDimensions() {
  Array array;
  const hipChannelFormatDesc format = hipCreateChannelDesc<int>();
  TRY(hipMalloc3DArray(&array, &format, make_hipExtent(8, 6, 5), hipArrayDefault));
  std::vector<int> given = numbers(9), back(8 * 6 * 5, -1);
  hipMemcpy3DParms parameters{};
  parameters.srcPtr = make_hipPitchedPtr(given.data(), 8 * sizeof(int), 8, 6);
  parameters.dstArray = array;
  parameters.extent = make_hipExtent(8, 6, 5);
  parameters.kind = hipMemcpyHostToDevice;
  TRY(hipMemcpy3D(&parameters));
  hipMemcpy3DParms fetch{};
  fetch.srcArray = array;
  fetch.dstPtr = make_hipPitchedPtr(back.data(), 8 * sizeof(int), 8, 6);
  fetch.extent = parameters.extent;
  fetch.kind = hipMemcpyDeviceToHost;
  TRY(hipMemcpy3D(&fetch));
  CHECK(std::equal(back.begin(), back.end(), given.begin()));
}

void virtualMemory() {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  size_t granularity = 0;
  TRY(hipMemGetAllocationGranularity(&granularity, &properties, hipMemAllocationGranularityMinimum));
  void *place = nullptr;
  hipMemGenericAllocationHandle_t handle{};
  TRY(hipMemAddressReserve(&place, granularity, 0, nullptr, 0));
  if (noted(hipMemCreate(&handle, granularity, &properties, 0), "hipMemCreate")) {
    if (noted(hipMemMap(place, granularity, 0, handle, 0), "hipMemMap")) {
      hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
      int back = -1;
      if (noted(hipMemSetAccess(place, granularity, &access, 1), "hipMemSetAccess") &&
          noted(hipMemset(place, 5, sizeof(int)), "hipMemset") &&
          noted(hipMemcpy(&back, place, sizeof back, hipMemcpyDeviceToHost), "hipMemcpy"))
        CHECK(back == 0x05050505);
      TWICE(hipMemUnmap(place, granularity));
    }
    TWICE(hipMemRelease(handle));
  }
  TWICE(hipMemAddressFree(place, granularity));
}

SCENARIO(memory)
SCENARIO(hostMemory)
SCENARIO(managedMemory)
SCENARIO(pitchedMemory)
SCENARIO(largeCopies)
SCENARIO(streamOrderedMemory)
SCENARIO(graphMemory)
SCENARIO(textures)
SCENARIO(threeDimensions)
SCENARIO(virtualMemory)

} // namespace
} // namespace failures
