// SPDX-License-Identifier: MIT
// An offload bundle, all little-endian, offsets from its beginning:
//
//     "__CLANG_OFFLOAD_BUNDLE__" u64 entries, then for each: u64 offset, u64 bytes, u64 bytes of the target, the target
//
// Targets look like "hip-spirv64----generic", "hipv4-amdgcn-amd-amdhsa--gfx90a" or "host-x86_64-unknown-linux--"; ours for
// native code like "hip-spirv64-intel-native--pvc".
#include "fatbin/bundle.h"
#include "amdgcn/object/code_object.h"
#include "base/env.h"
#include "fatbin/amd_spirv.h"
#include "fatbin/bitcode.h"
#include "fatbin/byte_reader.h"
#include "fatbin/decompress.h"
#include "fatbin/machine_code.h"
#include "fatbin/mapped_memory.h"
#include "fatbin/reflection.h"
#include "spirv/words.h"

#include <algorithm>
#include <string_view>

namespace hiplz {
namespace {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kElfMagic = "\177ELF";
constexpr uint32_t kWrapperMagic = 0x48495046; // "HIPF"

/// The kind of a bundle's entry; where there are several kinds, the first one of this list is taken.
enum class EntryKind {
  spirv,    ///< any Level Zero device can take it
  amdSpirv, ///< AMD's dialect ("spirv64-amd-amdhsa", of --offload-arch=amdgcnspirv)
  other     ///< machine code, or code for the host
};

EntryKind kindOf(std::string_view target) {
  const size_t dash = target.find('-');
  const std::string_view kind = target.substr(0, dash);
  if (dash == target.npos || (kind != "hip" && kind != "hipv4"))
    return EntryKind::other;
  const std::string_view triple = target.substr(dash + 1);
  if (!triple.starts_with("spirv"))
    return EntryKind::other;
  return triple.find("-amd-") == triple.npos ? EntryKind::spirv : EntryKind::amdSpirv;
}

/// The name of a target in a sentence: printable characters only, and not endless.
std::string printable(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte byte : bytes.first(std::min<size_t>(bytes.size(), 100))) {
    char c = static_cast<char>(byte);
    text += c > ' ' && c <= '~' ? c : '?';
  }
  return text;
}

/// The machine code that is taken of a bundle: the first entry of the oldest generation that the translator knows, or the one that the user
/// names.
class MachineCodeChoice {
public:
  void offer(std::string_view target, std::span<const std::byte> bytes) {
    const unsigned generation = amdgcn::generationOf(target);
    const bool isBetter = generation != 0 && (chosen_.empty() || generation < generation_);
    if (!(wanted_.empty() ? isBetter : target == wanted_) || !amdgcn::isCodeObject(bytes))
      return;
    chosen_ = bytes;
    generation_ = generation;
  }
  /// True if the user named it, so that it comes before SPIR-V.
  bool isForced() const { return !wanted_.empty() && !chosen_.empty(); }
  std::span<const std::byte> chosen() const { return chosen_; }

private:
  const std::string wanted_ = envString(EnvVar::HIPLZ_AMD_TARGET);
  std::span<const std::byte> chosen_;
  unsigned generation_ = 0;
};

DeviceImage findInBundle(std::span<const std::byte> bytes) {
  constexpr size_t kMaxNamed = 16;
  ByteReader reader(bytes, "the fat binary");
  reader.take(kBundleMagic.size());
  auto entries = reader.read<uint64_t>();
  DeviceImage image;
  MachineCodeChoice machineCode;
  std::string others;
  size_t otherCount = 0;
  for (uint64_t i = 0; i < entries; ++i) {
    auto offset = reader.read<uint64_t>();
    auto size = reader.read<uint64_t>();
    auto target = reader.take(reader.read<uint64_t>());
    std::string_view name(reinterpret_cast<const char *>(target.data()), target.size());
    const bool inside = offset <= bytes.size() && size <= bytes.size() - offset;
    if (name.starts_with(kNativeTargetPrefix)) {
      if (inside && size > 0) // the SPIR-V does without
        image.native.push_back({printable(target.subspan(kNativeTargetPrefix.size())), bytes.subspan(offset, size)});
      continue;
    }
    if (const EntryKind kind = kindOf(name); kind != EntryKind::other && size > 0) {
      if (!inside)
        throw ParseError("the fat binary is cut off: its SPIR-V should end at byte " + std::to_string(offset) + "+" +
                         std::to_string(size) + ", but the fat binary ends at byte " + std::to_string(bytes.size()));
      const bool amd = kind == EntryKind::amdSpirv;
      if (image.spirv.empty() || (image.amdDialect && !amd)) {
        image.spirv = bytes.subspan(offset, size);
        image.amdDialect = amd;
      }
      continue;
    }
    if (const std::string_view processor = machineTarget(name); !processor.empty() && inside)
      machineCode.offer(processor, bytes.subspan(offset, size));
    if (name.starts_with("host") || name.empty() || ++otherCount > kMaxNamed)
      continue;
    others += (others.empty() ? "" : ", ") + printable(target);
  }
  if (image.spirv.empty() || machineCode.isForced()) {
    image.spirv = machineCode.chosen();
    image.amdDialect = false;
    image.native.clear();
  }
  if (!image.spirv.empty())
    return image;
  if (otherCount > kMaxNamed)
    others += " and " + std::to_string(otherCount - kMaxNamed) + " more";
  throw ParseError(others.empty() ? "the fat binary holds no device code"
                                  : "the fat binary holds code for " + others +
                                        " only; compile the program with HIPLZ's hipcc or with "
                                        "--offload-arch=amdgcnspirv to run it here",
                   ParseError::Kind::otherTargets);
}

/// A code object of AMD's compilers outside of any bundle.
DeviceImage takeElf(std::span<const std::byte> bytes, bool sizeIsKnown) {
  if (!amdgcn::isCodeObject(bytes))
    throw ParseError("the image is an ELF file, not a fat binary");
  if (const std::string processor = amdgcn::processorOf(bytes); !amdgcn::isTranslated(processor))
    throw ParseError("the image is a code object for an AMD GPU (amdgcn, " + processor +
                         "); compile it with HIPLZ's hipcc or with --offload-arch=amdgcnspirv to run it here",
                     ParseError::Kind::otherTargets);
  DeviceImage image;
  image.spirv = sizeIsKnown ? bytes : bytes.first(amdgcn::codeObjectSize(bytes));
  return image;
}

DeviceImage find(std::span<const std::byte> bytes, bool sizeIsKnown) {
  if (startsWith(bytes, kBundleMagic))
    return findInBundle(bytes);
  if (isCompressedBundle(bytes)) {
    std::vector<std::byte> plain = decompressBundle(bytes);
    if (!startsWith(plain, kBundleMagic))
      throw ParseError("the compressed fat binary does not hold a fat binary");
    DeviceImage image = findInBundle(plain);
    image.owned = std::move(plain);
    return image;
  }
  const bool swapped = spirv::Words(bytes).beginLikeBigEndianSpirv(); // refused with a sentence by the reflection
  if (swapped || spirv::isSpirv(bytes)) {
    DeviceImage image;
    image.spirv = sizeIsKnown || swapped ? bytes : bytes.first(spirv::moduleSize(bytes));
    image.amdDialect = spirv::isAmdDialect(image.spirv);
    return image;
  }
  if (isBitcode(bytes)) {
    DeviceImage image;
    image.spirv = sizeIsKnown ? bytes : bytes.first(bitcodeSize(bytes));
    return image;
  }
  if (startsWith(bytes, kElfMagic))
    return takeElf(bytes, sizeIsKnown);
  throw ParseError("the image begins neither like a fat binary nor like SPIR-V or LLVM bitcode");
}

} // namespace

