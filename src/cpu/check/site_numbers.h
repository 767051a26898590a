// SPDX-License-Identifier: MIT
// Numbers for the places in kernels, because the tables of racecheck have no room for addresses. A number is not 0, and never given to another place,
// even if the code is unloaded.
#pragma once
#include "cpu/abi/check_site.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hiplz::cpu::check {

/// The place with the number; null if its code has been unloaded.
const CheckSite *siteOf(uint32_t number);
/// Code is about to be unloaded.
void forgetSiteNumbers(const void *begin, size_t bytes);

/// A cache of numbers; of one thread at a time.
class SiteNumbers {
public:
  uint32_t of(const CheckSite &site) {
    Entry &entry = entries_[reinterpret_cast<uintptr_t>(&site) / 16 % entries_.size()];
    if (entry.site != &site)
      entry = {&site, find(site)};
    return entry.number;
  }
  /// To be called now and then: forgets what has been unloaded.
  void refresh();

private:
  struct Entry {
    const CheckSite *site = nullptr;
    uint32_t number = 0;
  };
  static uint32_t find(const CheckSite &site);
  std::array<Entry, 128> entries_{};
  uint64_t version_ = 0;
};

} // namespace hiplz::cpu::check
