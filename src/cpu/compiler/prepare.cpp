// SPDX-License-Identifier: MIT
#include "cpu/compiler/prepare.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/address_spaces.h"
#include "cpu/compiler/builtin_library.h"
#include "cpu/compiler/builtins.h"
#include "cpu/compiler/bypasses.h"
#include "cpu/compiler/checks.h"
#include "cpu/compiler/copies.h"
#include "cpu/compiler/divisions.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/meetings.h"
#include "cpu/compiler/operation_marks.h"
#include "cpu/compiler/sites.h"
#include "cpu/compiler/split.h"
#include "cpu/compiler/uninitialized.h"
#include "cpu/compiler/waiting_loops.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/pass_analyses.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include <utility>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// The operations of a work-item while no other of its warp does anything. It may wait for the host and for other threads, so it is called for
// one lane after the other. Compilers put a prefix of their own before the name.
constexpr const char *kAloneName = "hiplz.alone.";

// Attributes that concern the machine that made the module, or that keep LLVM from inlining.
void cleanFunctions(Module &module, const CompileOptions &options) {
  for (Function &function : module) {
    function.setCallingConv(CallingConv::C);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->setCallingConv(CallingConv::C);
    for (const char *attribute :
         {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "min-legal-vector-width"})
      function.removeFnAttr(attribute);
    if (function.isDeclaration())
      continue;
    for (Instruction &instruction : instructions(function)) // calls through pointers
      if (auto *call = dyn_cast<CallBase>(&instruction))
        call->setCallingConv(CallingConv::C);
    function.addFnAttr(Attribute::NoUnwind);
    if (options.debugInfo)
      function.setUWTableKind(UWTableKind::Default);
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    if (function.getName().contains(kAloneName)) {
      function.addFnAttr(kAloneAttribute);
      function.addFnAttr(Attribute::NoInline);
    }
    if (!options.optimize) {
      function.addFnAttr(Attribute::OptimizeNone);
      function.addFnAttr(Attribute::NoInline);
    }
  }
}

// Not to the built-in library: its steps are exact only in their order, and its functions must see NaN.
void applyFastMath(Module &module, const CompileOptions &options) {
  FastMathFlags flags;
  if (options.fastMath)
    flags.setFast();
  if (options.finiteMath) {
    flags.setNoNaNs();
    flags.setNoInfs();
  }
  if (options.noSignedZeros)
    flags.setNoSignedZeros();
  if (flags.none())
    return;
  for (Function &function : module) {
    if (function.hasFnAttribute(kOfBuiltinLibrary))
      continue;
    for (Instruction &instruction : instructions(function))
      if (isa<FPMathOperator>(instruction)) {
        FastMathFlags all = instruction.getFastMathFlags();
        all |= flags;
        instruction.setFastMathFlags(all);
      }
  }
}

// True if the function has a form for code that was compiled with -ffast-math.
bool hasFastForm(const Function &function) {
  const StringRef name = builtinName(function.getName());
  return name == "ocl_rsqrt" || name == "ocl_exp" || name == "ocl_exp2" || name == "ocl_log";
}

// SPIR-V says for each arithmetic instruction but the negation how freely it may be rounded, and nothing for calls. A
// call among nothing but instructions that may be reordered and approximated was compiled with the same flags as they.
void inferFastCalls(Module &module) {
  for (Function &function : module) {
    SmallVector<CallInst *, 4> calls;
    bool any = false, all = true;
    for (Instruction &instruction : instructions(function)) {
      if (isa<BinaryOperator>(instruction) && isa<FPMathOperator>(instruction)) {
        any = true;
        all = all && instruction.isFast();
      }
      auto *call = dyn_cast<CallInst>(&instruction);
      if (call && isa<FPMathOperator>(call) && call->getCalledFunction() && hasFastForm(*call->getCalledFunction()))
        calls.push_back(call);
    }
    if (any && all)
      for (CallInst *call : calls)
        call->setFast(true);
  }
}

// An aggregate parameter is the caller's copy in SPIR-V. Here it is the argument block itself: what the kernel may
// write to, it gets a copy of; reading leaves it as it is.
void lowerByValueParameters(Kernel &kernel) {
  Function &function = *kernel.function;
  for (Argument &argument : function.args()) {
    Type *type = argument.getParamByValType();
    if (!type)
      continue;
    Align align = argument.getParamAlign().valueOrOne();
    bool readOnly = argument.onlyReadsMemory() && argument.hasNoCaptureAttr();
    function.removeParamAttr(argument.getArgNo(), Attribute::ByVal);
    for (User *user : function.users()) // kernels may be called like other functions
      if (auto *call = dyn_cast<CallBase>(user))
        call->removeParamAttr(argument.getArgNo(), Attribute::ByVal);
    for (Attribute::AttrKind access : {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly})
      function.removeParamAttr(argument.getArgNo(), access);
    function.addParamAttr(argument.getArgNo(), Attribute::NoAlias);
    if (readOnly) {
      function.addParamAttr(argument.getArgNo(), Attribute::ReadOnly);
      continue;
    }
    const DataLayout &layout = function.getParent()->getDataLayout();
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *copy = builder.CreateAlloca(type);
    copy->setAlignment(std::max(align, layout.getABITypeAlign(type)));
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, align, layout.getTypeAllocSize(type));
  }
}

