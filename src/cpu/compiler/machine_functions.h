// SPDX-License-Identifier: MIT
// Functions of a module of machine code that waves call: what is too large to stand where it is used, or needs the module's own variables.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

namespace hiplz::cpu {

/// The value of a variable that the module's owner fills (code_object.h).
llvm::Value *ownersVariable(llvm::IRBuilder<> &b, const std::string &name);

/// Address of the TrapState; of zeros if there is none.
llvm::Value *trapState(llvm::IRBuilder<> &b);

/// void(): notes that a wave has trapped, or faults if nobody wants to know.
llvm::Function *trapFunction(llvm::Module &module);

/// void(ptr warp, i64 state, i32 count): the barrier of a GridState.
llvm::Function *gridBarrierFunction(llvm::Module &module);

} // namespace hiplz::cpu
