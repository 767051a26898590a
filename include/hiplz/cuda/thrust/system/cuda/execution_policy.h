// SPDX-License-Identifier: MIT
// Thrust's execution policies for the GPU: rocThrust has them as thrust::hip::par.
#pragma once

#include <thrust/system/hip/execution_policy.h>

namespace thrust {
namespace cuda = hip;
}
