// SPDX-License-Identifier: MIT
// Addresses in reports: the allocation that each is in, near to, or was in, with the host's call stacks. All functions may be
// called by any thread; without memcheck, racecheck and initcheck they do nothing.
#pragma once
#include "base/check_mark.h"
#include "base/check_report.h"
#include "cpu/abi/check_functions.h"

#include <cstddef>
#include <initializer_list>

namespace hiplz::cpu::check {

/// Kinds of ranges of memory.
enum class MemoryKind { device, host, shared, code };

/// Bytes between an allocation and the end of its pages that nobody may access while memory is checked; else zero.
size_t redZone();

/// Memory that a program has made or is about to free. Its pages are in the memory for kernels, except those of `code`, the variables of
/// modules, which kernels may access as a whole.
void addMemory(const void *begin, size_t bytes, size_t mapped, MemoryKind kind);
void removeMemory(const void *begin);
/// Physical memory that has been mapped at addresses that a program has reserved, and the end of that, for parts of it as well.
void addMapped(const void *begin, size_t bytes, MemoryKind kind);
void removeMapped(const void *begin, size_t bytes);

/// The runtime says something about memory (kZeCheckMark). noteMark() takes the host's call stack when the mark is submitted, markMemory()
/// carries it out.
void noteMark(const ZeCheckMark &mark);
void markMemory(const ZeCheckMark &mark);

/// The address is on a heap of kernels: only their blocks on it may be used from now on. The heap, if it was not known before.
CheckBounds beginHeap(const void *address);

/// The allocation that the address is in, for compiled code; empty unless all of it may be used.
CheckBounds boundsOf(const void *address);
/// The same also if not all of it may be used.
CheckBounds extentOf(const void *address);
/// True if both addresses are in allocations, and not in the same.
bool areApart(const void *first, const void *second);

/// True if the address is in the padding of a pitched row.
bool isPadding(const void *address);

/// True for memory outside of the region that kernels may access.
bool isKnown(const void *address, size_t bytes);

/// True if the address is in a __constant__ variable.
bool isConstant(const void *address);

/// True if the address is in memory of one of these kinds.
bool isOfKind(const void *address, std::initializer_list<MemoryKind> kinds);

/// True if the address is in memory that has been freed and not allocated again.
bool wasFreed(const void *address);

/// Fills `address`, `allocated` and `freed` of a report.
void describeAddress(const void *address, CheckReport &report);

} // namespace hiplz::cpu::check
