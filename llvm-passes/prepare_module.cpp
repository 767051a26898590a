// SPDX-License-Identifier: MIT
// Brings the linked module into the form that the other passes expect: what clang adds for the host (lists of used
// symbols, identifiers of the compilation unit), aliases, and the version records that linking has multiplied.
#include "base/llvm_compat.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>

using namespace llvm;

namespace hiplz::passes {

/// Variables that mean something to the host's linker and loader only.
static bool isHostOnly(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return Name == "llvm.used" || Name == "llvm.compiler.used" || Name == "llvm.global.annotations" ||
         startsWith(Name, "__clang_gpu_used_external") || startsWith(Name, "__hip_cuid") ||
         startsWith(Name, "__hip_fatbin") || startsWith(Name, "__hip_gpubin");
}

/// The text of an annotation; empty if the operand is none.
static StringRef annotationText(const Value *Operand) {
  auto *Text = dyn_cast<GlobalVariable>(Operand->stripPointerCasts());
  auto *Characters = Text && Text->hasInitializer() ? dyn_cast<ConstantDataArray>(Text->getInitializer()) : nullptr;
  return Characters && Characters->isCString() ? Characters->getAsCString() : StringRef();
}

static void exportVariable(GlobalVariable &Variable) {
  Variable.setExternallyInitialized(true);
  if (Variable.hasLocalLinkage())
    Variable.setLinkage(GlobalValue::ExternalLinkage);
}

/// Texture references are device variables without a qualifier, and clang leaves static ones internal: the annotation is
/// on their member that the host writes, and so on each read of it.
static void exportTextureReferences(Module &M) {
  for (const Function &F : M) {
    if (F.getIntrinsicID() != Intrinsic::ptr_annotation)
      continue;
    for (const User *U : F.users()) {
      auto *Call = cast<CallBase>(U);
      auto *Variable = dyn_cast<GlobalVariable>(getUnderlyingObject(Call->getArgOperand(0)));
      if (Variable && !Variable->isDeclaration() && annotationText(Call->getArgOperand(1)) == "hiplz.texture")
        exportVariable(const_cast<GlobalVariable &>(*Variable));
    }
  }
}

/// The most threads that a block of the kernel may have, in the form of SPIR-V (MaxWorkgroupSizeINTEL), which gives each
/// dimension a limit; HIP's, for their product, holds for each of them. Of several declarations the lowest one counts.
static void setLaunchBounds(Function &Kernel, const Value *Arguments, Diagnostics &Errors) {
  constexpr const char *kMetadata = "max_work_group_size";
  auto *Values = dyn_cast<GlobalVariable>(Arguments->stripPointerCasts());
  auto number = [&](unsigned N) {
    Constant *Value = Values && Values->hasInitializer() ? Values->getInitializer()->getAggregateElement(N) : nullptr;
    return dyn_cast_or_null<ConstantInt>(Value);
  };
  auto *MaxThreads = number(0), *MinWarps = number(1);
  // Clang refuses zero and fractions.
  if ((MaxThreads && MaxThreads->isNegative()) || (MinWarps && MinWarps->isNegative()))
    return Errors.error(Kernel, "__launch_bounds__ takes no negative numbers");
  if (!MaxThreads || !MaxThreads->getValue().isStrictlyPositive() || MaxThreads->getValue().getActiveBits() > 31)
    return;
  uint64_t Limit = MaxThreads->getZExtValue();
  if (const MDNode *Known = Kernel.getMetadata(kMetadata))
    Limit = std::min(Limit, mdconst::extract<ConstantInt>(Known->getOperand(0))->getZExtValue());
  Metadata *Number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Kernel.getContext()), Limit));
  Kernel.setMetadata(kMetadata, MDNode::get(Kernel.getContext(), {Number, Number, Number}));
}

/// Keeps the place in the source that an annotation names.
static void keepPlace(GlobalVariable &Variable, const ConstantStruct &Annotation) {
  auto *Line = dyn_cast<ConstantInt>(Annotation.getOperand(3));
  if (!Line)
    return;
  LLVMContext &Context = Variable.getContext();
  const std::string Place = (annotationText(Annotation.getOperand(2)) + ":" + Twine(Line->getZExtValue()) + ": ").str();
  Variable.setMetadata(kPlace, MDNode::get(Context, MDString::get(Context, Place)));
}

