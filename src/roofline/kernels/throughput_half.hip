// SPDX-License-Identifier: MIT
// Throughput in half precision. A file of its own, because a module is compiled as a whole.
#include "roofline/kernels/throughput.h"

HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, add, AddChains, half, _Float16)
HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_KERNEL, mad, MadChains, half, _Float16)

namespace hiplz::roofline {

std::vector<ThroughputKernel> halfKernels() {
  constexpr ElementType kType = ElementType::Half;
  return {HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, add, AddChains, half, _Float16)
              HIPLZ_ROOFLINE_SHAPES(HIPLZ_ROOFLINE_ENTRY, mad, MadChains, half, _Float16)};
}

} // namespace hiplz::roofline
