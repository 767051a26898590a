// SPDX-License-Identifier: MIT
// How a module becomes pieces that are compiled by themselves: one that all kernels share, with the variables and with the
// functions whose address somebody takes, and one for each kernel, with copies of the functions that it calls. Pieces refer to
// the shared one by symbols, so a variable and the address of a function are the same in all kernels.
#pragma once
#include "cpu/compiler/kernel_table.h"

#include <llvm/Support/MemoryBufferRef.h>

#include <memory>

namespace hiplz::cpu {

/// Gives what has to be shared its symbol, marks kernels, and makes everything else internal. For a module whose built-in
/// functions have been lowered.
void markForSplit(llvm::Module &module, ModuleTable &table);

/// Reduces a marked module to the shared piece. False if it is empty.
bool keepShared(llvm::Module &module);

/// Reads what a kernel needs from the bitcode of a marked module. Constants and functions of the shared piece can be
/// looked into and inlined, but are not defined. Null with a sentence in `error`.
std::unique_ptr<llvm::Module> readKernel(llvm::MemoryBufferRef bitcode, llvm::StringRef name,
                                         llvm::LLVMContext &context, llvm::Function *&kernel, std::string &error);

/// Functions that a call through a pointer may reach were kept for analyses; from here on they may go.
void forgetSharedFunctions(llvm::Module &module);

/// True if it may be called through a pointer, by this kernel or another one.
bool isShared(const llvm::Function &function);

} // namespace hiplz::cpu
