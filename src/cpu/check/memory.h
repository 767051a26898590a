// SPDX-License-Identifier: MIT
// What reports say about an address: the allocation that it is in, near to, or was in, with the host's call stacks. All functions may be
// called by any thread; without memcheck and racecheck they do nothing.
#pragma once
#include "base/check_report.h"

#include <cstddef>

namespace hiplz::cpu::check {

/// What a range of memory is.
enum class MemoryKind { device, host, shared, code };

/// Bytes between an allocation and the end of its pages that nobody may access while memory is checked; else zero.
size_t redZone();

/// Memory that a program has made or is about to free. Its pages are in the memory for kernels, except those of `code`, the variables of
/// modules, which kernels may access as a whole.
void addMemory(const void *begin, size_t bytes, size_t mapped, MemoryKind kind);
void removeMemory(const void *begin);

/// True for memory outside of the region that kernels may access.
bool isKnown(const void *address, size_t bytes);

/// True if the address is in memory that has been freed and not allocated again.
bool wasFreed(const void *address);

/// Fills `address`, `allocated` and `freed` of a report.
void describeAddress(const void *address, CheckReport &report);

} // namespace hiplz::cpu::check
