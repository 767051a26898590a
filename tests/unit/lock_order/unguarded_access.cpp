// SPDX-License-Identifier: MIT
// Does not compile, which is the test: the second access is not under the lock.
#include "base/mutex.h"

struct Guarded {
  hiplz::Mutex mutex{hiplz::LockRank::event};
  int value HIPLZ_GUARDED_BY(mutex) = 0;
};

void access(Guarded &guarded) {
  {
    hiplz::Lock lock(guarded.mutex);
    guarded.value = 1;
  }
  guarded.value = 2;
}
