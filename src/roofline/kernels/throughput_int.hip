// SPDX-License-Identifier: MIT
// Throughput of integers. A multiply-add is a product and a sum, which few devices have as one instruction.
#include "roofline/kernels/throughput.h"

HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, add, IntegerAddChains, int, int)
HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, mad, MadChains, int, int)

namespace hiplz::roofline {

std::vector<ThroughputKernel> intKernels() {
  constexpr ElementType kType = ElementType::Int;
  return {HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, add, IntegerAddChains, int, int)
              HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, mad, MadChains, int, int)};
}

} // namespace hiplz::roofline
