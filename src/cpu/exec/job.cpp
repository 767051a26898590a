// See job.h.
#include "cpu/exec/job.h"
#include "cpu/exec/futex.h"
#include "cpu/exec/scheduler.h"

#include <algorithm>

namespace hiplz::cpu {
namespace {
// Waking a thread costs the waker 1 to 3 us and takes effect after 5 to 50 us. Work shorter than this stays on one thread.
constexpr uint64_t kAloneNanoseconds = 6000;
} // namespace

bool Job::participate(Worker &worker) {
  auto work = [this, &worker] {
    for (;;) {
      uint64_t begin = claimed.fetch_add(batch, std::memory_order_relaxed);
      if (begin >= total)
        break;
      body(*this, worker, begin, std::min(begin + batch, total));
    }
  };
  if (!runGuarded(worker.fault, work))
    fail(worker);
  // Nobody may join any more: there is nothing left to claim.
  Scheduler::get().unpublish(*this);
  return participants.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

bool Job::runAlone(Worker &worker) {
  uint64_t done = 0;
  auto work = [this, &worker, &done] {
    if (total == 1 || maxParticipants == 1) {
      body(*this, worker, 0, total);
      done = total;
      return;
    }
    uint64_t start = now();
    for (uint64_t step = 1; done < total; step *= 2) {
      uint64_t end = std::min(done + step, total);
      body(*this, worker, done, end);
      done = end;
      if (now() - start > kAloneNanoseconds)
        return;
    }
  };
  if (!runGuarded(worker.fault, work)) {
    fail(worker);
    return true;
  }
  claimed.store(done, std::memory_order_relaxed);
  return done == total;
}

void Job::fail(Worker &worker) {
  claimed.store(total, std::memory_order_relaxed);
  failed.store(true, std::memory_order_relaxed);
  worker.recover();
}

} // namespace hiplz::cpu
