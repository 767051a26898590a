// SPDX-License-Identifier: MIT
// The passes of the vectoriser for LLVM's opt: opt -load-pass-plugin=hiplz-vectorizer.so -passes=hiplz-canonicalize,hiplz-print-shapes
#include "base/llvm_compat.h"
#include "cpu/vectorizer/passes.h"

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "HiplzVectorizer", "1", hiplz::cpu::registerPasses};
}
