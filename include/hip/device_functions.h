// SPDX-License-Identifier: MIT
// Device functions of this kind come with hip_runtime.h; the name is kept for code that includes it.
#ifndef HIPLZ_DEVICE_FUNCTIONS_H
#define HIPLZ_DEVICE_FUNCTIONS_H

#include "hip_runtime.h"

#endif
