// SPDX-License-Identifier: MIT
// Conversions between the names of element formats.
#include "lz/memory/channel_format.h"

namespace hiplz {

ChannelFormat ChannelFormat::from(const hipChannelFormatDesc &description, hipError_t refusal) {
  const int bits[] = {description.x, description.y, description.z, description.w};
  ChannelFormat format;
  while (format.channels < 4 && bits[format.channels] != 0)
    ++format.channels;
  bool valid = format.channels == 1 || format.channels == 2 || format.channels == 4;
  for (unsigned i = 0; i < 4; ++i)
    valid &= bits[i] == (i < format.channels ? bits[0] : 0);
  const bool isFloat = description.f == hipChannelFormatKindFloat;
  valid &= isFloat || description.f == hipChannelFormatKindSigned || description.f == hipChannelFormatKindUnsigned;
  valid &= (bits[0] == 8 && !isFloat) || bits[0] == 16 || bits[0] == 32;
  if (!valid)
    throw HipError(refusal,
                   "elements have 1, 2 or 4 components of 8, 16 or 32 bits, or of 16 or 32 if they are floats");
  format.kind = description.f;
  format.bytes = static_cast<unsigned>(bits[0]) / 8;
  return format;
}

ChannelFormat ChannelFormat::from(hipArray_Format format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4)
    throw HipError(hipErrorInvalidValue, "elements have 1, 2 or 4 components");
  switch (format) {
  case HIP_AD_FORMAT_UNSIGNED_INT8: return {hipChannelFormatKindUnsigned, 1, channels};
  case HIP_AD_FORMAT_UNSIGNED_INT16: return {hipChannelFormatKindUnsigned, 2, channels};
  case HIP_AD_FORMAT_UNSIGNED_INT32: return {hipChannelFormatKindUnsigned, 4, channels};
  case HIP_AD_FORMAT_SIGNED_INT8: return {hipChannelFormatKindSigned, 1, channels};
  case HIP_AD_FORMAT_SIGNED_INT16: return {hipChannelFormatKindSigned, 2, channels};
  case HIP_AD_FORMAT_SIGNED_INT32: return {hipChannelFormatKindSigned, 4, channels};
  case HIP_AD_FORMAT_HALF: return {hipChannelFormatKindFloat, 2, channels};
  case HIP_AD_FORMAT_FLOAT: return {hipChannelFormatKindFloat, 4, channels};
  }
  throw HipError(hipErrorInvalidValue, "the element format is not one of hipArray_Format");
}

ChannelFormat ChannelFormat::from(hipResourceViewFormat view, const ChannelFormat &format) {
  if (view == hipResViewFormatNone)
    return format;
  if (view >= hipResViewFormatUnsignedBlockCompressed1 && view <= hipResViewFormatUnsignedBlockCompressed7)
    throw HipError(hipErrorNotSupported, "compressed textures are not supported");
  if (view < hipResViewFormatUnsignedChar1 || view > hipResViewFormatFloat4)
    throw HipError(hipErrorInvalidValue, "the format of the view is not one of hipResourceViewFormat");
  // Groups of three: 1, 2 and 4 components of a type.
  static constexpr struct {
    hipChannelFormatKind kind;
    unsigned bytes;
  } kTypes[] = {{hipChannelFormatKindUnsigned, 1}, {hipChannelFormatKindSigned, 1},   {hipChannelFormatKindUnsigned, 2},
                {hipChannelFormatKindSigned, 2},   {hipChannelFormatKindUnsigned, 4}, {hipChannelFormatKindSigned, 4},
                {hipChannelFormatKindFloat, 2},    {hipChannelFormatKindFloat, 4}};
  const unsigned index = view - hipResViewFormatUnsignedChar1;
  const ChannelFormat result{kTypes[index / 3].kind, kTypes[index / 3].bytes, 1u << index % 3};
  if (result.elementBytes() != format.elementBytes())
    throw HipError(hipErrorInvalidValue, "a view and the array have elements of different sizes");
  return result;
}

hipChannelFormatDesc ChannelFormat::description() const {
  const int bits = static_cast<int>(8 * bytes);
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

hipArray_Format ChannelFormat::arrayFormat() const {
  const unsigned width = bytes / 2; // 0, 1, 2 for 1, 2 and 4 bytes
  switch (kind) {
  case hipChannelFormatKindUnsigned: return static_cast<hipArray_Format>(HIP_AD_FORMAT_UNSIGNED_INT8 + width);
  case hipChannelFormatKindSigned: return static_cast<hipArray_Format>(HIP_AD_FORMAT_SIGNED_INT8 + width);
  default: return bytes == 2 ? HIP_AD_FORMAT_HALF : HIP_AD_FORMAT_FLOAT;
  }
}

} // namespace hiplz
