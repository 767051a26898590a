// SPDX-License-Identifier: MIT
// The throughput of the processor in a loop of multiply-add intrinsics: the yardstick of the CPU device's throughput, measured in the
// same program because clocks and neighbours differ from one minute to the next.
#pragma once

namespace hiplz::roofline {

/// Pipes for multiply-adds that processors are assumed to have; nothing tells how many they are.
constexpr unsigned kProcessorPipes = 2;

struct ProcessorCode {
  const char *name; ///< avx512, avx2 or sse2
  unsigned lanes;   ///< single-precision numbers in a register
  const char *what; ///< what an operation is compiled to
};

/// The widest that the processor has.
const ProcessorCode &processorCode();

/// Gop/s of that many threads that do nothing else for at least `seconds`; a multiply-add counts as two.
double processorPeak(unsigned threads, double seconds);

} // namespace hiplz::roofline
