// SPDX-License-Identifier: MIT
// The operators of reductions and scans over cooperative groups.
#pragma once

#include "../spirv/user_macros_off.h"

#include <hip/hip_runtime.h>

#if defined(__cplusplus) && defined(__HIP__)
namespace cooperative_groups {

#define __HIPLZ_GROUP_OPERATOR(name, expression)                                                                       \
  template <class T> struct name {                                                                                     \
    __HIPLZ_BOTH T operator()(const T &x, const T &y) const { return expression; }                                     \
  };
__HIPLZ_GROUP_OPERATOR(plus, x + y)
/// The lesser and the greater of two.
__HIPLZ_GROUP_OPERATOR(less, y < x ? y : x)
__HIPLZ_GROUP_OPERATOR(greater, x < y ? y : x)
__HIPLZ_GROUP_OPERATOR(bit_and, x &y)
__HIPLZ_GROUP_OPERATOR(bit_or, x | y)
__HIPLZ_GROUP_OPERATOR(bit_xor, x ^ y)
#undef __HIPLZ_GROUP_OPERATOR

} // namespace cooperative_groups
#endif
#include "../spirv/user_macros_on.h"
