// Everything that differs between the LLVM versions the passes are compiled against (15 with typed pointers, up to the
// newest with opaque ones) is here, so that the passes themselves read as if there were one LLVM.
#pragma once

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <string_view>

#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace hiplz::passes {

/// The type of a pointer to \p Pointee in \p AddressSpace; the pointee matters only while LLVM has typed pointers.
inline llvm::PointerType *pointerTo(llvm::Type *Pointee, unsigned AddressSpace) {
#if LLVM_VERSION_MAJOR >= 17
  return llvm::PointerType::get(Pointee->getContext(), AddressSpace);
#else
  return llvm::PointerType::get(Pointee, AddressSpace);
#endif
}

/// \p Pointer with another address space.
inline llvm::PointerType *inAddressSpace(llvm::PointerType *Pointer, unsigned AddressSpace) {
#if LLVM_VERSION_MAJOR >= 17
  return llvm::PointerType::get(Pointer->getContext(), AddressSpace);
#else
  return llvm::PointerType::getWithSamePointeeType(Pointer, AddressSpace);
#endif
}

/// Moves all basic blocks of \p From to the end of \p To.
inline void moveBody(llvm::Function &To, llvm::Function &From) {
#if LLVM_VERSION_MAJOR >= 16
  To.splice(To.end(), &From);
#else
  To.getBasicBlockList().splice(To.end(), From.getBasicBlockList());
#endif
}

/// Inserts \p F before \p Position in the list of functions of its module.
inline void insertBefore(llvm::Function *F, llvm::Function *Position) {
  Position->getParent()->getFunctionList().insert(Position->getIterator(), F);
}

/// The declaration of an overloaded intrinsic.
inline llvm::Function *intrinsic(llvm::Module &M, llvm::Intrinsic::ID Id,
                                 llvm::ArrayRef<llvm::Type *> Types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&M, Id, Types);
#else
  return llvm::Intrinsic::getDeclaration(&M, Id, Types);
#endif
}

/// SROA that leaves the control flow as it is.
inline llvm::SROAPass scalarReplacement() {
#if LLVM_VERSION_MAJOR >= 16
  return llvm::SROAPass(llvm::SROAOptions::PreserveCFG);
#else
  return llvm::SROAPass();
#endif
}

/// Turns debug records (LLVM 19) back into calls of intrinsics, which all versions know.
inline void useDebugIntrinsics(llvm::Module &M) {
#if LLVM_VERSION_MAJOR >= 19
  M.convertFromNewDbgValues();
#endif
}

/// Whether \p T is a pointer to a function; only typed pointers show it.
inline bool isFunctionPointer(llvm::Type *T) {
#if LLVM_VERSION_MAJOR < 17
  auto *Pointer = llvm::dyn_cast<llvm::PointerType>(T);
  return Pointer && !Pointer->isOpaque() && Pointer->getNonOpaquePointerElementType()->isFunctionTy();
#else
  return false;
#endif
}

inline bool startsWith(llvm::StringRef Text, std::string_view Prefix) {
  return std::string_view(Text.data(), Text.size()).starts_with(Prefix);
}

} // namespace hiplz::passes
