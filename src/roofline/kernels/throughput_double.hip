// SPDX-License-Identifier: MIT
// Throughput in double precision, which not every device has: a file, and so a module, of its own.
#include "roofline/kernels/throughput.h"

HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, add, AddChains, double, double)
HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, mad, MadChains, double, double)

namespace hiplz::roofline {

std::vector<ThroughputKernel> doubleKernels() {
  constexpr ElementType kType = ElementType::Double;
  return {HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, add, AddChains, double, double)
              HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, mad, MadChains, double, double)};
}

} // namespace hiplz::roofline