void DeviceImage::own() {
  if (!owned.empty())
    return;
  size_t size = spirv.size();
  for (const NativeCode &code : native)
    size += code.bytes.size();
  owned.reserve(size); // so that nothing moves
  const auto move = [&](std::span<const std::byte> &bytes) {
    const size_t at = owned.size();
    owned.insert(owned.end(), bytes.begin(), bytes.end());
    bytes = std::span<const std::byte>(owned).subspan(at);
  };
  move(spirv);
  for (NativeCode &code : native)
    move(code.bytes);
}

DeviceImage findSpirv(std::span<const std::byte> bytes) { return find(bytes, true); }

DeviceImage findSpirv(const void *image) { return find(readableBytes(image), false); }

const void *unwrapFatBinary(const void *wrapper) {
  struct Wrapper {
    uint32_t magic;
    uint32_t version;
    const void *image;
    const void *reserved;
  };
  static_assert(sizeof(Wrapper) == 24);
  Wrapper copy;
  if (!wrapper)
    throw ParseError("the fat binary is a null pointer");
  std::memcpy(&copy, wrapper, sizeof copy);
  if (copy.magic != kWrapperMagic)
    throw ParseError("the fat binary's wrapper does not begin with HIPF");
  if (copy.version != 1)
    throw ParseError("the fat binary's wrapper has version " + std::to_string(copy.version) + "; 1 is known");
  if (!copy.image)
    throw ParseError("the fat binary's wrapper points to nothing");
  return copy.image;
}

} // namespace hiplz
