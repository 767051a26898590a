// SPDX-License-Identifier: MIT
// Everything that differs between the LLVM versions that the passes and the compiler of the CPU device are built with (15
// with typed pointers, up to the newest with opaque ones) is here, so that the rest reads as if there were one LLVM.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <string_view>

#if LLVM_VERSION_MAJOR >= 16
#include "llvm/IR/AttributeMask.h"
#endif

#if LLVM_VERSION_MAJOR >= 17
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#else
#include "llvm/ADT/Triple.h"
#include "llvm/Support/Host.h"
#endif

#if LLVM_VERSION_MAJOR >= 20
#include "llvm/IR/CmpPredicate.h"
#endif

#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace hiplz {

/// The type of a pointer to \p Pointee in \p AddressSpace; the pointee matters only while LLVM has typed pointers.
inline llvm::PointerType *pointerTo(llvm::Type *Pointee, unsigned AddressSpace) {
#if LLVM_VERSION_MAJOR >= 17
  return llvm::PointerType::get(Pointee->getContext(), AddressSpace);
#else
  return llvm::PointerType::get(Pointee, AddressSpace);
#endif
}

/// Makes the context one of typed pointers while LLVM has them: the translator of LLVM 15 produces no others.
inline void useTypedPointers([[maybe_unused]] llvm::LLVMContext &Context) {
#if LLVM_VERSION_MAJOR < 16
  Context.setOpaquePointers(false);
#endif
}

/// Makes the context one of opaque pointers, so that the first bitcode does not decide.
inline void useOpaquePointers([[maybe_unused]] llvm::LLVMContext &Context) {
#if LLVM_VERSION_MAJOR < 17
  Context.setOpaquePointers(true);
#endif
}

/// Makes the context pass its messages, and \p Data, to \p Report.
template <void (*Report)(const llvm::DiagnosticInfo &, void *)>
void reportDiagnostics(llvm::LLVMContext &Context, void *Data) {
#if LLVM_VERSION_MAJOR >= 19
  Context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo *Info, void *To) { Report(*Info, To); }, Data);
#else
  Context.setDiagnosticHandlerCallBack(Report, Data);
#endif
}

/// The predicate that the pattern m_ICmp() matches.
#if LLVM_VERSION_MAJOR >= 20
using MatchedPredicate = llvm::CmpPredicate;
#else
using MatchedPredicate = llvm::CmpInst::Predicate;
#endif

/// A result that a function of clang returns by pointer in some versions and by reference in others.
template <class T> T &object(T *Pointer) { return *Pointer; }
template <class T> T &object(T &Reference) { return Reference; }

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
inline llvm::Function *intrinsic(llvm::Module &M, llvm::Intrinsic::ID Id, llvm::ArrayRef<llvm::Type *> Types) {
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

/// Removes the locations of variables that \p IsKept refuses: a function of whether the location has several values, and of the
/// expression. Locations are calls of intrinsics or, from LLVM 19 on, records beside the instructions.
template <class Predicate> void keepVariableLocations(llvm::Function &F, Predicate IsKept) {
  for (llvm::Instruction &I : llvm::make_early_inc_range(llvm::instructions(F))) {
#if LLVM_VERSION_MAJOR >= 19
    for (llvm::DbgRecord &Record : llvm::make_early_inc_range(I.getDbgRecordRange()))
      if (auto *Variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&Record))
        if (!IsKept(Variable->hasArgList(), *Variable->getExpression()))
          Variable->eraseFromParent();
#endif
    if (auto *Variable = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&I))
      if (!IsKept(Variable->hasArgList(), *Variable->getExpression()))
        Variable->eraseFromParent();
  }
}

/// True if \p T is a pointer to a function; only typed pointers show it.
inline bool isFunctionPointer([[maybe_unused]] llvm::Type *T) {
#if LLVM_VERSION_MAJOR < 17
  auto *Pointer = llvm::dyn_cast<llvm::PointerType>(T);
  return Pointer && !Pointer->isOpaque() && Pointer->getNonOpaquePointerElementType()->isFunctionTy();
#else
  return false;
#endif
}

/// True if values of \p T are objects of SPIR-V: images, samplers, events. Until LLVM 16 these were pointers.
inline bool isSpirvObject([[maybe_unused]] llvm::Type *T) {
#if LLVM_VERSION_MAJOR >= 16
  return T->isTargetExtTy();
#else
  return false;
#endif
}

/// The name of the type of SPIR-V's objects (image, sampler, event ...) that values of \p T are, which begins with "spirv." and
/// the kind of the object; empty for other types. Before LLVM 16 only typed pointers show it.
inline llvm::StringRef spirvObjectName(llvm::Type *T) {
#if LLVM_VERSION_MAJOR >= 16
  if (auto *Object = llvm::dyn_cast<llvm::TargetExtType>(T))
    return Object->getName();
#endif
#if LLVM_VERSION_MAJOR < 17
  auto *Pointer = llvm::dyn_cast<llvm::PointerType>(T);
  if (Pointer && !Pointer->isOpaque())
    if (auto *Struct = llvm::dyn_cast<llvm::StructType>(Pointer->getNonOpaquePointerElementType()))
      if (Struct->hasName() && Struct->isOpaque() && Struct->getName().startswith("spirv."))
        return Struct->getName();
#endif
  return {};
}

/// The instruction that computes a constant expression, before \p Before.
inline llvm::Instruction *asInstruction(llvm::ConstantExpr *Expression, llvm::Instruction *Before) {
#if LLVM_VERSION_MAJOR >= 18
  llvm::Instruction *Made = Expression->getAsInstruction();
  Made->insertBefore(*Before->getParent(), Before->getIterator());
  return Made;
#else
  return Expression->getAsInstruction(Before);
#endif
}