/// The headers annotate every device variable, because clang 15 forgets those in anonymous namespaces: it leaves them
/// internal, although the host code registers them under their names. The annotation has kept the optimiser from taking
/// their initial value for their only one; here they become what other device variables are. The place in the source, which
/// no debug information has, is kept for messages. Annotations also tell which variables are managed, and the launch bounds
/// of kernels, of which clang 15 leaves nothing.
static void readAnnotations(Module &M, Diagnostics &Errors) {
  GlobalVariable *List = M.getNamedGlobal("llvm.global.annotations");
  auto *Entries = List && List->hasInitializer() ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
  if (!Entries)
    return;
  for (const Use &Entry : Entries->operands()) {
    auto *Fields = cast<ConstantStruct>(Entry);
    auto *Annotated = dyn_cast<GlobalObject>(Fields->getOperand(0)->stripPointerCasts());
    if (!Annotated || Annotated->isDeclaration())
      continue;
    const StringRef Text = annotationText(Fields->getOperand(1));
    if (auto *Kernel = dyn_cast<Function>(Annotated)) {
      if (isKernel(*Kernel) && Text == "hiplz.launch_bounds")
        setLaunchBounds(*Kernel, Fields->getOperand(4), Errors);
      continue;
    }
    auto *Variable = dyn_cast<GlobalVariable>(Annotated);
    if (!Variable || Variable->getAddressSpace() == kLocal)
      continue;
    if (Text == "hiplz.device" || Text == "hiplz.managed") {
      exportVariable(*Variable);
      keepPlace(*Variable, *Fields);
    }
    if (Text == "hiplz.managed")
      Variable->addAttribute(kManagedAttribute);
  }
}

static void removeHostOnlyVariables(Module &M) {
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!isHostOnly(G))
      continue;
    G.removeDeadConstantUsers();
    if (!G.use_empty())
      G.replaceAllUsesWith(Constant::getNullValue(G.getType()));
    G.eraseFromParent();
  }
}

static void resolveAliases(Module &M, Diagnostics &Errors) {
  for (GlobalAlias &A : make_early_inc_range(M.aliases())) {
    A.replaceAllUsesWith(ConstantExpr::getPointerBitCastOrAddrSpaceCast(A.getAliasee(), A.getType()));
    A.eraseFromParent();
  }
  for (GlobalIFunc &I : M.ifuncs())
    Errors.error("the indirect function '" + demangled(I.getName()) + "' cannot be used on the device");
}

/// Each linked file brings its own record; the translator takes one. OpenCL 2.0 is what generic pointers need.
static void setLanguageVersion(Module &M) {
  if (NamedMDNode *Old = M.getNamedMetadata("opencl.ocl.version"))
    M.eraseNamedMetadata(Old);
  auto number = [&](unsigned N) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(M.getContext()), N));
  };
  M.getOrInsertNamedMetadata("opencl.ocl.version")->addOperand(MDNode::get(M.getContext(), {number(2), number(0)}));
  for (const char *Name : {"llvm.ident", "llvm.commandline"})
    if (NamedMDNode *Node = M.getNamedMetadata(Name))
      M.eraseNamedMetadata(Node);
}

/// SPIR-V's functions do not take integers of odd widths and such vectors: functions that have them are inlined.
static void inlineFunctionsOfOddTypes(Module &M) {
  auto IsOdd = [](const Type *T) { return isOddInteger(T) || isOddVector(T); };
  for (Function &F : M) {
    if (F.isDeclaration() || isKernel(F) ||
        (!IsOdd(F.getReturnType()) && none_of(F.args(), [&](const Argument &A) { return IsOdd(A.getType()); })))
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.addFnAttr(Attribute::AlwaysInline);
  }
}

PreservedAnalyses PrepareModulePass::run(Module &M, ModuleAnalysisManager &) {
  Diagnostics Errors;
  readAnnotations(M, Errors);
  exportTextureReferences(M);
  removeHostOnlyVariables(M);
  resolveAliases(M, Errors);
  inlineFunctionsOfOddTypes(M);
  setLanguageVersion(M);
  return PreservedAnalyses::none();
}

} // namespace hiplz::passes
