// SPDX-License-Identifier: MIT
// Copies of structures between lanes. The threads of a warp execute each access together, so in s[to[i]] = s[i] all of them have read when
// the first one writes. Compilers make one instruction of such a copy, and executed for one lane after the other it would read what
// another lane has just written.
#pragma once
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Makes loads and stores of copies that may read what another lane's copy writes: both ends may be the same object, which other
/// work-items see. GPUs copy no more than a few hundred bytes in one go, so larger ones stay as they are. To be done when LLVM has made
/// its own copies of loads and stores of structures.
void separateCopies(llvm::Module &module);

} // namespace hiplz::cpu
