// SPDX-License-Identifier: MIT
// Code that has no form on the device and was not removed by earlier passes ends the compilation here, with its place in the
// source. Otherwise the translator or Intel's compiler would stop on it, or the kernel would be wrong.
#include "base/llvm_compat.h"
#include "base/spirv_builtins.h"
#include "diagnostics.h"
#include "ir_utils.h"
#include "passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace hiplz::passes {

namespace {

/// The most shared memory that a block has anywhere: on Intel's data center GPUs. Others have half, and say so at the launch.
constexpr uint64_t kMaxSharedBytes = 128 * 1024;

/// Intrinsics that the translator translates correctly.
bool isTranslated(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::abs:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::cos:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::log:
  case Intrinsic::log10:
  case Intrinsic::log2:
  case Intrinsic::maximum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::minnum:
  case Intrinsic::nearbyint:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::sin:
  case Intrinsic::sqrt:
  case Intrinsic::trunc:
  case Intrinsic::memcpy:
  case Intrinsic::memset:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label: return true;
  default: return isTranslatedByNewer(Id);
  }
}

/// The fault of a type, or null.
const char *typeProblem(Type *T) {
  if (T->isX86_FP80Ty() || T->isFP128Ty() || T->isPPC_FP128Ty())
    return "'long double' of more than 64 bits is not supported on the device";
  if (T->isBFloatTy())
    return "the bfloat16 type of the compiler is not supported on the device";
  if (isOddInteger(T))
    return "an integer of this width cannot be passed between functions on the device";
  if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    unsigned N = Vector->getNumElements();
    if (N != 2 && N != 3 && N != 4 && N != 8 && N != 16)
      return "vectors on the device have 2, 3, 4, 8 or 16 elements";
    return typeProblem(Vector->getElementType());
  }
  if (isa<ScalableVectorType>(T))
    return "scalable vectors are not supported on the device";
  return nullptr;
}

class Check {
public:
  explicit Check(Module &M) : M(M) {}

  void run() {
    for (Function &F : M) {
      if (!F.isDeclaration())
        checkFunction(F);
      if (isKernel(F))
        checkSharedMemory(F);
    }
    for (GlobalVariable &G : M.globals())
      checkVariable(G);
  }

private:
  void checkFunction(Function &F) {
    if (F.isVarArg())
      return Errors.error(F, "functions with a variable number of arguments are not supported on the device");
    for (Argument &A : F.args())
      if (const char *Problem = typeProblem(A.getType()))
        return Errors.error(F, Problem);
    for (Instruction &I : instructions(F))
      if (const char *Problem = problem(I))
        Errors.error(I, Problem);
  }

  const char *problem(Instruction &I) {
    if (const char *Type = typeProblem(I.getType()))
      return Type;
    for (Use &Operand : I.operands()) {
      if (const char *Type = typeProblem(Operand->getType()))
        return Type;
      bool IsCallee = isa<CallBase>(I) && cast<CallBase>(I).isCallee(&Operand);
      if (!IsCallee && isa<Function>(Operand->stripPointerCasts()))
        return "the address of a device function cannot be used: calls through pointers are not supported";
    }
    switch (I.getOpcode()) {
    case Instruction::Call: return callProblem(cast<CallInst>(I));
    case Instruction::Alloca:
      return cast<AllocaInst>(I).isStaticAlloca() ? nullptr
                                                  : "variables whose size is known only at run time (alloca, variable "
                                                    "length arrays) are not supported on the device";
    case Instruction::VAArg: return "va_arg is not supported on the device";
    case Instruction::IndirectBr:
    case Instruction::CallBr: return "jumps to computed labels are not supported on the device";
    case Instruction::Invoke:
    case Instruction::LandingPad:
    case Instruction::Resume: return "exceptions are not supported on the device";
    default: return nullptr;
    }
  }

  const char *callProblem(CallInst &Call) {
    if (Call.isInlineAsm())
      return assemblyProblem(*cast<InlineAsm>(Call.getCalledOperand()));
    Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return isa<Function>(Call.getCalledOperand()->stripPointerCasts())
                 ? "a device function is called with parameters that differ from its definition"
                 : "calls through pointers, and virtual functions, are not supported on the device";
    if (Callee->isVarArg())
      return "functions with a variable number of arguments, other than printf, are not supported on the device";
    if (Callee->isDeclaration() && Callee->hasFnAttribute(spirv::kDeclaredByProgram) &&
        !spirv::isBuiltin(Callee->getName())) {
      Message = "the device function '" + demangled(Callee->getName()) +
                "' is used but not defined: if it is in another file, compile and link with -fgpu-rdc";
      return Message.c_str();
    }
    if (Callee->isIntrinsic() && !isTranslated(Callee->getIntrinsicID())) {
      Message = ("the compiler built-in '" + Callee->getName() + "' is not supported on the device").str();
      return Message.c_str();
    }
    return nullptr;
  }

