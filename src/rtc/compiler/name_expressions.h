// SPDX-License-Identifier: MIT
// Name expressions: the program gets a variable for each, initialised with the address of what the expression names. That
// instantiates templates, and the initialiser tells the mangled name. The variables are removed again.
#pragma once
#include "llvm/IR/ValueHandle.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace hiplz::rtc {

/// Source text to be put behind the program's.
std::string nameReferences(const std::vector<std::string> &expressions);

/// The symbols that the expressions name in the compiled module.
class NameTargets {
public:
  /// Removes the variables from the module.
  NameTargets(llvm::Module &module, size_t count);
  /// The first expression that does not name anything with a name, or the number of expressions.
  size_t firstUnclear() const;
  /// The names, also after passes have changed the module.
  std::vector<std::string> names() const;

private:
  std::vector<llvm::WeakTrackingVH> targets_;
  std::vector<std::string> first_; // names before the passes, for what they have removed
};

} // namespace hiplz::rtc
