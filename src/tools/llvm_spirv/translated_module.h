// SPDX-License-Identifier: MIT
// The few corrections that a translated module needs before a driver sees it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hiplz::spirv {

/// The translator's output, as a sequence of instructions.
class TranslatedModule {
public:
  /// Takes the words of a module; ok() tells whether they have the structure of one. If not, nothing else may be called.
  explicit TranslatedModule(std::vector<uint32_t> words);
  bool ok() const { return ok_; }
  const std::vector<uint32_t> &words() const { return words_; }

  /// Makes all corrections below.
  void correct();

  /// Names of functions that the module expects from elsewhere. Nothing is linked to it later, so each is an error.
  std::vector<std::string> undefinedFunctions() const;

private:
  /// The translator makes each kernel twice: an entry point, and a function that it calls, exported under the same
  /// name. The export has no reader, keeps the function alive, and some drivers mistake it for the kernel.
  void dropExportsOfFunctions();

  /// Reversing bits comes with the extension for it and also, needlessly, with the capabilities of graphics shaders,
  /// which compute drivers may refuse.
  void dropShaderCapabilities();

  /// The translator writes what is known about unrolling a loop too early in its block, and twice if the loop is one block.
  /// The instruction stands once, and directly before the branch.
  void placeLoopHints();

  /// The translator decorates some results twice with the same, which SPIR-V forbids and newer validators refuse.
  void dropRepeatedDecorations();

  /// Composite constants with computed ones in them, such as addresses, have an instruction of their own, which the translator
  /// does not use.
  void tellCompositesOfOperations();

  /// Removes the instructions for which drop(const Instruction &) is true.
  template <typename Drop> void removeIf(Drop drop);
  /// Calls visit(const Instruction &) for each instruction.
  template <typename Visit> void forEach(Visit visit) const;

  std::vector<uint32_t> words_;
  bool ok_ = false;
};

} // namespace hiplz::spirv
