// SPDX-License-Identifier: MIT
// Where workers sleep, and who wakes them. Of a hundred workers that go to sleep or wake at the same time, each would have to wait for
// a word that all of them write. So each domain of neighbouring processors has words of its own, and a thread that wakes others
// begins with those of its domain.
#pragma once
#include "cpu/exec/machine.h"

#include <cstdint>
#include <memory>

namespace hiplz::cpu {

/// All methods may be called by any thread.
class Sleepers {
public:
  explicit Sleepers(unsigned domains) : domainCount_(domains), domains_(new Domain[domains]) {}

  /// Sleeps until somebody wakes the caller. False if there was work after the caller had been counted as a sleeper: it has not
  /// slept. A thread that adds work first adds it and then looks for sleepers, so one of the two sees the other.
  template <class HasWork> bool sleep(unsigned domain, HasWork hasWork) {
    Domain &own = domains_[domain];
    own.sleeping.fetch_add(1);
    if (hasWork() && take(own.sleeping, 1) != 0)
      return false;
    while (take(own.tickets, 1) == 0)
      futexWait(&own.tickets, 0, kForever);
    return true;
  }

  /// Wakes so many threads at most, those of this domain first.
  void wake(unsigned domain, uint32_t most);

  /// True if at least so many threads sleep.
  bool areAtLeast(uint32_t count) const;

  /// Threads that have been woken and have not arrived.
  uint32_t coming() const;

  /// To be called by a thread that has slept in this domain, when it has found work or none.
  void arrive(unsigned domain) { domains_[domain].coming.fetch_sub(1); }

private:
  // A thread that wakes another takes it out of `sleeping` and leaves a ticket, so that nobody wakes it again before it has come.
  struct alignas(64) Domain {
    Atomic<uint32_t> sleeping{0};
    Atomic<uint32_t> tickets{0}; // the word that sleepers wait on
    Atomic<uint32_t> coming{0};  // with tickets, or with the time to use them
  };
  static uint32_t take(Atomic<uint32_t> &count, uint32_t most);

  const unsigned domainCount_;
  const std::unique_ptr<Domain[]> domains_;
};

} // namespace hiplz::cpu
