// SPDX-License-Identifier: MIT
#include "cpu/compiler/codegen.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/large_functions.h"
#include "cpu/compiler/loop_starts.h"
#include "cpu/compiler/machine_passes.h"
#include "cpu/vectorizer/pass_analyses.h"
#include "cpu/vectorizer/passes.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/DataExtractor.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// LLVM's default pipeline would simplify a function before and after it is inlined and look for more to inline. Here
// whatever can be inlined has to be, and was simplified when the module was prepared: one round behind the inliner is enough.
ModulePassManager optimizationPipeline(PassBuilder &builder) {
  const auto level = OptimizationLevel::O3;
  constexpr auto phase = ThinOrFullLTOPhase::None;
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(GlobalDCEPass());
  FunctionPassManager simplification = builder.buildFunctionSimplificationPipeline(level, phase);
  simplification.addPass(NarrowMasksPass());
  simplification.addPass(UnseenTellsPass());
  simplification.addPass(LoopStartsPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(simplification)));
  passes.addPass(builder.buildModuleOptimizationPipeline(level, phase));
  passes.addPass(createModuleToFunctionPassAdaptor(LaneDivisionsPass()));
  passes.addPass(createModuleToFunctionPassAdaptor(MaskedLoopsPass()));
  return passes;
}

/// The processor and the features that code is made for.
struct Processor {
  std::string name, features;
};

/// Nothing if this machine does not have all of it.
std::optional<Processor> levelOf(InstructionSet instructions) {
  struct Level {
    InstructionSet instructions;
    const char *name;
    std::initializer_list<const char *>
        features; // that a machine may lack of those that the level before does not have
  };
  static constexpr Level kLevels[] = {
      {InstructionSet::v2, "x86-64-v2", {"cx16", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"}},
      {InstructionSet::avx2, "x86-64-v3", {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}},
      {InstructionSet::avx512, "x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}},
  };
  const auto available = hostCpuFeatures();
  for (const Level &level : kLevels) {
    for (const char *feature : level.features)
      if (!available.lookup(feature))
        return std::nullopt;
    if (level.instructions == instructions)
      return Processor{level.name, ""};
  }
  return std::nullopt;
}

std::string hostFeatures() {
  std::string text;
  for (const auto &feature : hostCpuFeatures())
    text += (text.empty() ? "" : ",") + std::string(feature.second ? "+" : "-") + feature.first().str();
  return text;
}

// An older LLVM takes a newer processor for the last one that it knows. If that one has no AVX-512 and this one has, what it says of
// latencies and ports is about other registers: code of LLVM 15 for AMD's Zen 4, which it calls Zen 3, computed one vector to the
// end before it began the next one, and took up to 20 times as long.
std::string hostName(const Target &target, const char *triple) {
  std::string name = sys::getHostCPUName().str();
  if (!levelOf(InstructionSet::avx512))
    return name;
  const std::unique_ptr<MCSubtargetInfo> known(target.createMCSubtargetInfo(triple, name, ""));
  return known && known->checkFeatures("+avx512vl") ? name : "x86-64-v4";
}

} // namespace

std::unique_ptr<TargetMachine> createHostMachine(const CompileOptions &options, std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  constexpr const char *kTriple = "x86_64-unknown-linux-gnu";
  const Target *target = TargetRegistry::lookupTarget(kTriple, error);
  if (!target) {
    error = "compiler: libLLVM has no x86-64 target: " + error;
    return nullptr;
  }
  TargetOptions settings;
  settings.MCOptions.ABIName = "";
  Processor processor{hostName(*target, kTriple), hostFeatures()};
  if (options.instructions != InstructionSet::machine) {
    auto wanted = levelOf(options.instructions);
    if (!wanted) {
      error = "compiler: this processor does not have the instruction set that HIPLZ_CPU_ISA asks for";
      return nullptr;
    }
    processor = *wanted;
  }
  auto level = options.optimize ? kAggressive : kNoOptimization;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      kTriple, processor.name, processor.features, settings, Reloc::PIC_, CodeModel::Small, level, true));
}

