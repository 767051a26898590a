// SPDX-License-Identifier: MIT
// See sleepers.h.
#include "cpu/exec/sleepers.h"
#include "cpu/exec/futex.h"

#include <algorithm>

namespace hiplz::cpu {

uint32_t Sleepers::take(Atomic<uint32_t> &count, uint32_t most) {
  Backoff backoff;
  for (uint32_t seen = count.load(); seen != 0; backoff.pause()) {
    const uint32_t taken = std::min(seen, most);
    if (count.compare_exchange_weak(seen, seen - taken))
      return taken;
  }
  return 0;
}

void Sleepers::wake(unsigned domain, uint32_t most) {
  for (unsigned looked = 0; looked < domainCount_ && most != 0;
       ++looked, domain = domain + 1 < domainCount_ ? domain + 1 : 0) {
    Domain &here = domains_[domain];
    const uint32_t woken = take(here.sleeping, most);
    if (woken == 0)
      continue;
    most -= woken;
    here.coming.fetch_add(woken);
    here.tickets.fetch_add(woken);
    futexWake(&here.tickets, static_cast<int>(woken));
  }
}

uint32_t Sleepers::coming() const {
  uint32_t sum = 0;
  for (unsigned domain = 0; domain < domainCount_; ++domain)
    sum += domains_[domain].coming.load(std::memory_order_relaxed);
  return sum;
}

bool Sleepers::areAtLeast(uint32_t count) const {
  uint32_t found = 0;
  for (unsigned domain = 0; domain < domainCount_ && found < count; ++domain)
    found += domains_[domain].sleeping.load(std::memory_order_relaxed);
  return found >= count;
}

} // namespace hiplz::cpu
