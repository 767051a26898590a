// SPDX-License-Identifier: MIT
// The older name of hip_ext.h, which AMD's samples still include.
#ifndef HIPLZ_HIP_HCC_H
#define HIPLZ_HIP_HCC_H

#include "hip_ext.h"

#endif
