// SPDX-License-Identifier: MIT
// Copies of rows and boxes between every kind of memory, against a copy byte by byte on the host.
#include "check.h"

#include <random>

namespace {

hipStream_t stream; // of the whole program

enum class Kind { device, pinned, managed, pageable };
constexpr Kind kKinds[] = {Kind::device, Kind::pinned, Kind::managed, Kind::pageable};

/// Memory of any kind, filled with random bytes that the host knows.
class Memory {
public:
  Memory(Kind kind, size_t bytes, std::mt19937 &random) : kind_(kind), known_(bytes) {
    switch (kind) {
    case Kind::device: HIP_CHECK(hipMalloc(&data_, bytes)); break;
    case Kind::pinned: HIP_CHECK(hipHostMalloc(&data_, bytes, hipHostMallocDefault)); break;
    case Kind::managed: HIP_CHECK(hipMallocManaged(&data_, bytes, hipMemAttachGlobal)); break;
    case Kind::pageable: data_ = std::malloc(bytes); break;
    }
    for (unsigned char &byte : known_)
      byte = static_cast<unsigned char>(random());
    HIP_CHECK(hipMemcpy(data_, known_.data(), bytes, hipMemcpyDefault));
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() {
    if (kind_ == Kind::pageable)
      std::free(data_);
    else
      HIP_CHECK(kind_ == Kind::pinned ? hipHostFree(data_) : hipFree(data_));
  }
  void *data() const { return data_; }
  std::vector<unsigned char> &known() { return known_; }
  bool isAsKnown() const {
    std::vector<unsigned char> now(known_.size());
    HIP_CHECK(hipMemcpy(now.data(), data_, now.size(), hipMemcpyDefault));
    return now == known_;
  }
  bool onHost() const { return kind_ == Kind::pageable || kind_ == Kind::pinned; }

private:
  Kind kind_;
  void *data_ = nullptr;
  std::vector<unsigned char> known_;
};

/// One end of a box: where it begins, and how far rows and slices are apart.
struct End {
  hipPos at;
  size_t pitch, rows;

