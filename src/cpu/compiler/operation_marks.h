// SPDX-License-Identifier: MIT
// The first half of counting (HIPLZ_CPU_COUNTS): marks what the program does before anything is lowered, while a call of sqrt is
// still one function and address spaces still tell shared memory from global. operation_counters.h makes code of the marks.
//
// A mark is a call that nobody may drop, copy to where it was not, or look through. So loops, branches, masks and inlining
// need no care here: a mark is executed as often as the block that it stands for.
#pragma once
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// void(i32 counter, i64 amount)
constexpr llvm::StringRef kCountMark = "hiplz_cpu_count";
/// void(ptr address, i64 bytes, i32 counter): an access whose kind of memory is not known; `counter` is that of global memory.
constexpr llvm::StringRef kAccessMark = "hiplz_cpu_count_access";
/// void(i64 address, i64 bytes, i32 counter): an access to global memory, for the lines that it touches; kCountMark has its bytes.
constexpr llvm::StringRef kLineMark = "hiplz_cpu_count_lines";

/// Marks all functions of a module that has just been translated.
void markOperations(llvm::Module &module);

} // namespace hiplz::cpu
