// SPDX-License-Identifier: MIT
// The place where AMD's HIP has this header; programs include it from there.
#ifndef HIPLZ_AMD_DETAIL_AMD_HIP_GL_INTEROP_H
#define HIPLZ_AMD_DETAIL_AMD_HIP_GL_INTEROP_H

#include "hip/hip_gl_interop.h"

#endif
