// SPDX-License-Identifier: MIT
// Throughput in single precision.
#include "roofline/kernels/throughput.h"

HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, add, AddChains, float, float)
HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, mad, MadChains, float, float)

namespace hiplz::roofline {

std::vector<ThroughputKernel> floatKernels() {
  constexpr ElementType kType = ElementType::Float;
  return {HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, add, AddChains, float, float)
              HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, mad, MadChains, float, float)};
}

} // namespace hiplz::roofline
