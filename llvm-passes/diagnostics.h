// SPDX-License-Identifier: MIT
// How a pass reports that the program uses something that has no form on the device: with the place in the source, as
// the compiler would, and without a crash. All findings of a pass are printed before the compilation ends.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instruction.h"

namespace hiplz::passes {

class Diagnostics {
public:
  Diagnostics() = default;
  Diagnostics(const Diagnostics &) = delete;
  Diagnostics &operator=(const Diagnostics &) = delete;
  /// Ends the compilation if something was reported.
  ~Diagnostics();

  /// Reports \p Message at the source location of \p I.
  void error(const llvm::Instruction &I, const llvm::Twine &Message);
  /// Warns at the source location of \p I, or, if it was inlined from HIPLZ's headers, of the call in the program. The compilation
  /// goes on.
  void warning(const llvm::Instruction &I, const llvm::Twine &Message);
  /// Reports \p Message for a whole function.
  void error(const llvm::Function &F, const llvm::Twine &Message);
  /// Reports \p Message without a location, or at \p Place, which is "file:line: ".
  void error(const llvm::Twine &Message, llvm::StringRef Place = {});

private:
  void print(llvm::StringRef Where, llvm::StringRef Kind, const llvm::Twine &Message, llvm::StringRef Function);
  unsigned Count = 0;
};

/// The program that runs the passes defines both: diagnostics_opt.cpp for opt, hipRTC for itself. The first one takes a whole
/// line.
void writeDiagnostic(llvm::StringRef Text);
[[noreturn]] void endCompilation();

/// The name as it stands in the source.
std::string demangled(llvm::StringRef Name);

} // namespace hiplz::passes
