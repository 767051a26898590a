// SPDX-License-Identifier: MIT
// A kernel is compiled for one layout of lanes: the one that its launches have.
#include "cpu/compiler/vector.h"
#include "base/log.h"
#include "cpu/compiler/block_warps.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/warp_loop.h"
#include "cpu/vectorizer/barrier_crossings.h"
#include "cpu/vectorizer/body_facts.h"
#include "cpu/vectorizer/row_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <map>

using namespace llvm;

namespace hiplz::cpu {
namespace {

bool hasFeatures(const TargetMachine &machine, const char *features) {
  return machine.getMCSubtargetInfo()->checkFeatures(features);
}

bool hasWideRegisters(const TargetMachine &machine) {
  return hasFeatures(machine, "+avx512f,+avx512bw,+avx512dq,+avx512vl");
}

bool gainsFrom32(GroupShape shape, const KernelTraits &traits) {
  switch (shape) {
  case GroupShape::rows32: return traits.gainsFromWideWarps || traits.sharesColumns;
  case GroupShape::line: return traits.gainsFromWideWarps;
  case GroupShape::row16: return traits.sharesColumns; // two rows read a column's words once
  default: return false;
  }
}

/// The number of lanes that fill one of the processor's widest registers with 32-bit numbers, or two where the kernel gains from that, of 32
/// registers.
unsigned chooseWidth(const TargetMachine &machine, GroupShape shape, const KernelTraits &traits) {
  if (traits.needsWholeWarp)
    return kSubgroupSize;
  if (!hasWideRegisters(machine))
    return 8;
  return gainsFrom32(shape, traits) ? 32 : 16;
}

struct Layout {
  LaneLayout layout;
  unsigned rowLanes = 0;
};

/// `mixes`: whether a warp may have lanes of several work-groups.
Layout layoutFor(GroupShape shape, unsigned width, bool mixes) {
  // Rows of so many work-items, and those of a larger multiple.
  auto rowsOf = [&](unsigned items) -> Layout {
    if (width <= items)
      return {LaneLayout::rows};
    // Four vectors of four are more work than a gather of sixteen.
    return items >= 8 || width / items <= 2 ? Layout{LaneLayout::folded, items} : Layout{LaneLayout::table};
  };
  auto wholeRowsOf = [&](unsigned items, LaneLayout otherwise) -> Layout {
    return {width <= items ? LaneLayout::rows : otherwise};
  };
  switch (shape) {
  case GroupShape::single: return {mixes ? LaneLayout::singles : LaneLayout::line};
  case GroupShape::tinyLine: return {mixes ? LaneLayout::blocks : LaneLayout::line};
  case GroupShape::tinyBox: return {mixes ? LaneLayout::blocks : LaneLayout::table};
  case GroupShape::rows32: return {LaneLayout::rows};
  case GroupShape::rows16: return wholeRowsOf(16, LaneLayout::table);
  case GroupShape::rows8: return wholeRowsOf(8, LaneLayout::table);
  case GroupShape::line16: return wholeRowsOf(16, LaneLayout::line);
  case GroupShape::line8: return wholeRowsOf(8, LaneLayout::line);
  case GroupShape::line: return {LaneLayout::line};
  case GroupShape::row16: return rowsOf(16);
  case GroupShape::row8: return rowsOf(8);
  case GroupShape::row4: return rowsOf(4);
  case GroupShape::any: return {LaneLayout::table};
  }
  return {LaneLayout::table};
}

WarpExtent extentOf(GroupShape shape) {
  constexpr int64_t kRest = kSubgroupSize - 1;
  constexpr int64_t kTiny = kMaxTinyItems - 1;
  auto rowsOf = [&](int64_t items) -> WarpExtent { return {{items - 1, kSubgroupSize / items - 1, kRest}, items - 1}; };
  switch (shape) {
  case GroupShape::single: return {{0, 0, 0}, 0};
  case GroupShape::tinyLine: return {{kTiny, 0, 0}, kTiny};
  case GroupShape::tinyBox: return {{kTiny, kTiny, kTiny}, kTiny};
  case GroupShape::rows32:
  case GroupShape::line16:
  case GroupShape::line8:
  case GroupShape::line: return {{kRest, 0, 0}};
  case GroupShape::rows16: return {{kRest, 1, kRest}};
  case GroupShape::rows8: return {{kRest, 3, kRest}};
  case GroupShape::row16: return rowsOf(16);
  case GroupShape::row8: return rowsOf(8);
  case GroupShape::row4: return rowsOf(4);
  case GroupShape::any: return {};
  }
  return {};
}

/// True if lanes of a warp exchange values in blocks of each shape. Few are asked for, and most kernels answer for all of them at once.
class ExchangesByShape {
public:
  ExchangesByShape(Function &body, const CalledFunctions &called) : body_(body), called_(called) {}