  /// Names the first instruction of an assembly text, and whose it seems to be.
  const char *assemblyProblem(const InlineAsm &Assembly) {
    const StringRef Text = StringRef(Assembly.getAsmString()).ltrim(" \t\n{;");
    const StringRef First = Text.take_until([](char C) { return isSpace(C) || C == ';' || C == ','; });
    const bool IsAmd =
        any_of(ArrayRef<StringRef>{"v_", "s_", "ds_", "global_", "flat_", "buffer_", "scratch_", "image_"},
               [&](StringRef Prefix) { return startsWith(First, Prefix); });
    Message = ("inline assembly is not supported on the device: '" + First + "' is an instruction of ").str();
    if (IsAmd)
      Message += "AMD's GPUs; write it in C++ or with a built-in function, of which docs/device-coverage.md has a list "
                 "(empty assembly, s_waitcnt, s_nop, v_nop, s_setprio and s_sleep are accepted)";
    else if (First.contains('.') || Text.contains("$$") || Text.contains('%'))
      Message +=
          "NVIDIA's GPUs (PTX); write it in C++ or with an intrinsic function, such as __laneid() or __funnelshift_l()";
    else
      Message += "another kind of processor; write it in C++";
    return Message.c_str();
  }

  /// The __shared__ variables of a kernel and of the functions that it reaches fit into a block.
  void checkSharedMemory(Function &Kernel) {
    SmallSetVector<Function *, 16> Reached;
    Reached.insert(&Kernel);
    SmallPtrSet<const GlobalVariable *, 8> Shared;
    SmallPtrSet<const Constant *, 16> Seen;
    for (size_t N = 0; N < Reached.size(); ++N)
      for (Instruction &I : instructions(*Reached[N]))
        for (Use &Operand : I.operands())
          if (auto *Root = dyn_cast<Constant>(Operand); Root && Seen.insert(Root).second)
            visitConstants(Root, [&](const Constant *C) {
              if (auto *F = dyn_cast<Function>(C); F && !F->isDeclaration())
                Reached.insert(const_cast<Function *>(F));
              if (auto *G = dyn_cast<GlobalVariable>(C); G && G->getAddressSpace() == kLocal)
                Shared.insert(G);
              return false;
            });
    uint64_t Bytes = 0;
    for (const GlobalVariable *G : Shared)
      Bytes += M.getDataLayout().getTypeAllocSize(G->getValueType());
    if (Bytes > kMaxSharedBytes)
      Errors.error(Kernel, "the kernel's __shared__ variables have " + Twine(Bytes) +
                               " bytes; no device has more than " + Twine(kMaxSharedBytes) + " for a block");
  }

  /// Tables of functions (of virtual functions, mostly) are found through the code that refers to them.
  void checkVariable(GlobalVariable &G) {
    if (G.isThreadLocal())
      Errors.error("the thread_local variable '" + demangled(G.getName()) + "' is not supported on the device");
    if (!G.hasInitializer() || !refersToFunction(G.getInitializer()))
      return;
    std::string Text = "'" + demangled(G.getName()) +
                       "' holds addresses of device functions: virtual functions and calls through pointers are not "
                       "supported on the device";
    Function *User = nullptr;
    collectUsingFunctions(G, [&](Function &F) { User = &F; });
    User ? Errors.error(*User, Text) : Errors.error(Text);
  }

  /// Calls \p Found for each constant of \p Root, itself included, until it is true.
  template <class F> static bool visitConstants(const Constant *Root, F Found) {
    SmallPtrSet<const Constant *, 16> Seen{Root};
    SmallVector<const Constant *, 16> Work{Root};
    while (!Work.empty()) {
      const Constant *Next = Work.pop_back_val();
      if (Found(Next))
        return true;
      if (!isa<GlobalValue>(Next))
        for (const Use &Operand : Next->operands())
          if (auto *C = cast<Constant>(Operand.get()); Seen.insert(C).second)
            Work.push_back(C);
    }
    return false;
  }

  static bool refersToFunction(const Constant *Root) {
    return visitConstants(Root, [](const Constant *C) { return isa<Function>(C) || isa<BlockAddress>(C); });
  }

  Module &M;
  Diagnostics Errors;
  std::string Message;
};

} // namespace

PreservedAnalyses UnsupportedPass::run(Module &M, ModuleAnalysisManager &) {
  Check(M).run();
  return PreservedAnalyses::all();
}

} // namespace hiplz::passes