  End(std::mt19937 &random, hipExtent extent) {
    at = {random() % 2 * (random() % 9), random() % 2 * (random() % 3), random() % 2 * (random() % 3)};
    pitch = at.x + extent.width + random() % 2 * (random() % 17);
    rows = at.y + extent.height + random() % 2 * (random() % 4);
  }
  size_t bytes(hipExtent extent) const { return (at.z + extent.depth) * rows * pitch; }
  size_t offset(size_t x, size_t y, size_t z) const { return ((at.z + z) * rows + at.y + y) * pitch + at.x + x; }
};

hipMemcpyKind directionOf(const Memory &to, const Memory &from) {
  if (from.onHost())
    return to.onHost() ? hipMemcpyHostToHost : hipMemcpyHostToDevice;
  return to.onHost() ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice;
}

hipMemoryType typeOf(const Memory &memory) { return memory.onHost() ? hipMemoryTypeHost : hipMemoryTypeDevice; }

HIP_MEMCPY3D describe(const Memory &to, const End &toEnd, const Memory &from, const End &fromEnd, hipExtent extent) {
  HIP_MEMCPY3D copy{};
  copy.dstMemoryType = typeOf(to);
  (to.onHost() ? copy.dstHost : copy.dstDevice) = to.data();
  copy.dstXInBytes = toEnd.at.x, copy.dstY = toEnd.at.y, copy.dstZ = toEnd.at.z;
  copy.dstPitch = toEnd.pitch, copy.dstHeight = toEnd.rows;
  copy.srcMemoryType = typeOf(from);
  if (from.onHost())
    copy.srcHost = from.data();
  else
    copy.srcDevice = from.data();
  copy.srcXInBytes = fromEnd.at.x, copy.srcY = fromEnd.at.y, copy.srcZ = fromEnd.at.z;
  copy.srcPitch = fromEnd.pitch, copy.srcHeight = fromEnd.rows;
  copy.WidthInBytes = extent.width, copy.Height = extent.height, copy.Depth = extent.depth;
  return copy;
}

void copyBox(int way, Memory &to, const End &toEnd, Memory &from, const End &fromEnd, hipExtent extent,
             hipStream_t stream) {
  hipMemcpy3DParms box{};
  box.dstPtr = {to.data(), toEnd.pitch, toEnd.pitch, toEnd.rows};
  box.dstPos = toEnd.at;
  box.srcPtr = {from.data(), fromEnd.pitch, fromEnd.pitch, fromEnd.rows};
  box.srcPos = fromEnd.at;
  box.extent = extent;
  box.kind = way % 2 ? hipMemcpyDefault : directionOf(to, from);
  const HIP_MEMCPY3D described = describe(to, toEnd, from, fromEnd, extent);
  switch (way % 6) {
  case 0: HIP_CHECK(hipMemcpy3D(&box)); break;
  case 1: HIP_CHECK(hipMemcpy3DAsync(&box, stream)); break;
  case 2: HIP_CHECK(hipMemcpy3D_spt(&box)); break;
  case 3: HIP_CHECK(hipMemcpy3DAsync_spt(&box, nullptr)); break;
  case 4: HIP_CHECK(hipDrvMemcpy3D(&described)); break;
  case 5: HIP_CHECK(hipDrvMemcpy3DAsync(&described, stream)); break;
  }
  HIP_CHECK(hipStreamSynchronize(way % 6 == 3 ? hipStreamPerThread : stream));
}

TEST(boxes) {
  std::mt19937 random(7);
  int way = 0;
  for (Kind toKind : kKinds)
    for (Kind fromKind : kKinds)
      for (int round = 0; round < 12; ++round, ++way) {
        const hipExtent extent{1 + random() % 40, 1 + random() % 6, 1 + random() % 4};
        const End toEnd(random, extent), fromEnd(random, extent);
        Memory to(toKind, toEnd.bytes(extent), random), from(fromKind, fromEnd.bytes(extent), random);
        for (size_t z = 0; z < extent.depth; ++z)
          for (size_t y = 0; y < extent.height; ++y)
            for (size_t x = 0; x < extent.width; ++x)
              to.known()[toEnd.offset(x, y, z)] = from.known()[fromEnd.offset(x, y, z)];
        copyBox(way, to, toEnd, from, fromEnd, extent, stream);
        CHECK(to.isAsKnown());
        CHECK(from.isAsKnown());
      }
}

// Larger than the chunks through which pageable memory may pass.
TEST(largeBoxes) {
  std::mt19937 random(8);
  for (hipExtent extent : {hipExtent{700, 500, 3}, hipExtent{300000, 2, 2}, hipExtent{40, 30, 700}}) {
    const End end(random, extent);
    Memory host(Kind::pageable, end.bytes(extent), random), device(Kind::device, end.bytes(extent), random);
    for (int way : {0, 1}) {
      Memory &to = way == 0 ? device : host;
      Memory &from = way == 0 ? host : device;
      for (size_t z = 0; z < extent.depth; ++z)
        for (size_t y = 0; y < extent.height; ++y)
          std::memcpy(&to.known()[end.offset(0, y, z)], &from.known()[end.offset(0, y, z)], extent.width);
      copyBox(way, to, end, from, end, extent, stream);
      CHECK(to.isAsKnown());
      for (size_t i = 0; i < from.known().size(); i += 7)
        from.known()[i] ^= 0x5a; // so that the way back copies something else
      HIP_CHECK(hipMemcpy(from.data(), from.known().data(), from.known().size(), hipMemcpyDefault));
    }
  }
}

TEST(rows) {
  std::mt19937 random(9);
  constexpr size_t kPitch = 256, kRows = 20, kWidth = 100;
  Memory device(Kind::device, kPitch * kRows, random), host(Kind::pageable, kPitch * kRows, random);
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeHost;
  copy.srcHost = host.data();
  copy.srcXInBytes = 3, copy.srcY = 2, copy.srcPitch = 200;
  copy.dstMemoryType = hipMemoryTypeUnified;
  copy.dstDevice = device.data();
  copy.dstXInBytes = 16, copy.dstY = 1, copy.dstPitch = kPitch;
  copy.WidthInBytes = kWidth, copy.Height = 7;
  for (int way = 0; way < 3; ++way) {
    copy.dstY += way;
    for (size_t y = 0; y < copy.Height; ++y)
      std::memcpy(&device.known()[(copy.dstY + y) * kPitch + 16], &host.known()[(2 + y) * 200 + 3], kWidth);
    switch (way) {
    case 0: HIP_CHECK(hipMemcpyParam2D(&copy)); break;
    case 1: HIP_CHECK(hipMemcpyParam2DAsync(&copy, stream)); break;
    case 2: HIP_CHECK(hipDrvMemcpy2DUnaligned(&copy)); break;
    }
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK(device.isAsKnown());
  }
  // Without a pitch the rows follow each other.
  copy.srcPitch = 0, copy.srcXInBytes = 0, copy.srcY = 0;
  for (size_t y = 0; y < copy.Height; ++y)
    std::memcpy(&device.known()[(copy.dstY + y) * kPitch + 16], &host.known()[y * kWidth], kWidth);
  HIP_CHECK(hipMemcpyParam2D(&copy));
  CHECK(device.isAsKnown());
}

// Nothing is copied, whatever the pointers are, as long as there are some.
TEST(emptyBoxes) {
  std::mt19937 random(10);
  Memory to(Kind::device, 64, random), from(Kind::pageable, 64, random);
  for (hipExtent extent : {hipExtent{0, 4, 2}, hipExtent{8, 0, 2}, hipExtent{8, 4, 0}}) {
    hipMemcpy3DParms box{};
    box.dstPtr = {to.data(), 8, 8, 4};
    box.srcPtr = {from.data(), 8, 8, 4};
    box.extent = extent;
    box.kind = hipMemcpyHostToDevice;
    CHECK_EQ(hipMemcpy3D(&box), hipSuccess);
    CHECK_EQ(hipMemcpy3DAsync(&box, nullptr), hipSuccess);
    const HIP_MEMCPY3D described{0,
                                 0,
                                 0,
                                 0,
                                 hipMemoryTypeHost,
                                 from.data(),
                                 nullptr,
                                 nullptr,
                                 8,
                                 4,
                                 0,
                                 0,
                                 0,
                                 0,
                                 hipMemoryTypeDevice,
                                 nullptr,
                                 to.data(),
                                 nullptr,
                                 8,
                                 4,
                                 extent.width,
                                 extent.height,
                                 extent.depth};
    CHECK_EQ(hipDrvMemcpy3D(&described), hipSuccess);
  }
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(to.isAsKnown());
}

} // namespace

int main(int argc, char **argv) {
  HIP_CHECK(hipStreamCreate(&stream));
  const int result = runTests(argc, argv);
  HIP_CHECK(hipStreamDestroy(stream));
  return result;
}
