// SPDX-License-Identifier: MIT
// Copies of boxes in the runtime's own form: cut into parts, joined to longer rows, and described again.
#include "lz/memory/copy_region.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace hiplz {
namespace {

using Bytes = std::vector<std::byte>;

/// A box with random gaps at both ends, and the memory behind it.
struct Box {
  explicit Box(std::mt19937 &random) {
    auto upTo = [&](size_t n) { return random() % (n + 1); };
    region.width = 1 + upTo(30);
    region.height = 1 + upTo(6);
    region.depth = 1 + upTo(4);
    for (CopyEnd *end : {&region.to, &region.from}) {
      end->x = upTo(1) * upTo(5);
      end->y = upTo(1) * upTo(2);
      end->z = upTo(1) * upTo(2);
      end->pitch = end->x + region.width + upTo(1) * upTo(7);
      end->rows = end->y + region.height + upTo(1) * upTo(3);
    }
    auto size = [&](const CopyEnd &end) { return end.slicePitch() * (end.z + region.depth); };
    source.resize(size(region.from));
    for (std::byte &byte : source)
      byte = static_cast<std::byte>(random());
    target.resize(size(region.to));
    region.from.base = source.data();
    region.to.base = target.data();
  }

  /// The target after the copy, byte by byte.
  Bytes expected() const {
    Bytes result = target;
    for (size_t z = 0; z < region.depth; ++z)
      for (size_t y = 0; y < region.height; ++y)
        for (size_t x = 0; x < region.width; ++x)
          result[at(region.to, x, y, z)] = source[at(region.from, x, y, z)];
    return result;
  }
  static size_t at(const CopyEnd &end, size_t x, size_t y, size_t z) {
    return ((end.z + z) * end.rows + end.y + y) * end.pitch + end.x + x;
  }

  CopyRegion region;
  Bytes source, target;
};

TEST(CopyRegion, IsCopiedByTheHost) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    Box box(random);
    const Bytes expected = box.expected();
    copyOnHost(box.region);
    EXPECT_EQ(box.target, expected);
  }
}

TEST(CopyRegion, JoinedRowsAreTheSameCopy) {
  std::mt19937 random(2);
  int joined = 0;
  for (int i = 0; i < 600; ++i) {
    Box box(random);
    const Bytes expected = box.expected();
    const CopyRegion region = joinRows(box.region);
    EXPECT_EQ(region.width * region.height * region.depth, box.region.width * box.region.height * box.region.depth);
    joined += region.width > box.region.width;
    copyOnHost(region);
    EXPECT_EQ(box.target, expected);
  }
  EXPECT_GT(joined, 10);
}

TEST(CopyRegion, BytesWithoutGapsBecomeOneRow) {
  Bytes source(4 * 5 * 6), target(4 * 5 * 6);
  CopyRegion region;
  region.to = packedEnd(target.data(), 4, 5);
  region.from = packedEnd(source.data(), 4, 5);
  region.width = 4, region.height = 5, region.depth = 6;
  region = joinRows(region);
  EXPECT_EQ(region.width, source.size());
  EXPECT_EQ(region.height, 1u);
  EXPECT_EQ(region.depth, 1u);
}

// A part is small enough, holds consecutive bytes when it is packed, and all of them together are the region.
TEST(RegionParts, PassThroughAChunk) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    Box box(random);
    const Bytes expected = box.expected();
    Bytes chunk(1 + random() % 200);
    RegionParts parts(box.region, chunk.size());
    size_t bytes = 0;
    for (CopyRegion part; parts.next(part);) {
      const size_t size = part.width * part.height * part.depth;
      ASSERT_LE(size, chunk.size());
      ASSERT_GT(size, 0u);
      bytes += size;
      CopyRegion gather = part, scatter = part;
      gather.to = scatter.from = packedEnd(chunk.data(), part.width, part.height);
      copyOnHost(gather);
      copyOnHost(scatter);
    }
    EXPECT_EQ(bytes, box.region.width * box.region.height * box.region.depth);
    EXPECT_EQ(box.target, expected);
  }
}

// Many short rows share a chunk.
TEST(RegionParts, AreFew) {
  CopyRegion region;
  region.to = region.from = packedEnd(nullptr, 16, 100);
  region.width = 16, region.height = 100, region.depth = 1000;
  RegionParts parts(region, 256 << 10);
  size_t count = 0;
  for (CopyRegion part; parts.next(part);)
    ++count;
  EXPECT_EQ(count, (1000u + 162) / 163); // 163 slices of 1600 bytes
}