void optimizeModule(Module &module, TargetMachine &machine, const CompileOptions &options, ModuleDump &dump) {
  // Large frames touch each of their pages, so that none steps over the guard page below a stack.
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("probe-stack", "inline-asm");
  // With version 5, LLVM adds an index of names that gdb does not take, and then gdb finds no line unless it is started with -readnow.
  if (options.debugInfo)
    module.setModuleFlag(Module::Max, "Dwarf Version",
                         ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(module.getContext()), 4)));
  PipelineTuningOptions tuning;
  tuning.LoopInterleaving = tuning.LoopVectorization = true;
  tuning.SLPVectorization =
      !hasLargeFunctions(module); // which compares each of the instructions that lie in a row with many others
  // gdb sets a breakpoint at one place of a line in each function, so there should not be several.
  tuning.LoopUnrolling = !options.debugInfo;
  TargetLibraryInfoImpl libraries(machine.getTargetTriple());
  if (options.fastMath) // up to 4 units in the last place, where the scalar functions stay below 1
    useVectorFunctionsOfLibmvec(libraries, machine.getTargetTriple());
  PassInstrumentationCallbacks callbacks;
  instrumentPasses(callbacks, &dump);
  PassAnalyses analyses(&machine, tuning, &libraries, &callbacks);
  ModulePassManager passes = !options.optimize ? analyses.builder.buildO0DefaultPipeline(OptimizationLevel::O0)
                             : options.quick || isLargeWave(module) ? shortPipeline()
                                                                    : optimizationPipeline(analyses.builder);
  passes.run(module, analyses.modules);
}

namespace {

/// Of machine code: the higher levels take up to five times as long for large functions, most of it to split the lives of registers.
constexpr auto kLevelOfLargeWaves = static_cast<decltype(kAggressive)>(1);

// LLVM computes halves as float, in which changing the sign of a signalling NaN makes it a quiet one. It is a matter of one bit.
void changeHalfSignsAsBits(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
        const Intrinsic::ID id = intrinsic ? intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic;
        const bool isNegation = instruction.getOpcode() == Instruction::FNeg;
        if (!instruction.getType()->getScalarType()->isHalfTy() ||
            !(isNegation || id == Intrinsic::fabs || id == Intrinsic::copysign))
          continue;
        IRBuilder<> b(&instruction);
        Type *bits = instruction.getType()->getWithNewType(b.getInt16Ty());
        Constant *sign = ConstantInt::get(bits, 0x8000), *others = ConstantInt::get(bits, 0x7fff);
        Value *number = b.CreateBitCast(instruction.getOperand(0), bits);
        Value *result = isNegation ? b.CreateXor(number, sign) : b.CreateAnd(number, others);
        if (id == Intrinsic::copysign)
          result = b.CreateOr(result, b.CreateAnd(b.CreateBitCast(instruction.getOperand(1), bits), sign));
        instruction.replaceAllUsesWith(b.CreateBitCast(result, instruction.getType()));
        instruction.eraseFromParent();
      }
}

} // namespace

bool emitObject(Module &module, TargetMachine &machine, const CompileOptions &options, SmallVectorImpl<char> &object,
                std::string &error) {
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  std::optional<LargeFunctionCodegen> large;
  if (options.quick || hasLargeFunctions(module))
    large.emplace(options.quick);
  if (options.quick) {
    machine.setOptLevel(kNoOptimization);
    machine.setO0WantsFastISel(false); // one selection of instructions for all code, so that all computes the same
  } else if (isLargeWave(module)) {
    machine.setOptLevel(kLevelOfLargeWaves);
  }
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kObjectFile)) {
    error = "compiler: this libLLVM cannot write objects";
    return false;
  }
  changeHalfSignsAsBits(module);
  if (options.quick)
    separateBackEdges(module);
  passes.run(module);
  return true;
}

uint32_t frameBytesOf(StringRef object) {
  auto file = object::ObjectFile::createObjectFile(MemoryBufferRef(object, "object"));
  if (!file) {
    consumeError(file.takeError());
    return 0;
  }
  uint64_t bytes = 0;
  for (const object::SectionRef &section : (*file)->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (!name || !contents || *name != ".stack_sizes") {
      consumeError(name.takeError());
      consumeError(contents.takeError());
      continue;
    }
    // The address of each function, then the size of its frame.
    DataExtractor data(*contents, true, sizeof(uint64_t));
    for (DataExtractor::Cursor at(0); at && !data.eof(at);) {
      data.skip(at, sizeof(uint64_t));
      bytes += data.getULEB128(at);
      if (!at)
        consumeError(at.takeError());
    }
  }
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, std::numeric_limits<uint32_t>::max()));
}

} // namespace hiplz::cpu
