// SPDX-License-Identifier: MIT
#include "diagnostics.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace hiplz::passes {

std::string demangled(StringRef Name) { return demangle(Name.str()); }

static std::string place(const DIScope *Scope, unsigned Line, unsigned Column) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Scope->getFilename() << ':' << Line;
  if (Column)
    OS << ':' << Column;
  OS << ": ";
  return OS.str();
}

Diagnostics::~Diagnostics() {
  if (Count)
    endCompilation();
}

void Diagnostics::print(StringRef Where, const Twine &Message, const Function *F) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Where << "error: " << Message;
  if (F)
    OS << " (in device function '" << demangled(F->getName()) << "')";
  if (Where.empty() && F)
    OS << "; add -Xarch_device -Wp,-debug-info-kind=line-directives-only to see the line";
  OS << '\n';
  writeDiagnostic(OS.str());
  ++Count;
}

void Diagnostics::error(const Instruction &I, const Twine &Message) {
  std::string Where;
  if (const DebugLoc &Loc = I.getDebugLoc())
    Where = place(cast<DIScope>(Loc.getScope()), Loc.getLine(), Loc.getCol());
  else if (const DISubprogram *SP = I.getFunction()->getSubprogram())
    Where = place(SP, SP->getLine(), 0);
  print(Where, Message, I.getFunction());
}

void Diagnostics::error(const Function &F, const Twine &Message) {
  std::string Where;
  if (const DISubprogram *SP = F.getSubprogram())
    Where = place(SP, SP->getLine(), 0);
  print(Where, Message, &F);
}

void Diagnostics::error(const Twine &Message, StringRef Place) { print(Place, Message, nullptr); }

} // namespace hiplz::passes
