// SPDX-License-Identifier: MIT
// See site_numbers.h.
#include "cpu/check/site_numbers.h"
#include "base/lockable.h"

#include <atomic>
#include <map>
#include <vector>

namespace hiplz::cpu::check {
namespace {

struct Sites {
  std::map<const CheckSite *, uint32_t> numbers;
  std::vector<const CheckSite *> sites{nullptr}; // no place has the number 0
};

Lockable<Sites> &sites() {
  static auto *all = new Lockable<Sites>(LockRank::cpuCheckSites); // kernels may run when the process ends
  return *all;
}
std::atomic<uint64_t> version{0}; // how often code was unloaded

} // namespace

const CheckSite *siteOf(uint32_t number) {
  const auto all = sites().lock();
  return number < all->sites.size() ? all->sites[number] : nullptr;
}

void forgetSiteNumbers(const void *begin, size_t bytes) {
  const auto *first = static_cast<const CheckSite *>(begin);
  const auto *end = reinterpret_cast<const CheckSite *>(static_cast<const char *>(begin) + bytes);
  const auto all = sites().lock();
  const auto from = all->numbers.lower_bound(first), to = all->numbers.lower_bound(end);
  for (auto each = from; each != to; ++each)
    all->sites[each->second] = nullptr;
  all->numbers.erase(from, to);
  version.fetch_add(1);
}

void SiteNumbers::refresh() {
  if (const uint64_t now = version.load(); version_ != now) {
    entries_.fill({});
    version_ = now;
  }
}

uint32_t SiteNumbers::find(const CheckSite &site) {
  const auto all = sites().lock();
  const auto [entry, isNew] = all->numbers.try_emplace(&site, static_cast<uint32_t>(all->sites.size()));
  if (isNew)
    all->sites.push_back(&site);
  return entry->second;
}

} // namespace hiplz::cpu::check
