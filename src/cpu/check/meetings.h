// SPDX-License-Identifier: MIT
// Operations of warps and of groups within them: who comes, and whom the masks name. A mask has to name the caller, all lanes that it names
// have to come together and with the same mask; lanes that have returned, or that have no thread in a block of an odd size, do not count.
// __syncwarp() may be called in several places for one meeting.
#pragma once
#include "cpu/abi/check_functions.h"
#include "cpu/check/findings.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hiplz::cpu::check {

/// The meetings of one warp.
class WarpMeetings {
public:
  /// A lane goes on somewhere. Those whom others wait for have not come to them then.
  void goesOn(const WorkItem &item, const CheckSite &site);

  /// A lane has come to an operation, together with the lanes of `active`.
  void comes(const WorkItem &item, const CheckSite &site, uint64_t mask, uint32_t active, uint32_t kind);

  /// How many operations lack somebody who may still come, or go on.
  uint32_t incomplete() const { return static_cast<uint32_t>(incomplete_.size()); }

private:
  /// Lanes at the same place at the same time.
  struct Arrival {
    const CheckSite *site;
    uint32_t active, arrived, kind;
    std::array<uint32_t, kSubgroupSize> masks;
  };

  /// An operation that not all lanes have come to that its mask names.
  struct Incomplete {
    const CheckSite *site;
    uint32_t named, arrived, kind;
    uint32_t lane; ///< one that has come
  };

  // But for a __syncwarp() of the lanes `syncOf`, for which the lane has come to one now.
  void goesOn(const WorkItem &item, uint32_t lane, const CheckSite &site, uint32_t syncOf);
  void complete(const WorkItem &item, const Arrival &arrival);

  std::vector<Arrival> arrivals_;
  std::vector<Incomplete> incomplete_;
};

} // namespace hiplz::cpu::check
