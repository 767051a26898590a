// SPDX-License-Identifier: MIT
// Which bits of device memory and of work-groups' shared memory nobody has written: the shadow of initcheck (abi/bit_shadow.h), as copies and
// fills change it, and the findings of instrumented code (compiler/uninitialized.h). Memory that the host can write counts as initialized.
// All functions may be called by any thread; without initcheck they do nothing.
#pragma once
#include "base/check_report.h"
#include "cpu/abi/bit_shadow.h"
#include "cpu/check/tools.h"

#include <cstddef>

namespace hiplz::cpu::check {

struct Finding;

inline bool isTracked(const void *address) {
  return reinterpret_cast<uintptr_t>(address) - kTrackedBegin < kTrackedEnd - kTrackedBegin;
}

/// True if initcheck is chosen and has its shadow.
bool hasBitShadow();

/// Nobody has written the range.
void forget(const void *begin, size_t bytes);

/// The range has been written. Also for memory that others than this process's kernels and copies may write from now on.
void initialize(const void *begin, size_t bytes);

/// Code without instrumentation is loaded, so that from here on all memory counts as initialized.
void trustAll();

/// A copy is about to be submitted: its findings have this call stack. `from` and `to` are its first bytes.
void noteCopy(const void *to, const void *from);

/// A part of a copy to `copy` has been made. A copy of uninitialized bytes to memory that is not tracked is a finding.
void copied(const void *copy, const void *to, const void *from, size_t bytes);

/// The text of a finding of Kind::uninitialized or uninitializedOutput.
void describeUninitialized(const Finding &finding, CheckReport &report);

/// Forgets constants of code that is about to be unloaded.
void forgetStores(const void *begin, size_t bytes);

} // namespace hiplz::cpu::check
