// SPDX-License-Identifier: MIT
// Helpers that several passes share.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace hiplz::passes {

/// Address spaces of SPIR-V modules, as clang numbers them.
enum AddressSpace : unsigned { kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3, kGeneric = 4 };

/// Metadata of a variable: a string "file:line: ", for messages. It is gone after CyclicValuesPass.
inline constexpr const char *kPlace = "hiplz.place";
/// Of a variable that the source declares __managed__, from the first pass on.
inline constexpr const char *kManagedAttribute = "hiplz.managed";

/// Of a function that is the same in every module that has one of its name, from LinkagePass to FunctionPointersPass.
inline constexpr const char *kSameEverywhere = "hiplz-same-everywhere";
/// How the names of functions begin that choose among functions by a number, their last argument.
inline constexpr const char *kDispatcherPrefix = "hiplz.call.";
/// void (): what a call through a pointer does if there is no such function.
inline constexpr const char *kWildCall = "hiplz.wild_call";

inline bool isKernel(const llvm::Function &F) { return F.getCallingConv() == llvm::CallingConv::SPIR_KERNEL; }

/// Replaces every use of \p C by an instruction, also the uses inside constant expressions and constant aggregates,
/// with the value that \p valueIn gives for the function of the use. Returns false, having changed nothing more, when
/// a use is not in a function (an initializer of a variable), and names the user in \p Outside.
bool replaceConstantUses(llvm::Constant &C, llvm::function_ref<llvm::Value *(llvm::Function &)> valueIn,
                         const llvm::Value **Outside = nullptr);

/// The functions that use \p C, directly or inside constants. Uses in initializers are not listed.
void collectUsingFunctions(const llvm::Constant &C, llvm::function_ref<void(llvm::Function &)> found);

/// An integer type that SPIR-V does not have.
bool isOddInteger(const llvm::Type *T);

/// A vector type that SPIR-V does not have: elements of an odd width, or a number of elements other than 2, 3, 4, 8 or 16.
bool isOddVector(const llvm::Type *T);

/// The type in memory of a value of type \p T, where SPIR-V has no booleans and no odd integers.
llvm::Type *memoryType(llvm::Type *T);

/// True if \p T or a part of it, not behind a pointer, has no form in SPIR-V: an array of length zero, an odd integer, an odd
/// vector.
bool isUnrepresentable(llvm::Type *T);

/// A pointer cast that also changes the address space where it must, and skips casts on the way to \p Pointer.
llvm::Value *castPointer(llvm::IRBuilderBase &B, llvm::Value *Pointer, llvm::Type *To);

/// True if \p Name is that of a function of SPIR-V or OpenCL C about sub-groups.
bool mentionsSubgroup(llvm::StringRef Name);

/// Calls \p Callee with its own calling convention; a call with another one is undefined.
llvm::CallInst *createCall(llvm::IRBuilderBase &B, llvm::Function *Callee, llvm::ArrayRef<llvm::Value *> Arguments);

/// The variable \p Name with an address that the runtime fills in; of itself it is zero. Made if the module has none.
llvm::GlobalVariable *runtimeVariable(llvm::Module &M, llvm::StringRef Name);

/// Puts the variables of \p F whose size is known in front of all other instructions, where they stay variables of the function
/// even if its first block is split.
void moveVariablesToStart(llvm::Function &F);

/// Erases the pointer casts of \p F that nothing uses: with typed pointers they would keep their types in the module.
void removeUnusedCasts(llvm::Function &F);

/// Moves name, attributes, debug information and body of \p F to a new function with the parameters \p Types and, unless
/// it is null, the type \p Result. F is left without a body and without a name; its arguments and its uses are the
/// caller's to rewrite.
llvm::Function *recreate(llvm::Function &F, llvm::ArrayRef<llvm::Type *> Types, llvm::Type *Result = nullptr);

} // namespace hiplz::passes
