// SPDX-License-Identifier: MIT
#include "cpu/compiler/builtin_library.h"
#include "base/llvm_compat.h"
#include "cpu/abi/runtime_functions.h"
#include "cpu/vectorizer/called_functions.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Function.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstddef>

// The bitcode itself; the path comes from the build.
asm(".pushsection .rodata\n"
    ".balign 16\n"
    "hiplz_builtins_begin:\n"
    ".incbin \"" HIPLZ_BUILTINS_BITCODE "\"\n"
    "hiplz_builtins_end:\n"
    ".popsection\n");
extern "C" const char hiplz_builtins_begin[] __attribute__((visibility("hidden")));
extern "C" const char hiplz_builtins_end[] __attribute__((visibility("hidden")));

using namespace llvm;

namespace hiplz::cpu {

bool linkBuiltinLibrary(Module &module, std::string &error) {
  StringSet<> wanted;
  for (Function &function : module)
    if (function.isDeclaration() && startsWith(function.getName(), "hz_"))
      wanted.insert(function.getName());
  if (wanted.empty())
    return true;
  StringRef bitcode(hiplz_builtins_begin, static_cast<size_t>(hiplz_builtins_end - hiplz_builtins_begin));
  auto library = parseBitcodeFile(MemoryBufferRef(bitcode, "builtins"), module.getContext());
  if (!library) {
    error = "compiler: the built-in library cannot be read: " + toString(library.takeError());
    return false;
  }
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  for (Function &function : **library) { // made for any x86-64; the module decides about the processor
    for (const char *attribute :
         {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "min-legal-vector-width"})
      function.removeFnAttr(attribute);
    function.removeFnAttr(Attribute::UWTable);
    function.addFnAttr(kOfBuiltinLibrary);
  }
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded)) {
    error = "compiler: the built-in library cannot be linked";
    return false;
  }
  for (Function &function : module)
    if (startsWith(function.getName(), "hz_") && !function.isDeclaration())
      function.setLinkage(GlobalValue::InternalLinkage);
  return true;
}

bool isRuntimeFunction(StringRef name) {
  static const StringSet<> names = [] {
    StringSet<> set;
#define HIPLZ_UNARY(name)                                                                                              \
  set.insert(#name);                                                                                                   \
  set.insert(#name "f");
#define HIPLZ_BINARY(name) HIPLZ_UNARY(name)
#define HIPLZ_OTHER(name, signature, signatureF) HIPLZ_UNARY(name)
#define HIPLZ_EXTENDED(name) set.insert(#name "l");
#include "cpu/program/math_functions.def"
#undef HIPLZ_UNARY
#undef HIPLZ_BINARY
#undef HIPLZ_OTHER
#undef HIPLZ_EXTENDED
    return set;
  }();
  return names.contains(name) || startsWith(name, "hz_") || startsWith(name, kRuntimePrefix);
}

} // namespace hiplz::cpu
