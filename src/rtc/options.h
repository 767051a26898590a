// SPDX-License-Identifier: MIT
// The options of hiprtcCompileProgram: those of AMD's hipRTC and of NVRTC become options of clang, those that choose a GPU are
// left out, and clang's own pass through.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace hiplz::rtc {

struct Options {
  std::vector<std::string> forClang;
  bool relocatable = false; ///< -fgpu-rdc: bitcode for hiprtcLinkAddData instead of code
  bool saveTemps = false;
  bool cuda = false;                // the source is one for NVRTC: it has CUDA's names
  bool searchesSourceFolder = true; ///< in NVRTC, the folder of the source is one of headers
  std::string warnings;             ///< lines for the log
  std::string error;                ///< a line for the log, if an option cannot be used
};

Options parseOptions(std::span<const char *const> options);

} // namespace hiplz::rtc