// Everything is inlined except what calls itself and what is to stay a function.
void markInlining(Module &module) {
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    if (component.hasCycle())
      continue;
    Function *function = component->front()->getFunction();
    if (function && !function->isDeclaration() && !function->hasFnAttribute(Attribute::NoInline))
      function->addFnAttr(Attribute::AlwaysInline);
  }
}

template <typename Add> void runPasses(Module &module, TargetMachine &machine, Add add) {
  PassAnalyses analyses(&machine);
  ModulePassManager passes;
  add(analyses.builder, passes);
  passes.run(module, analyses.modules);
}

bool checkModule(Module &module, std::string &error) {
  std::string reason;
  raw_string_ostream stream(reason);
  if (!verifyModule(module, &stream))
    return true;
  error = "compiler: internal error, the prepared module is not valid: " + reason;
  return false;
}

} // namespace

// For copies LLVM asks the function that is called, and forgets what only a call says; whether calls may become one it asks the calls.
void markConvergent(Module &module) {
  SmallVector<Function *, 16> work;
  SmallPtrSet<const Function *, 16> seen;
  for (StringRef name : {runtime::barrier.name, runtime::collective.name, runtime::yield.name})
    if (Function *function = module.getFunction(name))
      work.push_back(function);
  bool anyPointer = false; // calls through pointers have been marked
  auto markCall = [&](CallBase &call) {
    call.setConvergent();
    call.addFnAttr(Attribute::NoMerge);
    work.push_back(call.getFunction());
  };
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    if (!seen.insert(function).second)
      continue;
    function->setConvergent();
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == function)
        markCall(*call);
    if (!function->hasAddressTaken() || std::exchange(anyPointer, true))
      continue;
    for (Function &other : module)
      for (Instruction &instruction : instructions(other))
        if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isIndirectCall())
          markCall(*call);
  }
}

bool describeModule(Module &module, ModuleTable &table, std::string &error) {
  expandConstantExpressions(module);
  return collectTable(module, table, error);
}

bool prepareModule(Module &module, TargetMachine &machine, const CompileOptions &options, ModuleTable &table,
                   std::string &error) {
  if (options.counts)
    markOperations(module);
  setTarget(module, machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  if (!options.debugInfo && !options.checks.any())
    StripDebugInfo(module);
  if (options.checks.barriers || options.checks.races)
    inlineBarriers(module);
  else if (!options.checks.initialization)
    forgetMeetings(module);
  flattenAddressSpaces(module, table);
  cleanFunctions(module, options);
  for (Kernel &kernel : table.kernels)
    lowerByValueParameters(kernel);
  inferFastCalls(module);
  if (!lowerBuiltins(module, error))
    return false;
  wrapDivisions(module);
  if (options.checks.initialization || options.checks.races)
    inlineExpectations(module);
  if (options.checks.initialization) {
    keepShuffleMasks(module);
    if (!options.checks.barriers && !options.checks.races)
      forgetMeetings(module);
  }
  if (options.checks.any()) {
    addChecks(module, table, options.checks);
    if (options.checks.barriers || options.checks.races)
      checkMeetings(module, table);
    else if (options.checks.races)
      forgetMeetings(module);
    if (!options.debugInfo && !options.checks.initialization)
      StripDebugInfo(module);
  }
  markConvergent(module);
  applyFastMath(module, options);
  markPrivateParameters(module);
  markForSplit(module, table);
  return checkModule(module, error);
}

void simplifyFunctions(Module &module, TargetMachine &machine) {
  runPasses(module, machine, [](PassBuilder &builder, ModulePassManager &passes) {
    passes.addPass(createModuleToFunctionPassAdaptor(
        builder.buildFunctionSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None)));
  });
}

bool prepareCode(Module &module, TargetMachine &machine, const CompileOptions &options, std::string &error) {
  if (options.checks.initialization) {
    checkInitialization(module);
    if (!options.debugInfo)
      StripDebugInfo(module);
  }
  if (options.optimize) {
    markInlining(module);
    runPasses(module, machine, [](PassBuilder &, ModulePassManager &passes) {
      passes.addPass(AlwaysInlinerPass(false));
      passes.addPass(GlobalDCEPass());
    });
  }
  numberSites(module);
  if (!checkModule(module, error))
    return false;
  if (options.optimize) {
    simplifyFunctions(module, machine);
    separateCopies(module);
  }
  markWaitingLoops(module, options.optimize);
  return true;
}

} // namespace hiplz::cpu
