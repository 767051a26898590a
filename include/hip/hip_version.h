// SPDX-License-Identifier: MIT
// The version of the HIP API that these headers declare. HIPLZ's own version is in hiplz/version.h.
#ifndef HIPLZ_HIP_VERSION_H
#define HIPLZ_HIP_VERSION_H

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 43484
#define HIP_VERSION_BUILD_ID 0
#define HIP_VERSION_BUILD_NAME ""
#define HIP_VERSION_GITHASH ""

#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)

#endif
