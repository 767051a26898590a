// SPDX-License-Identifier: MIT
// Available to a HIP source before it includes anything: the qualifiers, and in device code the C library's mathematics,
// malloc and free. hipcc includes this first, as AMD's compiler does with a header of its own.
#pragma once

#include "user_macros_off.h"

#ifdef __HIP__
#include "hip/host_defines.h"
#include "hip/spirv/malloc.h"
#include "hip/spirv/math_functions.h"
#endif
#include "user_macros_on.h"
