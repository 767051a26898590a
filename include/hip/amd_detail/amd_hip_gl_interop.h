// SPDX-License-Identifier: MIT
// AMD's HIP has this header here, and programs include it by this path.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_GL_INTEROP_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_GL_INTEROP_H

#include "hip/hip_gl_interop.h"

#endif
