// SPDX-License-Identifier: MIT
// Decides for which parameters of a launch each access need not be looked at by itself (abi/launch_uses.h). What a kernel only reads, and what
// each work-item has elements of its own in, cannot race within the launch, if no other parameter leads to the same allocation. For races
// with other launches, copies and fills there is one mark a word (tags.h), which checked code leaves by itself.
//
// Two launches that touch a word in the same nanosecond may both miss the other's mark; others of the words that they share show the race.
#pragma once
#include "cpu/abi/check_functions.h"
#include "cpu/abi/kernel.h"
#include "cpu/check/race_launch.h"
#include "cpu/check/tags.h"

#include <atomic>
#include <memory>
#include <vector>

namespace hiplz::cpu::check {

/// The uses of a stream's current launch.
class LaunchUses {
public:
  /// A launch begins, whose parameters point into allocations with these bounds.
  void begin(const LaunchState &launch, const KernelInfo &kernel, const std::vector<CheckBounds> &bounds,
             CheckedLaunch &checked, const RaceLaunch *races);

  /// The first work-items begin. Thread-safe.
  void decide(const int64_t *table);

  /// The number of a place is known now.
  void know(const CheckSite &site, uint32_t number);

private:
  struct Parameter;
  std::vector<Parameter> read(const int64_t *&table) const;
  bool isSimple(const std::vector<Parameter> &all, size_t index) const;
  bool areOwn(const Parameter &parameter) const;
  bool hasCopies(const CheckBounds &bounds) const;
  std::shared_ptr<const Tags> tagsOfAllocation(const CheckBounds &bounds) const;

  const LaunchState *launch_ = nullptr;
  const KernelInfo *kernel_ = nullptr;
  const std::vector<CheckBounds> *bounds_ = nullptr;
  CheckedLaunch *checked_ = nullptr;
  const RaceLaunch *races_ = nullptr;
  std::atomic_flag busy_;
  CheckUses uses_;
  std::vector<CheckTags> parameters_;
  std::vector<std::shared_ptr<const Tags>> tags_; ///< stay as long as the launch
  std::vector<uint64_t> sites_;
};

/// The parameter's tags if all accesses through it are only looked at by them, else null.
inline const CheckTags *tagsOfUse(const LaunchState &launch, uint32_t parameter) {
  const CheckUses *const uses = parameter ? launch.checked->uses : nullptr;
  return uses && uses->parameters[parameter - 1].bytes ? &uses->parameters[parameter - 1] : nullptr;
}

} // namespace hiplz::cpu::check
