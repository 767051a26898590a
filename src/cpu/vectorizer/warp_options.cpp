// SPDX-License-Identifier: MIT
// The options of a warp function as attributes of the body, where passes find them and files of IR can have them.
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <iterator>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kWidth = "hiplz-warp-width", *kLayout = "hiplz-lane-layout", *kRowLanes = "hiplz-row-lanes",
                     *kGlobalIds = "hiplz-global-ids", *kMasksCost = "hiplz-masks-cost",
                     *kMasksHide = "hiplz-masks-hide", *kFetchesFar = "hiplz-fetches-far",
                     *kRollsUpdates = "hiplz-rolls-updates";
constexpr const char *kLayouts[] = {"rows",    "line",   "folded",
                                    "singles", "blocks", "table"}; // in the order of LaneLayout
static_assert(std::size(kLayouts) == size_t(LaneLayout::table) + 1);

unsigned numberOf(const Function &body, const char *attribute, unsigned otherwise) {
  unsigned number = otherwise;
  return body.getFnAttribute(attribute).getValueAsString().getAsInteger(10, number) ? otherwise : number;
}

} // namespace

StringRef nameOf(LaneLayout layout) { return kLayouts[unsigned(layout)]; }

void setWarpOptions(Function &body, const WarpOptions &options) {
  body.addFnAttr(kWidth, utostr(options.width));
  body.addFnAttr(kLayout, nameOf(options.layout));
  body.addFnAttr(kRowLanes, utostr(options.rowLanes));
  if (options.globalIds)
    body.addFnAttr(kGlobalIds);
  if (options.masksCost)
    body.addFnAttr(kMasksCost);
  if (options.masksHide)
    body.addFnAttr(kMasksHide);
  if (options.fetchesFar)
    body.addFnAttr(kFetchesFar);
  if (options.rollsUpdates)
    body.addFnAttr(kRollsUpdates);
}

WarpOptions warpOptionsOf(const Function &body) {
  WarpOptions options;
  options.width = numberOf(body, kWidth, options.width);
  const auto *layout = find(kLayouts, body.getFnAttribute(kLayout).getValueAsString());
  if (layout != std::end(kLayouts))
    options.layout = LaneLayout(layout - kLayouts);
  options.rowLanes = numberOf(body, kRowLanes, options.rowLanes);
  options.globalIds = body.hasFnAttribute(kGlobalIds);
  options.masksCost = body.hasFnAttribute(kMasksCost);
  options.masksHide = body.hasFnAttribute(kMasksHide);
  options.fetchesFar = body.hasFnAttribute(kFetchesFar);
  options.rollsUpdates = body.hasFnAttribute(kRollsUpdates);
  return options;
}

} // namespace hiplz::cpu
