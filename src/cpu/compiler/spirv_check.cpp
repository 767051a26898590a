#include "cpu/compiler/spirv_check.h"

#include <cstdint>
#include <cstring>

namespace hiplz::cpu {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr size_t kHeaderWords = 5;
constexpr uint32_t kOpCapability = 17;
constexpr uint32_t kMaxBound = 1u << 24; // identifiers; the translator allocates by this number

struct Range {
  uint32_t first, last;
};
// Capabilities of kernels. Those of extensions are let through as a whole: what the compiler cannot do is named when it
// meets the instruction.
constexpr Range kCapabilities[] = {
    {4, 20},      // addresses, linkage, kernels, number formats, images, groups
    {22, 22},     // 16-bit integers
    {38, 39},     // generic pointers, 8-bit integers
    {43, 44},     // one-dimensional images
    {46, 46},     // image buffers
    {58, 72},     // sub-group dispatch, non-uniform groups
    {4422, 4500}, // extensions of Khronos
    {5500, 6999}, // extensions of vendors and EXT
};

bool knownCapability(uint32_t capability) {
  for (const Range &range : kCapabilities)
    if (capability >= range.first && capability <= range.last)
      return true;
  return false;
}

} // namespace

bool checkSpirv(std::span<const std::byte> spirv, std::string &error) {
  auto word = [&](size_t index) {
    uint32_t value;
    std::memcpy(&value, spirv.data() + index * sizeof value, sizeof value);
    return value;
  };
  size_t count = spirv.size() / sizeof(uint32_t);
  if (spirv.size() % sizeof(uint32_t) != 0 || count < kHeaderWords) {
    error = "SPIR-V: a module of " + std::to_string(spirv.size()) + " bytes is not a whole number of words with a header";
    return false;
  }
  if (word(0) != kMagic) {
    error = word(0) == __builtin_bswap32(kMagic) ? "SPIR-V: the module is in big-endian byte order"
                                                 : "SPIR-V: the module does not begin with the magic number 0x07230203";
    return false;
  }
  uint32_t major = word(1) >> 16, minor = word(1) >> 8 & 0xff;
  if (major != 1 || minor > 6) {
    error = "SPIR-V: version " + std::to_string(major) + "." + std::to_string(minor) + " is not known";
    return false;
  }
  if (word(3) == 0 || word(3) > kMaxBound) {
    error = "SPIR-V: the module claims " + std::to_string(word(3)) + " identifiers";
    return false;
  }
  for (size_t position = kHeaderWords; position < count;) {
    uint32_t length = word(position) >> 16;
    if (length == 0 || length > count - position) {
      error = "SPIR-V: the module is truncated or damaged: the instruction at word " + std::to_string(position) +
              " has " + std::to_string(length) + " words, " + std::to_string(count - position) + " are left";
      return false;
    }
    if ((word(position) & 0xffff) == kOpCapability && length == 2 && !knownCapability(word(position + 1))) {
      error = "SPIR-V: the module needs the capability " + std::to_string(word(position + 1)) +
              " which the CPU device does not have";
      return false;
    }
    position += length;
  }
  return true;
}

} // namespace hiplz::cpu