  bool any(GroupShape shape) { return within(WarpExtent()) && within(extentOf(shape)); }

private:
  bool within(const WarpExtent &extent) {
    const auto [known, isNew] = known_.try_emplace(extent);
    if (isNew)
      known->second = hasExchanges(body_, called_, extent);
    return known->second;
  }

  Function &body_;
  const CalledFunctions &called_;
  std::map<WarpExtent, bool> known_;
};

std::string placeOf(const Kernel &kernel) {
  const DISubprogram *program = kernel.function->getSubprogram();
  return program ? " (" + program->getFilename().str() + ":" + std::to_string(program->getLine()) + ")" : "";
}

} // namespace

WarpOptions VectorLowering::optionsFor(GroupShape shape, const KernelTraits &traits) const {
  WarpOptions options;
  options.width = chooseWidth(machine_, shape, traits);
  const bool isAlone = !traits.needsWholeWarp && !traits.hasBarrier; // its work-items, each of them
  const Layout layout = layoutFor(shape, options.width, isAlone && !traits.usesLocalMemory);
  options.layout = layout.layout;
  options.rowLanes = layout.rowLanes;
  static const bool isZen = __builtin_cpu_is("amd"); // LLVM names only those that are older than itself
  options.fetchesFar = isZen;
  options.rollsUpdates = isZen;
  options.masksCost = !hasWideRegisters(machine_);
  options.masksHide = isZen && !options.masksCost;
  options.globalIds = isAlone && (options.layout == LaneLayout::line || options.layout == LaneLayout::singles ||
                                  (options.layout == LaneLayout::blocks && shape == GroupShape::tinyLine));
  return options;
}

bool VectorLowering::lower(Kernel &kernel, const CompileOptions &compileOptions) {
  if (!compileOptions.optimize || compileOptions.scalar)
    return false;
  Function &body = *kernel.function;
  const CalledFunctions called(body);
  KernelTraits traitsOfAll = inspectKernel(body);
  ExchangesByShape exchanges(body, called);
  auto traitsFor = [&](GroupShape shape) {
    KernelTraits traits = traitsOfAll;
    traits.needsWholeWarp = traits.needsWholeWarp || exchanges.any(shape);
    return traits;
  };
  KernelTraits traits = traitsFor(shape_);
  std::string reason = traits.refusal;
  if (reason.empty() && !traits.needsWholeWarp && !traits.hasBarrier && !hasFeatures(machine_, "+avx2"))
    reason = "this processor cannot mask the lanes of memory accesses, so branches would cost more than vectors gain";
  if (reason.empty() && !traits.needsWholeWarp && traits.walksRows) {
    body.addFnAttr(kWalksRows);
    reason = "its loops walk along rows of memory, which is faster one work-item after the other";
  }
  WarpOptions options = optionsFor(shape_, traits);
  Function *warp = reason.empty() ? vectorize(body, options, reason, &dump_) : nullptr;
  if (warp && mixesGroups(options.layout) && needsOwnStack(*warp)) {
    warp->eraseFromParent();
    traits.usesLocalMemory = traitsOfAll.usesLocalMemory = true; // each work-group by itself, on stacks of its own
    options = optionsFor(shape_, traits);
    warp = vectorize(body, options, reason, &dump_);
  }
  if (!warp) {
    HIPLZ_LOG_INFO("kernel %s%s is not vectorised: %s", kernel.info.name.c_str(), placeOf(kernel).c_str(),
                   reason.c_str());
    return false;
  }
  HIPLZ_LOG_DEBUG("kernel %s%s is vectorised, %u lanes", kernel.info.name.c_str(), placeOf(kernel).c_str(),
                  options.width);
  kernel.code.privateBytes = static_cast<uint32_t>(stackBytes(body));
  kernel.code.yields = traits.yields;
  for (uint32_t other = 0; other < kGroupShapes; ++other)
    if (const WarpOptions others = optionsFor(GroupShape(other), traitsFor(GroupShape(other)));
        others.width == options.width && others.layout == options.layout && others.globalIds == options.globalIds &&
        others.rowLanes == options.rowLanes)
      kernel.code.shapes |= setOf(GroupShape(other));
  const bool sideBySide = options.layout != LaneLayout::line && warp->hasFnAttribute(kSideBySide) &&
                          !compileOptions.counts && !compileOptions.checks.ofAccesses();
  Function *loop = mixesGroups(options.layout)
                       ? BlockWarpBuilder(kernel, options).build(*warp)
                       : WarpLoopBuilder(kernel, options, sideBySide)
                             .build(*warp, any_of(instructions(*warp), isWarpBarrier), traits.yields);
  loop->setName(kernelSymbol(kernel.info.name));
  loop->setLinkage(GlobalValue::ExternalLinkage);
  body.setCallingConv(CallingConv::C);
  body.setLinkage(GlobalValue::InternalLinkage);
  body.setName("body." + kernel.info.name);
  return true;
}

} // namespace hiplz::cpu