TEST(CopyRegion, GivesBackTheParametersThatItWasMadeOf) {
  char source[4096], target[4096];
  hipMemcpy3DParms given{};
  given.srcPtr = {source, 32, 20, 8};
  given.srcPos = {1, 2, 3};
  given.dstPtr = {target, 64, 40, 4};
  given.dstPos = {4, 0, 1};
  given.extent = {10, 3, 2};
  given.kind = hipMemcpyHostToHost;
  CopyRegion region;
  ASSERT_EQ(makeRegion(region, given), hipSuccess);
  EXPECT_EQ(static_cast<void *>(region.from.first()), source + (3 * 8 + 2) * 32 + 1);
  EXPECT_EQ(static_cast<void *>(region.to.first()), target + 1 * 4 * 64 + 4);
  const hipMemcpy3DParms back = toParameters(region);
  EXPECT_EQ(back.srcPtr.ptr, given.srcPtr.ptr);
  EXPECT_EQ(back.srcPtr.pitch, given.srcPtr.pitch);
  EXPECT_EQ(back.srcPtr.xsize, given.srcPtr.xsize);
  EXPECT_EQ(back.srcPtr.ysize, given.srcPtr.ysize);
  EXPECT_EQ(back.srcPos.x, 1u);
  EXPECT_EQ(back.srcPos.y, 2u);
  EXPECT_EQ(back.srcPos.z, 3u);
  EXPECT_EQ(back.dstPtr.ptr, given.dstPtr.ptr);
  EXPECT_EQ(back.dstPos.z, 1u);
  EXPECT_EQ(back.extent.width, 10u);
  EXPECT_EQ(back.extent.depth, 2u);
  EXPECT_EQ(back.kind, hipMemcpyHostToHost);
  EXPECT_EQ(back.srcArray, nullptr);
}

TEST(CopyRegion, GivesBackTheDescriptionThatItWasMadeOf) {
  char source[4096], target[4096];
  HIP_MEMCPY3D given{};
  given.srcMemoryType = hipMemoryTypeHost;
  given.srcHost = source;
  given.srcPitch = 32;
  given.srcHeight = 8;
  given.srcY = 2;
  given.dstMemoryType = hipMemoryTypeDevice;
  given.dstDevice = target;
  given.WidthInBytes = 10;
  given.Height = 3;
  given.Depth = 2;
  CopyRegion region;
  ASSERT_EQ(makeRegion(region, given), hipSuccess);
  EXPECT_EQ(region.kind, hipMemcpyHostToDevice);
  // Without pitch and height, rows and slices follow each other.
  EXPECT_EQ(region.to.pitch, 10u);
  EXPECT_EQ(region.to.rows, 3u);
  const HIP_MEMCPY3D back = toDescription(region);
  EXPECT_EQ(back.srcMemoryType, hipMemoryTypeHost);
  EXPECT_EQ(back.srcHost, source);
  EXPECT_EQ(back.srcDevice, nullptr);
  EXPECT_EQ(back.srcPitch, 32u);
  EXPECT_EQ(back.srcHeight, 8u);
  EXPECT_EQ(back.srcY, 2u);
  EXPECT_EQ(back.dstMemoryType, hipMemoryTypeDevice);
  EXPECT_EQ(back.dstDevice, target);
  EXPECT_EQ(back.WidthInBytes, 10u);
  EXPECT_EQ(back.Depth, 2u);
}

TEST(CopyRegion, RefusesIncompleteDescriptions) {
  char memory[64];
  CopyRegion region;
  hipMemcpy3DParms parameters{};
  parameters.extent = {1, 1, 1};
  EXPECT_EQ(makeRegion(region, parameters), hipErrorInvalidValue); // no memory
  parameters.srcPtr.ptr = memory;
  EXPECT_EQ(makeRegion(region, parameters), hipErrorInvalidValue); // one of two
  parameters.dstPtr.ptr = memory;
  EXPECT_EQ(makeRegion(region, parameters), hipSuccess);
  parameters.dstArray = reinterpret_cast<hipArray_t>(memory);
  EXPECT_EQ(makeRegion(region, parameters), hipErrorInvalidValue); // two for one

  HIP_MEMCPY3D description{};
  description.srcMemoryType = hipMemoryTypeHost;
  description.srcHost = memory;
  description.dstMemoryType = hipMemoryTypeUnregistered;
  description.dstDevice = memory;
  EXPECT_EQ(makeRegion(region, description), hipErrorInvalidValue); // no type of memory
  description.dstMemoryType = hipMemoryTypeDevice;
  EXPECT_EQ(makeRegion(region, description), hipSuccess);
  description.dstLOD = 1;
  EXPECT_EQ(makeRegion(region, description), hipErrorInvalidValue);
  description.dstLOD = 0;
  description.dstDevice = nullptr;
  EXPECT_EQ(makeRegion(region, description), hipErrorInvalidValue);
}

} // namespace
} // namespace hiplz
