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

void Diagnostics::print(StringRef Where, StringRef Kind, const Twine &Message, StringRef Function) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Where << Kind << ": " << Message;
  if (!Function.empty())
    OS << " (in device function '" << demangled(Function) << "')";
  if (Where.empty() && !Function.empty())
    OS << "; add -Xarch_device -Wp,-debug-info-kind=line-directives-only to see the line";
  OS << '\n';
  writeDiagnostic(OS.str());
}

void Diagnostics::warning(const Instruction &I, const Twine &Message) {
  std::string Where;
  const DILocation *At = I.getDebugLoc();
  while (At && At->getFilename().contains("hip/spirv/") && At->getInlinedAt())
    At = At->getInlinedAt();
  if (At)
    Where = place(At->getScope(), At->getLine(), At->getColumn());
  print(Where, "warning", Message, I.getFunction()->getName());
}

void Diagnostics::error(const Instruction &I, const Twine &Message) {
  std::string Where;
  StringRef Name = I.getFunction()->getName();
  const DISubprogram *SP = I.getFunction()->getSubprogram();
  if (const DebugLoc &Loc = I.getDebugLoc()) {
    Where = place(cast<DIScope>(Loc.getScope()), Loc.getLine(), Loc.getCol());
    // The function that was inlined, not the one that it was inlined into. Line tables have its plain name alone.
    if (const DISubprogram *Inlined = cast<DILocalScope>(Loc.getScope())->getSubprogram(); Inlined && Inlined != SP)
      Name = Inlined->getLinkageName().empty() ? Inlined->getName() : Inlined->getLinkageName();
  } else if (SP) {
    Where = place(SP, SP->getLine(), 0);
  }
  print(Where, "error", Message, Name);
  ++Count;
}

void Diagnostics::error(const Function &F, const Twine &Message) {
  std::string Where;
  if (const DISubprogram *SP = F.getSubprogram())
    Where = place(SP, SP->getLine(), 0);
  print(Where, "error", Message, F.getName());
  ++Count;
}

void Diagnostics::error(const Twine &Message, StringRef Place) {
  print(Place, "error", Message, {});
  ++Count;
}

} // namespace hiplz::passes
