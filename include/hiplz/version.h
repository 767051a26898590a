// SPDX-License-Identifier: MIT
// The version of HIPLZ itself. The version of the HIP API is in hip/hip_version.h.
#ifndef HIPLZ_VERSION_H
#define HIPLZ_VERSION_H

#define HIPLZ_VERSION_MAJOR 0
#define HIPLZ_VERSION_MINOR 1
#define HIPLZ_VERSION_PATCH 0
#define HIPLZ_VERSION_STRING "0.1.0"

#endif
