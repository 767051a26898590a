// SPDX-License-Identifier: MIT
// Between the descriptions of the application and the runtime's own, and what HIP demands of a copy or a fill.
#include "lz/memory/copy_region.h"
#include "base/log.h"
#include "lz/core/handle_table.h"
#include "lz/memory/array.h"
#include "lz/memory/memory.h"

#include <algorithm>
#include <cstring>

namespace hiplz {
namespace {

std::byte *bytesAt(const void *memory) { return static_cast<std::byte *>(const_cast<void *>(memory)); }

// One side of a copy according to the direction.
enum class Side { host, device, unknown };

bool sidesOf(hipMemcpyKind kind, Side &to, Side &from) {
  switch (kind) {
  case hipMemcpyHostToHost: to = Side::host, from = Side::host; return true;
  case hipMemcpyHostToDevice: to = Side::device, from = Side::host; return true;
  case hipMemcpyDeviceToHost: to = Side::host, from = Side::device; return true;
  case hipMemcpyDeviceToDevice:
  case hipMemcpyDeviceToDeviceNoCU: to = Side::device, from = Side::device; return true;
  case hipMemcpyDefault: to = Side::unknown, from = Side::unknown; return true;
  }
  return false;
}

hipMemcpyKind kindOf(Side to, Side from) {
  if (to == Side::unknown || from == Side::unknown)
    return hipMemcpyDefault;
  if (from == Side::host)
    return to == Side::host ? hipMemcpyHostToHost : hipMemcpyHostToDevice;
  return to == Side::host ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice;
}

// Bytes from the first to past the last of a box; false if that is more than there are addresses.
bool boxBytes(size_t &bytes, size_t width, size_t height, size_t depth, size_t pitch, size_t slicePitch) {
  size_t rows, slices;
  return !__builtin_mul_overflow(pitch, height - 1, &rows) && !__builtin_mul_overflow(slicePitch, depth - 1, &slices) &&
         !__builtin_add_overflow(rows, slices, &bytes) && !__builtin_add_overflow(bytes, width, &bytes);
}

// True if [from, from + count) lies in [0, size).
bool within(size_t from, size_t count, size_t size) { return count <= size && from <= size - count; }

hipError_t checkArray(const CopyEnd &end, const CopyRegion &region) {
  const LZArray &array = *end.array;
  const size_t rowBytes = array.shape().width * array.elementBytes();
  if (within(end.x, region.width, rowBytes) && within(end.y, region.height, array.rows()) &&
      within(end.z, region.depth, array.slices()))
    return hipSuccess;
  HIPLZ_LOG_INFO("a copy of %zu bytes x %zu x %zu at (%zu, %zu, %zu) exceeds an array of %zu bytes x %zu x %zu",
                 region.width, region.height, region.depth, end.x, end.y, end.z, rowBytes, array.rows(),
                 array.slices());
  return hipErrorInvalidValue;
}

std::optional<Allocation> find(const void *pointer) { return allocationTable().find(pointer); }

// A device pointer must be known, and the box must lie in its allocation. HIP takes any memory that devices can reach
// for a device pointer, and any memory at all for a host pointer.
hipError_t checkMemory(const CopyEnd &end, const CopyRegion &region, Side side, std::optional<Allocation> &memory) {
  if (region.width > end.pitch)
    return refuse(hipErrorInvalidPitchValue, "a row is longer than its pitch");
  if (!within(end.x, region.width, end.pitch))
    return refuse(hipErrorInvalidValue, "a row is longer than its pitch");
  if (region.depth > 1 && !within(end.y, region.height, end.rows))
    return refuse(hipErrorInvalidValue, "the rows extend beyond their slice");
  // From the base on, because the memory past an allocation would pass for any memory of the host.
  size_t slicePitch, corner, box, bytes;
  if (__builtin_mul_overflow(end.pitch, end.rows, &slicePitch) ||
      !boxBytes(corner, end.x, end.y + 1, end.z + 1, end.pitch, slicePitch) ||
      !boxBytes(box, region.width, region.height, region.depth, end.pitch, slicePitch) ||
      __builtin_add_overflow(corner, box, &bytes))
    return refuse(hipErrorInvalidValue, "the copy is larger than any memory");
  if (!end.base)
    return refuse(hipErrorInvalidValue,
                  &end == &region.to ? "the copy's destination is null" : "the copy's source is null");
  memory = find(end.base);
  if (memory ? memory->contains(end.base, bytes) : side != Side::device) {
    // The box may begin in another mapping, or in memory of HIP though the base is not.
    if (end.first() != end.base && (!memory || memory->following != 0))
      memory = find(end.first());
    return hipSuccess;
  }
  HIPLZ_LOG_INFO("a copy of %zu bytes at %p exceeds its allocation, or the copy's kind wants a device pointer there",
                 box, static_cast<void *>(end.first()));
  return hipErrorInvalidValue;
}

hipError_t checkEnd(const CopyEnd &end, const CopyRegion &region, Side side, std::optional<Allocation> &memory) {
  if (!end.array)
    return checkMemory(end, region, side, memory);
  if (side == Side::host)
    return refuse(hipErrorInvalidMemcpyDirection, "kind says host memory where an array is given");
  const hipError_t error = checkArray(end, region);
  if (!error)
    memory = find(end.first());
  return error;
}

// One end of a description of the runtime API.
hipError_t makeEnd(CopyEnd &end, hipArray_const_t array, const hipPitchedPtr &memory, const hipPos &position) {
  if (!array == !memory.ptr)
    return refuse(hipErrorInvalidValue, "source or destination has both an array and a pointer, or neither");
  if (!array) {
    end = {bytesAt(memory.ptr), memory.pitch, memory.ysize, position.x, position.y, position.z, nullptr, memory.xsize};
    return hipSuccess;
  }
  if (hipError_t error = arrayEnd(end, array, position.x, position.y, position.z))
    return error;
  return __builtin_mul_overflow(position.x, end.array->elementBytes(), &end.x)
             ? refuse(hipErrorInvalidValue, "the position is beyond any array")
             : hipSuccess;
}

// One end of a description of the driver API.
struct DriverEnd {
  hipMemoryType type;
  const void *host, *device;
  hipArray_const_t array;
  size_t x, y, z, pitch, rows;
};

hipError_t makeEnd(CopyEnd &end, Side &side, const DriverEnd &given, const CopyRegion &region) {
  const void *memory = given.device;
  switch (given.type) {
  case hipMemoryTypeArray:
    side = Side::device;
    if (given.array)
      return arrayEnd(end, given.array, given.x, given.y, given.z);
    memory = nullptr;
    break;
  case hipMemoryTypeHost:
    side = Side::host;
    memory = given.host;
    break;
  case hipMemoryTypeDevice: side = Side::device; break;
  case hipMemoryTypeManaged:
  case hipMemoryTypeUnified: side = Side::unknown; break;
  default: return refuse(hipErrorInvalidValue, "a memory type is not one of hipMemoryType");
  }
  const size_t pitch = given.pitch ? given.pitch : given.x + region.width;
  const size_t rows = given.rows ? given.rows : given.y + region.height;
  end = {bytesAt(memory), pitch, rows, given.x, given.y, given.z};
  return memory ? hipSuccess
                : refuse(hipErrorInvalidValue,
                         &end == &region.to ? "the copy's destination is null" : "the copy's source is null");
}

hipError_t makeRegion(CopyRegion &region, const DriverEnd &to, const DriverEnd &from) {
  Side toSide = Side::unknown, fromSide = Side::unknown;
  if (hipError_t error = makeEnd(region.to, toSide, to, region))
    return error;
  if (hipError_t error = makeEnd(region.from, fromSide, from, region))
    return error;
  region.kind = kindOf(toSide, fromSide);
  return hipSuccess;
}

hipArray_t handleOf(const LZArray *array) { return reinterpret_cast<hipArray_t>(const_cast<LZArray *>(array)); }

hipMemoryType typeOf(const CopyEnd &end, Side side) {
  if (end.array)
    return hipMemoryTypeArray;
  return side == Side::host ? hipMemoryTypeHost : side == Side::device ? hipMemoryTypeDevice : hipMemoryTypeUnified;
}

} // namespace

CopyEnd packedEnd(void *memory, size_t width, size_t height) {
  CopyEnd end;
  end.base = bytesAt(memory);
  end.pitch = width;
  end.rows = height;
  return end;
}

CopyRegion rowsRegion(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                      hipMemcpyKind kind) {
  CopyRegion region;
  region.to.base = bytesAt(to);
  region.to.pitch = toPitch;
  region.from.base = bytesAt(from);
  region.from.pitch = fromPitch;
  region.width = width;
  region.height = height;
  region.kind = kind;
  return region;
}

CopyRegion linearRegion(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  return rowsRegion(to, bytes, from, bytes, bytes, 1, kind);
}

RegionParts::RegionParts(const CopyRegion &region, size_t bytes) : region_(region) {
  const size_t slice = region.width * region.height;
  width_ = std::min(region.width, bytes);
  height_ = slice <= bytes ? region.height : std::max<size_t>(1, bytes / region.width);
  depth_ = slice <= bytes ? std::min(region.depth, bytes / slice) : 1;
}

bool RegionParts::next(CopyRegion &part) {
  if (z_ == region_.depth)
    return false;
  part = region_;
  for (CopyEnd *end : {&part.to, &part.from}) {
    end->x += x_;
    end->y += y_;
    end->z += z_;
  }
  part.width = std::min(width_, region_.width - x_);
  part.height = std::min(height_, region_.height - y_);
  part.depth = std::min(depth_, region_.depth - z_);
  if ((x_ += part.width) == region_.width) {
    x_ = 0;
    if ((y_ += part.height) == region_.height) {
      y_ = 0;
      z_ += part.depth;
    }
  }
  return true;
}

FillRegion linearFill(void *to, uint32_t value, size_t elementBytes, size_t elements) {
  FillRegion region;
  region.to = to;
  region.value = value;
  region.elementBytes = static_cast<uint32_t>(elementBytes);
  region.width = elements;
  return region;
}

CopyRegion joinRows(const CopyRegion &given) {
  CopyRegion region = given;
  auto rebase = [](CopyEnd &end) { // the corner of the box becomes the base
    end.base = end.first();
    end.x = end.y = end.z = 0;
  };
  rebase(region.to);
  rebase(region.from);
  const size_t height = region.height;
  if (height == 1 || (region.to.pitch == region.width && region.from.pitch == region.width)) {
    // A slice is one row; the slices are the rows.
    region.width *= height;
    region.height = region.depth;
    region.depth = 1;
    region.to.pitch = region.to.slicePitch();
    region.from.pitch = region.from.slicePitch();
  } else if (region.depth > 1 && region.to.rows == height && region.from.rows == height) {
    region.height *= region.depth;
    region.depth = 1;
  }
  if (region.depth == 1 && region.to.pitch == region.width && region.from.pitch == region.width) {
    region.width *= region.height;
    region.height = 1;
  }
  return region;
}

void copyOnHost(const CopyRegion &region) {
  std::byte *to = region.to.first();
  const std::byte *from = region.from.first();
  const size_t toSlice = region.to.slicePitch(), fromSlice = region.from.slicePitch();
  for (size_t z = 0; z < region.depth; ++z)
    for (size_t y = 0; y < region.height; ++y)
      std::memmove(to + z * toSlice + y * region.to.pitch, from + z * fromSlice + y * region.from.pitch, region.width);
}

hipError_t arrayEnd(CopyEnd &end, hipArray_const_t handle, size_t x, size_t y, size_t z) {
  requireRuntime();
  const LZArray *array = HandleTable<LZArray>::ofProcess().find(handle);
  if (!array)
    return refuse(hipErrorInvalidHandle, "the array does not exist, or it has been freed");
  end = {array->memory(), array->rowPitch(), array->rows(), x, y, z, array};
  return hipSuccess;
}

hipError_t makeRegion(CopyRegion &region, const hipMemcpy3DParms &parameters) {
  region = {};
  if (hipError_t error = makeEnd(region.to, parameters.dstArray, parameters.dstPtr, parameters.dstPos))
    return error;
  if (hipError_t error = makeEnd(region.from, parameters.srcArray, parameters.srcPtr, parameters.srcPos))
    return error;
  const LZArray *array = region.to.array ? region.to.array : region.from.array;
  if (region.to.array && region.from.array && region.to.array->elementBytes() != region.from.array->elementBytes())
    return refuse(hipErrorInvalidValue, "the elements of the arrays differ in size");
  if (__builtin_mul_overflow(parameters.extent.width, array ? array->elementBytes() : 1, &region.width))
    return refuse(hipErrorInvalidValue, "the copy is larger than any memory");
  region.height = parameters.extent.height;
  region.depth = parameters.extent.depth;
  region.kind = parameters.kind;
  return hipSuccess;
}

hipError_t makeRegion(CopyRegion &region, const HIP_MEMCPY3D &given) {
  region = {};
  if (given.srcLOD != 0 || given.dstLOD != 0)
    return refuse(hipErrorInvalidValue, "srcLOD or dstLOD is not 0");
  region.width = given.WidthInBytes;
  region.height = given.Height;
  region.depth = given.Depth;
  return makeRegion(region,
                    {given.dstMemoryType, given.dstHost, given.dstDevice, given.dstArray, given.dstXInBytes, given.dstY,
                     given.dstZ, given.dstPitch, given.dstHeight},
                    {given.srcMemoryType, given.srcHost, given.srcDevice, given.srcArray, given.srcXInBytes, given.srcY,
                     given.srcZ, given.srcPitch, given.srcHeight});
}

hipError_t makeRegion(CopyRegion &region, const hip_Memcpy2D &given) {
  region = {};
  region.width = given.WidthInBytes;
  region.height = given.Height;
  return makeRegion(region,
                    {given.dstMemoryType, given.dstHost, given.dstDevice, given.dstArray, given.dstXInBytes, given.dstY,
                     0, given.dstPitch, 0},
                    {given.srcMemoryType, given.srcHost, given.srcDevice, given.srcArray, given.srcXInBytes, given.srcY,
                     0, given.srcPitch, 0});
}

hipMemcpy3DParms toParameters(const CopyRegion &region) {
  hipMemcpy3DParms parameters{};
  auto describe = [](const CopyEnd &end, hipArray_t &array, hipPitchedPtr &memory, hipPos &position) {
    position = {end.x, end.y, end.z};
    if (end.array) {
      array = handleOf(end.array);
      position.x /= end.array->elementBytes();
    } else {
      memory = {end.base, end.pitch, end.xSize, end.rows};
    }
  };
  describe(region.to, parameters.dstArray, parameters.dstPtr, parameters.dstPos);
  describe(region.from, parameters.srcArray, parameters.srcPtr, parameters.srcPos);
  const LZArray *array = region.to.array ? region.to.array : region.from.array;
  parameters.extent = {region.width / (array ? array->elementBytes() : 1), region.height, region.depth};
  parameters.kind = region.kind;
  return parameters;
}

HIP_MEMCPY3D toDescription(const CopyRegion &region) {
  HIP_MEMCPY3D description{};
  Side toSide = Side::unknown, fromSide = Side::unknown;
  sidesOf(region.kind, toSide, fromSide);
  description.srcXInBytes = region.from.x;
  description.srcY = region.from.y;
  description.srcZ = region.from.z;
  description.srcMemoryType = typeOf(region.from, fromSide);
  if (description.srcMemoryType == hipMemoryTypeHost)
    description.srcHost = region.from.base;
  else if (!region.from.array)
    description.srcDevice = region.from.base;
  description.srcArray = handleOf(region.from.array);
  description.srcPitch = region.from.array ? 0 : region.from.pitch;
  description.srcHeight = region.from.array ? 0 : region.from.rows;
  description.dstXInBytes = region.to.x;
  description.dstY = region.to.y;
  description.dstZ = region.to.z;
  description.dstMemoryType = typeOf(region.to, toSide);
  if (description.dstMemoryType == hipMemoryTypeHost)
    description.dstHost = region.to.base;
  else if (!region.to.array)
    description.dstDevice = region.to.base;
  description.dstArray = handleOf(region.to.array);
  description.dstPitch = region.to.array ? 0 : region.to.pitch;
  description.dstHeight = region.to.array ? 0 : region.to.rows;
  description.WidthInBytes = region.width;
  description.Height = region.height;
  description.Depth = region.depth;
  return description;
}

CopyMemory memoryOf(const CopyRegion &region) {
  return region.empty() ? CopyMemory{} : CopyMemory{find(region.to.first()), find(region.from.first())};
}

std::optional<Allocation> memoryOf(const FillRegion &region) { return region.empty() ? std::nullopt : find(region.to); }

hipError_t checkCopy(const CopyRegion &region, CopyMemory &memory) {
  if (region.empty())
    return hipSuccess;
  Side toSide, fromSide;
  if (!sidesOf(region.kind, toSide, fromSide))
    return refuse(hipErrorInvalidMemcpyDirection, "kind is not one of hipMemcpyKind");
  // Of consecutive bytes the pointers themselves decide, as in AMD's library, unless both are unknown: programs name directions that
  // contradict them.
  const bool consecutive = region.height == 1 && region.depth == 1 && !region.to.array && !region.from.array;
  const bool device = toSide == Side::device || fromSide == Side::device;
  if (consecutive)
    toSide = fromSide = Side::unknown;
  if (hipError_t error = checkEnd(region.to, region, toSide, memory.to))
    return error;
  if (hipError_t error = checkEnd(region.from, region, fromSide, memory.from))
    return error;
  if (consecutive && device && !memory.to && !memory.from)
    return refuse(hipErrorInvalidValue,
                  "the copy wants a device pointer, and neither dst nor src is in memory that HIP allocated");
  return hipSuccess;
}

hipError_t checkFill(const FillRegion &region, std::optional<Allocation> &memory) {
  const size_t unit = region.elementBytes;
  if (unit != 1 && unit != 2 && unit != 4)
    return refuse(hipErrorInvalidValue, "an element has 1, 2 or 4 bytes");
  if (region.empty())
    return hipSuccess;
  const bool rows = region.height > 1 || region.depth > 1;
  const uintptr_t first = reinterpret_cast<uintptr_t>(region.to);
  if (first % unit != 0 || (rows && region.pitch % unit != 0) || (region.depth > 1 && region.rows < region.height))
    return refuse(hipErrorInvalidValue,
                  "the address or the pitch is not a multiple of the element size, or a slice has too few rows");
  size_t width, slicePitch, bytes;
  if (__builtin_mul_overflow(region.width, unit, &width) || (rows && width > region.pitch) ||
      __builtin_mul_overflow(region.pitch, region.rows, &slicePitch) ||
      !boxBytes(bytes, width, region.height, region.depth, region.pitch, slicePitch))
    return refuse(hipErrorInvalidValue, "a row is longer than its pitch, or the fill is larger than any memory");
  memory = find(region.to);
  if (memory && memory->contains(region.to, bytes))
    return hipSuccess;
  HIPLZ_LOG_INFO("%zu bytes at %p are not inside memory that HIP allocated or registered", bytes, region.to);
  return hipErrorInvalidValue;
}

} // namespace hiplz
