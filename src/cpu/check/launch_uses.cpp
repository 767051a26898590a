// SPDX-License-Identifier: MIT
// See launch_uses.h.
#include "cpu/check/launch_uses.h"
#include "cpu/check/cells.h"
#include "cpu/check/memory.h"
#include "cpu/check/pages.h"
#include "cpu/check/regions.h"
#include "cpu/check/shadow.h"
#include "cpu/check/tags.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace hiplz::cpu::check {
namespace {

using Number = __int128; // products of launches' numbers do not fit into 64 bits

constexpr unsigned kIds = 6; // local and group ids
constexpr int64_t kLargestNumber = INT32_MAX;

/// A number of the launch: what is the same for all work-items, and how much it grows with each id and each round of a loop.
struct Sum {
  Number constant = 0, round = 0;
  std::array<Number, kIds> ids{};
};

/// The values of factors in a launch.
class Factors {
public:
  Factors(const LaunchState &launch, const KernelInfo &kernel) : launch_(launch), kernel_(kernel) {}

  /// How many different values an id has.
  uint32_t countOf(unsigned id) const { return id < 3 ? launch_.groupSize[id] : launch_.groupCount[id - 3]; }

  /// Takes the sum from the table. Nothing if a number of it is too large.
  std::optional<Sum> read(const int64_t *&table) const {
    Sum sum;
    bool isKnown = true;
    for (int64_t left = *table++; left; --left) {
      const auto packed = static_cast<uint64_t>(*table++);
      Number product = *table++;
      Number *to = &sum.constant;
      for (unsigned i = 0; i < kUseFactors; ++i) {
        const auto factor = static_cast<uint16_t>(packed >> 16 * i);
        if (factor >= kUseLocalId && factor < kUseGroupSize) {
          isKnown = isKnown && to == &sum.constant; // no squares
          to = &sum.ids[factor - kUseLocalId];
        } else if (factor == kUseRound) {
          isKnown = isKnown && to == &sum.constant;
          to = &sum.round;
        } else if (factor) {
          const std::optional<int64_t> value = valueOf(factor);
          isKnown = isKnown && value;
          product *= value.value_or(0);
        }
      }
      *to += product;
    }
    return isKnown ? std::optional(sum) : std::nullopt;
  }

private:
  std::optional<int64_t> valueOf(uint16_t factor) const {
    if (factor < kUseGroupCount)
      return launch_.groupSize[factor - kUseGroupSize];
    if (factor < kUseRound)
      return launch_.groupCount[factor - kUseGroupCount];
    const ArgInfo &argument = kernel_.args[factor - kUseArgument];
    int64_t value = 0;
    if (argument.size == sizeof value) {
      std::memcpy(&value, launch_.args + argument.offset, sizeof value);
    } else if (int32_t narrow; argument.size == sizeof narrow) {
      std::memcpy(&narrow, launch_.args + argument.offset, sizeof narrow);
      value = narrow;
    } else {
      return std::nullopt;
    }
    return value >= 0 && value <= kLargestNumber ? std::optional(value) : std::nullopt;
  }

  const LaunchState &launch_;
  const KernelInfo &kernel_;
};

Number absolute(Number number) { return number < 0 ? -number : number; }

/// True if no two work-items have a byte in common whose elements of `bytes` bytes begin there: from one id to the next in a dimension there are
/// at least as many bytes as those reach together that differ in smaller strides only.
bool areApart(const Sum &sum, Number bytes, const Factors &factors) {
  struct Stride {
    Number bytes;
    uint32_t count;
  };
  std::array<Stride, kIds> strides{};
  for (unsigned id = 0; id < kIds; ++id)
    strides[id] = {absolute(sum.ids[id]), factors.countOf(id)};
  std::sort(strides.begin(), strides.end(),
            [](const Stride &one, const Stride &other) { return one.bytes < other.bytes; });
  Number reach = bytes;
  for (const Stride &stride : strides)
    if (stride.count > 1) {
      if (reach > stride.bytes)
        return false;
      reach += (stride.count - 1) * stride.bytes;
    }
  return !sum.round || reach <= absolute(sum.round);
}

/// True if the sum is a number of 32 bits for all work-items.
bool isNarrow(const Sum &sum, bool isUnsigned, const Factors &factors) {
  Number lowest = sum.constant, highest = sum.constant;
  for (unsigned id = 0; id < kIds; ++id)
    (sum.ids[id] < 0 ? lowest : highest) += sum.ids[id] * (factors.countOf(id) - 1);
  return lowest >= (isUnsigned ? 0 : INT32_MIN) && highest <= INT32_MAX;
}

uint32_t noLaunches[8];
uint64_t noPlaces[8];
// Where checked code looks for parameters whose accesses are looked at by themselves.
constexpr CheckTags kNone{0, 0, {noLaunches, noLaunches}, {noPlaces, noPlaces}};

} // namespace

struct LaunchUses::Parameter {
  ParameterUse use = ParameterUse::none;
  bool isOwn = false;                       ///< elements of work-items
  bool isAligned = false, hasParts = false; ///< of words
  CheckBounds memory{};                     ///< the allocation, whether it may be used or not
};