#if LLVM_VERSION_MAJOR >= 18
inline constexpr auto kObjectFile = llvm::CodeGenFileType::ObjectFile;
inline constexpr auto kAggressive = llvm::CodeGenOptLevel::Aggressive;
// None crashes in the instruction selection of LLVM 19 on ordinary functions without the attribute optnone.
inline constexpr auto kNoOptimization = llvm::CodeGenOptLevel::Less;
#else
inline constexpr auto kObjectFile = llvm::CGFT_ObjectFile;
inline constexpr auto kAggressive = llvm::CodeGenOpt::Aggressive;
inline constexpr auto kNoOptimization = llvm::CodeGenOpt::None;
#endif

/// The features of the processor that runs this, by name.
inline llvm::StringMap<bool> hostCpuFeatures() {
#if LLVM_VERSION_MAJOR >= 19
  return llvm::sys::getHostCPUFeatures();
#else
  llvm::StringMap<bool> Features;
  llvm::sys::getHostCPUFeatures(Features);
  return Features;
#endif
}

/// The module is compiled for that machine.
inline void setTarget(llvm::Module &M, const llvm::Triple &Target) {
#if LLVM_VERSION_MAJOR >= 21
  M.setTargetTriple(Target);
#else
  M.setTargetTriple(Target.str());
#endif
}

template <class Variables>
Variables variablesOf(bool (llvm::GEPOperator::*)(const llvm::DataLayout &, unsigned, Variables &, llvm::APInt &)
                          const);
/// The variable parts of an address as GEPOperator::collectOffset() returns them, each with its factor; its type differs.
using OffsetVariables = decltype(variablesOf(&llvm::GEPOperator::collectOffset));

/// Lets the vectoriser call glibc's vector functions.
inline void useVectorFunctionsOfLibmvec(llvm::TargetLibraryInfoImpl &Libraries,
                                        [[maybe_unused]] const llvm::Triple &Target) {
#if LLVM_VERSION_MAJOR >= 21
  Libraries.addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC, Target);
#elif LLVM_VERSION_MAJOR >= 17
  Libraries.addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC_X86, Target);
#else
  Libraries.addVectorizableFunctionsFromVecLib(llvm::TargetLibraryInfoImpl::LIBMVEC_X86);
#endif
}

/// The extended instruction of OpenCL for an intrinsic that newer clang emits for a function of C, and that the translator
/// does not take; empty if it is none of these.
inline llvm::StringRef openClInstruction([[maybe_unused]] llvm::Intrinsic::ID Id) {
#if LLVM_VERSION_MAJOR >= 18
  switch (Id) {
  case llvm::Intrinsic::exp10: return "exp10";
  case llvm::Intrinsic::ldexp: return "ldexp";
#if LLVM_VERSION_MAJOR >= 19
  case llvm::Intrinsic::acos: return "acos";
  case llvm::Intrinsic::asin: return "asin";
  case llvm::Intrinsic::atan: return "atan";
  case llvm::Intrinsic::cosh: return "cosh";
  case llvm::Intrinsic::sinh: return "sinh";
  case llvm::Intrinsic::tan: return "tan";
  case llvm::Intrinsic::tanh: return "tanh";
#endif
#if LLVM_VERSION_MAJOR >= 20
  case llvm::Intrinsic::atan2: return "atan2";
#endif
  default: return {};
  }
#else
  return {};
#endif
}

/// True if newer clang emits the intrinsic and the translator of its version takes it.
inline bool isTranslatedByNewer([[maybe_unused]] llvm::Intrinsic::ID Id) {
#if LLVM_VERSION_MAJOR >= 16
  return Id == llvm::Intrinsic::is_fpclass;
#else
  return false;
#endif
}

/// True if the argument of the vector form of an intrinsic is a scalar all the same.
inline bool hasScalarArgument(llvm::Intrinsic::ID Id, unsigned Argument) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::isVectorIntrinsicWithScalarOpAtArg(Id, Argument, nullptr);
#else
  return llvm::isVectorIntrinsicWithScalarOpAtArg(Id, Argument);
#endif
}

/// True if the type of the argument is part of the name of the vector form of an intrinsic.
inline bool isOverloadedOnArgument(llvm::Intrinsic::ID Id, unsigned Argument) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::isVectorIntrinsicWithOverloadTypeAtArg(Id, static_cast<int>(Argument), nullptr);
#else
  return llvm::isVectorIntrinsicWithOverloadTypeAtArg(Id, Argument);
#endif
}

/// Promises that nobody keeps the argument behind the call.
inline void addNoCapture(llvm::AttrBuilder &Attributes) {
#if LLVM_VERSION_MAJOR >= 21
  Attributes.addCapturesAttr(llvm::CaptureInfo::none());
#else
  Attributes.addAttribute(llvm::Attribute::NoCapture);
#endif
}

/// True if the target loads or stores under a mask in one instruction, in the first address space.
inline bool hasMaskedAccess(const llvm::TargetTransformInfo &Target, bool IsLoad, llvm::Type *Type, llvm::Align Align) {
#if LLVM_VERSION_MAJOR >= 21
  return IsLoad ? Target.isLegalMaskedLoad(Type, Align, 0) : Target.isLegalMaskedStore(Type, Align, 0);
#else
  return IsLoad ? Target.isLegalMaskedLoad(Type, Align) : Target.isLegalMaskedStore(Type, Align);
#endif
}

inline bool startsWith(llvm::StringRef Text, std::string_view Prefix) {
  return std::string_view(Text.data(), Text.size()).starts_with(Prefix);
}

inline bool endsWith(llvm::StringRef Text, std::string_view Suffix) {
  return std::string_view(Text.data(), Text.size()).ends_with(Suffix);
}

} // namespace hiplz
