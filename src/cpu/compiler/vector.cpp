// SPDX-License-Identifier: MIT
// A kernel gets a function for each layout of lanes that its launches may have, and looks at the launch once.
#include "cpu/compiler/vector.h"
#include "base/log.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/warp_loop.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr LaneLayout kLayouts[] = {LaneLayout::rows, LaneLayout::table};

/// The function of the kernel: the loop for the layout that the launch has.
class LayoutSwitchBuilder final : public KernelFunctionBuilder {
public:
  using KernelFunctionBuilder::KernelFunctionBuilder;

  void build(unsigned width, Function *rows, Function *table) {
    Function *function = createKernelFunction(kernelSymbol(kernel_.info.name), GlobalValue::ExternalLinkage);
    startBlock(*function, "entry");
    Value *sizeX = loadRanged(b_, function->getArg(0), offsetof(LaunchState, groupSize), 1, kMaxGroupItems + 1);
    auto *whole = BasicBlock::Create(context_, "rows", function),
         *other = BasicBlock::Create(context_, "table", function);
    Value *rest = b_.CreateURem(sizeX, b_.getInt32(width));
    b_.CreateCondBr(b_.CreateICmpEQ(rest, b_.getInt32(0)), whole, other);
    for (auto [block, callee] : {std::pair(whole, rows), std::pair(other, table)}) {
      b_.SetInsertPoint(block);
      SmallVector<Value *, 4> arguments;
      for (Argument &argument : function->args())
        arguments.push_back(&argument);
      b_.CreateCall(callee, arguments)->setTailCall();
      b_.CreateRetVoid();
    }
  }
};

bool hasFeatures(const TargetMachine &machine, const char *features) {
  return machine.getMCSubtargetInfo()->checkFeatures(features);
}

/// What fills two or one of the processor's widest registers with 32-bit numbers.
unsigned naturalWidth(const TargetMachine &machine) {
  return hasFeatures(machine, "+avx512f,+avx512bw,+avx512dq,+avx512vl") ? 16 : 8;
}

std::string placeOf(const Kernel &kernel) {
  const DISubprogram *program = kernel.function->getSubprogram();
  return program ? " (" + program->getFilename().str() + ":" + std::to_string(program->getLine()) + ")" : "";
}

} // namespace

bool VectorLowering::lower(Kernel &kernel, const CompileOptions &options) {
  if (!options.optimize || options.scalar)
    return false;
  Function &body = *kernel.function;
  const KernelTraits traits = inspectKernel(body);
  std::string reason = traits.refusal;
  if (reason.empty() && !traits.needsWholeWarp && !traits.hasBarrier && !hasFeatures(machine_, "+avx2"))
    reason = "this processor cannot mask the lanes of memory accesses, so branches would cost more than vectors gain";
  Function *warps[std::size(kLayouts)] = {};
  WarpOptions shape{traits.needsWholeWarp ? kSubgroupSize : naturalWidth(machine_), LaneLayout::table};
  for (size_t i = 0; i < std::size(kLayouts) && reason.empty(); ++i) {
    shape.layout = kLayouts[i];
    warps[i] = vectorize(body, shape, reason);
  }
  if (!reason.empty()) {
    for (Function *warp : warps)
      if (warp)
        warp->eraseFromParent();
    HIPLZ_LOG_INFO("kernel %s%s is not vectorised: %s", kernel.info.name.c_str(), placeOf(kernel).c_str(),
                   reason.c_str());
    return false;
  }
  kernel.info.privateBytes = static_cast<uint32_t>(stackBytes(body));
  kernel.info.yields = false;
  Function *loops[std::size(kLayouts)];
  for (size_t i = 0; i < std::size(kLayouts); ++i) {
    shape.layout = kLayouts[i];
    loops[i] = WarpLoopBuilder(kernel, shape).build(*warps[i], traits.hasBarrier);
  }
  LayoutSwitchBuilder(kernel).build(shape.width, loops[0], loops[1]);
  body.setCallingConv(CallingConv::C);
  body.setLinkage(GlobalValue::InternalLinkage);
  body.setName("body." + kernel.info.name);
  return true;
}

} // namespace hiplz::cpu
