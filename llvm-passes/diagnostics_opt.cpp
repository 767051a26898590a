// SPDX-License-Identifier: MIT
// Where the messages of the passes go when opt runs them: to its standard error, and its exit status tells clang.
#include "diagnostics.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace hiplz::passes {

void writeDiagnostic(llvm::StringRef Text) { llvm::errs() << Text; }

void endCompilation() {
  llvm::errs().flush();
  std::exit(1);
}

} // namespace hiplz::passes