void LaunchUses::begin(const LaunchState &launch, const KernelInfo &kernel, const std::vector<CheckBounds> &bounds,
                       CheckedLaunch &checked, const RaceLaunch *races) {
  launch_ = &launch;
  kernel_ = &kernel;
  bounds_ = &bounds;
  checked_ = &checked;
  races_ = races;
  checked.decision = this;
  checked.uses = nullptr;
}

std::vector<LaunchUses::Parameter> LaunchUses::read(const int64_t *&table) const {
  const Factors factors(*launch_, *kernel_);
  std::vector<Parameter> all(static_cast<size_t>(*table++));
  for (size_t index = 0; index < all.size(); ++index) {
    Parameter &parameter = all[index];
    parameter.use = static_cast<ParameterUse>(*table++);
    parameter.hasParts = *table++;
    if (parameter.use != ParameterUse::none) {
      const void *pointer;
      std::memcpy(&pointer, launch_->args + kernel_->args[index].offset, sizeof pointer);
      parameter.memory = extentOf(pointer);
      parameter.isAligned = reinterpret_cast<uintptr_t>(pointer) % kTagWord == 0;
    }
    if (parameter.use != ParameterUse::own)
      continue;
    const int64_t begin = *table++, end = *table++;
    const std::optional<Sum> place = factors.read(table);
    parameter.isOwn = place && areApart(*place, end - begin, factors);
    for (int64_t left = *table++; left; --left) {
      const bool isUnsigned = *table++;
      const std::optional<Sum> narrow = factors.read(table);
      parameter.isOwn = parameter.isOwn && narrow && isNarrow(*narrow, isUnsigned, factors);
    }
  }
  return all;
}

bool LaunchUses::isSimple(const std::vector<Parameter> &all, size_t index) const {
  const Parameter &one = all[index];
  const CheckBounds &bounds = (*bounds_)[index];
  if ((one.use != ParameterUse::read && !one.isOwn) || !one.isAligned || !bounds.bytes ||
      !inRegion(reinterpret_cast<const void *>(bounds.begin)))
    return false;
  for (size_t i = 0; i < all.size(); ++i)
    if (const Parameter &other = all[i];
        i != index && other.use != ParameterUse::none && other.memory.begin == one.memory.begin &&
        (one.use != ParameterUse::read || other.use != ParameterUse::read || one.hasParts != other.hasParts))
      return false;
  return true;
}

bool LaunchUses::hasCopies(const CheckBounds &bounds) const {
  const auto all = commands().lock();
  return std::any_of(all->copies.begin(), all->copies.end(), [&](const HostAccess &copy) {
    return !isBefore(copy.moment, races_->clock) && touches(copy.region, bounds.begin, bounds.begin + bounds.bytes);
  });
}

// They may be made if launches before have left nothing that would have to be in them.
std::shared_ptr<const Tags> LaunchUses::tagsOfAllocation(const CheckBounds &bounds) const {
  if (auto known = knownTags(bounds.begin))
    return known;
  if (races_->orderedUpTo + 1 != races_->number)
    for (uintptr_t page = bounds.begin / kPageBytes; page <= (bounds.begin + bounds.bytes - 1) / kPageBytes; ++page)
      if (Pages::get().ifThere(page))
        return nullptr;
  return makeTags(bounds.begin, bounds.bytes);
}

void LaunchUses::decide(const int64_t *table) {
  const Guard guard(busy_);
  if (checked_->uses)
    return;
  sites_.assign(static_cast<size_t>(*table++) + 1, 0);
  ++table; // whether the kernel reads others: the compiler has looked at it
  const std::vector<Parameter> all = read(table);
  parameters_.assign(all.size(), kNone);
  tags_.clear();
  const uint32_t *count = launch_->groupCount;
  const bool mayTag = races_ && uint64_t{count[0]} * count[1] * count[2] <= kMostBlocks;
  for (size_t index = 0; mayTag && index < all.size(); ++index)
    if (isSimple(all, index)) // copies are looked for behind that: one that is not in the list yet will find the tags
      if (auto tags = tagsOfAllocation((*bounds_)[index]); tags && !hasCopies((*bounds_)[index])) {
        parameters_[index] = tags->all();
        tags_.push_back(std::move(tags));
      }
  uses_ = {checked_->number, races_ ? races_->orderedUpTo + 1 : 0, parameters_.data(), sites_.data()};
  std::atomic_ref(checked_->uses).store(&uses_, std::memory_order_release);
}

void LaunchUses::know(const CheckSite &site, uint32_t number) {
  if (site.number < sites_.size())
    std::atomic_ref(sites_[site.number]).store(uint64_t{number} << Side::kSiteAt, std::memory_order_relaxed);
}

} // namespace hiplz::cpu::check

void hiplz_cpu_check_uses(hiplz::cpu::WorkItem *item, const int64_t *table) {
  using namespace hiplz::cpu;
  static_cast<check::LaunchUses *>(item->launch->checked->decision)->decide(table);
}
