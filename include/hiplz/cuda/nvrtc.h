// SPDX-License-Identifier: MIT
// The run-time compiler. Link with -lhiprtc; cucc makes that of -lnvrtc.
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include "names/nvrtc.h"
#include <hip/hiprtc.h>

#endif
