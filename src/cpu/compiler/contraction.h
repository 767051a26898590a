// SPDX-License-Identifier: MIT
// Products and sums as fused operations, where LLVM may choose.
#pragma once
#include <llvm/IR/Module.h>

namespace llvm {
class TargetMachine;
}

namespace hiplz::cpu {

/// Makes fused operations of sums and the products that only they use, if the processor has them. LLVM does the same when it selects instructions,
/// but which products it finds depends on all passes before: a kernel that is compiled in two ways must give the same results.
void contractProducts(llvm::Module &module, const llvm::TargetMachine &machine);

/// True if LLVM may choose among results (-ffast-math): two ways of compiling then give different ones.
bool mayChooseResults(const llvm::Module &module);

} // namespace hiplz::cpu
