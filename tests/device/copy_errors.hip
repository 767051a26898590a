// SPDX-License-Identifier: MIT
// Copies that HIP refuses: descriptions that are incomplete or contradict themselves, pitches, boxes beyond their memory,
// directions that the pointers deny. None of them changes a byte.
#include "check.h"

#include <functional>

namespace {

constexpr hipExtent kExtent = {128 * sizeof(int), 128, 8};

struct Ends {
  hipPitchedPtr to, from;
  hipPos toPosition{}, fromPosition{};
  hipExtent extent = kExtent;
  hipMemcpyKind kind;
};

hipError_t copyBox(const Ends &ends) {
  hipMemcpy3DParms box{};
  box.dstPtr = ends.to, box.dstPos = ends.toPosition;
  box.srcPtr = ends.from, box.srcPos = ends.fromPosition;
  box.extent = ends.extent, box.kind = ends.kind;
  const hipError_t error = hipMemcpy3D(&box);
  CHECK_EQ(hipMemcpy3DAsync(&box, nullptr), error);
  CHECK_EQ(hipMemcpy3D_spt(&box), error);
  return error;
}

// The same through the driver API, which knows no kind: its types of memory say it.
hipError_t copyDescribed(const Ends &ends) {
  HIP_MEMCPY3D box{};
  const bool toHost = ends.kind == hipMemcpyDeviceToHost || ends.kind == hipMemcpyHostToHost;
  const bool fromHost = ends.kind == hipMemcpyHostToDevice || ends.kind == hipMemcpyHostToHost;
  box.dstMemoryType = toHost ? hipMemoryTypeHost : hipMemoryTypeDevice;
  (toHost ? box.dstHost : box.dstDevice) = ends.to.ptr;
  box.dstPitch = ends.to.pitch, box.dstHeight = ends.to.ysize;
  box.dstXInBytes = ends.toPosition.x, box.dstY = ends.toPosition.y, box.dstZ = ends.toPosition.z;
  box.srcMemoryType = fromHost ? hipMemoryTypeHost : hipMemoryTypeDevice;
  if (fromHost)
    box.srcHost = ends.from.ptr;
  else
    box.srcDevice = ends.from.ptr;
  box.srcPitch = ends.from.pitch, box.srcHeight = ends.from.ysize;
  box.srcXInBytes = ends.fromPosition.x, box.srcY = ends.fromPosition.y, box.srcZ = ends.fromPosition.z;
  box.WidthInBytes = ends.extent.width, box.Height = ends.extent.height, box.Depth = ends.extent.depth;
  const hipError_t error = hipDrvMemcpy3D(&box);
  CHECK_EQ(hipDrvMemcpy3DAsync(&box, nullptr), error);
  return error;
}

void refuse(const Ends &good, hipError_t expected, const std::function<void(Ends &)> &spoil) {
  Ends bad = good;
  spoil(bad);
  CHECK_EQ(copyBox(bad), expected);
  CHECK_EQ(copyDescribed(bad), hipErrorInvalidValue); // the driver API has no other
}

TEST(boxes) {
  hipPitchedPtr first, second, host;
  HIP_CHECK(hipMalloc3D(&first, kExtent));
  HIP_CHECK(hipMalloc3D(&second, kExtent));
  const size_t bytes = first.pitch * kExtent.height * kExtent.depth;
  HIP_CHECK(hipHostMalloc(&host.ptr, bytes, hipHostMallocDefault));
  host.pitch = first.pitch, host.xsize = kExtent.width, host.ysize = kExtent.height;
  std::memset(host.ptr, 5, bytes);
  HIP_CHECK(hipMemset(first.ptr, 6, bytes));
  HIP_CHECK(hipMemset(second.ptr, 7, bytes));
  const Ends cases[] = {{first, host, {}, {}, kExtent, hipMemcpyHostToDevice},
                        {host, second, {}, {}, kExtent, hipMemcpyDeviceToHost},
                        {first, second, {}, {}, kExtent, hipMemcpyDeviceToDevice}};
  for (const Ends &good : cases) {
    refuse(good, hipErrorInvalidValue, [](Ends &ends) { ends.to.ptr = nullptr; });
    refuse(good, hipErrorInvalidValue, [](Ends &ends) { ends.from.ptr = nullptr; });
    refuse(good, hipErrorInvalidPitchValue, [](Ends &ends) { ends.to.pitch = kExtent.width - 1; });
    refuse(good, hipErrorInvalidPitchValue, [](Ends &ends) { ends.from.pitch = kExtent.width - 1; });
    for (size_t much : {size_t{INT32_MAX}, SIZE_MAX / 2, size_t{SIZE_MAX}}) {
      refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.to.pitch = much; });
      refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.from.pitch = much; });
      refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.toPosition.x = much; });
      refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.fromPosition.y = much; });
      refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.toPosition.z = much; });
      refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.extent.height = much; });
      refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.extent.depth = much; });
    }
    const size_t gap = good.to.pitch - kExtent.width + 1;
    refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.toPosition.x = gap; });
    refuse(good, hipErrorInvalidValue, [&](Ends &ends) { ends.fromPosition.x = gap; });
    refuse(good, hipErrorInvalidValue, [](Ends &ends) { ends.toPosition.y = 1; });
    refuse(good, hipErrorInvalidValue, [](Ends &ends) { ends.fromPosition.y = 1; });
    refuse(good, hipErrorInvalidValue, [](Ends &ends) { ends.toPosition.z = 1; });
    refuse(good, hipErrorInvalidValue, [](Ends &ends) { ends.fromPosition.z = 1; });
    // Slices that overlap.
    refuse(good, hipErrorInvalidValue, [](Ends &ends) { ends.to.ysize = kExtent.height - 1; });
    Ends direction = good;
    direction.kind = static_cast<hipMemcpyKind>(-1);
    CHECK_EQ(copyBox(direction), hipErrorInvalidMemcpyDirection);
  }
  CHECK_EQ(hipMemcpy3D(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipDrvMemcpy3D(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyParam2D(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpyParam2DAsync(nullptr, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipDrvMemcpy2DUnaligned(nullptr), hipErrorInvalidValue);

  std::vector<unsigned char> now(bytes);
  auto isStill = [&](const void *memory, unsigned char value) {
    HIP_CHECK(hipMemcpy(now.data(), memory, bytes, hipMemcpyDefault));
    return now == std::vector<unsigned char>(bytes, value);
  };
  CHECK(isStill(host.ptr, 5));
  CHECK(isStill(first.ptr, 6));
  CHECK(isStill(second.ptr, 7));

  // A pageable pointer is not device memory, and a device's memory may stand where the host's is expected.
  std::vector<unsigned char> pageable(bytes);
  Ends denied = cases[2];
  denied.from = {pageable.data(), host.pitch, kExtent.width, kExtent.height};
  CHECK_EQ(copyBox(denied), hipErrorInvalidValue);
  denied.kind = hipMemcpyHostToDevice;
  CHECK_EQ(copyBox(denied), hipSuccess);
  denied = cases[2];
  denied.kind = hipMemcpyHostToHost;
  CHECK_EQ(copyBox(denied), hipSuccess);
  HIP_CHECK(hipDeviceSynchronize());

  HIP_CHECK(hipHostFree(host.ptr));
  HIP_CHECK(hipFree(first.ptr));
  HIP_CHECK(hipFree(second.ptr));
}

TEST(descriptions) {
  DeviceArray<unsigned char> device(1000);
  std::vector<unsigned char> host(1000);
  hip_Memcpy2D good{};
  good.srcMemoryType = hipMemoryTypeHost, good.srcHost = host.data(), good.srcPitch = 20;
  good.dstMemoryType = hipMemoryTypeDevice, good.dstDevice = device, good.dstPitch = 100;
  good.WidthInBytes = 10, good.Height = 10;
  CHECK_EQ(hipMemcpyParam2D(&good), hipSuccess);
  auto refused = [&](auto spoil) {
    hip_Memcpy2D bad = good;
    spoil(bad);
    CHECK_EQ(hipMemcpyParam2D(&bad), hipErrorInvalidValue);
    CHECK_EQ(hipMemcpyParam2DAsync(&bad, nullptr), hipErrorInvalidValue);
    CHECK_EQ(hipDrvMemcpy2DUnaligned(&bad), hipErrorInvalidValue);
  };
  refused([](hip_Memcpy2D &copy) { copy.srcHost = nullptr; });
  refused([](hip_Memcpy2D &copy) { copy.dstDevice = nullptr; });
  refused([](hip_Memcpy2D &copy) { copy.WidthInBytes = 101; });
  refused([](hip_Memcpy2D &copy) { copy.Height = 11; });
  refused([](hip_Memcpy2D &copy) { copy.dstY = 1; });
  refused([](hip_Memcpy2D &copy) { copy.dstXInBytes = 91; });
  refused([](hip_Memcpy2D &copy) { copy.srcMemoryType = hipMemoryTypeUnregistered; });
  refused([](hip_Memcpy2D &copy) { copy.dstMemoryType = static_cast<hipMemoryType>(77); });
  refused([&](hip_Memcpy2D &copy) { copy.dstDevice = host.data(); });
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
