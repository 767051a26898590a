// SPDX-License-Identifier: MIT
// From the bytes of a fat binary to the SPIR-V in it: clang's offload bundles, plain and compressed, and bare SPIR-V. Where
// SPIR-V may stand there may be LLVM bitcode for it as well; code that takes it asks isBitcode (bitcode.h). Beside the
// SPIR-V there may be native code that was made from it ahead of time. AMD's own SPIR-V is taken if there is no other.
// If there is no SPIR-V at all, machine code for AMD's GPUs is taken, which the CPU device translates. Callers tell it apart with
// amdgcn::isCodeObject.
#pragma once
#include "base/parse_error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz {

/// The prefix of the targets of native code in a bundle; the name of the device as Intel's ocloc knows it follows.
inline constexpr std::string_view kNativeTargetPrefix = "hip-spirv64-intel-native--";

/// Native code for an Intel device, made from the SPIR-V of the same fat binary when the program was compiled.
struct NativeCode {
  std::string device; // printable
  std::span<const std::byte> bytes;
};

/// SPIR-V, either inside bytes that belong to somebody else or in bytes of its own. Move-only, because the spans may
/// point into `owned`.
struct DeviceImage {
  DeviceImage() = default;
  DeviceImage(DeviceImage &&) = default;
  DeviceImage &operator=(DeviceImage &&) = default;

  std::vector<std::byte> owned;
  std::span<const std::byte> spirv;
  bool amdDialect = false;        // the SPIR-V is AMD's, for amd_spirv.h
  std::vector<NativeCode> native; // in the order of the command line that made it

  /// Copies all code into `owned` if it is not there already, so that the bytes it came from may go.
  void own();
};

/// Finds the SPIR-V in a fat binary, a compressed fat binary or bare SPIR-V or bitcode of known size. Throws ParseError:
/// `otherTargets`, with their names in the sentence, if there is code but none that is taken, else `malformed`. Never
/// reads beyond the span. The result points into `bytes` unless they had to be decompressed.
DeviceImage findSpirv(std::span<const std::byte> bytes);

/// The same for an image of which only the address is known (the bytes carry their sizes). Nothing is read that is not
/// mapped readable.
DeviceImage findSpirv(const void *image);

/// The image behind the wrapper that the compiler passes to __hipRegisterFatBinary. Throws ParseError if it is none.
const void *unwrapFatBinary(const void *wrapper);

} // namespace hiplz
